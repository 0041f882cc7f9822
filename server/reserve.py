"""How long before its end a search has to stop, so that its answer is there in time.

Between the end of a search and its answer lie the last slice, ranking, words, and whatever else the
machine has to do at the moment. That is learnt the way TCP learns its timeouts (Jacobson 1988,
"Congestion avoidance and control"): a running mean and a running mean deviation.
"""

from __future__ import annotations

import time
from collections.abc import Hashable

_MEAN_WEIGHT = 1 / 8
_DEVIATION_WEIGHT = 1 / 4
_DEVIATIONS = 3.0
_SENDING = 0.001
"""Seconds that a finished answer takes to the client, roughly."""
_LARGEST_SHARE = 0.75
"""Of the time there is; the rest is searched, whatever the answer takes."""
_FIRST_GUESS = 0.002
_TURN = 0.001
"""Seconds that each of many answers needs for itself, at least."""


class Reserve:
    """Learns for each kind of answer; kinds with more candidates take longer."""

    def __init__(self) -> None:
        self._learnt: dict[Hashable, tuple[float, float]] = {}

    def seconds(self, kind: Hashable, due: float, crowd: int = 1) -> float:
        """How long before ``due``, a time of time.monotonic(), the search should stop.

        ``crowd`` searches are running; they may all come to their end together.
        """
        mean, deviation = self._learnt.get(kind, (_FIRST_GUESS, 0.0))
        wanted = max(mean + _DEVIATIONS * deviation, _TURN * crowd) + _SENDING
        return min(wanted, _LARGEST_SHARE * max(0.0, due - time.monotonic()))

    def learn(self, kind: Hashable, seconds: float) -> None:
        """Notes how long after the end of its search an answer was there."""
        mean, deviation = self._learnt.get(kind, (seconds, 0.0))
        error = seconds - mean
        self._learnt[kind] = (
            mean + _MEAN_WEIGHT * error,
            deviation + _DEVIATION_WEIGHT * (abs(error) - deviation),
        )
