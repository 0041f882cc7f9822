"""What is learnt from the course of each search about the time that the next ones need.

A search passes the same points each time: it has its slot, it is over, its answer is there. What
lies between these and is no thinking is measured here, by a clock that stands still while the
machine sleeps, and told to whoever foresees it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from server.requests.limits import Limits
from server.turns.forecast import Forecast, Kind
from server.turns.reserve import FOR_DEADLINE, FOR_TIME_LIMIT, LONG, Booking, Overhead, Reserve
from server.workers.messages import Opened

_TOO_LATE = 2.0
"""How many times as late as it was given up a lost answer would have been, nobody knows."""
_FEWEST = 5
"""Candidates that an answer has in any case, if there are so many."""


class Latencies:
    """What is known of the time that searches need beside thinking. For one event loop."""

    def __init__(self, processors: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.forecast = Forecast()
        self.reserve = Reserve(processors)
        self.overhead = Overhead()

    def last_end(self, limits: Limits, kind: Kind, crowd: int) -> float:
        """When a search among so many has to be over, so that it is answered at all."""
        beside = self.overhead.seconds(crowd) + self.forecast.seconds(kind, 1)
        return limits.last_moment - beside


class Course:
    """The course of one search that has got its slot."""

    def __init__(self, latencies: Latencies, kind: Kind, candidates: int, crowd: int) -> None:
        self._latencies = latencies
        self._kind = kind
        self.candidates = candidates
        """How many the answer will have, as far as is known."""
        self._crowd = crowd
        self._granted = self._over = latencies.clock()
        self._beside = 0.0
        """Seconds that it has taken so far beside searching."""

    @contextmanager
    def booking(self, limits: Limits) -> Iterator[Booking]:
        """When the search has to stop, until the block ends."""
        caution = FOR_DEADLINE if limits.ends_by_deadline else FOR_TIME_LIMIT
        with self._latencies.reserve.booking(limits.answer_by, self._cost, caution) as found:
            yield found

    def opened(self, opened: Opened, booking: Booking) -> None:
        """The search has been opened, and so many moves are considered."""
        self._beside = max(0.0, self._latencies.clock() - self._granted - opened.ran)
        if opened.moves < self.candidates:
            self.candidates = opened.moves
            booking.cost(self._cost)

    def over(self) -> None:
        """The search is over."""
        self._over = self._latencies.clock()

    def keep_to(self, limits: Limits) -> None:
        """A long answer is to have no more candidates than there is time for."""
        if limits.deadline is not None and self.at_length:
            left = limits.deadline - limits.margin - time.monotonic()
            seconds = self._latencies.reserve.affordable(left)
            most = self._latencies.forecast.candidates(self._kind, seconds)
            self.candidates = min(self.candidates, max(most, _FEWEST))

    @property
    def at_length(self) -> bool:
        """Whether the answer takes so long that others must not wait for it."""
        return self._cost >= LONG

    def answered(self, seconds: float, *, stopped: bool) -> None:
        """The answer is there; it took so much processor time. ``stopped``: by its time."""
        cost = self._cost
        self._latencies.forecast.learn(self._kind, self.candidates, seconds)
        latency = self._latencies.clock() - self._over
        if stopped:
            self._latencies.reserve.learn(latency, cost)
        self._learn_overhead(max(0.0, latency - cost))

    def answered_at_once(self, seconds: float) -> None:
        """The answer came together with the end; it took so much processor time."""
        self._latencies.forecast.learn(self._kind, self.candidates, seconds)
        self._learn_overhead(0.0)

    def lost(self) -> None:
        """The deadline has come before the answer."""
        latency = _TOO_LATE * (self._latencies.clock() - self._over)
        self._latencies.reserve.learn(latency, self._cost)
        self._learn_overhead(max(0.0, latency - self._cost))

    @property
    def _cost(self) -> float:
        """Processor time of the answer, as foreseen."""
        return self._latencies.forecast.seconds(self._kind, self.candidates)

    def _learn_overhead(self, seconds: float) -> None:
        self._latencies.overhead.learn(self._beside + seconds, self._crowd)
