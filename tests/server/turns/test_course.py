"""What searches learn from one another about their answers, on a machine whose pace is given."""

from __future__ import annotations

import time
from dataclasses import dataclass

import pytest

from adamas.v1 import advisor_service_pb2 as pb
from server.requests.limits import Limits
from server.turns.course import Course, Latencies
from server.turns.forecast import Kind
from server.workers.messages import Opened

DIAMONDS = Kind("diamonds", pb.DETAIL_FULL)
PASSES = 560
"""Ways to pass three of 16 cards."""
MARGIN = 0.02


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Machine:
    """Answers calls one after another.

    Attributes:
        clock: Its time.
        stretch: How many times as long anything takes as the processor time that it costs.
        candidate: Processor time of a candidate, in seconds.
        delay: Seconds that every answer takes beside that.
    """

    clock: Clock
    stretch: float
    candidate: float = 0.0002
    delay: float = 0.003

    def __post_init__(self) -> None:
        self.latencies = Latencies(2, self.clock)

    def call(self, candidates: int, deadline: float) -> tuple[int, float]:
        """A call that would think for ever: how many candidates it got, 0 if its answer was late,
        and which share of its time it thought."""
        began = self.clock.now
        limits = Limits(began, 60.0, None, began + deadline, min(MARGIN, deadline / 4))
        course = Course(self.latencies, DIAMONDS, candidates, crowd=1)
        with course.booking(limits) as booking:
            self.clock.now += 0.002 * self.stretch
            course.opened(Opened("diamonds", 0, PASSES, (0,), 0.002, 0.0), booking)
            self.clock.now = max(self.clock.now, booking.stop_at)
        thought = (self.clock.now - began) / deadline
        course.over()
        course.keep_to(limits)
        cost = (course.candidates + 2) * self.candidate
        there = self.clock.now + self.delay + self.stretch * cost
        if there > began + deadline:
            self.clock.now = began + deadline
            course.lost()
            return 0, thought
        self.clock.now = there
        course.answered(cost, stopped=True)
        return course.candidates, thought


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(time, "monotonic", found)
    return found


@pytest.mark.parametrize("stretch", [1.0, 2.0])
def test_long_lists_keep_short_deadlines_and_cost_short_ones_nothing(
    clock: Clock, stretch: float
) -> None:
    """Three of 16 cards are passed: 560 moves, all of them asked for within 0.2 and 0.3 s."""
    machine = Machine(clock, stretch)
    lists = [machine.call(1000, deadline)[0] for deadline in (0.2, 0.3) * 6]
    assert min(lists) >= 5, lists
    for deadline in (0.2, 0.3, 0.5, 0.7, 1.0):
        candidates, thought = machine.call(5, deadline)
        assert candidates == 5
        assert thought > 0.7, deadline


def test_a_machine_that_gets_busy_loses_few_of_them(clock: Clock) -> None:
    machine = Machine(clock, stretch=1.0)
    for _ in range(20):
        machine.call(1000, 0.3)
    machine.stretch = 4.0
    busy = [machine.call(1000, deadline)[0] for deadline in (0.2, 0.3) * 6]
    assert sum(candidates == 0 for candidates in busy) <= 2, busy
