"""A host in a thread of its own, for tests that ask it over real connections."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from web.host.serving import serving
from web.host.settings import Settings


@contextmanager
def hosted(settings: Settings) -> Iterator[int]:
    """A host on a free port while the block runs; gives the port."""
    started: list[Any] = []
    ready, ended = threading.Event(), asyncio.Event()
    loop = asyncio.new_event_loop()

    async def run() -> None:
        try:
            async with serving(settings, "127.0.0.1", 0) as port:
                started.append(port)
                ready.set()
                await ended.wait()
        except BaseException as error:
            started.append(error)
            raise
        finally:
            ready.set()

    thread = threading.Thread(target=lambda: loop.run_until_complete(run()), name="host")
    thread.start()
    try:
        ready.wait()
        if not isinstance(started[0], int):
            raise started[0]
        yield started[0]
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join()
        loop.close()
