"""How long a person would think about a move, so that a frontend can play it at a natural pace.

Hick's law (Hick 1952, "On the rate of gain of information"): a choice takes a base time and a time
for each doubling of the options. Options are counted twice, as legal moves to look through and as
contenders to weigh against one another. How long the search took does not come into it.
"""

from __future__ import annotations

import math
import random
import time
from dataclasses import dataclass
from typing import Final
from zlib import crc32

from google.protobuf.duration_pb2 import Duration

from engines.jit import Row
from server.requests.durations import duration

SHORTEST, LONGEST = 0.4, 6.0
"""Bounds of a natural thinking time, in seconds."""
_FORCED: Final = 0.5
_BASE: Final = 0.8
_LOOKING: Final = 0.2
"""Seconds for each doubling of the legal moves."""
_WEIGHING: Final = 0.7
"""Seconds for each doubling of the contenders."""
_SPREAD: Final = 0.3
"""Standard deviation of the time's logarithm: thinking times of people are log-normal, roughly."""


@dataclass(frozen=True)
class Decision:
    """What makes a decision quick or slow."""

    moves: int
    """How many are legal."""
    contenders: float
    """How many of them compete for the best, see search.Result."""
    seed: int
    """The request's; another position has another chance with the same seed."""
    sample: Row
    """The position, or a determinization of it."""


def of_unknown_difficulty(moves: int) -> float:
    """How many contenders to expect where nothing was searched."""
    return math.sqrt(moves)


def natural_time(decision: Decision) -> float:
    """Seconds that a person would take, between SHORTEST and LONGEST; the same each time."""
    seconds = _FORCED
    if decision.moves > 1:
        seconds = _BASE + _LOOKING * math.log2(decision.moves)
        seconds += _WEIGHING * math.log2(max(1.0, decision.contenders))
    chance = random.Random(decision.seed ^ crc32(decision.sample.tobytes()))
    return min(LONGEST, max(SHORTEST, seconds * chance.lognormvariate(0.0, _SPREAD)))


def suggested_delay(decision: Decision, started: float) -> Duration:
    """What is left of the natural time that began with the request, on time.monotonic()."""
    return duration(max(0.0, started + natural_time(decision) - time.monotonic()))
