"""Everything that can be wrong with a message of DAO is named by its field."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from google.protobuf.message import DecodeError
from hypothesis import given
from hypothesis import strategies as st

from adamas.v1 import dao_pb2 as pb
from engines.events import NO_LOG, new_log
from engines.registry import game
from engines.violations import Report

DAO = game("dao")
METAL = pb.DAO_ELEMENT_METAL
Change = Callable[[Any], object]


def a_view(moves: int = 6, seats: int = 3) -> Any:
    row = DAO.codec.new_game(pb.DaoOptions(), seats, 4, new_log())
    for _ in range(moves):
        DAO.kernels.apply_move(row, 0, NO_LOG)
    view = DAO.new_view()
    DAO.kernels.project(row, 1, view)
    return DAO.codec.write_view(view)


def a_state(seats: int = 2) -> Any:
    return DAO.codec.write_state(DAO.codec.new_game(pb.DaoOptions(), seats, 4, new_log()))


def fields(violations: list[Any]) -> list[str]:
    return [violation.field for violation in violations]


def view_violations(view: pb.DaoView) -> list[Any]:
    report = Report()
    DAO.codec.read_view(view, "view", report)
    return report.violations


def state_violations(state: pb.DaoState) -> list[Any]:
    report = Report()
    DAO.codec.read_state(state, "state", report)
    return report.violations


def change(**values: Any) -> Change:
    def apply(message: Any) -> None:
        for name, value in values.items():
            setattr(message, name, value)

    return apply


VIEW_MISTAKES: list[tuple[str, Change]] = [
    ("view.seats", change(seats=0)),
    ("view.seats", change(seats=7)),
    ("view.seat", change(seat=3)),
    ("view.seat", change(seat=-1)),
    ("view.turn", change(turn=3)),
    ("view.starter", change(starter=-2)),
    ("view.round", change(round=2)),
    ("view.deck_size", change(deck_size=61)),
    ("view", change(deck_size=20)),
    ("view.over", change(over=True)),
    ("view.row", lambda v: v.ClearField("row")),
    ("view.row[0].value", lambda v: setattr(v.row[0], "value", 5)),
    ("view.row[0].element", lambda v: setattr(v.row[0], "element", 6)),
    ("view.row", lambda v: v.row.extend([pb.DaoCard(element=METAL, value=1)] * 61)),
    ("view.piles", lambda v: v.piles.add()),
    ("view.piles[1].cards[0].value", lambda v: setattr(v.piles[1].cards[0], "value", -1)),
    ("view.piles[0].cards", lambda v: v.piles[0].cards.extend([pb.DaoCard(element=METAL)] * 61)),
    ("view", lambda v: v.piles[0].cards.extend([pb.DaoCard(element=METAL, value=0)] * 2)),
    ("view.first_half", lambda v: v.first_half.add(element=1)),
    ("view.first_round", lambda v: v.first_round.add()),
    ("view.options.initial_row", lambda v: setattr(v.options, "initial_row", 4)),
    ("view.options.tie_break", lambda v: setattr(v.options, "tie_break", 9)),
]


@pytest.mark.parametrize(("field", "mistake"), VIEW_MISTAKES)
def test_a_mistake_in_a_view_is_named(field: str, mistake: Change) -> None:
    view = a_view()
    assert not view_violations(view)
    mistake(view)
    assert field in fields(view_violations(view))


STATE_MISTAKES: list[tuple[str, Change]] = [
    ("state.second_half", lambda s: s.second_half.pop()),
    ("state.deck", lambda s: s.deck.extend(s.second_half)),
    ("state.deck[0].element", lambda s: setattr(s.deck[0], "element", 0)),
    ("state", lambda s: setattr(s.deck[0], "element", s.deck[0].element % 5 + 1)),
]


@pytest.mark.parametrize(("field", "mistake"), STATE_MISTAKES)
def test_a_mistake_in_a_state_is_named(field: str, mistake: Change) -> None:
    state = a_state()
    assert not state_violations(state)
    mistake(state)
    assert field in fields(state_violations(state))


def test_violations_say_what_is_wrong_and_what_would_be_right() -> None:
    view = a_view()
    view.row[0].value = 9
    (violation,) = view_violations(view)
    assert violation.description == "is 9; use 0 to 4"


@given(st.binary(max_size=300))
def test_no_bytes_break_the_codec(data: bytes) -> None:
    for message, read in (
        (pb.DaoView(), DAO.codec.read_view),
        (pb.DaoState(), DAO.codec.read_state),
    ):
        with suppress(DecodeError):
            message.ParseFromString(data)
        read(message, "m", Report())
