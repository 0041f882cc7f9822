"""Runs searches in slices of a few milliseconds on a few threads, fairly.

A search under the scheduler is a job, and its trees are units that can run side by side. A thread
takes the next job in turn, runs one of its trees for a slice, and takes the next. So every search
gets the same share of the threads, however many trees it has, and a search that is cancelled or out
of time stops within a slice. Jobs that have had no slice yet go first, the most urgent one first.

Slices are measured, not counted: iterations run in growing chunks until the slice is used up. How
a tree's iterations are cut into chunks makes no difference to the tree, so a search with an
iteration limit gives the same answer under any load.
"""

from __future__ import annotations

import asyncio
import heapq
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from typing import Protocol

from adamas.v1 import advisor_service_pb2 as pb
from server.telemetry.metrics import NO_METRICS, Gauge, Metrics

SLICE = 0.003
_FIRST_CHUNK = 16
_LARGEST_GROWTH = 4
_NICENESS = 5
_SHORTEST_CHUNK = 0.0002
"""A slice with less time than this left is over."""


class Tree(Protocol):
    """What the scheduler needs of a tree."""

    def run(self, iterations: int) -> None:
        """Runs iterations, without holding the interpreter lock."""


@dataclass
class _Unit:
    """A tree, the iterations it may still run (None: no limit), and its pace."""

    tree: Tree
    left: int | None
    chunk: int = _FIRST_CHUNK
    seconds_per_iteration: float = 0.0

    def run_chunk(self, seconds: float) -> None:
        """Runs as many iterations as fit in the time by the pace so far."""
        if self.seconds_per_iteration > 0.0:
            fitting = int(seconds / self.seconds_per_iteration)
            self.chunk = max(1, min(fitting, self.chunk * _LARGEST_GROWTH))
        iterations = self.chunk if self.left is None else min(self.chunk, self.left)
        begin = time.monotonic()
        self.tree.run(iterations)
        self.seconds_per_iteration = max(1e-9, (time.monotonic() - begin) / iterations)
        if self.left is not None:
            self.left -= iterations

    @property
    def done(self) -> bool:
        """Whether the iteration limit is reached."""
        return self.left == 0


class Job:
    """A search under the scheduler. Its methods are for the event loop that made it."""

    def __init__(
        self, scheduler: Scheduler, units: Sequence[_Unit], stop_at: float, last_moment: float
    ) -> None:
        self._scheduler = scheduler
        self._loop = asyncio.get_running_loop()
        self.idle = deque(units)
        self.running = 0
        self.stop_at = stop_at
        self.last_moment = last_moment
        self.begun = False
        self.held = False
        self.waiting = False
        """Whether the job stands in a queue of the scheduler."""
        self.waiting_since = time.monotonic()
        self.reason: pb.StopReason.ValueType | None = None
        """What ended the job; None while it goes on."""
        self.error: Exception | None = None
        self._quiet = asyncio.Event()

    async def finished(self, until: float) -> bool:
        """Waits for the end; False if it has not come by then."""
        while self.reason is None or self.running:
            left = until - time.monotonic()
            if left <= 0:
                return False
            self._quiet.clear()
            if self.reason is not None and not self.running:
                break
            try:
                await asyncio.wait_for(self._quiet.wait(), left)
            except TimeoutError:
                continue
        return True

    async def stop(self, reason: pb.StopReason.ValueType) -> None:
        """Ends the job unless it has ended, and waits until none of its trees runs."""
        self._scheduler.end(self, reason)
        await self._settle()

    async def hold(self) -> None:
        """Pauses the job and waits until none of its trees runs."""
        self._scheduler.set_held(self, True)
        await self._settle()

    def resume(self) -> None:
        """Goes on after hold."""
        self._scheduler.set_held(self, False)

    async def _settle(self) -> None:
        while self.running:
            self._quiet.clear()
            if self.running:
                await self._quiet.wait()

    def notify(self) -> None:
        """Wakes whoever waits; called from the search threads."""
        try:
            self._loop.call_soon_threadsafe(self._quiet.set)
        except RuntimeError:  # the loop is closed: nobody waits any more
            return


