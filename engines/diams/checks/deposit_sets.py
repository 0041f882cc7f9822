"""What can go into a safe of Diam's at once, as counts by card (sections 3.2 and 3.3, C)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from engines.diams.rules.state import SET_SIZE
from engines.diams.rules.tables import KINDS


def kinds_of(cards: Sequence[int]) -> list[int]:
    """How many diamonds of each kind there are."""
    return [cards[2 * kind] + cards[2 * kind + 1] for kind in range(KINDS)]


def is_deposit(cards: Sequence[int], safe: Sequence[int], *, special: bool, one_kind: bool) -> bool:
    """Whether the cards can be put into the safe. A special deposit needs no set, and is of
    ``one_kind`` only with that option."""
    stored, held = kinds_of(cards), kinds_of(safe)
    if special:
        kinds = [kind for kind in range(KINDS) if stored[kind]]
        return all(held[kind] for kind in kinds) and not (one_kind and len(kinds) > 1)
    fits = all(held[k] or stored[k] == 0 or stored[k] >= SET_SIZE for k in range(KINDS))
    return fits and max(stored) >= SET_SIZE


@dataclass(frozen=True)
class Deposits:
    """Deposits of ``size`` cards from a hand of which some cards are ``known``, and ``unseen`` more
    can be anything, but of each card there are at most so many as ``most`` says."""

    size: int
    known: Sequence[int]
    unseen: int
    most: Sequence[int]
    safe: Sequence[int]
    special: bool
    one_kind: bool

    def listed(self) -> Iterator[list[int]]:
        """All of them. Those with more known cards come first, kind by kind."""
        choices = [self._choices(kind, number) for kind, number in enumerate(kinds_of(self.safe))]
        yield from self._grown(choices, kinds_of(self.most), [], self.size, self.unseen)

    def _choices(self, kind: int, held: int) -> list[tuple[int, int, int]]:
        """Pure and ordinary diamonds of a kind of which so many are in the safe, and how many of
        them are unseen."""
        sorts = slice(2 * kind, 2 * kind + 2)
        known, most = self.known[sorts], self.most[sorts]
        least = 1 if held else self.size + 1 if self.special else SET_SIZE
        found = [(0, 0, 0)]
        for pure, ordinary in product(range(most[0] + 1), range(most[1] + 1)):
            if least <= pure + ordinary <= self.size:
                unseen = max(0, pure - known[0]) + max(0, ordinary - known[1])
                found.append((pure, ordinary, unseen))
        return sorted(found, key=lambda choice: choice[2] - choice[0] - choice[1])

    def _grown(
        self,
        choices: Sequence[Sequence[tuple[int, int, int]]],
        available: Sequence[int],
        chosen: list[int],
        missing: int,
        unseen: int,
    ) -> Iterator[list[int]]:
        """Deposits that begin with the chosen numbers of the first kinds."""
        kind = len(chosen) // 2
        if kind == KINDS:
            if is_deposit(chosen, self.safe, special=self.special, one_kind=self.one_kind):
                yield chosen
            return
        left = sum(available[kind + 1 :])
        for pure, ordinary, spent in choices[kind]:
            rest = missing - pure - ordinary
            if 0 <= rest <= left and spent <= unseen:
                cards = [*chosen, pure, ordinary]
                yield from self._grown(choices, available, cards, rest, unseen - spent)
