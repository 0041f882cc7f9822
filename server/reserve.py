"""How long before its end a search has to stop, so that its answer is there in time.

Between the end of a search and its answer lie the last slice, ranking, words, and whatever else the
machine has to do at the moment. That is learnt the way TCP learns its timeouts (Jacobson 1988,
"Congestion avoidance and control"): a running mean and a running mean deviation.

Answers are made up one after another. So searches that are due at the same time stop one after
another: each books a time at which it stops, and bookings keep a distance.
"""

from __future__ import annotations

import time
from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

_WEIGHT = 1 / 4
"""Of the newest answer; what was learnt in a rush is soon forgotten."""
_SENDING = 0.001
"""Seconds that a finished answer takes to the client, roughly."""
_FIRST_LATENCY = 0.002
_FIRST_TURN = 0.001


@dataclass(frozen=True)
class Caution:
    """How much to keep back, in mean deviations, and at most which share of the time there is."""

    deviations: float
    largest_share: float


FOR_TIME_LIMIT = Caution(deviations=1.0, largest_share=0.25)
"""A little too late now and then does no harm."""
FOR_DEADLINE = Caution(deviations=3.0, largest_share=0.75)
"""An answer that comes too late is lost."""


class Estimate:
    """A running mean and a running mean deviation of some seconds."""

    def __init__(self, first_guess: float) -> None:
        self.mean = first_guess
        self.deviation = 0.0
        self._known = False

    def learn(self, seconds: float) -> None:
        """Takes one more observation into account."""
        if not self._known:
            self.mean, self._known = seconds, True
        error = seconds - self.mean
        self.mean += _WEIGHT * error
        self.deviation += _WEIGHT * (abs(error) - self.deviation)

    def cautious(self, deviations: float) -> float:
        """The mean and some deviations on top of it."""
        return self.mean + deviations * self.deviation


class Reserve:
    """Learns for each kind of answer; kinds with more candidates take longer."""

    def __init__(self) -> None:
        self._latency: defaultdict[Hashable, Estimate] = defaultdict(
            lambda: Estimate(_FIRST_LATENCY)
        )
        self._turn: defaultdict[Hashable, Estimate] = defaultdict(lambda: Estimate(_FIRST_TURN))
        self._booked: list[float] = []
        """When searches are going to stop, in order."""

    @contextmanager
    def booking(self, kind: Hashable, due: float, caution: Caution) -> Iterator[float]:
        """When a search should stop for its answer to be there when it is due.

        Both are times of time.monotonic(). The time is booked while the block runs.
        """
        wanted = self._latency[kind].cautious(caution.deviations) + _SENDING
        earliest = due - caution.largest_share * max(0.0, due - time.monotonic())
        stop_at = max(earliest, self._last_gap(due - wanted, self._turn[kind].mean))
        insort(self._booked, stop_at)
        try:
            yield stop_at
        finally:
            del self._booked[bisect_left(self._booked, stop_at)]

    def learn(self, kind: Hashable, latency: float, turn: float | None = None) -> None:
        """Notes how long after the end of its search an answer was there.

        ``turn`` is for how long nobody else's answer could be made up, if that is known.
        """
        self._latency[kind].learn(latency)
        if turn is not None:
            self._turn[kind].learn(turn)

    def _last_gap(self, latest: float, turn: float) -> float:
        """The last time up to the latest one that keeps its distance from what is booked."""
        found = latest
        for booked in reversed(self._booked[: bisect_left(self._booked, latest + turn)]):
            if booked <= found - turn:
                break
            found = booked - turn
        return found
