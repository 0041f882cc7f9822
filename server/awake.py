"""A clock that stands still while the machine sleeps, or this process is stopped.

By any other clock, whoever was asked something before a sleep seems not to have answered for hours.
So patience with others is measured in time in which this process could have heard of them.
"""

from __future__ import annotations

import asyncio
import time

_TICK = 0.1
_LONGEST_TICK = 0.2
"""What passes at most between two ticks, in seconds."""


class AwakeClock:
    """Counts the seconds in which the event loop runs."""

    def __init__(self) -> None:
        self._passed = 0.0
        self._ticked = time.monotonic()

    def now(self) -> float:
        """Seconds so far; goes on while ``run`` does."""
        return self._passed + min(time.monotonic() - self._ticked, _LONGEST_TICK)

    async def run(self) -> None:
        """Ticks until it is cancelled."""
        while True:
            await asyncio.sleep(_TICK)
            self._passed = self.now()
            self._ticked = time.monotonic()
