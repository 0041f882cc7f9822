"""How long before its end a search has to stop, so that its answer is there in time.

Between the end of a search and its answer lie the last slice, ranking, words, and whatever else the
machine has to do at the moment. That is learnt the way TCP learns its timeouts (Jacobson 1988,
"Congestion avoidance and control"): a running mean and a running mean deviation.

A rush is over before the mean has followed it, and comes again. So before deadlines, the worst of
the last seconds counts too.

Answers are made up one after another. So searches that are due at the same time stop one after
another: each books a time at which it stops, and bookings keep a distance.
"""

from __future__ import annotations

import time
from bisect import bisect_left, insort
from collections import defaultdict, deque
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

_WEIGHT = 1 / 4
"""Of the newest answer; what was learnt in a rush is soon forgotten."""
_SENDING = 0.001
"""Seconds that a finished answer takes to the client, roughly."""
_MEMORY = 10.0
"""For how many seconds the worst latency counts."""
_LONGEST_MEMORY = 256
_FIRST_LATENCY, _FIRST_TURN, _FIRST_SHARE = 0.02, 0.005, 0.005
"""Rather too much, until it is known better."""


@dataclass(frozen=True)
class Caution:
    """How much to keep back, in mean deviations, and at most which share of the time there is."""

    deviations: float
    largest_share: float
    fears_the_worst: bool
    """Whether the worst latency of the last seconds may come again."""


FOR_TIME_LIMIT = Caution(deviations=2.0, largest_share=0.25, fears_the_worst=False)
"""A little too late now and then does no harm."""
FOR_DEADLINE = Caution(deviations=3.0, largest_share=0.75, fears_the_worst=True)
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


class Overhead:
    """Learns what a search takes beside searching, for each search that there is at the time.

    Most of it is work that is done for one search after another.
    """

    def __init__(self) -> None:
        self._share = Estimate(_FIRST_SHARE)

    def seconds(self, crowd: int) -> float:
        """What a search among so many has to expect."""
        return crowd * self._share.cautious(FOR_DEADLINE.deviations)

    def learn(self, seconds: float, crowd: int) -> None:
        """Notes what a search among so many took beside searching."""
        self._share.learn(seconds / max(1, crowd))


class Reserve:
    """Learns for each kind of answer; kinds with more candidates take longer."""

    def __init__(self) -> None:
        self._latency: defaultdict[Hashable, Estimate] = defaultdict(
            lambda: Estimate(_FIRST_LATENCY)
        )
        self._turn: defaultdict[Hashable, Estimate] = defaultdict(lambda: Estimate(_FIRST_TURN))
        self._recent: deque[tuple[float, float]] = deque(maxlen=_LONGEST_MEMORY)
        """When there were answers, and their latencies."""
        self._booked: list[float] = []
        """When searches are going to stop, in order."""

    @contextmanager
    def booking(self, kind: Hashable, due: float, caution: Caution) -> Iterator[float]:
        """When a search should stop for its answer to be there when it is due.

        Both are times of time.monotonic(). The time is booked while the block runs.
        """
        wanted = self._latency[kind].cautious(caution.deviations)
        if caution.fears_the_worst:
            wanted = max(wanted, self._worst())
        wanted += _SENDING
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
        self._recent.append((time.monotonic(), latency))
        if turn is not None:
            self._turn[kind].learn(turn)

    def _worst(self) -> float:
        """The worst latency of the last seconds."""
        since = time.monotonic() - _MEMORY
        return max((latency for at, latency in self._recent if at >= since), default=0.0)

    def _last_gap(self, latest: float, turn: float) -> float:
        """The last time up to the latest one that keeps its distance from what is booked."""
        found = latest
        for booked in reversed(self._booked[: bisect_left(self._booked, latest + turn)]):
            if booked <= found - turn:
                break
            found = booked - turn
        return found
