"""How much one address may ask for."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from web.host import refusals

_REQUESTS_AT_ONCE = 6.0
"""How many seconds' worth of an address's requests may come at once."""
TABLES_PER_MINUTE, TABLES_AT_ONCE = 10.0, 100.0
STREAMS = 32
"""Streams of an address at the same time."""
_MOST_ADDRESSES = 10_000


class Buckets:
    """A token bucket for each address. Those that have long been full are forgotten."""

    def __init__(
        self, per_second: float, size: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._per_second = per_second
        self._size = size
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, address: str) -> None:
        """Takes one; raises Refusal if there is none."""
        now = self._clock()
        left, seen = self._left.pop(address, (self._size, now))
        left = min(self._size, left + (now - seen) * self._per_second)
        if left < 1:
            self._left[address] = left, now
            raise refusals.too_many((1 - left) / self._per_second)
        self._left[address] = left - 1, now
        while len(self._left) > _MOST_ADDRESSES:
            self._left.popitem(last=False)


class Limits:
    """The limits of a host."""

    def __init__(self, requests_per_second: float) -> None:
        self._requests = Buckets(requests_per_second, requests_per_second * _REQUESTS_AT_ONCE)
        self._tables = Buckets(TABLES_PER_MINUTE / 60, TABLES_AT_ONCE)
        self._streams: Counter[str] = Counter()

    def request(self, address: str) -> None:
        """Counts a request; raises Refusal."""
        self._requests.take(address)

    def table(self, address: str) -> None:
        """Counts a table that is opened; raises Refusal."""
        self._tables.take(address)

    @contextmanager
    def stream(self, address: str) -> Iterator[None]:
        """Surrounds a stream; raises Refusal."""
        if self._streams[address] >= STREAMS:
            raise refusals.too_many(5)
        self._streams[address] += 1
        try:
            yield
        finally:
            self._streams[address] -= 1
            if not self._streams[address]:
                del self._streams[address]
