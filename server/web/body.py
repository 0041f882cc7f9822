"""A request's body, which has to be there in time and may not be longer than is accepted."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from server import errors

Event = dict[str, Any]
Receive = Callable[[], Awaitable[Event]]

_SECONDS = 15.0
"""Within which the whole body has to be there."""
_REST_SECONDS, _REST_BYTES = 1.0, 4 << 20
"""What is left of a body that is refused is read for so long and up to so many bytes, as many
clients read no answer before they have sent all."""
_FRAME_BYTES = 5
"""What stands before a message in a body that may have several."""


class Body:
    """Receives one body, as an ASGI application does."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive = receive
        self._most = most + _FRAME_BYTES
        self._size = 0
        self._due = asyncio.get_running_loop().time() + _SECONDS
        self.over = False

    async def receive(self) -> Event:
        """The next event; raises Refused if the body is too long or too slow."""
        if self.over:
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._due):
                event = await self._next()
        except TimeoutError:
            raise errors.too_slow(_SECONDS) from None
        if self._size > self._most:
            raise errors.too_large(self._size, self._most - _FRAME_BYTES)
        return event

    async def receive_at_leisure(self) -> Event:
        """The next event of a body that is as long, and takes as long, as its client likes."""
        return await self._receive() if self.over else await self._next()

    async def skip_rest(self) -> bool:
        """Reads what is left, within bounds; returns whether all of it has been read."""
        most = self._size + _REST_BYTES
        with suppress(TimeoutError):
            async with asyncio.timeout(_REST_SECONDS):
                while not self.over and self._size <= most:
                    await self._next()
        return self.over

    async def drop_rest(self) -> None:
        """Takes what still comes, and keeps nothing of it, until the connection is closed.

        Hypercorn closes none before all that it has read has been taken.
        """
        while not self.over:
            await self._next()

    async def _next(self) -> Event:
        event = await self._receive()
        if event["type"] == "http.disconnect":
            self.over = True
        else:
            self._size += len(event.get("body", b""))
            self.over = not event.get("more_body", False)
        return event
