"""How long before its end a search has to stop, so that its answer is there in time.

Between the end of a search and its answer lie the last slice, ranking, words, and whatever else the
machine has to do at the moment. That is learnt the way TCP learns its timeouts (Jacobson 1988,
"Congestion avoidance and control"): a running mean and a running mean deviation.
"""

from __future__ import annotations

import time
from collections.abc import Hashable
from dataclasses import dataclass

_WEIGHT = 1 / 4
"""Of the newest answer; what was learnt in a rush is soon forgotten."""
_SENDING = 0.001
"""Seconds that a finished answer takes to the client, roughly."""
_FIRST_GUESS = 0.002
_TURN = 0.001
"""Seconds that each of many answers needs for itself, at least."""


@dataclass(frozen=True)
class Caution:
    """How much to keep back, in mean deviations, and at most which share of the time there is."""

    deviations: float
    largest_share: float


FOR_TIME_LIMIT = Caution(deviations=1.0, largest_share=0.25)
"""A little too late now and then does no harm."""
FOR_DEADLINE = Caution(deviations=3.0, largest_share=0.75)
"""An answer that comes too late is lost."""


class Reserve:
    """Learns for each kind of answer; kinds with more candidates take longer."""

    def __init__(self) -> None:
        self._learnt: dict[Hashable, tuple[float, float]] = {}

    def seconds(self, kind: Hashable, due: float, caution: Caution, crowd: int = 1) -> float:
        """How long before ``due``, a time of time.monotonic(), the search should stop.

        ``crowd`` searches are running; they may all come to their end together.
        """
        mean, deviation = self._learnt.get(kind, (_FIRST_GUESS, 0.0))
        wanted = max(mean + caution.deviations * deviation, _TURN * crowd) + _SENDING
        return min(wanted, caution.largest_share * max(0.0, due - time.monotonic()))

    def learn(self, kind: Hashable, seconds: float) -> None:
        """Notes how long after the end of its search an answer was there."""
        mean, deviation = self._learnt.get(kind, (seconds, 0.0))
        error = seconds - mean
        self._learnt[kind] = (
            mean + _WEIGHT * error,
            deviation + _WEIGHT * (abs(error) - deviation),
        )
