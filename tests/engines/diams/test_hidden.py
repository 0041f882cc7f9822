"""Determinizations of Diam's are exactly uniform over the histories that agree with a view.

A history is a shuffle together with the deposits that the seat did not see. Each test plays a few
moves of a round with few unseen cards, goes through all shuffles of them and all hidden deposits
with the engine itself, and compares how often each end comes up with what is sampled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format
from scipy import stats

from adamas.v1 import diams_pb2 as pb
from adamas.v1.game_pb2 import GameState
from engines.diams.hidden.view import VIEW
from engines.diams.rules.moves import DRAW_HAND, DRAW_MOVE
from engines.diams.rules.notes import DEPOSITED, DREW, TURN_OF
from engines.diams.rules.state import CLOSING_CARD, STATE
from engines.events import NO_LOG, new_log
from engines.jit import Row
from engines.registry import game
from engines.rng import generator
from engines.violations import Report
from tests.engines.diams.positions import (
    DRAW,
    DRAW_MARKET,
    NO_PLAY,
    deposit,
    drill,
    for_nothing,
    give_up,
    look_for,
    offer,
    position,
    sale,
    same_kind,
    special_deposit,
)
from tests.engines.diams.positions import DRAW_HAND as DRAWS

DIAMS = game("diams")
SAMPLES = 40_000
State = tuple[bytes, bytes, bytes]


@dataclass(frozen=True)
class Course:
    """A round: dealt hands, first market, pile (next card first), moves, and who looks at it.

    A move without a draw before it is preceded by DRAWS.
    """

    hands: Sequence[str]
    on_market: str
    pile: str
    moves: Sequence[pb.DiamsMove]
    viewer: int = 0
    options: tuple[tuple[str, int], ...] = ()


def start_of(course: Course, hands: Sequence[str], pile: str) -> Row:
    """The start with these cards; the course's other cards stay as they are."""
    options: dict[str, Any] = {"closing_window": 0, **dict(course.options)}
    state = position(hands, on_market=course.on_market, pile=pile, phase=DRAW, **options)
    report = Report()
    row = DIAMS.codec.read_state(state, "state", report)
    report.raise_if_any()
    return row


def legal(row: Row) -> list[int]:
    return DIAMS.legal_moves(row)


def after(row: Row, move: int) -> Row:
    following = row.copy()
    DIAMS.kernels.apply_move(following, move, NO_LOG)
    return following


def view_of(row: Row, seat: int) -> Row:
    view = DIAMS.new_view()
    DIAMS.kernels.project(row, seat, view)
    return view


def hidden_part(row: Row) -> State:
    s = row.view(STATE)[0]
    return s.hands.tobytes(), s.safes.tobytes(), s.deck.tobytes()


@dataclass(frozen=True)
class Seen:
    """What the viewer saw: the keys of all moves, the view, and which places it could not see."""

    keys: tuple[int, ...]
    view: Row
    unseen: tuple[tuple[int, int], ...]
    """(seat, place in its dealt hand), or (-1, place in the pile)."""


def play_through(course: Course) -> Seen:
    """Plays the course as it really went."""
    row = start_of(course, course.hands, course.pile)
    unseen = [
        (seat, place)
        for seat, hand in enumerate(course.hands)
        if seat != course.viewer
        for place in range(len(hand.split()))
    ]
    keys: list[int] = []
    drawn = 0
    moves = list(course.moves)
    while moves:
        s = row.view(STATE)[0]
        message = moves[0]
        if s.phase == DRAW and not message.HasField("draw"):
            message = DRAWS
        else:
            moves.pop(0)
        move = DIAMS.codec.read_move(row, message, "move", Report())
        assert move in legal(row), message
        if move == DRAW_MOVE + DRAW_HAND and s.turn != course.viewer:
            unseen.append((-1, drawn))
        keys.append(int(DIAMS.kernels.move_key(row, move, course.viewer)))
        before = int(s.deck_size)
        row = after(row, move)
        drawn += before - int(row.view(STATE)[0].deck_size)
    pile = course.pile.split()
    unseen += [(-1, place) for place in range(drawn, len(pile)) if pile[place] != "C"]
    return Seen(tuple(keys), view_of(row, course.viewer), tuple(unseen))


def orders(cards: Counter[str]) -> Iterator[tuple[str, ...]]:
    """All different orders of some cards."""
    if not +cards:
        yield ()
    for card in list(+cards):
        cards[card] -= 1
        for rest in orders(cards):
            yield (card, *rest)
        cards[card] += 1


