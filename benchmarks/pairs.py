"""Ratios of two rates, measured in turn so that the machine's moods cancel out."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Comparison:
    """Two rates measured A, B, A, B, …"""

    first: float
    """Median of the first rate."""
    second: float
    """Median of the second rate."""
    ratio: float
    """Median of first / second, pair by pair."""


def compare(first: Callable[[], float], second: Callable[[], float], pairs: int = 5) -> Comparison:
    """Calls both in turn, after one uncounted call each."""
    first(), second()
    rates = [(first(), second()) for _ in range(pairs)]
    return Comparison(
        statistics.median(a for a, _ in rates),
        statistics.median(b for _, b in rates),
        statistics.median(a / b for a, b in rates),
    )
