"""Sums of outcomes that several scenarios need."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from benchmarks.figures import Figure, at_most
from benchmarks.load.calls import OK, REFUSED, Outcome

MOST_LATENESS_MS = 50.0
"""A generator that sends later than this, in one call of a hundred, measures itself."""


def percentile(values: Iterable[float], percent: float) -> float:
    """A percentile; NaN of nothing, which meets no target."""
    found = np.fromiter(values, dtype=float)
    return float(np.percentile(found, percent)) if len(found) else float("nan")


def share(outcomes: Sequence[Outcome], good: Iterable[Outcome]) -> float:
    """The share of good outcomes; NaN of nothing."""
    return sum(1 for _ in good) / len(outcomes) if outcomes else float("nan")


def answered(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """Those that were answered."""
    return [outcome for outcome in outcomes if outcome.code == OK]


def refused(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """Those that were refused for want of room."""
    return [outcome for outcome in outcomes if outcome.code == REFUSED]


def codes(outcomes: Iterable[Outcome]) -> str:
    """How often each status code came: "OK 12, CANCELLED 3"."""
    counted = Counter(outcome.code for outcome in outcomes)
    return ", ".join(f"{code} {number}" for code, number in counted.most_common())


def lateness(scenario: str, outcomes: Sequence[Outcome]) -> Figure:
    """How late the generator was itself."""
    late = [1000 * outcome.lateness for outcome in outcomes]
    return at_most(
        f"{scenario}.generator_late_ms_p99",
        percentile(late, 99),
        MOST_LATENESS_MS,
        "ms",
        f"{len(outcomes)} calls, {max(late, default=0.0):.0f} ms at most",
        pace=True,
    )
