"""The scheduler, with searches whose slices end when the test says so."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import pytest

from adamas.v1 import advisor_service_pb2 as pb
from server.turns import places
from server.turns.scheduler import LONGEST_SLICE, SHORTEST_SLICE, Job, Scheduler
from server.workers.connection import Answer, WorkerDied
from server.workers.messages import Ran

LATER = 1000.0


@dataclass
class Slice:
    """A slice that has been begun."""

    search: str
    tree: int
    seconds: float
    until: float
    answer: Answer


class Bench:
    """A scheduler for two processors, and the slices that it has begun."""

    def __init__(self) -> None:
        self.scheduler = Scheduler(processors=2)
        self.running: list[Slice] = []
        self.ended: Counter[str] = Counter()

    def submit(
        self,
        name: str,
        trees: Iterable[int] = (0, 1),
        *,
        client: str = "someone",
        priority: pb.Priority.ValueType = pb.PRIORITY_INTERACTIVE,
        seconds: float = LATER,
    ) -> Job:
        return self.scheduler.submit(
            _Search(name, self.running),
            trees,
            client=client,
            priority=priority,
            stop_at=time.monotonic() + seconds,
        )

    def end_slice(self, *, done: bool = False, error: Exception | None = None) -> Slice:
        """Ends the slice that was begun first."""
        ended = self.running.pop(0)
        self.ended[ended.search] += 1
        ended.answer(error or Ran(LONGEST_SLICE, () if done else (ended.tree,)))
        return ended

    def end_slices(self, number: int) -> Counter[str]:
        """Ends slices one after another; whose they were."""
        return Counter(self.end_slice().search for _ in range(number))

    @property
    def names(self) -> list[str]:
        """Whose slices run."""
        return [one.search for one in self.running]


class _Search:
    def __init__(self, name: str, running: list[Slice]) -> None:
        self._name = name
        self._running = running

    def run(self, tree: int, seconds: float, until: float, answer: Answer) -> None:
        assert not any(one.search == self._name and one.tree == tree for one in self._running)
        self._running.append(Slice(self._name, tree, seconds, until, answer))


async def test_trees_run_side_by_side_until_they_are_done() -> None:
    bench = Bench()
    job = bench.submit("a")
    assert {(one.search, one.tree) for one in bench.running} == {("a", 0), ("a", 1)}
    bench.end_slice(done=True)
    assert bench.names == ["a"]
    assert not await job.finished(time.monotonic())
    bench.end_slice(done=True)
    assert await job.finished(time.monotonic() + 1)
    assert job.reason == pb.STOP_REASON_ITERATIONS
    assert not bench.running


async def test_one_slice_more_than_processors_is_begun() -> None:
    bench = Bench()
    for name in "abcde":
        bench.submit(name, (0,))
    assert bench.names == ["a", "b", "c"]
    bench.end_slice()
    assert bench.names == ["b", "c", "d"]


async def test_slices_that_hang_hold_up_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "PATIENCE", 0.3)
    bench = Bench()
    bench.submit("hanging", range(3))
    bench.submit("sound", range(4))
    assert bench.names == ["hanging"] * 3
    hanging = bench.running.copy()
    bench.running.clear()
    await asyncio.sleep(0.75)
    assert bench.names == ["sound"] * 3
    for late in hanging:
        late.answer(Ran(LONGEST_SLICE, (late.tree,)))
    assert bench.names == ["sound"] * 3, "each place is given back once"
    bench.end_slice()
    assert len(bench.running) == 3


async def test_a_search_without_trees_to_run_ends_at_once() -> None:
    job = Bench().submit("a", ())
    assert await job.finished(time.monotonic())
    assert job.reason == pb.STOP_REASON_ITERATIONS


async def test_no_slice_goes_on_after_the_time_is_over() -> None:
    bench = Bench()
    job = bench.submit("a", (0,), seconds=0.01)
    assert bench.running[0].until == job.stop_at
    await asyncio.sleep(0.02)
    bench.end_slice()
    assert job.reason == pb.STOP_REASON_TIME
    assert not bench.running


async def test_a_slice_does_not_go_on_when_its_search_is_to_be_held() -> None:
    bench = Bench()
    job = bench.submit("a", (0,), seconds=10.0)
    until = time.monotonic() + 0.05
    waiting = asyncio.create_task(job.finished(until))
    await asyncio.sleep(0)
    bench.end_slice()
    assert bench.running[0].until == until
    assert not await waiting
    bench.end_slice()
    assert bench.running[0].until == job.stop_at


async def test_slices_are_the_shorter_the_nearer_the_end_is() -> None:
    bench = Bench()
    for name, seconds in {"far": 10.0, "near": 0.1, "at once": 0.01}.items():
        bench.submit(name, (0,), seconds=seconds)
    far, near, at_once = (one.seconds for one in bench.running)
    assert far == LONGEST_SLICE
    assert near == pytest.approx(0.01, rel=0.2)
    assert at_once == SHORTEST_SLICE


async def test_searches_share_fairly_however_many_trees_they_have() -> None:
    bench = Bench()
    bench.submit("many", range(16))
    bench.submit("few", (0, 1, 2))
    turns = bench.end_slices(200)
    assert abs(turns["many"] - 100) <= 3


async def test_a_new_search_gets_its_first_slice_before_older_ones_get_more() -> None:
    bench = Bench()
    for number in range(50):
        bench.submit(f"old {number}", (0,))
    bench.end_slices(100)
    bench.submit("new", (0,))
    bench.end_slice()
    assert bench.names[-1] == "new"


async def test_an_interactive_search_overtakes_background_ones() -> None:
    bench = Bench()
    for number in range(50):
        bench.submit(f"bulk {number}", (0,), priority=pb.PRIORITY_BACKGROUND)
    bench.end_slices(30)
    bench.submit("hint", range(8))
    assert bench.end_slices(203)["hint"] > 160


async def test_an_interactive_search_does_not_wait_until_background_slices_end() -> None:
    bench = Bench()
    bench.submit("bulk", range(8), priority=pb.PRIORITY_BACKGROUND)
    assert bench.names == ["bulk"] * 3
    bench.submit("hint", range(8))
    assert bench.names == ["bulk"] * 3 + ["hint"] * 2, "one for each processor"
    bench.end_slice()
    assert bench.names == ["bulk"] * 2 + ["hint"] * 2, "no more are begun before there are less"


async def test_the_search_of_a_client_with_one_gets_as_much_as_all_of_a_client_with_many() -> None:
    bench = Bench()
    for number in range(50):
        bench.submit(f"many {number}", (0, 1), client="greedy")
    bench.submit("one", range(4), client="modest")
    assert abs(bench.end_slices(203)["one"] - 100) <= 4


async def test_stop_waits_for_running_slices_and_begins_no_more() -> None:
    bench = Bench()
    job = bench.submit("a")
    stopping = asyncio.create_task(job.stop(pb.STOP_REASON_SHUTDOWN))
    await asyncio.sleep(0)
    bench.end_slice()
    await asyncio.sleep(0)
    assert not stopping.done()
    bench.end_slice()
    await stopping
    assert job.reason == pb.STOP_REASON_SHUTDOWN
    assert not bench.running


async def test_hold_and_resume() -> None:
    bench = Bench()
    job = bench.submit("a")
    holding = asyncio.create_task(job.hold())
    await asyncio.sleep(0)
    bench.end_slice()
    bench.end_slice()
    await holding
    assert not bench.running
    job.resume()
    assert bench.names == ["a", "a"]


async def test_a_search_that_is_held_while_it_waits_loses_no_turn() -> None:
    bench = Bench()
    for name in "abc":
        bench.submit(name, (0,))
    job = bench.submit("held", (0,))
    await job.hold()
    bench.end_slices(30)
    assert bench.ended["held"] == 0
    job.resume()
    bench.end_slice()
    assert bench.names[-1] == "held"


async def test_a_search_that_fails_ends_alone() -> None:
    bench = Bench()
    ill, well = bench.submit("ill", (0,)), bench.submit("well", (0,))
    bench.end_slice(error=WorkerDied())
    assert await ill.finished(time.monotonic() + 1)
    assert isinstance(ill.error, WorkerDied)
    assert bench.names == ["well"]
    assert well.reason is None


async def test_drain_ends_running_and_later_searches() -> None:
    bench = Bench()
    running = bench.submit("a")
    bench.scheduler.drain()
    later = bench.submit("b")
    bench.end_slice()
    bench.end_slice()
    for job in (running, later):
        assert await job.finished(time.monotonic() + 1)
        assert job.reason == pb.STOP_REASON_SHUTDOWN
    assert not bench.running