def continuations(row: Row, seen: Seen, viewer: int) -> Iterator[Row]:
    """Ends of all ways to play moves that look like those seen to the end that was seen."""
    notes = seen.view.view(VIEW)[0].notes
    waiting = [(row, 0)]
    while waiting:
        current, done = waiting.pop()
        if done == len(seen.keys):
            if view_of(current, viewer).tobytes() == seen.view.tobytes():
                yield current
            continue
        for move in legal(current):
            if DIAMS.kernels.move_key(current, move, viewer) == seen.keys[done]:
                following = after(current, move)
                s = following.view(STATE)[0]
                if (s.notes[: s.notes_size] == notes[: s.notes_size]).all():
                    waiting.append((following, done + 1))


def histories(course: Course, seen: Seen) -> Counter[State]:
    """How many histories that agree with what was seen lead to each hidden part."""
    hands = [hand.split() for hand in course.hands]
    pile = course.pile.split()
    cards = Counter(hands[seat][i] if seat >= 0 else pile[i] for seat, i in seen.unseen)
    codes = {name: code for code, name in enumerate(NAMES)}
    start = start_of(course, course.hands, course.pile)
    counts: Counter[State] = Counter()
    for order in orders(cards):
        for (seat, place), card in zip(seen.unseen, order, strict=True):
            (hands[seat] if seat >= 0 else pile)[place] = card
        row = start.copy()
        s = row.view(STATE)[0]
        for seat, hand in enumerate(hands):
            s.hands[seat] = 0
            for card in hand:
                s.hands[seat, codes[card]] += 1
        s.deck[: len(pile)] = [codes[card] for card in reversed(pile)]
        for end in continuations(row, seen, course.viewer):
            counts[hidden_part(end)] += 1
    return counts


NAMES = [f"{kind}{purity}" for kind in range(1, 11) for purity in ("p", "")] + [
    "X1",
    "X2",
    "X3",
    "C",
]


def sampled(view: Row, seed: int = 3) -> Counter[State]:
    table = DIAMS.new_table()
    assert DIAMS.kernels.prepare(view, table)
    rng = generator(seed)
    counts: Counter[State] = Counter()
    sample = DIAMS.new_row()
    for _ in range(SAMPLES):
        DIAMS.kernels.determinize(view, table, rng, sample)
        counts[hidden_part(sample)] += 1
    return counts


TO_SAFE = (("drill_to", pb.DIAMS_DRILL_TO_SAFE),)
ONE_KIND = (("special_deposit_scope", pb.DIAMS_SPECIAL_DEPOSIT_SCOPE_ONE_KIND),)
OPEN = (("open_safes", 1),)

