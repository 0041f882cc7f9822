"""How long before its end a search has to stop, so that its answer is there in time.

Between the end of a search and its answer lie the last slice, what the answer itself costs (see
``forecast``), and whatever else the machine has to do at the moment. The last is learnt the way TCP
learns its timeouts (Jacobson 1988, "Congestion avoidance and control"), as a running mean and a
running mean deviation: from short answers, how much later they are there than what they cost; from
long ones, how many times as long they take on a machine that has other work. So an answer that is
late for its own length makes nobody cautious whose answer is short.

Answers are made up one after another. So searches that are due at the same time stop one after
another: each books a time at which it stops, and bookings keep a distance.
"""

from __future__ import annotations

import time
from bisect import bisect_left, insort
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

_WEIGHT = 1 / 4
"""Of the newest answer; what was learnt in a rush is soon forgotten."""
_SENDING = 0.001
"""Seconds that a finished answer takes to the client, roughly."""
_HANDLING = 0.001
"""Seconds that one answer keeps its distance from the next, beside what it costs."""
_FIRST_LATENESS, _FIRST_SHARE = 0.03, 0.005
"""Rather too much, until it is known better."""
_FIRST_STRETCH = 1.5
LONG = 0.02
"""Seconds from which on an answer is long: late mostly for its own length."""


@dataclass(frozen=True)
class Caution:
    """How much to keep back, in mean deviations, and at most which share of the time there is."""

    deviations: float
    largest_share: float


FOR_TIME_LIMIT = Caution(deviations=2.0, largest_share=0.25)
"""A little too late now and then does no harm."""
FOR_DEADLINE = Caution(deviations=4.0, largest_share=0.75)
"""An answer that comes too late is lost."""


class Estimate:
    """A running mean and a running mean deviation."""

    def __init__(self, first_guess: float) -> None:
        self.mean = first_guess
        self.deviation = 0.0
        self._known = False

    def learn(self, observed: float) -> None:
        """Takes one more observation into account."""
        if not self._known:
            self.mean, self._known = observed, True
        error = observed - self.mean
        self.mean += _WEIGHT * error
        self.deviation += _WEIGHT * (abs(error) - self.deviation)

    def cautious(self, deviations: float) -> float:
        """The mean and some deviations on top of it."""
        return self.mean + deviations * self.deviation


class Overhead:
    """Learns what a search takes beside searching, for each search that there is at the time.

    Most of it is work that is done for one search after another. What its answer costs is no part
    of it.
    """

    def __init__(self) -> None:
        self._share = Estimate(_FIRST_SHARE)

    def seconds(self, crowd: int) -> float:
        """What a search among so many has to expect."""
        return crowd * self._share.cautious(FOR_DEADLINE.deviations)

    def learn(self, seconds: float, crowd: int) -> None:
        """Notes what a search among so many took beside searching."""
        self._share.learn(seconds / max(1, crowd))


class Booking:
    """The time at which one search stops."""

    def __init__(self, reserve: Reserve, due: float, caution: Caution) -> None:
        self._reserve = reserve
        self._due = due
        self._caution = caution
        self.stop_at = due
        """When the search should stop for its answer to be there when it is due."""

    def cost(self, seconds: float) -> None:
        """Says what the answer costs, as far as is known by now."""
        self._reserve.give_back(self)
        self.stop_at = self._reserve.book(self, self._due, seconds, self._caution)


class Reserve:
    """Keeps the bookings, and learns how late answers are. For one event loop."""

    def __init__(self, processors: int) -> None:
        self._processors = processors
        self._lateness = Estimate(_FIRST_LATENESS)
        self._stretch = Estimate(_FIRST_STRETCH)
        self._booked: list[float] = []
        """When searches are going to stop, in order."""
        self._bookings: dict[Booking, float] = {}

    @contextmanager
    def booking(self, due: float, seconds: float, caution: Caution) -> Iterator[Booking]:
        """A booking for an answer that is due at a time of time.monotonic() and costs so much.

        It is there while the block runs.
        """
        found = Booking(self, due, caution)
        try:
            found.cost(seconds)
            yield found
        finally:
            self.give_back(found)

    def book(self, booking: Booking, due: float, seconds: float, caution: Caution) -> float:
        """When a search should stop."""
        wanted = self.duration(seconds, caution) + self._lateness.cautious(caution.deviations)
        wanted += _SENDING
        earliest = due - caution.largest_share * max(0.0, due - time.monotonic())
        turn = seconds / self._processors + _HANDLING
        stop_at = max(earliest, self._last_gap(due - wanted, turn))
        insort(self._booked, stop_at)
        self._bookings[booking] = stop_at
        return stop_at

    def give_back(self, booking: Booking) -> None:
        """The search does not stop at the time that was booked."""
        if (stop_at := self._bookings.pop(booking, None)) is not None:
            del self._booked[bisect_left(self._booked, stop_at)]

    def duration(self, seconds: float, caution: Caution) -> float:
        """How long an answer takes to be made up that costs so much."""
        if seconds < LONG:
            return seconds
        return seconds * max(1.0, self._stretch.cautious(caution.deviations / 2))

    def affordable(self, seconds: float) -> float:
        """How much an answer may cost that has to be made up in so many seconds."""
        return (
            seconds if seconds < LONG else seconds * seconds / self.duration(seconds, FOR_DEADLINE)
        )

    def learn(self, latency: float, seconds: float) -> None:
        """Notes how long after the end of its search an answer was there, and what it had cost."""
        if seconds < LONG:
            self._lateness.learn(max(0.0, latency - seconds))
        else:
            self._stretch.learn(latency / seconds)

    def _last_gap(self, latest: float, turn: float) -> float:
        """The last time up to the latest one that keeps its distance from what is booked."""
        found = latest
        for booked in reversed(self._booked[: bisect_left(self._booked, latest + turn)]):
            if booked <= found - turn:
                break
            found = booked - turn
        return found
