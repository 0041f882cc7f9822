"""Determinizations of Diamonds are exactly uniform (section 6).

All states that agree with a view are enumerated here from its message alone, by trying every deal
of the unseen cards and every set of cards that the others may have passed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import pytest
from scipy import stats

from adamas.v1 import diamonds_pb2 as pb
from engines.diamonds.hidden.view import VIEW
from engines.diamonds.rules.state import STATE
from engines.jit import Row
from engines.registry import game
from engines.rng import generator
from engines.violations import Report
from tests.contract.play import view_of
from tests.engines.diamonds.positions import PERFECT_HANDS, RANKS, cards, number_of, position

GAME = game("diamonds")
Deal = tuple[tuple[frozenset[int], ...], tuple[frozenset[int], ...]]
"""The hands, and the cards that each seat has passed."""


@dataclass
class Knowledge:
    """What a view's message says about the hidden cards."""

    view: pb.DiamondsView

    def __post_init__(self) -> None:
        view = self.view
        self.seats = view.seats
        ranks = RANKS[view.seats] if view.options.perfect else 15
        self.hand_size = PERFECT_HANDS[view.seats] if view.options.perfect else 10
        self.played: list[set[int]] = [set() for _ in range(view.seats)]
        self.voids: list[set[int]] = [set() for _ in range(view.seats)]
        for trick in view.tricks:
            for place, card in enumerate(trick.cards):
                seat = (trick.leader + place) % view.seats
                self.played[seat].add(number_of(card))
                if card.suit != trick.cards[0].suit:
                    self.voids[seat].add(trick.cards[0].suit - 1)
        self.hand = frozenset(map(number_of, view.hand))
        self.given = frozenset(map(number_of, view.passed))
        self.received = frozenset(map(number_of, view.received))
        deck = {15 * suit + rank for suit in range(4) for rank in range(ranks)}
        self.unseen = deck - self.hand - set().union(*self.played)

    def receiver(self, seat: int) -> int:
        step = self.seats // 2 if self.view.options.teams else 1
        return (seat + step) % self.seats

    def hands(self) -> Iterator[tuple[frozenset[int], ...]]:
        """Every way in which the unseen cards may lie in the hands."""
        yield from self._deal_from(0, frozenset(self.unseen), ())

    def _deal_from(
        self, seat: int, left: frozenset[int], dealt: tuple[frozenset[int], ...]
    ) -> Iterator[tuple[frozenset[int], ...]]:
        if seat == self.seats:
            yield dealt
        elif seat == self.view.seat:
            yield from self._deal_from(seat + 1, left, (*dealt, self.hand))
        else:
            size = self.hand_size - len(self.played[seat])
            known = self.given - self.played[seat]
            for cards in combinations(sorted(left), size):
                hand = frozenset(cards)
                if any(card // 15 in self.voids[seat] for card in hand):
                    continue
                if seat == self.receiver(self.view.seat) and not known <= hand:
                    continue
                yield from self._deal_from(seat + 1, left - hand, (*dealt, hand))

    def passes(self, hands: tuple[frozenset[int], ...]) -> Iterator[tuple[frozenset[int], ...]]:
        """Every way in which cards may have been passed before it came to these hands."""
        choices: list[list[frozenset[int]]] = []
        for seat in range(self.seats):
            receiver = self.receiver(seat)
            if seat == self.view.seat:
                choices.append([self.given])
            elif receiver == self.view.seat:
                choices.append([self.received])
            else:
                had = sorted(hands[receiver] | self.played[receiver])
                choices.append([frozenset(c) for c in combinations(had, self.view.pass_count)])
        yield from product(*choices)

    def deals(self) -> Iterator[Deal]:
        """Every state that agrees with the view."""
        for hands in self.hands():
            for passed in self.passes(hands):
                yield hands, passed


def members(mask: Any) -> frozenset[int]:
    return frozenset(card for card in range(60) if int(mask) >> card & 1)


def sampled(row: Row, count: int, *, with_passes: bool) -> Counter[Deal]:
    """How often each deal is sampled."""
    table = GAME.new_table()
    assert GAME.kernels.prepare(row, table)
    rng, sample = generator(6), GAME.new_row()
    s = sample.view(STATE)[0]
    seats = int(row.view(VIEW)[0].seats)
    masks: Counter[tuple[tuple[int, ...], tuple[int, ...]]] = Counter()
    for _ in range(count):
        GAME.kernels.determinize(row, table, rng, sample)
        passed = tuple(s.passed[:seats].tolist()) if with_passes else ()
        masks[tuple(s.hands[:seats].tolist()), passed] += 1
    return Counter(
        {(tuple(map(members, h)), tuple(map(members, p))): n for (h, p), n in masks.items()}
    )


def knowledge(state: pb.DiamondsState, seat: int) -> tuple[Row, Knowledge]:
    report = Report()
    row = GAME.codec.read_state(state, "state", report)
    report.raise_if_any()
    view = view_of(GAME, row, seat)
    message = GAME.codec.write_view(view)
    assert isinstance(message, pb.DiamondsView)
    return view, Knowledge(message)


def passed_cards(state: pb.DiamondsState, words: dict[int, str]) -> pb.DiamondsState:
    """Says what some seats have passed on."""
    state.pass_count = max(len(text.split()) for text in words.values())
    for seat, text in words.items():
        state.passed[seat].CopyFrom(pb.DiamondsCards(cards=cards(text)))
    return state


@dataclass
class Case:
    """A small position: how many deals agree with a seat's view of it."""

    name: str
    state: pb.DiamondsState
    deals: int
    seat: int = 0
    with_passes: bool = True
    """Whether what the others have passed is compared too."""

    def __str__(self) -> str:
        return self.name


LATER = {0: "3/20"}
THREE_VOIDS = "S0, S0, C0, C0, H0, H0, D0, D0, D0 1S, C0 2H, H0 3S"
"""In Perfect Diamonds with four seats; two cards each are left."""

CASES = [
    Case("two seats", position(2, plan="S0, C1, H0, D1", crystals=LATER), 861),
    Case("two seats, a void", position(2, plan="S0, C0, H0, D0 1C", crystals=LATER), 465),
    Case(
        "two seats, a passed card is still out",
        passed_cards(
            position(2, plan="S0, C0, D0 1C, D0 1S", hands={1: "H4 ..."}, crystals=LATER),
            {0: "H4"},
        ),
        30,
    ),
    Case(
        "three seats, cards aside, voids in both others",
        position(3, plan="S0, S0, C0, C0, H0, H0, S0, D0 1H, C0 2H", leader=0, crystals=LATER),
        4870,
    ),
    Case(
        "three seats, perfect, one void",
        position(
            3,
            plan="S0, S0, C0, C0, H0, H0, D0, D0, D0 1C",
            hands={0: "H9 S9 C9"},
            perfect=True,
            crystals=LATER,
        ),
        120,
    ),
    Case(
        "three seats, perfect, a void and a passed card that is still out",
        passed_cards(
            position(
                3,
                plan="S0, S0, C0, C0, H0, H0, D0, D0, D0 1C",
                hands={0: "H9 S9 C9", 1: "H8 ..."},
                perfect=True,
                crystals=LATER,
            ),
            {0: "H8"},
        ),
        72,
    ),
    Case(
        "four seats, perfect, voids in three seats",
        position(4, plan=THREE_VOIDS, hands={0: "D13 S13"}, perfect=True, crystals=LATER),
        3380,
    ),
    Case(
        "four seats, perfect, in teams",
        position(
            4, plan=THREE_VOIDS, hands={0: "D13 S13"}, perfect=True, teams=True, crystals=LATER
        ),
        3380,
    ),
    Case(
        "four seats, cards aside, voids in two seats",
        position(
            4,
            plan="S0, S0, S0, C0, C0, H0, H0, D0 1S, H0 2C",
            crystals=LATER,
        ),
        4620,
        with_passes=False,
    ),
    Case(
        "six seats, voids in four of them",
        position(
            6,
            plan="S0, S0, C0, C0, H0, H0, D0, D0, C0 1D 2H 3S 4D",
            hands={0: "H15", 5: "C15"},
            crystals=LATER,
        ),
        24,
        with_passes=False,
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_deal_that_agrees_with_a_view_is_equally_likely(case: Case) -> None:
    view, known = knowledge(case.state, case.seat)
    deals = set(known.deals() if case.with_passes else ((hands, ()) for hands in known.hands()))
    assert len(deals) == case.deals
    counts = sampled(view, max(20_000, 8 * len(deals)), with_passes=case.with_passes)
    assert set(counts) <= deals
    assert stats.chisquare([counts[deal] for deal in deals]).pvalue > 1e-4


def test_samples_leave_the_cards_that_are_known_where_they_are() -> None:
    """From the first trick on a seat knows what it has passed, and what it was passed."""
    state = passed_cards(position(4, hands={1: "H4 H5 ...", 0: "S2 S3 ..."}), {0: "H4 H5"})
    for seat in range(1, 4):
        receiver = state.hands[(seat + 1) % 4]
        state.passed[seat].CopyFrom(pb.DiamondsCards(cards=receiver.cards[:2]))
    view, known = knowledge(state, 0)
    for hands, passed in sampled(view, 500, with_passes=True):
        assert hands[0] == known.hand
        assert known.given <= hands[1]
        assert (passed[0], passed[3]) == (known.given, known.received)
        for seat in (1, 2):
            assert passed[seat] <= hands[seat + 1]


def test_a_view_shows_no_other_hand() -> None:
    names = set(VIEW.names or ())
    assert not {"hands", "passed", "random_state"} & names
    assert {"hand", "given", "received"} <= names
