"""From a running search to the stream that shows it grow."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator

from adamas.v1 import advisor_service_pb2 as pb


class Updates:
    """Hands over updates one at a time, each an interval after the last; there is never a queue.

    While the stream has not taken an update, none is wanted. However long it takes to make one, the
    search gets as much time as the updates.
    """

    def __init__(self, interval: float) -> None:
        self._interval = interval
        self._cost = 0.0
        self._update: pb.Advice | None = None
        self._changed = asyncio.Event()
        self.due = time.monotonic() + interval
        """When the next update should be made."""

    def wanted(self, stop_at: float) -> bool:
        """Whether to make an update now, for a search that stops at some time."""
        now = time.monotonic()
        return self._update is None and now >= self.due and now + self._cost < stop_at

    def offer(self, update: pb.Advice, cost: float) -> None:
        """Gives an update, which took some seconds to make, to the stream."""
        self._cost = cost
        self._update = update
        self._changed.set()

    def postpone(self) -> None:
        """Sets when the next update is due."""
        self.due = max(self.due + self._interval, time.monotonic() + self._cost)

    async def until(self, search: asyncio.Task[pb.Advice]) -> AsyncIterator[pb.Advice]:
        """Yields updates until the search is done."""
        search.add_done_callback(lambda _: self._changed.set())
        while not search.done():
            await self._changed.wait()
            self._changed.clear()
            if self._update is not None and not search.done():
                yield self._update
                self._update = None
