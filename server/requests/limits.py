"""When a search has to end: its own limits, the call's deadline, and the time an answer takes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import monotonic

from adamas.v1 import advisor_service_pb2 as pb
from engines.violations import Report
from server.calls.call import Call
from server.requests.durations import seconds

DEFAULT_TIME = 1.0
MAX_ITERATIONS = 1_000_000_000
MIN_INTERVAL, MAX_INTERVAL, DEFAULT_INTERVAL = 0.02, 60.0, 0.2
_PATIENCE = 1.0
"""How long a call without a deadline waits for its turn beside as long as it would think."""
_LARGEST_MARGIN_SHARE = 0.25
"""The deadline margin is at most this share of the time that the deadline leaves."""


@dataclass(frozen=True)
class Limits:
    """What bounds one search. Times are of time.monotonic()."""

    started: float
    """When the call's handling began."""
    time: float
    """Thinking time in seconds."""
    iterations: int | None
    deadline: float | None
    """When the call's answer has to be there."""
    margin: float
    """How long before the deadline it leaves."""
    waited: float = 0.0
    """How long it had to wait for its turn, in seconds. That is no thinking time."""

    def after_waiting(self, seconds: float) -> Limits:
        """The same for a search that had to wait for its turn."""
        return replace(self, waited=self.waited + seconds)

    @property
    def answer_by(self) -> float:
        """When the answer is due."""
        due = self.started + self.waited + self.time
        return due if self.deadline is None else min(due, self.deadline - self.margin)

    @property
    def ends_by_deadline(self) -> bool:
        """Whether the deadline comes before the time limit."""
        return self.answer_by < self.started + self.waited + self.time

    @property
    def over(self) -> bool:
        """Whether the deadline has passed."""
        return self.deadline is not None and monotonic() >= self.deadline

    @property
    def last_moment(self) -> float:
        """When at the latest the answer is of any use to somebody who has to wait for it."""
        if self.deadline is None:
            return self.started + 2.0 * self.time + _PATIENCE
        return self.deadline - self.margin


def read_limits(
    message: pb.SearchLimits, path: str, report: Report, call: Call, max_time: float, margin: float
) -> Limits:
    """The limits of a call. Notes what is out of range."""
    report.check(
        0 <= message.iterations <= MAX_ITERATIONS,
        f"{path}.iterations",
        f"is {message.iterations}; use 1 to {MAX_ITERATIONS}, or 0 for no limit",
    )
    iterations = message.iterations or None
    time = min(DEFAULT_TIME, max_time) if iterations is None else max_time
    if message.HasField("time"):
        time = seconds(message.time)
        report.check(
            0 < time <= max_time,
            f"{path}.time",
            f"is {time:g} s; use more than 0 and at most {max_time:g} s",
        )
    if call.deadline is not None:
        margin = min(margin, _LARGEST_MARGIN_SHARE * max(0.0, call.deadline - call.started))
    return Limits(call.started, time, iterations, call.deadline, margin)


def read_interval(message: pb.AnalyzeRequest, report: Report) -> float:
    """The time between two updates."""
    if not message.HasField("update_interval"):
        return DEFAULT_INTERVAL
    interval = seconds(message.update_interval)
    report.check(
        MIN_INTERVAL <= interval <= MAX_INTERVAL,
        "update_interval",
        f"is {interval:g} s; use {MIN_INTERVAL:g} s to {MAX_INTERVAL:g} s",
    )
    return interval