class Scheduler:
    """The threads and the queues."""

    def __init__(self, threads: int, metrics: Metrics = NO_METRICS) -> None:
        self._metrics = metrics
        metrics.observe(Gauge.WORKERS, lambda: threads)
        self._condition = threading.Condition()
        self._fresh: list[tuple[float, int, Job]] = []
        self._ready: deque[Job] = deque()
        self._jobs: set[Job] = set()
        self._numbers = count()
        self._draining = False
        self._closing = False
        self._slice_began: dict[int, float] = {}
        self._threads = [
            threading.Thread(target=self._work, args=(i,), name=f"adamas-search-{i}", daemon=True)
            for i in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    def submit(
        self,
        trees: Sequence[Tree],
        shares: Sequence[int] | None,
        stop_at: float,
        last_moment: float | None = None,
    ) -> Job:
        """Starts running trees, each up to its share of iterations (None: no limit).

        A job that has had no slice at ``stop_at`` still gets its first one until ``last_moment``,
        unless it is stopped.
        """
        lefts: Sequence[int | None] = [None] * len(trees) if shares is None else shares
        units = [_Unit(tree, left) for tree, left in zip(trees, lefts, strict=True) if left != 0]
        job = Job(self, units, stop_at, stop_at if last_moment is None else last_moment)
        with self._condition:
            self._jobs.add(job)
            if not units:
                self._end(job, pb.STOP_REASON_ITERATIONS)
            elif self._draining:
                self._end(job, pb.STOP_REASON_SHUTDOWN)
            else:
                job.waiting = True
                heapq.heappush(self._fresh, (stop_at, next(self._numbers), job))
                self._condition.notify(len(units))
        return job

    def end(self, job: Job, reason: pb.StopReason.ValueType) -> None:
        """Ends a job, unless it has ended for another reason."""
        with self._condition:
            self._end(job, reason)

    def set_held(self, job: Job, held: bool) -> None:
        """Pauses a job or lets it go on."""
        with self._condition:
            job.held = held
            if not held:
                self._enqueue(job)

    def drain(self) -> None:
        """Ends every job, and from now on each new one at once."""
        with self._condition:
            self._draining = True
            for job in tuple(self._jobs):
                self._end(job, pb.STOP_REASON_SHUTDOWN)

    def close(self) -> None:
        """Ends every job and the threads."""
        self.drain()
        with self._condition:
            self._closing = True
            self._condition.notify_all()
        for thread in self._threads:
            thread.join(timeout=1.0)

    def longest_slice(self) -> float:
        """For how long the slowest of the running slices has been running, in seconds."""
        now = time.monotonic()
        return max((now - began for began in tuple(self._slice_began.values())), default=0.0)

    def _end(self, job: Job, reason: pb.StopReason.ValueType) -> None:
        if job.reason is None:
            job.reason = reason
            self._jobs.discard(job)
        if not job.running:
            job.idle.clear()
            job.notify()

    def _enqueue(self, job: Job) -> None:
        """Puts a job at the end of the queue, if it has anything to run and is in no queue."""
        if job.idle and not job.waiting and not job.held and job.reason is None:
            job.waiting = True
            job.waiting_since = time.monotonic()
            self._ready.append(job)
            self._condition.notify()

    def _next(self) -> Job | None:
        """Takes the next job with something to run out of its queue."""
        while self._fresh or self._ready:
            job = heapq.heappop(self._fresh)[2] if self._fresh else self._ready.popleft()
            job.waiting = False
            if job.idle and not job.held and job.reason is None:
                return job
        return None

    def _take(self) -> tuple[Job, _Unit] | None:
        """The next slice to run; waits for one. None when the scheduler closes."""
        with self._condition:
            while not self._closing:
                if (job := self._next()) is not None:
                    unit = job.idle.popleft()
                    job.running += 1
                    self._enqueue(job)
                    return job, unit
                self._condition.wait()
        return None

    def _work(self, thread: int) -> None:
        _give_way()
        while (taken := self._take()) is not None:
            job, unit = taken
            self._slice_began[thread] = began = time.monotonic()
            self._metrics.slice_waited(began - job.waiting_since)
            try:
                self._run_slice(job, unit)
            except Exception as error:
                job.error = error
                self.end(job, pb.STOP_REASON_UNSPECIFIED)
            self._slice_began.pop(thread)
            self._put_back(job, unit)
            del job, unit, taken  # a waiting thread must not keep a search's memory

    def _run_slice(self, job: Job, unit: _Unit) -> None:
        begin = time.monotonic()
        until = min(begin + SLICE, job.stop_at if job.stop_at > begin else job.last_moment)
        left = until - begin
        while True:
            unit.run_chunk(left)
            job.begun = True
            left = until - time.monotonic()
            if left < _SHORTEST_CHUNK or unit.done or job.held or job.reason is not None:
                return

    def _put_back(self, job: Job, unit: _Unit) -> None:
        with self._condition:
            job.running -= 1
            if not unit.done:
                job.idle.append(unit)
            if job.reason is None:
                if not job.idle and not job.running:
                    self._end(job, pb.STOP_REASON_ITERATIONS)
                elif time.monotonic() >= job.stop_at - _SHORTEST_CHUNK:
                    self._end(job, pb.STOP_REASON_TIME)
                else:
                    self._enqueue(job)
            elif not job.running:
                job.idle.clear()
            if not job.running and (job.held or job.reason is not None):
                job.notify()


def _give_way() -> None:
    """Lowers this thread's priority, so that answers get out while all processors are searching."""
    if sys.platform == "linux":  # elsewhere priorities belong to processes
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
