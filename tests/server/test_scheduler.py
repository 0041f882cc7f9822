"""The scheduler, with trees that sleep instead of thinking."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator

import pytest

from adamas.v1 import advisor_service_pb2 as pb
from server.scheduler import Scheduler


class SleepingTree:
    """A tree whose iterations take time but no processor."""

    def __init__(self, seconds: float = 20e-6) -> None:
        self.iterations = 0
        self.threads: set[str] = set()
        self.busy = False
        self._seconds = seconds

    def run(self, iterations: int) -> None:
        assert not self.busy, "two threads in one tree"
        self.busy = True
        self.threads.add(threading.current_thread().name)
        time.sleep(iterations * self._seconds)
        self.iterations += iterations
        self.busy = False


class BrokenTree:
    def run(self, iterations: int) -> None:
        raise ZeroDivisionError


@pytest.fixture
def scheduler() -> Iterator[Scheduler]:
    found = Scheduler(threads=2)
    yield found
    found.close()


def soon(seconds: float) -> float:
    return time.monotonic() + seconds


async def test_iteration_limits_are_met_exactly(scheduler: Scheduler) -> None:
    trees = [SleepingTree(), SleepingTree()]
    job = scheduler.submit(trees, (1001, 1000), soon(10))
    assert await job.finished(soon(10))
    assert [tree.iterations for tree in trees] == [1001, 1000]
    assert job.reason == pb.STOP_REASON_ITERATIONS


async def test_no_iterations_end_at_once(scheduler: Scheduler) -> None:
    job = scheduler.submit([SleepingTree()], (0,), soon(10))
    assert await job.finished(soon(1))
    assert not job.begun


async def test_time_limit(scheduler: Scheduler) -> None:
    begin = time.monotonic()
    job = scheduler.submit([SleepingTree()], None, soon(0.1))
    assert await job.finished(soon(5))
    assert job.reason == pb.STOP_REASON_TIME
    assert 0.09 < time.monotonic() - begin < 2.0


async def test_two_trees_use_two_threads(scheduler: Scheduler) -> None:
    trees = [SleepingTree(), SleepingTree()]
    job = scheduler.submit(trees, None, soon(0.1))
    await job.finished(soon(5))
    assert len(trees[0].threads | trees[1].threads) == 2
    assert all(tree.iterations for tree in trees)


async def test_searches_share_fairly_however_many_trees_they_have(scheduler: Scheduler) -> None:
    many, few = [SleepingTree() for _ in range(16)], [SleepingTree(), SleepingTree()]
    jobs = [scheduler.submit(trees, None, soon(0.6)) for trees in (many, few)]
    for job in jobs:
        await job.finished(soon(5))
    done = [sum(tree.iterations for tree in trees) for trees in (many, few)]
    assert 0.6 < done[0] / done[1] < 1.7


async def test_a_new_search_gets_its_first_slice_before_older_ones_get_more(
    scheduler: Scheduler,
) -> None:
    crowd = [scheduler.submit([SleepingTree()], None, soon(5)) for _ in range(50)]
    await asyncio.sleep(0.2)
    begin = time.monotonic()
    late = scheduler.submit([SleepingTree()], (16,), soon(5))
    assert await late.finished(soon(5))
    assert time.monotonic() - begin < 0.1
    for job in crowd:
        await job.stop(pb.STOP_REASON_TIME)


async def test_stop_ends_a_search_within_a_slice(scheduler: Scheduler) -> None:
    tree = SleepingTree()
    job = scheduler.submit([tree], None, soon(60))
    await asyncio.sleep(0.05)
    begin = time.monotonic()
    await job.stop(pb.STOP_REASON_SHUTDOWN)
    assert time.monotonic() - begin < 1.0
    done = tree.iterations
    await asyncio.sleep(0.05)
    assert tree.iterations == done
    assert job.reason == pb.STOP_REASON_SHUTDOWN
    assert await job.finished(soon(0))


async def test_hold_and_resume(scheduler: Scheduler) -> None:
    trees = [SleepingTree(), SleepingTree()]
    job = scheduler.submit(trees, None, soon(60))
    await asyncio.sleep(0.05)
    await job.hold()
    held = [tree.iterations for tree in trees]
    await asyncio.sleep(0.05)
    assert [tree.iterations for tree in trees] == held
    job.resume()
    await asyncio.sleep(0.05)
    assert all(tree.iterations > before for tree, before in zip(trees, held, strict=True))
    await job.stop(pb.STOP_REASON_TIME)


async def test_a_failing_tree_ends_its_own_search_only(scheduler: Scheduler) -> None:
    well = scheduler.submit([SleepingTree()], (500,), soon(10))
    ill = scheduler.submit([BrokenTree(), SleepingTree()], None, soon(10))
    assert await ill.finished(soon(5))
    assert isinstance(ill.error, ZeroDivisionError)
    assert await well.finished(soon(5))
    assert well.error is None


async def test_drain_ends_running_and_later_searches(scheduler: Scheduler) -> None:
    running = scheduler.submit([SleepingTree()], None, soon(60))
    scheduler.drain()
    later = scheduler.submit([SleepingTree()], None, soon(60))
    for job in (running, later):
        assert await job.finished(soon(5))
        assert job.reason == pb.STOP_REASON_SHUTDOWN


async def test_finished_gives_up_when_told(scheduler: Scheduler) -> None:
    job = scheduler.submit([SleepingTree()], None, soon(60))
    assert not await job.finished(soon(0.02))
    await job.stop(pb.STOP_REASON_TIME)


async def test_longest_slice_shows_a_hanging_thread(scheduler: Scheduler) -> None:
    job = scheduler.submit([SleepingTree(seconds=0.05)], None, soon(60))
    await asyncio.sleep(0.3)
    assert scheduler.longest_slice() > 0.2
    await job.stop(pb.STOP_REASON_TIME)
    assert scheduler.longest_slice() == 0.0
