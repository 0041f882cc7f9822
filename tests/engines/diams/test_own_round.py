"""The round of a viewing seat is accepted exactly if trying everything finds a way to its cards.

The rounds are random, of few cards with much going on, and some are spoilt. Everything is every
order of the cards that came unseen, and every choice of diamonds for each deposit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations, product
from random import Random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.diams.checks.contradictions import Contradiction
from engines.diams.checks.deposit_sets import is_deposit
from engines.diams.checks.own_round import OwnRound, Step
from engines.diams.hidden.prepared import (
    DEALT_UNSEEN,
    GAINED,
    HELD_NOTHING,
    LOST,
    PUT_AWAY,
    PUT_AWAY_SPECIAL,
    SAFE_GAINED,
    SAFE_LACKS,
    SAFE_LOST,
    SHOWN,
)
from engines.diams.hidden.view import VIEW
from engines.diams.rules.state import CARDS, DIAMONDS, X1, X2

SORTS = 4
"""The diamonds that come up: pure and ordinary ones of two kinds."""
COPIES = {0: 2, 1: 3, 2: 2, 3: 3, X1: 1, X2: 1}
"""Cards that can be drawn, and how often."""
NOTHING_EMPTY = 0
"""Bits of HELD_NOTHING: market and safes have cards, so X1 could have been used; X2 not."""
STEPS = (
    DEALT_UNSEEN, GAINED, GAINED, LOST, SHOWN, PUT_AWAY, PUT_AWAY, PUT_AWAY_SPECIAL,
    SAFE_GAINED, SAFE_LOST, SAFE_LACKS, HELD_NOTHING,
)  # fmt: skip


class Seat:
    """What a seat holds, as counts by card, and the steps that led to it."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.pile = [card for card, copies in COPIES.items() for _ in range(copies)]
        rng.shuffle(self.pile)
        self.hand = [0] * CARDS
        self.safe = [0] * DIAMONDS
        self.steps: list[Step] = []
        self.draw(3)
        for _ in range(rng.randint(2, 8)):
            self.go_on()

    def draw(self, number: int) -> None:
        """Cards come to the hand unseen."""
        for _ in range(number):
            self.hand[self.pile.pop()] += 1
        self.steps.append(Step(DEALT_UNSEEN, 0, number, 0))

    def go_on(self) -> None:
        """One more thing happens, if it can."""
        rng, hand, safe = self.rng, self.hand, self.safe
        what, card, kind = rng.choice(STEPS), rng.randrange(SORTS), rng.randrange(SORTS // 2)
        if what == DEALT_UNSEEN:
            if sum(step.pure for step in self.steps if step.what == DEALT_UNSEEN) < 6:
                self.draw(1)
        elif what in (PUT_AWAY, PUT_AWAY_SPECIAL):
            special = what == PUT_AWAY_SPECIAL
            if choices := [cards for cards in sets_of(hand) if fits(cards, safe, special=special)]:
                chosen = rng.choice(choices)
                move(hand, safe, chosen)
                self.steps.append(Step(what, 0, sum(chosen), 0))
        elif what == SHOWN:
            step = Step(SHOWN, kind, hand[2 * kind], hand[2 * kind + 1])
            happens(step, hand, safe)
            self.steps.append(step)
        else:
            after = hand[:], safe[:]
            step = Step(what, 0 if what == HELD_NOTHING else card, NOTHING_EMPTY, 0)
            if happens(step, *after):
                self.hand, self.safe = after
                self.steps.append(step)

    def spoil(self) -> None:
        """Another diamond in hand, in the safe or in a step, with all sizes as they were."""
        place = self.rng.choice([self.hand, self.safe, None])
        other = self.rng.randrange(SORTS)
        if place is None:
            i = self.rng.randrange(len(self.steps))
            number = other // 2 if self.steps[i].what == SHOWN else other
            self.steps[i] = self.steps[i]._replace(card=number)
        elif held := [card for card in range(SORTS) if place[card]]:
            place[self.rng.choice(held)] -= 1
            place[other] += 1


def fits(cards: Sequence[int], safe: Sequence[int], *, special: bool) -> bool:
    """Whether there is something to put away that is a deposit."""
    return any(cards) and is_deposit(cards, safe, special=special, one_kind=False)


def sets_of(hand: Sequence[int]) -> Iterator[list[int]]:
    """All sets of diamonds in a hand."""
    for numbers in product(*(range(number + 1) for number in hand[:SORTS])):
        yield [*numbers, *[0] * (DIAMONDS - SORTS)]


def move(hand: list[int], safe: list[int], cards: Sequence[int]) -> None:
    for card in range(DIAMONDS):
        hand[card] -= cards[card]
        safe[card] += cards[card]


def can_happen(seat: Seat) -> bool:
    """Whether some order of the unseen cards and some deposits lead to what the seat holds."""
    unseen = [
        seat.hand[c] + (seat.safe[c] if c < DIAMONDS else 0) + moved(seat.steps, c)
        for c in range(CARDS)
    ]
    if any(not 0 <= unseen[c] <= COPIES.get(c, 0) for c in range(CARDS)):
        return False
    cards = [c for c in range(CARDS) for _ in range(unseen[c])]
    return any(
        leads_there(seat, 0, [0] * CARDS, [0] * DIAMONDS, order)
        for order in sorted(set(permutations(cards)))
    )


def moved(steps: Sequence[Step], card: int) -> int:
    """How often a card left hand and safe in the open, less how often it came."""
    times = 0
    for step in steps:
        if step.what == SHOWN:
            times += (step.pure, step.ordinary)[card % 2] if step.card == card // 2 else 0
        elif step.card == card:
            times += (step.what in (LOST, SAFE_LOST)) - (step.what in (GAINED, SAFE_GAINED))
    return times


def leads_there(seat: Seat, i: int, hand: list[int], safe: list[int], order: Sequence[int]) -> bool:
    """Whether the steps from one on lead to what the seat holds, if it draws in this order."""
    if i == len(seat.steps):
        return hand == seat.hand and safe == seat.safe
    step = seat.steps[i]
    if step.what in (PUT_AWAY, PUT_AWAY_SPECIAL):
        special = step.what == PUT_AWAY_SPECIAL
        for cards in sets_of(hand):
            if sum(cards) == step.pure and fits(cards, safe, special=special):
                new_hand, new_safe = hand[:], safe[:]
                move(new_hand, new_safe, cards)
                if leads_there(seat, i + 1, new_hand, new_safe, order):
                    return True
        return False
    hand, safe = hand[:], safe[:]
    if step.what == DEALT_UNSEEN:
        for card in order[: step.pure]:
            hand[card] += 1
        return leads_there(seat, i + 1, hand, safe, order[step.pure :])
    return happens(step, hand, safe) and leads_there(seat, i + 1, hand, safe, order)


def happens(step: Step, hand: list[int], safe: list[int]) -> bool:
    """A step that moves known cards; False if it can't be."""
    if step.what == SHOWN:
        held = hand[2 * step.card : 2 * step.card + 2]
        hand[2 * step.card : 2 * step.card + 2] = [0, 0]
        return held == [step.pure, step.ordinary]
    if step.what == HELD_NOTHING:
        return not any(hand[:X2])
    if step.what == SAFE_LACKS:
        return not safe[step.card]
    place = hand if step.what in (GAINED, LOST) else safe
    place[step.card] += 1 if step.what in (GAINED, SAFE_GAINED) else -1
    return place[step.card] >= 0


def is_accepted(seat: Seat) -> bool:
    view = np.zeros(1, dtype=VIEW)[0]
    view.pure_copies[:] = COPIES[0]
    view.hand[:] = seat.hand
    view.safes[0] = seat.safe
    try:
        OwnRound(view, seat.steps).follow()
    except Contradiction:
        return False
    return True


@settings(max_examples=400, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 2))
def test_a_round_is_accepted_if_it_can_have_happened(seed: int, spoilt: int) -> None:
    seat = Seat(Random(seed))
    for _ in range(spoilt):
        seat.spoil()
    assert is_accepted(seat) == can_happen(seat)
    assert spoilt or is_accepted(seat)
