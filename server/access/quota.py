"""How much one client asks for, and when that is too much.

Quotas per minute are token buckets: a bucket holds up to a minute's worth and fills evenly. So a
client may ask for its minute's worth at once, and then has to go on at the even pace.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from server import errors
from server.access.clients import Quota

_MINUTE = 60.0


class Bucket:
    """What is left of something that is given out per minute."""

    def __init__(self, per_minute: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.per_minute = per_minute
        self._clock = clock
        self._left = per_minute
        self._seen = clock()

    def left(self) -> float:
        """How much can be taken now."""
        now = self._clock()
        self._left = min(
            self.per_minute, self._left + (now - self._seen) * self.per_minute / _MINUTE
        )
        self._seen = now
        return self._left

    def take(self, amount: float) -> float:
        """Takes an amount if there is enough; returns in how many seconds there is, 0 if taken."""
        missing = amount - self.left()
        if missing <= 0:
            self._left -= amount
            return 0.0
        return missing * _MINUTE / self.per_minute

    def give_back(self, amount: float) -> None:
        """Puts back what was taken and not used."""
        self._left = min(self.per_minute, self.left() + amount)


class Account:
    """What one client has running and has used. For one event loop."""

    def __init__(self, name: str, quota: Quota) -> None:
        self.name = name
        self.calls_at_once = 0
        self.set_quota(quota)

    def set_quota(self, quota: Quota) -> None:
        """Changes the limits; limits that stay the same keep what is left of them."""
        self._quota = quota
        self._calls = _bucket(getattr(self, "_calls", None), quota.calls_per_minute)
        self._seconds = _bucket(getattr(self, "_seconds", None), quota.search_seconds_per_minute)

    @contextmanager
    def calling(self) -> Iterator[None]:
        """Counts a call; raises Refused if it is one too many."""
        most = self._quota.calls_at_once
        if most is not None and self.calls_at_once >= most:
            raise errors.quota_exceeded(
                self.name, "calls at once", most, f"{self.calls_at_once} calls run already", 0.5
            )
        self.charge_call()
        self.calls_at_once += 1
        try:
            yield
        finally:
            self.calls_at_once -= 1

    def charge_call(self) -> None:
        """Counts a call, or what is as much work as one; raises Refused if it is one too many."""
        if self._calls is not None and (wait := self._calls.take(1.0)) > 0:
            raise errors.quota_exceeded(
                self.name, "calls per minute", self._calls.per_minute, "all are used up", wait
            )

    @contextmanager
    def thinking(self, seconds: float) -> Iterator[None]:
        """Reserves thinking time, and gives back what was not used of it; raises Refused."""
        bucket = self._seconds
        if bucket is None:
            yield
            return
        if (wait := bucket.take(seconds)) > 0:
            raise errors.quota_exceeded(
                self.name,
                "search seconds per minute",
                bucket.per_minute,
                f"this search may take {seconds:.3g} s, and {bucket.left():.3g} s are left",
                # More than a minute's worth never fits, however long one waits.
                None if seconds > bucket.per_minute else wait,
            )
        began = time.monotonic()
        try:
            yield
        finally:
            bucket.give_back(max(0.0, seconds - (time.monotonic() - began)))


def _bucket(before: Bucket | None, per_minute: float | None) -> Bucket | None:
    if per_minute is None:
        return None
    if before is not None and before.per_minute == per_minute:
        return before
    return Bucket(per_minute)
