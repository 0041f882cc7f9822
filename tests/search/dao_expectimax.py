"""Exact win probabilities of two-seat DAO endgames, by expectimax over what is unseen.

Written from the rules page alone, without the engine: cards are (element, value) pairs, piles are
tuples of cards. Only for the default options and a single round (or the second of a split).
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

Card = tuple[int, int]
LIMIT = 12
REFILL = 3
TAKE = "take"
REVEAL = "reveal"


def score(values: list[int], cards: int) -> int:
    """Of a pile: the best of ``values[element] - 1 for each other card``.

    ``values``: for each element the sum of its cards' values plus one each, so that subtracting
    all cards leaves minus one for the others.
    """
    return max(values) - cards


def totals(pile: tuple[Card, ...]) -> tuple[list[int], int]:
    """What ``score`` needs of a pile."""
    values = [0] * 5
    for element, value in pile:
        values[element] += value + 1
    return values, len(pile)


class Endgame:
    """The endgames of one game: the piles and results that the seats have from before."""

    def __init__(
        self, piles: tuple[tuple[Card, ...], tuple[Card, ...]],
        earlier_scores: tuple[int, int] = (0, 0), earlier_cards: tuple[int, int] = (0, 0),
    ) -> None:  # fmt: skip
        self._totals = [totals(pile) for pile in piles]
        self._earlier_scores = earlier_scores
        self._earlier_cards = earlier_cards
        self.value = lru_cache(maxsize=None)(self._value)
        self._finished = lru_cache(maxsize=None)(self._finished_uncached)

    def _finished_uncached(self, taken: tuple[tuple[Card, ...], tuple[Card, ...]]) -> float:
        """Win share of seat 0 when the game is over; ``taken``: cards taken in the endgame."""
        ends = []
        for seat in (0, 1):
            values, cards = self._totals[seat]
            values = values.copy()
            for element, value in taken[seat]:
                values[element] += value + 1
            cards += len(taken[seat])
            points = score(values, cards) + self._earlier_scores[seat]
            ends.append((points, cards + self._earlier_cards[seat]))
        if ends[0] == ends[1]:
            return 0.5
        return float(ends[0] > ends[1])

    def _value(
        self, row: tuple[Card, ...], deck: tuple[Card, ...],
        taken: tuple[tuple[Card, ...], tuple[Card, ...]], mover: int,
    ) -> float:  # fmt: skip
        """Win probability of seat 0 with best play of both. The deck is a sorted multiset."""
        values = [self.after(choice, row, deck, taken, mover) for choice in (TAKE, REVEAL)]
        return max(values) if mover == 0 else min(values)

    def after(
        self, choice: str, row: tuple[Card, ...], deck: tuple[Card, ...],
        taken: tuple[tuple[Card, ...], tuple[Card, ...]], mover: int,
    ) -> float:  # fmt: skip
        """Win probability of seat 0 after a choice of the mover."""
        if choice == TAKE:
            grown = _add(taken, mover, row[:1])
            if len(row) > 1:
                return self.value(row[1:], deck, grown, 1 - mover)
            return self._refill(deck, grown, 1 - mover)
        expected = 0.0
        for card, copies in Counter(deck).items():
            chance = copies / len(deck)
            expected += chance * self._revealed(row, card, _without(deck, card), taken, mover)
        return expected

    def _revealed(
        self, row: tuple[Card, ...], card: Card, deck: tuple[Card, ...],
        taken: tuple[tuple[Card, ...], tuple[Card, ...]], mover: int,
    ) -> float:  # fmt: skip
        longer = (*row, card)
        if sum(v for _, v in longer) > LIMIT and card[1] != row[-1][1]:
            return self._refill(deck, _add(taken, mover, longer), 1 - mover)
        if not deck:
            return self._finished(taken)
        return self.value(longer, deck, taken, 1 - mover)

    def _refill(
        self, deck: tuple[Card, ...], taken: tuple[tuple[Card, ...], tuple[Card, ...]], mover: int
    ) -> float:
        """Turns up to three cards; the game is over if they are the last ones."""
        if len(deck) <= REFILL:
            return self._finished(taken)
        return self._turn((), deck, taken, mover)

    def _turn(
        self, row: tuple[Card, ...], deck: tuple[Card, ...],
        taken: tuple[tuple[Card, ...], tuple[Card, ...]], mover: int,
    ) -> float:  # fmt: skip
        if len(row) == REFILL:
            return self.value(row, deck, taken, mover)
        return sum(
            copies / len(deck) * self._turn((*row, card), _without(deck, card), taken, mover)
            for card, copies in Counter(deck).items()
        )


def _add(
    taken: tuple[tuple[Card, ...], tuple[Card, ...]], seat: int, cards: tuple[Card, ...]
) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Taken cards are kept sorted, so that the order of taking makes no difference."""
    grown = tuple(sorted(taken[seat] + cards))
    return (grown, taken[1]) if seat == 0 else (taken[0], grown)


def _without(deck: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    i = deck.index(card)
    return deck[:i] + deck[i + 1 :]
