"""A view's mistakes are told all at once, and positions of round 1 that its tricks rule out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from adamas.v1 import diamonds_pb2 as pb
from engines.jit import Row
from engines.registry import game
from engines.violations import Report
from tests.contract.play import Setting, position_after, view_of

GAME = game("diamonds")
Spoil = Callable[[pb.DiamondsView], object]


def view_after(moves: int, seats: int = 4, **options: int) -> pb.DiamondsView:
    setting = Setting(GAME, seats, "test", tuple(options.items()))
    row: Row = position_after(setting, 3, moves)
    message = GAME.codec.write_view(view_of(GAME, row, 0))
    assert isinstance(message, pb.DiamondsView)
    return message


def violations(view: pb.DiamondsView) -> list[tuple[str, str]]:
    report = Report()
    GAME.codec.read_view(view, "view", report)
    return [(found.field, found.description) for found in report.violations]


def change(**values: Any) -> Spoil:
    return lambda view: view.MergeFrom(pb.DiamondsView(**values))


NO_CARD = pb.DiamondsCard(suit=pb.DIAMONDS_SUIT_HEARTS, rank=16)
EVERYTHING: list[tuple[Spoil, set[str]]] = [
    (change(seat=4, turn=4, dealer=7, round=9), {"seat", "turn", "dealer", "round"}),
    (change(seats=5, hand=[NO_CARD], dealer=6), {"seats", "hand[9].rank", "dealer"}),
    (
        change(options=pb.DiamondsOptions(fixed_rounds=99), hand=[NO_CARD], turn=-1),
        {"options.fixed_rounds", "hand[9].rank", "turn"},
    ),
    (change(victim_reason=3, hand=[NO_CARD]), {"victim_reason", "hand[9].rank"}),
]


@pytest.mark.parametrize(("spoil", "fields"), EVERYTHING)
def test_everything_that_is_wrong_is_said_at_once(spoil: Spoil, fields: set[str]) -> None:
    view = view_after(10)
    assert (view.phase, len(view.hand)) == (pb.DIAMONDS_PHASE_PLAY, 9)
    assert not violations(view)
    spoil(view)
    if "seats" in fields:
        view.seats = 7
    assert {field for field, _ in violations(view)} == {f"view.{field}" for field in fields}


def test_a_view_of_nothing_but_a_hand_misses_all_the_rest() -> None:
    view = pb.DiamondsView(hand=[NO_CARD])
    told = [field.removeprefix("view.") for field, _ in violations(view)]
    assert told == ["seats", "round", "phase", "vaults", "showrooms", "hand[0].rank"]


def test_in_round_1_crystals_come_by_the_actions_of_the_tricks() -> None:
    view = view_after(5)
    assert view.phase == pb.DIAMONDS_PHASE_PLAY
    assert not view.tricks
    view.vaults[0] += 1
    view.showrooms[0] -= 1
    assert violations(view) == [
        ("view.vaults[0]", "is 1; in round 1 at most 0 crystals have come into it")
    ]
    view.vaults[0] -= 1
    view.showrooms[1] += 1
    assert [field for field, _ in violations(view)] == ["view.showrooms[0]", "view.showrooms[1]"]
