"""A host in a thread of its own, for tests that ask it over real connections."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from web.host.serving import serving
from web.host.settings import Settings


@contextmanager
def hosted(settings: Settings) -> Iterator[int]:
    """A host on a free port while the block runs; gives the port.

    Raises what keeps it from starting.
    """
    started: queue.Queue[Any] = queue.Queue()
    ended = asyncio.Event()
    loop = asyncio.new_event_loop()

    async def run() -> None:
        async with serving(settings, "127.0.0.1", 0) as port:
            started.put(port)
            await ended.wait()

    def work() -> None:
        try:
            loop.run_until_complete(run())
        except Exception as error:
            started.put(error)

    thread = threading.Thread(target=work, name="host")
    thread.start()
    try:
        found = started.get()
        if not isinstance(found, int):
            raise found
        yield found
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join()
        loop.close()
