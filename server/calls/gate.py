"""The gate that every call comes through, and that refuses it when the server can't take it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from server import errors
from server.errors import Refused


@dataclass
class Gate:
    """Whether calls are let in, and how many are inside."""

    max_calls: int
    refusal: Callable[[], Refused] | None = errors.starting
    """Why all calls are refused now; None lets them in."""
    active: int = 0
    _knocked: asyncio.Event = field(default_factory=asyncio.Event)
    _left: asyncio.Event = field(default_factory=asyncio.Event)
    _closed: asyncio.Event = field(default_factory=asyncio.Event)

    def close(self) -> None:
        """Lets nobody in any more, for good; streams that are inside read no further request."""
        self.refusal = errors.shutting_down
        self._closed.set()

    async def closed(self) -> None:
        """Waits until the gate is closed."""
        await self._closed.wait()

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Counts a call while it runs; raises Refused if no further call may come in."""
        if self.refusal is not None:
            self._knocked.set()
            raise self.refusal()
        if self.active >= self.max_calls:
            raise errors.overloaded(f"{self.active} calls are being handled already", 0.5)
        self.active += 1
        try:
            yield
        finally:
            self.active -= 1
            self._left.set()

    async def emptied(self) -> None:
        """Waits until no call is inside."""
        while self.active:
            self._left.clear()
            await self._left.wait()

    async def calm(self, seconds: float) -> None:
        """Waits until nobody has come for some seconds, while the gate is closed."""
        with suppress(TimeoutError):
            while True:
                self._knocked.clear()
                await asyncio.wait_for(self._knocked.wait(), seconds)
