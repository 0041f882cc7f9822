"""Which games are played, in which order: duplicate deals with rotated seats.

A lineup is a choice of entrants that fills the sides of a table. A deal is played by a lineup once
in every rotation, so that each entrant holds each side once: with the same cards, the same later
chance, and the others in the same cyclic order. That order is drawn anew for each deal.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations

from adamas_tournament.records import GameKey
from adamas_tournament.seeds import derive_seed


@dataclass(frozen=True, slots=True)
class ScheduledGame:
    """A game to be played.

    Attributes:
        key: Which game of the tournament.
        seed: Seed of the deal and of every later chance event.
        entrants: The number of the entrant at each side.
    """

    key: GameKey
    seed: int
    entrants: tuple[int, ...]


class Schedule:
    """All games of a tournament, fixed by a few numbers.

    Args:
        entrants: How many entrants there are.
        sides: How many sides a game has.
        deals: How many deals are played.
        seed: The tournament's seed.
        balanced: Whether a deal is played by one lineup only, chosen so that all pairs of
            entrants meet equally often, instead of by all lineups.
    """

    def __init__(self, entrants: int, sides: int, deals: int, seed: int, *, balanced: bool) -> None:
        self._entrants = entrants
        self._sides = sides
        self._deals = deals
        self._seed = seed
        self._all = () if balanced else tuple(_all_lineups(entrants, sides))
        self._chosen = _BalancedLineups(entrants, sides, seed) if balanced else None

    @property
    def deals(self) -> int:
        """How many deals there are at most."""
        return self._deals

    @property
    def most_games(self) -> int:
        """How many games there are at most. With fewer entrants than sides some rotations of a
        lineup may be the same, which are played once.
        """
        lineups = len(self._all) if self._chosen is None else 1
        return self._deals * lineups * self._sides

    def games(self, deal: int) -> tuple[ScheduledGame, ...]:
        """The games of one deal, in the order in which they are played."""
        lineups = self._all if self._chosen is None else (self._chosen[deal],)
        seed = derive_seed(self._seed, "deal", deal)
        orders = random.Random(derive_seed(self._seed, "order", deal))
        seatings = chain.from_iterable(_rotations(lineup, orders) for lineup in lineups)
        return tuple(
            ScheduledGame(GameKey(deal, number), seed, seating)
            for number, seating in enumerate(seatings)
        )

    def __iter__(self) -> Iterator[ScheduledGame]:
        """All games, deal by deal."""
        return chain.from_iterable(self.games(deal) for deal in range(self._deals))


def _rotations(lineup: Sequence[int], generator: random.Random) -> list[tuple[int, ...]]:
    """Every different rotation of one cyclic order of the lineup."""
    order = list(lineup)
    generator.shuffle(order)
    rotations = (tuple(order[turn:] + order[:turn]) for turn in range(len(order)))
    return list(dict.fromkeys(rotations))


def _all_lineups(entrants: int, sides: int) -> Iterator[tuple[int, ...]]:
    """Every choice. If entrants are few, each sits as often as any other, or once more."""
    everybody = range(entrants)
    often, rest = divmod(sides, entrants)
    for more in combinations(everybody, rest):
        yield tuple(sorted([*list(everybody) * often, *more]))


class _BalancedLineups:
    """One lineup a deal. Each takes those who have played least and met each other least."""

    def __init__(self, entrants: int, sides: int, seed: int) -> None:
        self._sides = sides
        self._generator = random.Random(derive_seed(seed, "lineups"))
        self._played = [0] * entrants
        self._met = [[0] * entrants for _ in range(entrants)]
        self._lineups: list[tuple[int, ...]] = []

    def __getitem__(self, deal: int) -> tuple[int, ...]:
        while len(self._lineups) <= deal:
            self._lineups.append(self._next())
        return self._lineups[deal]

    def _next(self) -> tuple[int, ...]:
        often, rest = divmod(self._sides, len(self._played))
        chosen: list[int] = []
        while len(chosen) < rest:
            free = [entrant for entrant in range(len(self._played)) if entrant not in chosen]
            self._generator.shuffle(free)
            chosen.append(
                min(
                    free,
                    key=lambda entrant: (
                        self._played[entrant],
                        sum(self._met[entrant][other] ** 2 for other in chosen),
                        sum(self._met[entrant][other] for other in chosen),
                    ),
                )
            )
        for entrant in chosen:
            self._played[entrant] += 1
            for other in chosen:
                self._met[entrant][other] += 1
        return tuple(sorted([*list(range(len(self._played))) * often, *chosen]))
