"""What can't have happened is refused, at the field that is wrong, and all of it at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from adamas.v1 import dao_pb2 as pb
from engines.registry import game
from engines.violations import Report

DAO = game("dao")
LETTERS = "MFEWA"
"""Metal, fire, earth, wood, water (aqua), as in the rules page."""
Spoil = Callable[[pb.DaoView], object]


def cards(text: str) -> list[pb.DaoCard]:
    """Cards from letters and values, "M1 A4"."""
    return [
        pb.DaoCard(element=pb.DaoElement.ValueType(LETTERS.index(word[0]) + 1), value=int(word[1]))
        for word in text.split()
    ]


def view(row: str, piles: list[str], turn: int, turned: int, **options: Any) -> pb.DaoView:
    """A view of a game of one round in which so many cards have been turned."""
    seats = len(piles)
    return pb.DaoView(
        options=pb.DaoOptions(two_round_split=False, **options),
        seats=seats,
        turn=turn,
        round=1,
        row=cards(row),
        deck_size=60 - turned,
        piles=[pb.DaoPile(cards=cards(pile)) for pile in piles],
    )


def second_round(
    scores: list[int], taken: list[int], half: str = "", starter: int = 1, **options: Any
) -> pb.DaoView:
    """A view at the start of round 2, by default after a half of three cards of each value 1 and 2.

    The half has 30 cards: those given, and as many ones, twos and threes as are missing.
    """
    first_half = cards(half)
    spare = [
        card for e in LETTERS for card in cards(f"{e}1 {e}2 {e}3 {e}1 {e}2 {e}3 {e}1 {e}2 {e}3")
    ]
    first_half += spare[: 30 - len(first_half)]
    return pb.DaoView(
        options=pb.DaoOptions(two_round_split=True, **options),
        seats=len(scores),
        turn=starter,
        starter=starter,
        round=2,
        row=cards("M4 F4 E4"),
        deck_size=27,
        piles=[pb.DaoPile() for _ in scores],
        first_half=first_half,
        first_round=[
            pb.DaoRoundResult(score=score, cards=number)
            for score, number in zip(scores, taken, strict=True)
        ],
    )


def violations(message: pb.DaoView) -> dict[str, str]:
    """Field -> what is wrong with it."""
    report = Report()
    DAO.codec.read_view(message, "view", report)
    return {found.field: found.description for found in report.violations}


POSSIBLE = {
    "the first position": view("M1 F2 E3", ["", "", ""], 0, 3),
    "one taken": view("F2 E3", ["M1", "", ""], 1, 3),
    "two turned": view("M1 F2 E3 W1 A2", ["", "", ""], 2, 5),
    "a row that busted, and its refill": view("M1 F1 E1", ["M4 F4 E4 W3", "", ""], 1, 7),
    "a row above 12 by the exception": view("F4 E3 A3 W3", ["", ""], 1, 4),
    "a first card taken since": view("E3 A3 W3 M3 F3", ["", "F4"], 0, 6),
    "front cards taken since": view(
        "E3 A3 W4 M3 F3", ["M4", ""], 0, 6, exception_card=pb.DAO_EXCEPTION_CARD_FRONT
    ),
    "taken to the last card, and a refill": view("W1 W2 W3", ["M1 E3", "F2"], 1, 6),
    "the loser starts": second_round(
        [2, 5], [4, 6], starter=0, split_second_starter=pb.DAO_SPLIT_STARTER_LOSER
    ),
    "nobody took anything but one": second_round([0, 3], [0, 1]),
}


@pytest.mark.parametrize("name", POSSIBLE)
def test_what_can_happen_is_accepted(name: str) -> None:
    assert violations(POSSIBLE[name]) == {}


IMPOSSIBLE: dict[str, tuple[pb.DaoView, str, str]] = {
    "a score without cards": (
        second_round([30, 0], [0, 0]),
        "view.first_round[0].score",
        "is 30; 0 cards of first_half give 0 to 0 points",
    ),
    "all cards twice": (
        second_round([-3, -3], [30, 30]),
        "view.first_round",
        "count 60 cards together; round 1 has 30",
    ),
    "a score above the best cards of the half": (
        second_round([5, 0], [1, 4]),
        "view.first_round[0].score",
        "is 5; 1 cards of first_half give 1 to 3 points",
    ),
    "a score below the worst pile": (
        second_round([-9, 0], [9, 4]),
        "view.first_round[0].score",
        "9 cards of first_half give -5 to",
    ),
    "all seats with the best cards of the half": (
        second_round([13] * 6, [5] * 6),
        "view.first_round",
        "before those for other elements are taken off",
    ),
    "cards that nobody took though the last player does": (
        second_round([0, 0], [4, 4], leftover_row=pb.DAO_LEFTOVER_ROW_LAST_PLAYER),
        "view.first_round",
        "all of which are taken (leftover_row)",
    ),
    "the winner starts": (
        second_round([2, 5], [4, 6], split_second_starter=pb.DAO_SPLIT_STARTER_LOSER),
        "view.starter",
        "the loser of round 1 starts round 2",
    ),
    "another starter": (second_round([2, 5], [4, 6], starter=0), "view.starter", "use 1"),
    "a row of far more than 12": (
        view("M4 F3 E4 A3 W4 M3 F4 E3 A4 W3 M3 F3 E3 A3 W3 M2 F2 E1", ["", ""], 1, 18),
        "view.row[3]",
        "is Water 3, with which the row is worth 14",
    ),
    "a card equal to the front where the one before it counts": (
        view("F4 E3 A3 W4", ["", ""], 1, 4),
        "view.row[3]",
        "only if the turned card is worth as much as the card before it",
    ),
    "a card equal to the one before where the front counts": (
        view("F4 E3 A3 W3", ["", ""], 1, 4, exception_card=pb.DAO_EXCEPTION_CARD_FRONT),
        "view.row[3]",
        "as much as the front card",
    ),
    "three cards while nobody else has moved": (
        view("W1 W2 W3", ["M1 F2 E3", "", ""], 1, 6),
        "view.piles",
        "can't have been taken by turns",
    ),
    "five small cards at once": (
        view("W1 W2 W3", ["M1 F1 E1 A1 W1", "", ""], 1, 8),
        "view.piles",
        "can't have been taken by turns",
    ),
    "the wrong seat after two cards were turned": (
        view("M1 F2 E3 W1 A2", ["", "", ""], 1, 5),
        "view.turn",
        "only seat 2 can be to move",
    ),
    "a move before the first": (
        view("M1 F1 E1", ["", "", ""], 1, 3),
        "view.turn",
        "only seat 0 can be to move",
    ),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_what_can_not_happen_is_refused_with_its_cause(name: str) -> None:
    message, field, phrase = IMPOSSIBLE[name]
    found = violations(message)
    assert list(found) == [field]
    assert phrase in found[field]


EVERYTHING: list[tuple[Spoil, set[str]]] = [
    (lambda v: v.Clear(), {"seats", "round", "row", "piles", "deck_size"}),
    (
        lambda v: v.MergeFrom(pb.DaoView(seat=7, turn=6, starter=9, round=3, deck_size=99)),
        {"seat", "turn", "starter", "round", "deck_size"},
    ),
    (
        lambda v: v.MergeFrom(pb.DaoView(seats=9, row=[pb.DaoCard(value=2)])),
        {"row[3].element", "seats"},
    ),
    (
        lambda v: v.MergeFrom(pb.DaoView(options=pb.DaoOptions(initial_row=7), turn=-1)),
        {"options.initial_row", "turn"},
    ),
    (lambda v: v.CopyFrom(view("", ["", "", ""], 5, 3)), {"", "row", "turn"}),
]


@pytest.mark.parametrize(("spoil", "fields"), EVERYTHING)
def test_everything_that_is_wrong_is_said_at_once(spoil: Spoil, fields: set[str]) -> None:
    message = view("M1 F2 E3", ["", "", ""], 0, 3)
    spoil(message)
    assert set(violations(message)) == {f"view.{field}" if field else "view" for field in fields}


def test_a_card_left_out_is_not_blamed_on_the_deck() -> None:
    message = view("M1 F2 E3", ["", "", ""], 0, 3)
    del message.row[1]
    assert violations(message) == {
        "view": "has 2 cards in row, 0 in piles and 57 in deck_size, 59 together; a round is "
        "played with 60, so 1 are missing"
    }
