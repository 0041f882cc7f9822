"""Stopping as soon as enough is known, without fooling oneself.

Whoever looks at a usual test after every deal and stops when it says "significant" is wrong far
more often than one time in twenty. What is used here may be looked at after every deal.

For two entrants, each deal in which they meet gives one number in [0, 1]: how often the first was
placed ahead of the second, rotations of the seats averaged. If the truth is that they are equal,
or that the first is the weaker one, somebody who bets on "above one half", never more than they
have, can't expect to win: their fortune is a nonnegative supermartingale, so that the chance that
it ever reaches 1/alpha is at most alpha (Ville's inequality). The fortune is spread evenly over
stakes of many sizes, as nobody knows beforehand how big the difference is.

I. Waudby-Smith, A. Ramdas, Estimating Means of Bounded Random Variables by Betting, JRSS B, 2024.
"""

import math
from collections.abc import Sequence
from enum import Enum
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]

STAKES: Floats = np.geomspace(1 / 64, 0.95, 24)
"""Parts of the fortune that are put at risk in one deal."""
GRID: Floats = np.linspace(0.0025, 0.9975, 200)
"""The means among which the interval is looked for."""

_LARGEST_EXPONENT = 700.0
"""exp() of more is no number any more."""


class Verdict(Enum):
    """What is known about a pair."""

    OPEN = "open"
    FIRST = "first is stronger"
    SECOND = "second is stronger"


class _Bets:
    """Fortunes of who bets against means of numbers in [0, 1]: half on "above", half on "below".

    A stake is the part of the fortune that is lost in the worst case.
    """

    def __init__(self, means: Floats) -> None:
        self._means = means
        self._above = STAKES[:, None] / means
        self._below = STAKES[:, None] / (1 - means)
        self._log_above = np.zeros_like(self._above)
        self._log_below = np.zeros_like(self._below)

    def add(self, value: float) -> Floats:
        """Settles the bets on the next number; the logarithm of the fortune for each mean."""
        off = value - self._means
        self._log_above += np.log1p(self._above * off)
        self._log_below += np.log1p(-self._below * off)
        above = np.logaddexp.reduce(self._log_above, axis=0)
        below = np.logaddexp.reduce(self._log_below, axis=0)
        return np.asarray(np.logaddexp(above, below) - math.log(2 * len(STAKES)))


class Comparison:
    """A test of whether the mean of numbers in [0, 1] is one half, for any number of looks.

    Args:
        alpha: The chance of a wrong verdict, however often one looks.
    """

    def __init__(self, alpha: float) -> None:
        self._enough = -math.log(alpha)
        self._equal = _Bets(np.array([0.5]))
        self._log_evidence = 0.0
        self._verdict = Verdict.OPEN
        self._deals = 0
        self._total = 0.0
        self._grid = _Bets(GRID)
        self._possible = np.ones(len(GRID), dtype=bool)
        self._pending: list[float] = []  # numbers that the interval does not know of yet

    def add(self, ahead: float) -> None:
        """Takes the number of the next deal into account."""
        self._deals += 1
        self._total += ahead
        self._pending.append(ahead)
        self._log_evidence = float(self._equal.add(ahead)[0])
        if self._verdict is Verdict.OPEN and self._log_evidence >= self._enough:
            self._verdict = Verdict.FIRST if self.mean > 0.5 else Verdict.SECOND

    @property
    def verdict(self) -> Verdict:
        """What is known; never changes once it is not open."""
        return self._verdict

    @property
    def deals(self) -> int:
        """How many numbers there were."""
        return self._deals

    @property
    def mean(self) -> float:
        """Their mean; one half if there are none."""
        return self._total / self._deals if self._deals else 0.5

    @property
    def evidence(self) -> float:
        """The fortune of who bets against "equal"; a verdict falls at 1 / alpha."""
        return math.exp(min(self._log_evidence, _LARGEST_EXPONENT))

    @property
    def interval(self) -> tuple[float, float]:
        """Holds the true mean with the confidence asked for, at all looks together."""
        for value in self._pending:
            self._possible &= self._grid.add(value) < self._enough
        self._pending.clear()
        left = GRID[self._possible]
        if not len(left):
            return self.mean, self.mean
        step = GRID[1] - GRID[0]
        return max(0.0, float(left[0] - step)), min(1.0, float(left[-1] + step))


class StoppingRule:
    """Tells when all the questions of a configuration are answered.

    Args:
        questions: Pairs of entrants.
        confidence: The confidence for all answers together; shared evenly among them.
    """

    def __init__(self, questions: Sequence[tuple[int, int]], confidence: float) -> None:
        alpha = (1 - confidence) / max(1, len(questions))
        self._comparisons = {pair: Comparison(alpha) for pair in questions}

    def add(self, pair: tuple[int, int], ahead: float) -> None:
        """Takes a deal in which a pair met into account."""
        self._comparisons[pair].add(ahead)

    @property
    def comparisons(self) -> dict[tuple[int, int], Comparison]:
        """The comparison for each question."""
        return self._comparisons

    @property
    def satisfied(self) -> bool:
        """Whether every question has an answer; false if there are none."""
        return bool(self._comparisons) and all(
            comparison.verdict is not Verdict.OPEN for comparison in self._comparisons.values()
        )
