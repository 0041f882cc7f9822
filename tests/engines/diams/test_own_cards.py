"""A seat's own hand and safe are held against the history of its view.

Whatever comes up in a game is accepted; what can't have come up is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adamas.v1 import diams_pb2 as pb
from engines.diams.checks import own_round
from engines.registry import game
from engines.violations import Report
from tests.contract.play import view_of
from tests.engines.diams.positions import (
    DRAW_HAND,
    card,
    diamond,
    drill,
    for_nothing,
    look_for,
    offer,
    position,
    sale,
    same_kind,
    special_deposit,
)
from tests.engines.diams.test_properties import OPTIONS, game_of
from tests.examples.referee import EngineReferee, play

DIAMS = game("diams")
REFEREE = EngineReferee()
Change = Callable[[pb.DiamsView], object]


@settings(max_examples=2, deadline=None)
@given(OPTIONS, st.integers(2, 5), st.integers(0, 10_000))
def test_every_view_of_a_game_is_accepted(options: pb.DiamsOptions, seats: int, seed: int) -> None:
    for row, _ in game_of(options, seats, seed):
        for seat in range(seats):
            view = view_of(DIAMS, row, seat)
            report = Report()
            again = DIAMS.codec.read_view(DIAMS.codec.write_view(view), "view", report)
            assert not report.violations
            assert DIAMS.kernels.prepare(again, DIAMS.new_table())


def after(state: pb.DiamsState, seat: int, *moves: pb.DiamsMove) -> pb.DiamsView:
    """What a seat knows after some moves."""
    found: pb.DiamsView = REFEREE.view(play(REFEREE, state, moves), seat)
    return found


def problems(view: pb.DiamsView) -> list[tuple[str, str]]:
    """What is refused about a view: fields and descriptions."""
    report = Report()
    DIAMS.codec.read_view(view, "view", report)
    return [(violation.field, violation.description) for violation in report.violations]


def drilled(name: str, seat: int = 1, **options: Any) -> pb.DiamsView:
    """Seat 0 has looked for a diamond in the safe of seat 1."""
    hands, safes = ["7 7 7p 1 X1", "2 5 6"], ["", "8 8 8p"]
    start = position(hands, safes=safes, on_market="3 4", pile="9 10 C", **options)
    return after(start, seat, drill(1), look_for(name))


def offered(name: str, *moves: pb.DiamsMove) -> pb.DiamsView:
    """Seat 0 has forced seat 1 to a sale, which has moved then; nobody draws any more."""
    start = position(["7 5 X3", "7p 7 8", "1 5 4"], on_market="3 4", pile="", closer=0)
    return after(start, 1, sale("X3", 1), offer(name), *moves)


def stored(*moves: pb.DiamsMove, **options: Any) -> pb.DiamsView:
    """Seat 0 has put something away; nobody draws any more."""
    start = position(["8 8p 3 7 X2", "2 5 6"], safes=["7 7 7p"], pile="", closer=0, **options)
    return after(start, 0, *moves)


def taken(*moves: pb.DiamsMove) -> pb.DiamsView:
    """Seat 0 has taken a 3 by placing one; seat 1 has moved then."""
    start = position(["3 7 1", "2 5 6"], on_market="3p 4", pile="9 10 C")
    return after(start, 0, same_kind("3"), *moves)


def last(view: pb.DiamsView, kind: str) -> Any:
    """The last event of a kind."""
    bodies = [getattr(event, kind) for event in view.history if event.WhichOneof("event") == kind]
    return bodies[-1]


def of_another(kind: str, name: str) -> Change:
    """Another diamond in the last event of a kind."""
    return lambda view: last(view, kind).diamond.CopyFrom(diamond(name))


def holding(*names: str) -> Change:
    """Another hand."""
    return lambda view: replace(view.hand, map(card, names))


def storing(*names: str, seat: int | None = None) -> Change:
    """Another safe; with a seat, an open one."""
    return lambda view: replace(
        view.safe if seat is None else view.safes[seat].diamonds, map(diamond, names)
    )


def replace(field: Any, entries: Iterable[Any]) -> None:
    del field[:]
    field.extend(entries)


def having_played_nothing(view: pb.DiamsView) -> None:
    """It turned two cards for the market, and then passed."""
    view.history.append(pb.DiamsEvent(nothing_played=pb.DiamsNothingPlayed(seat=view.seat)))
    view.turn = 1


RIGHT = "give all events of the round in order, and the hand and the safe as they are now"
OPEN = {"open_safes": True}
TO_SAFE = {"drill_to": pb.DIAMS_DRILL_TO_SAFE}


@dataclass(frozen=True)
class Case:
    """A view, what is changed in it, and what is said about that."""

    name: str
    view: pb.DiamsView
    change: Change
    says: str


CASES = [
    Case(
        "a drill missed what was in the safe",
        drilled("9"),
        of_another("drill_named", "8"),
        "a drill found no 8 in the safe of seat 1, but it was there",
    ),
    Case(
        "a drill found what was in no deposit",
        drilled("8"),
        of_another("drill_named", "9"),
        "seat 1 put 3 diamonds away, but those in its safe are no such deposit",
    ),
    Case(
        "a drill brought what is not in the safe",
        drilled("8", 0, **TO_SAFE),
        storing("9"),
        "a drill brought 8 into the safe of seat 0, but it is not in there",
    ),
    Case(
        "a drill brought what is not in hand",
        drilled("8", 0),
        holding("7", "7", "7p", "1", "9"),
        "seat 0 has 8 0 times in hand and safe, but the history leads to 1 to 4",
    ),
    Case(
        "what was taken is not in hand",
        taken(),
        holding("3", "7", "1", "9"),
        "seat 0 has 3p 0 times in hand and safe, but the history leads to 1 to 3",
    ),
    Case(
        "what had to be sold is in hand",
        offered("5"),
        holding("7p", "7", "5"),
        "5 is in the hand of seat 1, but it can't be by then",
    ),
    Case(
        "what had to be sold before is placed",
        offered("5", for_nothing("8")),
        of_another("card_placed", "5"),
        "5 left the hand of seat 1, but it was not in there",
    ),
    Case(
        "nothing was played with a diamond in hand",
        taken(DRAW_HAND, for_nothing("2")),
        having_played_nothing,
        "seat 0 played nothing, but had a card to play",
    ),
    Case(
        "a deposit had no set of three",
        drilled("9"),
        storing("8", "8", "9"),
        "seat 1 put 3 diamonds away, but those in its safe are no such deposit",
    ),
    Case(
        "a special deposit was of a kind that was not in the safe",
        stored(special_deposit("7")),
        storing("7", "7", "7p", "5"),
        "seat 0 put 1 diamond away, but those in its safe are no such deposit",
    ),
    Case(
        "a drill missed what was in an open safe",
        drilled("9", 0, **OPEN),
        of_another("drill_named", "8"),
        "seat 0 found no 8 in a safe, but it was in there",
    ),
    Case(
        "a drill found what was not in an open safe",
        drilled("8", 0, **OPEN),
        of_another("drill_named", "9"),
        "seat 0 found 9 in a safe, but it was not in there",
    ),
    Case(
        "an open safe has what no deposit brought",
        drilled("9", 0, **OPEN),
        storing("8", "8", "9", seat=1),
        "it leads to other diamonds than those in the safe of seat 1",
    ),
    Case(
        "a deposit into an open safe had no set of three",
        drilled("9", 0, **OPEN),
        lambda view: last(view, "deposited").diamonds[0].CopyFrom(diamond("9")),
        "seat 1 put diamonds into its safe, but they make no deposit",
    ),
    Case(
        "a special deposit into an open safe was of a kind that was not in there",
        stored(special_deposit("7"), **OPEN),
        lambda view: last(view, "special_deposited").diamonds[0].CopyFrom(diamond("3")),
        "seat 0 put diamonds into its safe, but they make no special deposit",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_can_not_have_come_up_is_refused(case: Case) -> None:
    view = pb.DiamsView.FromString(case.view.SerializeToString())
    assert problems(view) == []
    case.change(view)
    ((field, description),) = problems(view)
    assert field == "view.history"
    assert description == f"can't have happened: {case.says}; {RIGHT}"


def test_a_card_that_left_the_game_has_to_be_out_of_it() -> None:
    view = drilled("9", 0)
    replace(view.removed, [card("9") if gone == card("X1") else gone for gone in view.removed])
    says = "has X1 0 times, but by the history it left the game 1 times"
    assert problems(view) == [("view.removed", says)]


def test_no_more_deposits_are_tried_than_there_is_time_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not found out by then is taken as it is."""
    view = drilled("9")
    of_another("drill_named", "8")(view)
    assert problems(view)
    monkeypatch.setattr(own_round, "MAX_DEPOSITS_TRIED", 0)
    assert not problems(view)
