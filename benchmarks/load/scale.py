"""How much of everything a run does."""

from __future__ import annotations

import os
from dataclasses import dataclass

CORES = os.cpu_count() or 1
ELSEWHERE = 5
"""Niceness of servers under load, so that those who ask are not held up: they stand for people and
programs on other machines, which their answers would reach at once."""


@dataclass(frozen=True)
class Scale:
    """The sizes of one run."""

    quiet_calls: int
    ramp_seconds: float
    overload_seconds: float
    hints: int
    throughput_pairs: int
    throughput_calls: int
    gone_rounds: int
    games: int
    kills: int
    balanced_seconds: float


FULL = Scale(
    quiet_calls=500,
    ramp_seconds=12.0,
    overload_seconds=60.0,
    hints=150,
    throughput_pairs=9,
    throughput_calls=4,
    gone_rounds=500,
    games=2000,
    kills=5,
    balanced_seconds=15.0,
)
SHORT = Scale(
    quiet_calls=40,
    ramp_seconds=6.0,
    overload_seconds=6.0,
    hints=12,
    throughput_pairs=1,
    throughput_calls=2,
    gone_rounds=12,
    games=40,
    kills=1,
    balanced_seconds=5.0,
)
