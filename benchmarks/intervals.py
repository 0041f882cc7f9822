"""How sure a measured share of victories is."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

Z = 1.96
"""Standard errors on each side of a 95 % interval."""


@dataclass(frozen=True)
class Share:
    """A share of victories with its 95 % confidence interval."""

    games: int
    share: float
    low: float
    high: float

    def __str__(self) -> str:
        """In per cent."""
        return f"{100 * self.share:6.2f} %   [{100 * self.low:.2f}, {100 * self.high:.2f}]"


def share_of(pairs: Sequence[tuple[float, float]]) -> Share:
    """The share of a player that played each deal once from either seat.

    The two games of a deal depend on one another, so the deals are what is counted: Wilson's
    interval, for as many games as would vary like this if each had a deal of its own.
    """
    return share_of_deals([(first + second) / 2 for first, second in pairs])


def share_of_deals(deals: Sequence[float], z: float = Z) -> Share:
    """The share of a player that won these shares of the deals' two games; z standard errors on
    each side."""
    share = statistics.fmean(deals)
    variance = statistics.variance(deals) / len(deals) if len(deals) > 1 else 0.0
    games = 2 * len(deals)
    low, high = wilson_interval(share, share * (1 - share) / variance if variance > 0 else games, z)
    return Share(games, share, low, high)


def wilson_interval(share: float, games: float, z: float = Z) -> tuple[float, float]:
    """Wilson's confidence interval of a proportion; z standard errors on each side, 95 % by
    default."""
    shrink = 1 + z * z / games
    centre = (share + z * z / (2 * games)) / shrink
    half = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games)) / shrink
    return max(0.0, centre - half), min(1.0, centre + half)
