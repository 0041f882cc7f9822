"""A server inside another program: in a background thread, with an event loop of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from server.app import RunningServer, start
from server.log import LineWriter
from server.settings import Settings

_LONGEST_END = 10.0
"""How long a server that is interrupted while it starts may take to end, in seconds."""


@contextmanager
def embedded_server(
    settings: Settings | None = None, writer: LineWriter | None = None
) -> Iterator[str]:
    """Runs a server while the block runs; gives its address. Takes a free port by default.

    Raises whatever kept the server from starting.
    """
    settings = settings or Settings(port=0, log_level="warning")
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="adamas-server", daemon=True)
    thread.start()
    try:
        server = _started(settings, writer, loop)
        try:
            yield server.address
        finally:
            asyncio.run_coroutine_threadsafe(server.stop(), loop).result()
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def _started(
    settings: Settings, writer: LineWriter | None, loop: asyncio.AbstractEventLoop
) -> RunningServer:
    """The server, started in another thread's loop. Interrupting this leaves nothing running."""
    ended = threading.Event()

    async def run() -> RunningServer:
        try:
            return await start(settings, writer)
        finally:
            ended.set()

    starting = asyncio.run_coroutine_threadsafe(run(), loop)
    try:
        return starting.result()
    except BaseException:
        starting.cancel()
        ended.wait(_LONGEST_END)
        raise
