"""Slots for searches."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack

import pytest

from server.admission import Slots
from server.errors import Refused


def soon(seconds: float) -> float:
    return time.monotonic() + seconds


async def test_waits_for_a_slot_in_order() -> None:
    slots = Slots(1, max_waiting=10)
    order: list[int] = []

    async def use(number: int) -> None:
        async with slots.hold(soon(1), soon(5)):
            order.append(number)
            await asyncio.sleep(0.01)

    await asyncio.gather(*(use(number) for number in range(4)))
    assert order == [0, 1, 2, 3]


async def test_refuses_with_a_retry_hint_when_time_is_up() -> None:
    slots = Slots(1, max_waiting=10)
    async with slots.hold(soon(2), soon(5)):
        with pytest.raises(Refused, match="in time") as caught:
            async with slots.hold(soon(1), soon(0.02)):
                pass
    assert caught.value.code.name == "RESOURCE_EXHAUSTED"
    assert 1.5 < slots_retry_seconds(caught.value) < 2.1
    async with slots.hold(soon(1), soon(0.02)):
        pass


def slots_retry_seconds(refused: Refused) -> float:
    from google.rpc.error_details_pb2 import RetryInfo

    hint = next(detail for detail in refused.details if isinstance(detail, RetryInfo))
    return float(hint.retry_delay.seconds + hint.retry_delay.nanos / 1e9)


async def test_refuses_at_once_when_the_queue_is_full() -> None:
    slots = Slots(1, max_waiting=1)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(slots.hold(soon(1), soon(5)))
        waiting = asyncio.create_task(stack.enter_async_context(slots.hold(soon(1), soon(5))))
        await asyncio.sleep(0)
        with pytest.raises(Refused, match="too many"):
            async with slots.hold(soon(1), soon(5)):
                pass
        waiting.cancel()


async def test_a_cancelled_waiter_leaves_no_slot_behind() -> None:
    slots = Slots(1, max_waiting=10)

    async def use() -> None:
        async with slots.hold(soon(1), soon(5)):
            pass

    async with slots.hold(soon(1), soon(5)):
        waiters = [asyncio.create_task(use()) for _ in range(3)]
        await asyncio.sleep(0)
        waiters[0].cancel()
        waiters[1].cancel()
    # The second one is cancelled just when it has been given the slot.
    waiters[2].cancel()
    await asyncio.wait(waiters)
    async with slots.hold(soon(1), soon(0.1)):
        pass
