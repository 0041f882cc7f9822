"""How many searches run at once; further ones wait their turn, and too many are refused.

The number bounds the memory of all searches together: each may take its whole share. It is high
enough that calls normally share the processors instead of waiting here.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from server import errors

_SHORTEST_RETRY, _LONGEST_RETRY = 0.1, 10.0


class Slots:
    """A fair semaphore with a bounded queue and a time limit."""

    def __init__(self, slots: int, max_waiting: int) -> None:
        self._free = slots
        self._max_waiting = max_waiting
        self._queue: deque[asyncio.Future[None]] = deque()
        self._ends: dict[object, float] = {}

    @property
    def held(self) -> int:
        """How many slots are held."""
        return len(self._ends)

    @property
    def waiting(self) -> int:
        """How many wait for a slot."""
        return len(self._queue)

    @asynccontextmanager
    async def hold(self, ends: float, last_moment: float) -> AsyncIterator[None]:
        """Holds a slot; raises Refused if none is to be had by the last moment.

        ``ends`` is when the holder expects to be done, as a hint for those who are refused.
        """
        await self._acquire(last_moment)
        holder = object()
        self._ends[holder] = ends
        try:
            yield
        finally:
            del self._ends[holder]
            self._release()

    def retry_seconds(self) -> float:
        """When trying again may help: after about half of the running searches have ended."""
        ends = sorted(self._ends.values())
        wait = ends[len(ends) // 2] - time.monotonic() if ends else 0.0
        return min(max(wait, _SHORTEST_RETRY), _LONGEST_RETRY)

    async def _acquire(self, last_moment: float) -> None:
        if self._free > 0:
            self._free -= 1
            return
        if len(self._queue) >= self._max_waiting:
            raise errors.overloaded("too many searches are waiting", self.retry_seconds())
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append(turn)
        try:
            async with asyncio.timeout(max(0.0, last_moment - time.monotonic())):
                await turn
        except BaseException as error:
            if turn.done() and not turn.cancelled():
                self._release()  # the slot came together with the end of waiting
            elif turn in self._queue:
                self._queue.remove(turn)
            if isinstance(error, TimeoutError):
                raise errors.overloaded(
                    "no search could be started in time", self.retry_seconds()
                ) from None
            raise

    def _release(self) -> None:
        """Gives the slot to whoever has waited longest."""
        while self._queue:
            turn = self._queue.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
