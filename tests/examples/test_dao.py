"""The worked examples of docs/rules/dao.md, section 9, by number.

Rows are written front to end: "E3 F1 W2", with M metal, F fire, E earth, W wood, A water.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from adamas.v1 import dao_pb2 as pb
from tests.examples.referee import Referee, play

INITIALS = "MFEWA"
TAKE = pb.DaoMove(action=pb.DAO_ACTION_TAKE)
REVEAL = pb.DaoMove(action=pb.DAO_ACTION_REVEAL)
FRONT = pb.DAO_EXCEPTION_CARD_FRONT
COPIES = (1, 4, 3, 3, 1)


def card(text: str) -> pb.DaoCard:
    element = pb.DaoElement.ValueType(INITIALS.index(text[0]) + 1)
    return pb.DaoCard(element=element, value=int(text[1]))


def cards(text: str) -> list[pb.DaoCard]:
    return [card(word) for word in text.split()]


def words(found: Any) -> str:
    return " ".join(f"{INITIALS[c.element - 1]}{c.value}" for c in found)


def position(
    row: str, deck: str, piles: dict[int, str] | None = None, seats: int = 3, **options: Any
) -> pb.DaoState:
    """A position with seat 0 to move whose deck holds just these cards, next one first.

    The cards that appear nowhere else are put into the last seat's pile.
    """
    piles = piles or {}
    shown = cards(row) + cards(deck) + [c for pile in piles.values() for c in cards(pile)]
    rest = Counter({f"{e}{v}": COPIES[v] for e in INITIALS for v in range(5)})
    rest.subtract(words(shown).split())
    assert min(rest.values()) >= 0, "an example shows a card too often"
    options = {"two_round_split": False, **options}
    state = pb.DaoState(
        options=pb.DaoOptions(**options), seats=seats, round=1, row=cards(row), deck=cards(deck)
    )
    for seat in range(seats):
        state.piles.append(pb.DaoPile(cards=cards(piles.get(seat, ""))))
    state.piles[seats - 1].cards.extend(cards(" ".join(rest.elements())))
    return state


def pile(state: pb.DaoState, seat: int) -> Counter[str]:
    return Counter(words(state.piles[seat].cards).split())


def event_kinds(events: list[Any]) -> list[str]:
    return [event.WhichOneof("event") for event in events]


FILLER = "M1 F2 E2 W1 A2 M3"


def test_example_1_take(referee: Referee) -> None:
    after = referee.apply(position("E3 F1 W2", FILLER), TAKE)
    assert words(after.row) == "F1 W2"
    assert pile(after, 0) == Counter(["E3"])
    assert after.turn == 1


def test_example_2_reveal_without_bust(referee: Referee) -> None:
    start = position("E3 F1 W2", "M2 " + FILLER)
    after = referee.apply(start, REVEAL)
    assert words(after.row) == "E3 F1 W2 M2"
    assert after.turn == 1
    (revealed,) = referee.events(start, REVEAL)
    assert revealed.card_revealed.row_total == 8


def test_example_3_bust(referee: Referee) -> None:
    start = position("F3 W2 E3 M2", "A4 " + FILLER)
    after = referee.apply(start, REVEAL)
    assert pile(after, 0) == Counter(["F3", "W2", "E3", "M2", "A4"])
    assert words(after.row) == "M1 F2 E2"
    assert event_kinds(referee.events(start, REVEAL)) == ["card_revealed", "bust", "row_refilled"]


def test_example_4_exception(referee: Referee) -> None:
    start = position("F4 E3 A3", "W3 " + FILLER)
    after = referee.apply(start, REVEAL)
    assert words(after.row) == "F4 E3 A3 W3"
    assert event_kinds(referee.events(start, REVEAL)) == ["card_revealed", "exception_held"]
    with_front = position("F4 E3 A3", "W3 " + FILLER, exception_card=FRONT)
    assert pile(referee.apply(with_front, REVEAL), 0) == Counter(["F4", "E3", "A3", "W3"])


@pytest.mark.parametrize("exception_card", [pb.DAO_EXCEPTION_CARD_PREVIOUS, FRONT])
def test_example_5_exception_that_holds_under_both_readings(
    referee: Referee, exception_card: int
) -> None:
    start = position("A3 M4 E3", "W3 " + FILLER, exception_card=exception_card)
    assert words(referee.apply(start, REVEAL).row) == "A3 M4 E3 W3"


def test_example_6_discriminating_case(referee: Referee) -> None:
    after = referee.apply(position("A3 E3 F4", "W3 " + FILLER), REVEAL)
    assert pile(after, 0) == Counter(["A3", "E3", "F4", "W3"])
    front = position("A3 E3 F4", "W3 " + FILLER, exception_card=FRONT)
    assert words(referee.apply(front, REVEAL).row) == "A3 E3 F4 W3"


def test_example_7_public_example(referee: Referee) -> None:
    after = referee.apply(position("F4 W3 M2 E2", "A2 " + FILLER), REVEAL)
    assert words(after.row) == "F4 W3 M2 E2 A2"


def test_example_8_exactly_12(referee: Referee) -> None:
    after = referee.apply(position("F4 W3 E3", "A2 " + FILLER), REVEAL)
    assert words(after.row) == "F4 W3 E3 A2"


def test_example_9_after_an_exception(referee: Referee) -> None:
    row = "F4 E3 A3 W3"
    after = referee.apply(position(row, FILLER), TAKE)
    assert (words(after.row), pile(after, 0)) == ("E3 A3 W3", Counter(["F4"]))
    after = referee.apply(position(row, "E0 " + FILLER), REVEAL)
    assert pile(after, 0) == Counter(f"{row} E0".split())
    after = referee.apply(position(row, "M3 " + FILLER.replace(" M3", "")), REVEAL)
    assert words(after.row) == f"{row} M3"


def test_example_10_refill_limit(referee: Referee) -> None:
    refilled = referee.apply(position("E1", "F4 W4 M4 E0 A4 " + FILLER), TAKE)
    assert words(refilled.row) == "F4 W4 M4"
    stays = referee.apply(refilled, REVEAL)
    assert words(stays.row) == "F4 W4 M4 E0"
    refilled = referee.apply(position("E1", "F4 W4 M4 A4 " + FILLER), TAKE)
    assert words(referee.apply(refilled, REVEAL).row) == "F4 W4 M4 A4"
    refilled = referee.apply(position("E1", "F4 W4 M4 A1 " + FILLER), TAKE)
    assert pile(referee.apply(refilled, REVEAL), 1) == Counter(["F4", "W4", "M4", "A1"])


def test_example_11_refill_ends_the_game(referee: Referee) -> None:
    after = referee.apply(position("A1", "M1 F2"), TAKE)
    assert after.over
    assert words(after.row) == "M1 F2"
    assert pile(after, 0) == Counter(["A1"])


def test_example_12_last_card_busts(referee: Referee) -> None:
    after = referee.apply(position("E4 E3 W4", "F2"), REVEAL)
    assert after.over
    assert pile(after, 0) == Counter(["E4", "E3", "W4", "F2"])


def test_example_13_last_card_safe(referee: Referee) -> None:
    after = referee.apply(position("E3 W3 A3", "M3"), REVEAL)
    assert after.over
    assert words(after.row) == "E3 W3 A3 M3"
    assert not pile(after, 0)


def finished(piles: dict[int, str], **options: Any) -> pb.DaoState:
    """A game that is over, whose other cards lie with two further seats, in turn.

    These have far too many of every element to win.
    """
    seats = len(piles) + 2
    state = position("", "", piles, seats, **options)
    rest = list(state.piles[seats - 1].cards)
    del state.piles[seats - 1].cards[:]
    state.piles[seats - 2].cards.extend(rest[::2])
    state.piles[seats - 1].cards.extend(rest[1::2])
    state.over = True
    return state


def test_example_14_scoring(referee: Referee) -> None:
    state = finished({0: "E3 E4 E0 E2 E2 M1 F1 W1 A1 A2"})
    assert referee.results(state)[0].score == 6


def test_example_15_best_colour(referee: Referee) -> None:
    state = finished({0: "F4 F3 W2 W2 W2 W1 M3"})
    assert referee.results(state)[0].score == 4


def test_example_16_tie_break(referee: Referee) -> None:
    def shares(state: pb.DaoState) -> list[float]:
        return [result.win_share for result in referee.results(state)]

    ten = "E3 E4 E0 E2 E2 M1 F1 W1 A1 A2"  # 11 - 5 = 6 points
    twelve = "F4 F3 F3 F2 F1 M2 M1 M1 W1 W1 A1 A1"  # 13 - 7 = 6 points
    state = finished({0: ten, 1: twelve})
    assert [result.score for result in referee.results(state)][:2] == [6, 6]
    assert shares(state) == [0, 1, 0, 0]
    fewest = finished({0: ten, 1: twelve}, tie_break=pb.DAO_TIE_BREAK_FEWEST_CARDS)
    assert shares(fewest) == [1, 0, 0, 0]
    shared = finished({0: ten, 1: twelve}, tie_break=pb.DAO_TIE_BREAK_SHARED)
    assert shares(shared) == [0.5, 0.5, 0, 0]
    assert shares(finished({0: "E3 E2 M1", 1: "F3 F2 W1"})) == [0.5, 0.5, 0, 0]


def test_example_17_split(referee: Referee) -> None:
    """First round P 5, Q 4; second round P -2, Q 0: Q wins 4 to 3."""
    state = finished({0: "M1 F1 E1 W1", 1: "A1 M2 A0"}, two_round_split=True)
    state.round, state.starter = 2, 1
    for others in state.piles[2:]:
        mixed = [*others.cards[::2], *others.cards[1::2]]
        state.first_half.extend(mixed[:15])
        del others.cards[:]
        others.cards.extend(mixed[15:])
    for score, count in ((5, 9), (4, 9), (-2, 6), (-2, 6)):
        state.first_round.append(pb.DaoRoundResult(score=score, cards=count))
    results = referee.results(state)
    assert [r.score for r in results][:2] == [5 - 2, 4 + 0]
    assert [r.win_share for r in results] == [0, 1, 0, 0]


def unseen(text: str) -> str:
    """Cards by value: "0x2 1x7" as cards of any element."""
    free = {v: [f"{e}{v}" for e in "AWEFM" for _ in range(COPIES[v])] for v in range(5)}
    found = []
    for part in text.split():
        value, count = (int(n) for n in part.split("x"))
        found += [free[value].pop(0) for _ in range(count)]
    return " ".join(found)


@pytest.mark.parametrize(
    ("row", "rest", "bust"),
    [("F4 W3 M2", "0x2 1x7 2x5 3x5 4x1", 1), ("F4 W3 M2 E1", "0x2 1x6 2x5 3x5 4x1 1x1", 6)],
)
def test_example_18_bust_probability(referee: Referee, row: str, rest: str, bust: int) -> None:
    """Counted by turning each of the 20 unseen cards in turn."""
    deck = unseen(rest).split()
    assert len(deck) == 20
    busts = 0
    for i in range(len(deck)):
        order = " ".join([deck[i], *deck[:i], *deck[i + 1 :]])
        busts += "bust" in event_kinds(referee.events(position(row, order), REVEAL))
    assert busts == bust


def test_clarification_1_only_take_faces_an_empty_deck(referee: Referee) -> None:
    start = position("A1", "M1 F2", refill_ends_game=False)
    after = referee.apply(start, TAKE)
    assert not after.over
    assert referee.legal(after) == [TAKE]
    done = play(referee, after, [TAKE, TAKE])
    assert done.over
    assert not done.row


def test_clarification_3_the_last_turn_takes_the_leftover_row(referee: Referee) -> None:
    start = position("E3 W3 A3", "M3", leftover_row=pb.DAO_LEFTOVER_ROW_LAST_PLAYER)
    assert pile(referee.apply(start, REVEAL), 0) == Counter(["E3", "W3", "A3", "M3"])


@pytest.mark.parametrize("left", [1, 2, 3])
def test_clarification_5_taking_the_last_row_card_ends_a_game_with_few_cards_left(
    referee: Referee, left: int
) -> None:
    deck = " ".join(["M1", "F2", "E2"][:left])
    assert referee.apply(position("A1", deck), TAKE).over
    assert not referee.apply(position("A1", "M1 F2 E2 W2"), TAKE).over


def test_exception_on_the_last_card_is_an_option(referee: Referee) -> None:
    row, last = "F4 E3 A3", "W3"
    assert words(referee.apply(position(row, last), REVEAL).row) == "F4 E3 A3 W3"
    off = position(row, last, exception_on_last_card=False)
    assert pile(referee.apply(off, REVEAL), 0) == Counter(["F4", "E3", "A3", "W3"])


@pytest.mark.parametrize(
    ("rule", "starter"),
    [
        (pb.DAO_SPLIT_STARTER_OTHER, 1),
        (pb.DAO_SPLIT_STARTER_SAME, 0),
        (pb.DAO_SPLIT_STARTER_LOSER, 0),
    ],
)
def test_the_second_round_starts_as_the_option_says(
    referee: Referee, rule: int, starter: int
) -> None:
    """Seat 0 ends the first round with a pile of all colours and loses it."""
    start = position("E4 E3 W4", "F2", {1: "M1 M1 M2"}, seats=2, split_second_starter=rule)
    put_away = sorted(start.piles[1].cards[3:], key=lambda c: c.value)
    del start.piles[1].cards[3:]
    start.options.two_round_split = True
    first = 30 - 4 - 3
    start.piles[0].cards.extend(put_away[:first])
    start.second_half.extend(put_away[first:])
    after = referee.apply(start, REVEAL)
    assert (after.round, after.turn, after.starter) == (2, starter, starter)
    assert len(after.first_half) == 30
    assert len(after.deck) == 27


@pytest.mark.parametrize("cards_open", [2, 3])
def test_the_first_row_has_as_many_cards_as_the_option_says(
    referee: Referee, cards_open: int
) -> None:
    state = referee.start(pb.DaoOptions(initial_row=cards_open), 3, 1)
    assert len(state.row) == cards_open
    assert len(state.deck) == 60 - cards_open


def test_two_seats_play_two_halves_unless_told_otherwise(referee: Referee) -> None:
    assert len(referee.start(pb.DaoOptions(), 2, 1).second_half) == 30
    assert not referee.start(pb.DaoOptions(two_round_split=False), 2, 1).second_half
    assert not referee.start(pb.DaoOptions(), 3, 1).second_half


def test_a_random_starter_is_drawn_from_all_seats(referee: Referee) -> None:
    drawn = {referee.start(pb.DaoOptions(random_start=True), 4, seed).turn for seed in range(40)}
    assert drawn == {0, 1, 2, 3}
