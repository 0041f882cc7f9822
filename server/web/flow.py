"""Mends the flow control of Hypercorn 0.18 over HTTP/2.

Its buffers let their writer go on once they have handed on little, which is also the case when the
client takes nothing at all: what is written for a client that does not read would be kept without
end. These wait until what is left is little.
"""

from __future__ import annotations

from hypercorn.protocol import h2


class Buffer(h2.StreamBuffer):
    """What is to be sent over one stream, as far as the client has not taken it."""

    async def push(self, data: bytes) -> None:
        """Adds data, and waits until most of it has been taken or the stream is closed."""
        if self._complete:
            raise h2.BufferCompleteError
        self.buffer.extend(data)
        await self._is_empty.clear()
        while len(self.buffer) >= h2.BUFFER_HIGH_WATER and not self._complete:
            await self._paused.clear()
            await self._paused.wait()


def mend() -> None:
    """Makes Hypercorn use these buffers."""
    h2.StreamBuffer = Buffer  # type: ignore[misc]