COURSES = {
    "cards placed that nobody had seen": Course(
        ["5 6 8", "7 7 3"],
        "9",
        "1 4 7 2 3 C",
        [for_nothing("5"), for_nothing("7"), for_nothing("6"), for_nothing("3")],
    ),
    "a deposit": Course(
        ["5 6 8", "7 7 7"], "9", "1 4 7p 2 3 3p C", [for_nothing("5"), deposit("7 7 7")]
    ),
    "a deposit after an open take, so that its kind is certain": Course(
        ["5 6 8", "7 7p 3"],
        "7 9",
        "1 4 3 2 3 C",
        [
            for_nothing("8"),
            same_kind("7p"),
            for_nothing("5"),
            deposit("7 7 7p"),
            for_nothing("1"),
        ],
    ),
    "a card placed that may have been deposited": Course(
        ["5 6 8", "7 7p 3"],
        "7 9",
        "1 3 2 3 4 7p 3p C",
        [
            for_nothing("8"),
            same_kind("7p"),
            for_nothing("5"),
            deposit("7 7 7p"),
            for_nothing("6"),
            for_nothing("7p"),
        ],
    ),
    "known cards and unseen ones in one deposit": Course(
        ["5 6 8", "7 7 7p"],
        "7p",
        "1 7 3 3p C",
        [for_nothing("8"), same_kind("7p"), for_nothing("6"), deposit("7 7 7")],
    ),
    "a deposit that adds to the safe": Course(
        ["5 6 8", "7 7 7"],
        "3 3p",
        "1 7p 5p 3 6p 3 2 C",
        [
            for_nothing("5"),
            deposit("7 7 7"),
            for_nothing("6"),
            same_kind("3"),
            for_nothing("8"),
            deposit("3 3 3p 7p"),
        ],
    ),
    "a forced sale that failed": Course(
        ["5 6 X2", "7 7p 3"],
        "9",
        "1 5p 2 3 7 5 C",
        [sale("X2", 1), offer("6"), for_nothing("3"), for_nothing("1")],
    ),
    "a forced sale": Course(
        ["5 6 X2", "5p 7p 3"],
        "9",
        "1 5p 2 3 7 5 C",
        [sale("X2", 1), offer("5"), for_nothing("3"), for_nothing("1")],
    ),
    "a forced sale after a deposit": Course(
        ["5 7p X2", "7 7 3"],
        "7p 9",
        "1 3 2 3p 4 3 7 C",
        [
            for_nothing("1"),
            same_kind("7"),
            for_nothing("5"),
            deposit("3 3 3p"),
            sale("X2", 1),
            offer("7p"),
        ],
    ),
    "a drill that found its card": Course(
        ["5 6 X1", "7 7p 7p"],
        "9",
        "1 3 2 3 7 3p C",
        [for_nothing("5"), deposit("7 7p 7p"), drill(1), look_for("7p"), for_nothing("3")],
    ),
    "a drill in vain": Course(
        ["5 6 X1", "7 7p 7p"],
        "9",
        "1 3 2 3 7 3p C",
        [for_nothing("5"), deposit("7 7p 7p"), drill(1), look_for("3"), for_nothing("3")],
    ),
    "a drill by another seat into its safe": Course(
        ["5 6 8", "7 7 7p", "3 X1 4"],
        "9",
        "1 7p 3p 5p 2 C",
        [
            for_nothing("5"),
            deposit("7 7 7p"),
            drill(1),
            look_for("7p"),
            for_nothing("6"),
            for_nothing("2"),
        ],
        options=TO_SAFE,
    ),
    "specials played that nobody had seen": Course(
        ["5 6 8", "X2 7 7"],
        "3 9",
        "1 7p 5p 3 6p X3 2 C",
        [
            for_nothing("5"),
            for_nothing("7"),
            for_nothing("6"),
            sale("X2", 0),
            offer("3"),
            for_nothing("8"),
        ],
    ),
    "nothing that could be played": Course(
        ["5 6 8", "X2 7 7p"],
        "3 9",
        "1 7 5p 3 6p X3 5 2 3p 4 X1 C",
        [
            for_nothing("5"),
            deposit("7 7p 7"),
            for_nothing("6"),
            DRAW_MARKET,
            NO_PLAY,
            for_nothing("8"),
            sale("X2", 0),
            offer("5"),
            for_nothing("1"),
        ],
    ),
    "nothing that could be played, twice": Course(
        ["5 6 8", "X2 7 7p"],
        "3 9",
        "1 7 5p 3 6p X3 5 2 4p 3p 4 X1 C",
        [
            for_nothing("5"),
            deposit("7 7p 7"),
            for_nothing("6"),
            DRAW_MARKET,
            NO_PLAY,
            for_nothing("8"),
            DRAW_MARKET,
            NO_PLAY,
            for_nothing("1"),
        ],
    ),
    "a drill in vain and a forced sale that failed, after a deposit": Course(
        ["5 X1 X2", "7 7p 7p"],
        "9",
        "1 3 2 3 4 4p 7 C",
        [
            for_nothing("5"),
            deposit("7 7p 7p"),
            drill(1),
            look_for("3"),
            for_nothing("3"),
            sale("X2", 1),
            offer("1"),
            for_nothing("4p"),
        ],
    ),
    "a card given up over a hand limit of six": Course(
        ["5 6 8", "4 2 7"],
        "4p 4 4 9",
        "1 3 3p 1p 2p C",
        [for_nothing("5"), same_kind("4"), give_up("2"), for_nothing("6"), for_nothing("7")],
        options=(("hand_limit", 6),),
    ),
    "known and unseen cards in two deposits, and a card that may have been in either": Course(
        ["5 6 8", "7 7 7p"],
        "7p 3p",
        "1 3 6p 3 2 3p 4 C",
        [
            for_nothing("8"),
            same_kind("7p"),
            for_nothing("5"),
            deposit("7 7 7p"),
            for_nothing("6"),
            for_nothing("7p"),
        ],
        options=(("hand_limit", 8),),
    ),
    "deposits of two seats": Course(
        ["5 6 1", "7 7 7p", "3 3 3p"],
        "9",
        "1 7p 3 2 C",
        [for_nothing("5"), deposit("7 7 7p"), deposit("3 3 3p"), for_nothing("6")],
    ),
    "a third seat's sale": Course(
        ["7 7p 3", "5 6 X2", "3 3p 8"],
        "9",
        "7 3 4 7p 2 5p C",
        [
            deposit("7 7p 7"),
            sale("X2", 0),
            offer("5"),
            DRAW_MARKET,
            for_nothing("3"),
            for_nothing("3"),
        ],
        viewer=1,
    ),
    "a special deposit": Course(
        ["5 6 8", "7 7 X2"],
        "3",
        "1 7 6p 7p 2 4 3p 3 C",
        [
            for_nothing("8"),
            deposit("7 7 7"),
            for_nothing("6"),
            special_deposit("7p"),
            for_nothing("1"),
        ],
        options=ONE_KIND,
    ),
    "open safes": Course(
        ["5 6 8", "7 7 7p"],
        "3",
        "1 7 6p 7p 2 4 C",
        [for_nothing("8"), deposit("7 7 7p"), for_nothing("6"), for_nothing("7")],
        options=OPEN,
    ),
    "a sale that has to be offered something": Course(
        ["5 6 8", "X2 7 X1"], "9", "1 3 X3 2 C", [for_nothing("5"), sale("X2", 0)]
    ),
    "a card given up that leaves only higher ones": Course(
        ["5 6 8", "4 2 7"],
        "4p 4 9",
        "1 3 3p 1p 2p C",
        [for_nothing("5"), same_kind("4"), give_up("4p")],
        options=(("hand_limit", 3),),
    ),
}


