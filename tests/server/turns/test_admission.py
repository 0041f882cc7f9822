"""Slots for searches."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack
from itertools import pairwise
from typing import Any

import pytest
from google.rpc.error_details_pb2 import RetryInfo

from adamas.v1 import advisor_service_pb2 as pb
from server.errors import Refused
from server.turns import usage as usage_module
from server.turns.admission import Claim, Slots


def claim(
    seconds: float = 0.0,
    last_moment: float = 5.0,
    *,
    client: str = "someone",
    priority: pb.Priority.ValueType = pb.PRIORITY_INTERACTIVE,
    may_end_early: bool = False,
) -> Claim:
    """A claim; times are in seconds from now."""
    now = time.monotonic()
    return Claim(client, priority, seconds, may_end_early, now + last_moment)


class Hall:
    """Searches that hold slots until they are told to leave, and the order in which they came."""

    def __init__(self, slots: int, max_waiting: int = 100) -> None:
        self.slots = Slots(slots, max_waiting)
        self.order: list[str] = []
        self._leave: dict[str, asyncio.Event] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def enter(self, name: str, **fields: Any) -> asyncio.Task[None]:
        """Lets a search claim a slot."""
        self._leave[name] = asyncio.Event()
        self._tasks[name] = task = asyncio.create_task(self._use(name, claim(**fields)))
        await asyncio.sleep(0)
        return task

    async def leave(self, name: str) -> None:
        """Lets a search give its slot back."""
        self._leave[name].set()
        await self._tasks[name]
        await asyncio.sleep(0)

    async def leave_in_order(self, number: int) -> list[str]:
        """Lets searches give their slots back in the order in which they got them."""
        for position in range(number):
            await self.leave(self.order[position])
        return self.order[:number]

    async def _use(self, name: str, wanted: Claim) -> None:
        async with self.slots.hold(wanted):
            self.order.append(name)
            await self._leave[name].wait()


def retry_seconds(refused: Refused) -> float:
    hint = next(detail for detail in refused.details if isinstance(detail, RetryInfo))
    return float(hint.retry_delay.seconds + hint.retry_delay.nanos / 1e9)


async def test_waits_for_a_slot_in_order() -> None:
    hall = Hall(1)
    for name in "abcd":
        await hall.enter(name)
    assert await hall.leave_in_order(4) == list("abcd")


async def test_clients_take_turns() -> None:
    hall = Hall(1)
    for number in range(10):
        await hall.enter(f"many {number}", client="greedy")
    await hall.enter("one", client="modest")
    assert await hall.leave_in_order(4) == ["many 0", "many 1", "one", "many 2"]


async def test_interactive_searches_overtake_background_ones_but_do_not_starve_them() -> None:
    hall = Hall(1)
    await hall.enter("first")
    for number in range(5):
        await hall.enter(f"bulk {number}", priority=pb.PRIORITY_BACKGROUND)
    for number in range(40):
        await hall.enter(f"hint {number}")
    order = await hall.leave_in_order(31)
    bulk = [position for position, name in enumerate(order) if name.startswith("bulk")]
    assert len(bulk) in (3, 4)


async def test_never_more_than_there_are_slots() -> None:
    hall = Hall(3)
    for number in range(20):
        await hall.enter(str(number), client=str(number % 4))
    for number in range(20):
        assert hall.slots.held == min(3, 20 - number)
        await hall.leave(hall.order[number])
    assert hall.slots.held == hall.slots.waiting == 0


async def test_a_hopeless_claim_is_refused_at_once_with_a_hint() -> None:
    hall = Hall(1)
    await hall.enter("running", seconds=2.0)
    task = await hall.enter("late", last_moment=1.0)
    assert task.done()
    with pytest.raises(Refused, match="in time") as caught:
        await task
    assert caught.value.code.name == "RESOURCE_EXHAUSTED"
    assert 1.5 < retry_seconds(caught.value) < 4.1


def test_those_who_are_refused_do_not_come_back_all_at_once() -> None:
    slots = Slots(1, 1)
    told = sorted(slots.retry_seconds() for _ in range(20))
    assert min(later - sooner for sooner, later in pairwise(told)) > 0.1 * (told[-1] - told[0]) / 20
    assert told[-1] < 2.0 * told[0] + 0.1


async def test_those_ahead_in_the_queue_are_counted() -> None:
    hall = Hall(2)
    for name, seconds in {"a": 1.0, "b": 3.0}.items():
        await hall.enter(name, seconds=seconds)
    assert not (await hall.enter("first", last_moment=2.0)).done()
    assert (await hall.enter("second", last_moment=2.0)).done()
    assert not (await hall.enter("patient", last_moment=4.0)).done()
    # Another client's search goes before the second one of the first client.
    assert not (await hall.enter("other", last_moment=4.0, client="other")).done()


async def test_whoever_waits_still_gets_half_of_its_time_or_is_refused_at_once() -> None:
    hall = Hall(2)
    tasks = [await hall.enter(str(number), seconds=5.0, last_moment=40.0) for number in range(20)]
    # Two at a time, five seconds each: the last ones to be let in begin after 35 seconds.
    assert [task.done() for task in tasks] == [False] * 16 + [True] * 4
    assert all(isinstance(task.exception(), Refused) for task in tasks[16:])


async def test_what_those_ahead_will_take_is_known_before_anybody_has_ended() -> None:
    hall = Hall(1)
    await hall.enter("running", seconds=1.0, last_moment=90.0)
    await hall.enter("long", seconds=30.0, last_moment=90.0)
    assert (await hall.enter("short", seconds=1.0, last_moment=20.0)).done()


async def test_searches_that_may_end_early_are_hoped_to() -> None:
    hall = Hall(1)
    await hall.enter("running", seconds=60.0, may_end_early=True)
    waiting = await hall.enter("waiting", last_moment=1.0)
    assert not waiting.done()
    await hall.leave("running")
    await hall.leave("waiting")


async def test_a_search_that_could_not_be_answered_in_time_gets_no_slot_unless_it_is_alone() -> (
    None
):
    hall = Hall(2)
    assert not (await hall.enter("alone", last_moment=-0.1)).done()
    with pytest.raises(Refused, match="in time"):
        await (await hall.enter("late", last_moment=-0.1))
    await hall.leave("alone")
    await hall.enter("again", last_moment=-0.1)
    assert hall.order == ["alone", "again"]


async def test_refuses_when_time_is_up() -> None:
    hall = Hall(1)
    await hall.enter("running", seconds=0.0)
    waiting = await hall.enter("waiting", last_moment=0.02)
    with pytest.raises(Refused, match="in time"):
        await waiting
    assert hall.slots.waiting == 0
    await hall.leave("running")
    await hall.enter("next")
    assert hall.order == ["running", "next"]


async def test_refuses_at_once_when_the_queue_is_full() -> None:
    hall = Hall(1, max_waiting=1)
    await hall.enter("running")
    await hall.enter("waiting")
    with pytest.raises(Refused, match="too many"):
        await (await hall.enter("refused"))


async def test_the_last_places_are_for_clients_with_nothing_waiting() -> None:
    hall = Hall(1, max_waiting=16)
    await hall.enter("running", client="greedy")
    tasks = [await hall.enter(f"many {number}", client="greedy") for number in range(16)]
    refused = [task for task in tasks if task.done()]
    assert len(refused) == 2
    for task in refused:
        with pytest.raises(Refused, match="this client"):
            await task
    assert not (await hall.enter("one", client="modest")).done()


async def test_clients_have_equal_parts_of_a_crowded_server() -> None:
    hall = Hall(8, max_waiting=4)
    for number in range(8):
        await hall.enter(f"many {number}", client="greedy")
    for number in range(2):
        await hall.enter(f"one {number}", client=f"client {number}")
    # Three clients, twelve slots and places: four each, and the greedy one has eight.
    assert isinstance((await hall.enter("more", client="greedy")).exception(), Refused)
    assert not (await hall.enter("another", client="client 0")).done()


async def test_half_of_the_queue_is_not_for_clients_that_have_had_more_than_others() -> None:
    hall = Hall(1, max_waiting=8)
    for client, times in {"greedy": 20, "modest": 3}.items():
        for number in range(times):
            await hall.enter(f"{client} {number}", client=client)
            await hall.leave(f"{client} {number}")
    await hall.enter("running", client="modest")
    tasks = [await hall.enter(str(number), client="greedy") for number in range(5)]
    assert [task.done() for task in tasks] == [False, False, False, False, True]
    assert isinstance(tasks[-1].exception(), Refused)
    assert not (await hall.enter("another", client="modest")).done()


async def test_what_a_client_has_had_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usage_module, "_MEMORY", 0.01)
    usage = usage_module.Usage()
    for _ in range(9):
        usage.add("greedy")
    usage.add("modest")
    assert usage.is_ahead("greedy")
    assert not usage.is_ahead("modest")
    await asyncio.sleep(0.1)
    assert not usage.is_ahead("greedy")


async def test_a_client_alone_can_have_everything() -> None:
    hall = Hall(2, max_waiting=4)
    tasks = [await hall.enter(str(number)) for number in range(7)]
    assert [task.done() for task in tasks] == [False] * 6 + [True]
    assert isinstance(tasks[-1].exception(), Refused)


async def test_an_eighth_of_the_slots_is_kept_for_interactive_searches() -> None:
    hall = Hall(16)
    for number in range(20):
        await hall.enter(f"bulk {number}", priority=pb.PRIORITY_BACKGROUND)
    assert hall.slots.held == 14
    for number in range(3):
        await hall.enter(f"hint {number}")
    assert hall.order[-2:] == ["hint 0", "hint 1"]
    await hall.leave("bulk 0")
    assert hall.order[-1] == "hint 2"
    await hall.leave("hint 0")
    assert hall.order[-1] == "bulk 14"
    await hall.leave("hint 1")
    assert hall.order[-1] == "bulk 14"
    assert hall.slots.held == 15
    await hall.leave("bulk 1")
    assert hall.order[-1] == "bulk 15"


@pytest.mark.parametrize("slots", range(2, 8))
async def test_however_few_slots_there_are_one_is_kept(slots: int) -> None:
    hall = Hall(slots)
    for number in range(slots):
        await hall.enter(f"bulk {number}", priority=pb.PRIORITY_BACKGROUND)
    assert hall.slots.held == slots - 1
    await hall.enter("hint")
    assert hall.order[-1] == "hint"


async def test_where_there_is_one_slot_the_kept_one_comes_on_top() -> None:
    hall = Hall(1)
    for number in range(2):
        await hall.enter(f"bulk {number}", priority=pb.PRIORITY_BACKGROUND)
        await hall.enter(f"hint {number}")
    assert hall.order == ["bulk 0", "hint 0"]
    await hall.leave("bulk 0")
    assert hall.order == ["bulk 0", "hint 0"]
    await hall.leave("hint 0")
    assert hall.order == ["bulk 0", "hint 0", "hint 1"]


async def test_whose_time_runs_out_goes_first() -> None:
    hall = Hall(2)
    for name, seconds in {"a": 1.0, "b": 3.0}.items():
        await hall.enter(name, seconds=seconds)
    await hall.enter("first", seconds=9.0, last_moment=9.0)
    await hall.enter("second", last_moment=3.5)
    await hall.enter("other", last_moment=9.0, client="other")
    await hall.leave("a")
    await hall.leave("b")
    assert hall.order == ["a", "b", "first", "second"]


async def test_a_cancelled_waiter_leaves_no_slot_behind() -> None:
    slots = Slots(1, max_waiting=10)

    async def use() -> None:
        async with slots.hold(claim()):
            pass

    async with slots.hold(claim()):
        waiters = [asyncio.create_task(use()) for _ in range(3)]
        await asyncio.sleep(0)
        waiters[0].cancel()
        waiters[1].cancel()
    # The second one is cancelled just when it has been given the slot.
    waiters[2].cancel()
    await asyncio.wait(waiters)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(slots.hold(claim(last_moment=0.1)))
        assert slots.held == 1
        assert slots.waiting == 0
