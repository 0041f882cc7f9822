"""The clock that stands still while the machine sleeps."""

from __future__ import annotations

import asyncio
import time

from server.awake import AwakeClock


async def test_it_goes_with_the_event_loop_and_stands_still_with_it() -> None:
    clock = AwakeClock()
    running = asyncio.create_task(clock.run())
    try:
        begin, began = clock.now(), time.monotonic()
        await asyncio.sleep(0.5)
        passed = clock.now() - begin
        assert 0.4 < passed <= time.monotonic() - began
        begin = clock.now()
        time.sleep(1.0)  # noqa: ASYNC251  (the sleep that is meant)
        await asyncio.sleep(0)
        assert clock.now() - begin < 0.3
        await asyncio.sleep(0.3)
        assert 0.2 < clock.now() - begin < 0.7
    finally:
        running.cancel()