@pytest.mark.parametrize("course", COURSES.values(), ids=COURSES.keys())
def test_histories_are_equally_likely(course: Course) -> None:
    seen = play_through(course)
    expected = histories(course, seen)
    counts = sampled(seen.view)
    assert set(counts) <= set(expected)
    total = sum(expected.values())
    if len(expected) > 1:
        found = [counts[state] for state in expected]
        means = [SAMPLES * n / total for n in expected.values()]
        assert min(means) > 5, "too few samples for the test"
        assert stats.chisquare(found, means).pvalue > 1e-4


@pytest.mark.parametrize("pile", ["1 2 5 6 C", "1 2 5 C", "1 C", "C"])
def test_the_closing_card_lies_anywhere_in_what_is_left_of_its_zone(pile: str) -> None:
    """Section 2: with a window of 3 it is one of the last four cards."""
    state = position(["1 2 5", "6 8 9"], pile=pile, phase=DRAW, closing_window=3)
    row = DIAMS.codec.read_state(state, "state", Report())
    places = Counter(deck.index(CLOSING_CARD) for _, _, deck in sampled(view_of(row, 0)).elements())
    zone = min(len(pile.split()), 4)
    assert set(places) == set(range(zone))
    assert zone == 1 or stats.chisquare(list(places.values())).pvalue > 1e-4


def test_a_view_says_nothing_of_what_it_hides() -> None:
    """Views of samples of a view are that view, in games with all sorts of moves."""
    rng = generator(8)
    for seed in range(12):
        seats = 2 + seed % 4
        row = DIAMS.codec.new_game(pb.DiamsOptions(), seats, seed, new_log())
        ply = 0
        while DIAMS.kernels.seat_to_move(row) >= 0:
            row = after(row, int(DIAMS.kernels.policy_move(row, rng)))
            ply += 1
            if ply % 11 == 0:
                view, table, sample = view_of(row, ply % seats), DIAMS.new_table(), DIAMS.new_row()
                assert DIAMS.kernels.prepare(view, table)
                DIAMS.kernels.determinize(view, table, rng, sample)
                assert view_of(sample, ply % seats).tobytes() == view.tobytes()


def a_round_of_many_deposits() -> Row:
    """Seat 0's view of a round in which seat 1 put five diamonds of six kinds away, a kind at a
    time."""
    state = position(["10 10 10", "9 9p 8"], pile="7 8 9 C", phase=DRAW, hand_limit=8)
    row = DIAMS.codec.read_state(state, "state", Report())
    s = row.view(STATE)[0]
    notes = [TURN_OF + 1]
    for kind in range(6):
        s.removed[2 * kind : 2 * kind + 2] = 0
        s.safes[1, 2 * kind : 2 * kind + 2] = 2, 3
        notes += [DREW] * 5 + [DEPOSITED + 5]
    s.notes[: len(notes)] = notes
    s.notes_size = len(notes)
    return view_of(row, 0)


def test_many_deposits_come_out_right() -> None:
    view, table, sample = a_round_of_many_deposits(), DIAMS.new_table(), DIAMS.new_row()
    assert DIAMS.kernels.prepare(view, table)
    rng = generator(2)
    for _ in range(50):
        DIAMS.kernels.determinize(view, table, rng, sample)
        safe = sample.view(STATE)[0].safes[1].reshape(-1, 2).sum(axis=1)
        assert safe.sum() == 30
        assert ((safe == 0) | (safe >= 3)).all()
        assert view_of(sample, 0).tobytes() == view.tobytes()


def test_the_end_of_a_long_round_is_sampled() -> None:
    """A round of four seats in which hardly any choice of the cards of six deposits fits the
    cards that were given up, sold and taken after them."""
    text = Path(__file__).with_name("rare_deposits.json").read_text(encoding="utf-8")
    report = Report()
    row = DIAMS.codec.read_state(json_format.Parse(text, GameState()).diams, "state", report)
    assert not report.violations
    for seat in range(4):
        view = view_of(row, seat)
        message = DIAMS.codec.write_view(view)
        assert DIAMS.codec.read_view(message, "view", report).tobytes() == view.tobytes()
        assert not report.violations
        samples = sampled(view)
        assert len(samples) > 100
        assert hidden_part(row) in samples
        assert max(samples.values()) < SAMPLES / 20
