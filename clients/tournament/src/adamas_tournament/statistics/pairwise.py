"""Who beats whom, and whether that may be luck.

The unit is the deal. Significance comes from a randomisation test: were two entrants equal, each
deal might as well have gone with their names swapped, which turns the sign of its difference from
one half. The p-value is how often random swaps differ at least as much as what was seen. p-values
are adjusted for the number of pairs by Holm's method.

scipy is imported where something is counted: it takes a second, which most commands need not wait.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from adamas_tournament.statistics.outcomes import DealOutcome, Encounter, encounter

SWAPS = 9999
_BATCH = 1_000_000
"""Signs drawn at once, which bounds the memory."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean with its 95 % confidence interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class PairResult:
    """Two entrants against each other.

    Attributes:
        first: One entrant's number.
        second: The other's.
        deals: Deals in which they met.
        games: Games in which they met.
        ahead: How often the first was placed ahead, ties as one half, in [0, 1].
        win_share: Difference of their shares of the victory.
        score: Difference of their scores, in the game's points.
        p_value: Of the hypothesis that they are equal, adjusted for the number of pairs.
    """

    first: int
    second: int
    deals: int
    games: int
    ahead: Interval
    win_share: Interval
    score: Interval
    p_value: float

    @property
    def significant(self) -> bool:
        """Whether the difference is beyond luck, at 5 % for all pairs together."""
        return self.p_value < 0.05


def pair_results(
    deals: Sequence[DealOutcome], entrants: int, *, seed: int = 0
) -> tuple[PairResult, ...]:
    """All pairs that met, in the order of their numbers."""
    met = []
    for first, second in combinations(range(entrants), 2):
        found = [encounter(deal, first, second) for deal in deals]
        met.append((first, second, [each for each in found if each is not None]))
    met = [pair for pair in met if pair[2]]
    raw = [_p_value([each.ahead - 0.5 for each in seen], seed) for *_, seen in met]
    return tuple(
        _result(first, second, seen, p_value)
        for (first, second, seen), p_value in zip(met, holm(raw), strict=True)
    )


def _result(first: int, second: int, seen: Sequence[Encounter], p_value: float) -> PairResult:
    return PairResult(
        first=first,
        second=second,
        deals=len(seen),
        games=sum(each.games for each in seen),
        ahead=interval([each.ahead for each in seen], bounds=(0.0, 1.0)),
        win_share=interval([each.win_share for each in seen], bounds=(-1.0, 1.0)),
        score=interval([each.score for each in seen]),
        p_value=p_value,
    )


def interval(values: Sequence[float], bounds: tuple[float, float] | None = None) -> Interval:
    """The mean of one number a deal, with Student's interval.

    Args:
        values: The numbers; at least one.
        bounds: The least and the greatest possible number, if there are any. Both are then added
            once for the interval, as Agresti and Coull do for proportions, so that it is not
            empty when all numbers are equal.
    """
    mean = float(np.mean(values))
    sample = np.array([*values, *bounds] if bounds else values, dtype=float)
    if len(sample) < 2:
        return Interval(mean, -math.inf, math.inf)
    from scipy import stats

    half = float(stats.t.ppf(0.975, len(sample) - 1) * stats.sem(sample))
    centre = float(sample.mean())
    low, high = min(centre - half, mean), max(centre + half, mean)
    if bounds:
        low, high = max(low, bounds[0]), min(high, bounds[1])
    return Interval(mean, low, high)


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values adjusted for their number, by Holm's method, in the same order."""
    order = sorted(range(len(p_values)), key=lambda index: p_values[index])
    adjusted = [0.0] * len(p_values)
    least = 0.0
    for rank, index in enumerate(order):
        least = max(least, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = least
    return adjusted


def _p_value(differences: Sequence[float], seed: int) -> float:
    """Two-sided, by random swaps of the names deal by deal; exact if there are few deals."""
    values = np.array([difference for difference in differences if difference])
    if len(values) < 2:
        return 1.0  # one swap turns the sign and nothing else
    from scipy import stats

    return float(
        stats.permutation_test(
            (values,),
            np.mean,
            permutation_type="samples",
            n_resamples=SWAPS,
            batch=max(1, _BATCH // len(values)),
            vectorized=True,
            rng=np.random.default_rng(seed),
        ).pvalue
    )
