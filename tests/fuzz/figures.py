"""What a campaign counts and measures."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.fuzz.messages import Case
from tests.fuzz.service import Outcome

REFUSAL_LIMIT = 0.05
"""How long a refusal may take, in seconds."""


@dataclass
class Figures:
    """Counts of messages and answers, and how long refusals took."""

    origins: Counter[str] = field(default_factory=Counter)
    games: Counter[str] = field(default_factory=Counter)
    methods: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    refusal_seconds: list[float] = field(default_factory=list)
    refusal_busy: list[float] = field(default_factory=list)
    slow_refusals: int = 0
    """Refusals that took too much time of the processor, each time of several."""
    failures: int = 0

    def add(self, case: Case, outcome: Outcome) -> None:
        """Counts one message."""
        self.origins[case.origin] += 1
        self.games[case.game_id] += 1
        self.methods[case.method.rpartition("/")[2]] += 1
        self.codes[outcome.code.name] += 1
        if outcome.info.reason:
            self.reasons[outcome.info.reason] += 1
            self.refusal_seconds.append(outcome.seconds)
            self.refusal_busy.append(outcome.busy)

    def summary(self) -> dict[str, Any]:
        """Everything as plain numbers; times in milliseconds."""
        return {
            "messages": self.origins.total(),
            "origins": dict(self.origins),
            "games": dict(self.games),
            "methods": dict(self.methods),
            "codes": dict(self.codes),
            "reasons": dict(self.reasons),
            "refusal_ms": _milliseconds(self.refusal_seconds),
            "refusal_processor_ms": _milliseconds(self.refusal_busy),
            "refusals_over_50_ms": sum(s > REFUSAL_LIMIT for s in self.refusal_seconds),
            "slow_refusals": self.slow_refusals,
            "failures": self.failures,
        }


def _milliseconds(seconds: list[float]) -> dict[str, float]:
    if not seconds:
        return {}
    times = 1000 * np.array(seconds)
    shares = {"median": 50, "p99": 99, "p99.9": 99.9, "max": 100}
    return {name: round(float(np.percentile(times, share)), 3) for name, share in shares.items()}
