"""A history has an order: events of a round that was played, told in another one, are refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adamas.v1 import diams_pb2 as pb
from engines.registry import game
from engines.violations import Report
from tests.engines.diams.positions import (
    LIMIT,
    for_nothing,
    give_up,
    position,
    same_kind,
)
from tests.engines.diams.test_properties import OPTIONS, game_of
from tests.examples.referee import EngineReferee, play

CODEC = game("diams").codec
REFEREE = EngineReferee()


def problems(state: pb.DiamsState) -> list[tuple[str, str]]:
    report = Report()
    CODEC.read_state(state, "state", report)
    return [(violation.field, violation.description) for violation in report.violations]


@given(options=OPTIONS, seats=st.integers(2, 5), seed=st.integers(0, 10_000), share=st.floats(0, 1))
@settings(max_examples=30, deadline=None)
def test_neighbours_of_a_played_history_can_not_be_swapped(
    options: pb.DiamsOptions, seats: int, seed: int, share: float
) -> None:
    rows = [row.copy() for row, _ in game_of(options, seats, seed)]
    state = CODEC.write_state(rows[int(share * (len(rows) - 1))])
    assert problems(state) == []
    events = list(state.history)
    for i in range(len(events) - 1):
        if events[i] != events[i + 1]:
            told = pb.DiamsState.FromString(state.SerializeToString())
            told.history[i].CopyFrom(events[i + 1])
            told.history[i + 1].CopyFrom(events[i])
            assert problems(told), f"{events[i]} and {events[i + 1]} can be swapped"


def a_round() -> pb.DiamsState:
    """Seat 0 has drawn, placed a 5, taken all of that kind and given up a 2; seat 1 has drawn and
    placed a 9; seat 0 is to draw."""
    start = position(["5 2 8", "9 6 1"], on_market="5p 5 4", pile="10 3 7 3p C", phase=1)
    draw = pb.DiamsMove(draw=pb.DIAMS_DRAW_HAND)
    moves = draw, same_kind("5"), give_up("2"), draw, for_nothing("9")
    found: pb.DiamsState = play(REFEREE, start, moves)
    return found


def swapped(i: int) -> Callable[[pb.DiamsState], Any]:
    def change(state: pb.DiamsState) -> None:
        events = list(state.history)
        events[i], events[i + 1] = events[i + 1], events[i]
        del state.history[:]
        state.history.extend(events)

    return change


def without_its_own_card(state: pb.DiamsState) -> None:
    """Seat 0 did not take back what it placed."""
    del state.history[3:5]


@pytest.mark.parametrize(
    ("change", "field", "says"),
    [
        (swapped(0), "history[1].card_drawn", "seat 0 has already played in this turn"),
        (swapped(1), "history[1].card_taken", "cards are taken after one has been placed"),
        (
            without_its_own_card,
            "history[3].card_given_up",
            "seat 0 has not taken all cards of kind 5",
        ),
    ],
)
def test_what_is_wrong_is_said_where_it_is(
    change: Callable[[pb.DiamsState], Any], field: str, says: str
) -> None:
    state = a_round()
    assert problems(state) == []
    change(state)
    found = [(at, what) for at, what in problems(state) if "history[" in at]
    assert len(found) == 1
    assert found[0][0] == f"state.{field}"
    assert says in found[0][1]


def test_the_seat_to_move_and_the_phase_follow_from_the_history() -> None:
    state = a_round()
    state.turn = 1
    assert ("state.turn", "is 1, but by the history it is the turn of seat 0") in problems(state)
    state = a_round()
    state.phase = pb.DiamsPhase.ValueType(LIMIT)
    assert "state.phase" in [field for field, _ in problems(state)]


def test_a_history_left_out_is_named_rather_than_the_seat_to_move() -> None:
    state = a_round()
    state.starter, state.turn = 1, 0
    del state.history[:]
    assert "state.history" in [field for field, _ in problems(state)]
    assert "state.turn" not in [field for field, _ in problems(state)]


def test_nobody_draws_once_the_closing_card_is_out() -> None:
    state = a_round()
    state.phase, state.closer = pb.DIAMS_PHASE_PLAY, 0
    del state.deck[-1]
    assert problems(state) == []
    state.closer = 1
    (problem,) = problems(state)
    assert problem == (
        "state.history[6].card_drawn",
        "can't have happened: the closing card was out before this turn",
    )
