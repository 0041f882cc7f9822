"""Python work of a millisecond and more, away from the event loop.

Reading messages and finding words holds the interpreter lock, but in a thread of its own it is
interrupted for the event loop, so that no call waits for another's words. Searches don't come here:
the workers read and word them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_THREADS = 4


class Offload:
    """A few threads for short pieces of work."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="adamas-words")

    async def __call__(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Runs a function in one of the threads and waits for its result."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, lambda: function(*args, **kwargs))

    def close(self) -> None:
        """Ends the threads once they have finished what they do."""
        self._pool.shutdown(wait=False, cancel_futures=True)
