"""Runs searches in slices of a few milliseconds in the workers, fairly.

A search under the scheduler is a job, and its trees can run side by side. Whenever a processor
has nothing to do, the next job in turn (see ``fairness``) has one of its trees run for a slice. So
every search gets its share of the processors, however many trees it has, and a search that is
cancelled or out of time stops within milliseconds. All this is decided in the event loop; a worker
is only ever told which tree to run next, and for how long.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import Protocol

from adamas.v1 import advisor_service_pb2 as pb
from server.telemetry.metrics import NO_METRICS, Metrics
from server.turns.fairness import FairQueue, Ticket
from server.turns.places import Place, Places
from server.workers.connection import Answer
from server.workers.messages import Ran

SHORTEST_SLICE, LONGEST_SLICE = 0.002, 0.04
_SLICES_LEFT = 10
"""A slice is this part of the time that its search has left: the end is met closely, and as long as
it is far away, little is lost between slices. A new search waits until the first of those in
progress ends; those of a search that is given up are stopped."""
_NOMINAL_SLICE = 0.004
"""What a slice counts until it is known how long it took."""
_NO_TIME = 0.0002
_SPARE_SLICES = 1
"""Slices that are begun beyond the number of processors, so that none of these has nothing to do
while the end of a slice is told and the next one is chosen."""


class Trees(Protocol):
    """What the scheduler needs of a search: server.workers.search.RemoteSearch, usually."""

    def run(self, tree: int, seconds: float, until: float, answer: Answer) -> None:
        """Runs a tree for some seconds, but not past a time.

        Answers with Ran or with an exception.
        """


class Job:
    """A search under the scheduler. All methods are for its event loop."""

    def __init__(
        self,
        scheduler: Scheduler,
        search: Trees,
        trees: Iterable[int],
        stop_at: float,
        *,
        interactive: bool,
    ) -> None:
        self._scheduler = scheduler
        self.search = search
        self.idle = deque(trees)
        self.running = 0
        self.ready_since = time.monotonic()
        """Since when the job has been waiting for its turn, while it does."""
        self.stop_at = stop_at
        self.quiet_at = stop_at
        """When somebody may hold it; slices that begin before don't go on after that."""
        self.held = False
        self.reason: pb.StopReason.ValueType | None = None
        """What ended the job; None while it goes on."""
        self.error: Exception | None = None
        self.ticket: Ticket[Job]
        self.interactive = interactive
        self._quiet = asyncio.Event()

    async def finished(self, until: float) -> bool:
        """Waits for the end; False if it has not come by then, when no slice should run."""
        self.quiet_at = until
        try:
            async with asyncio.timeout(until - time.monotonic()):
                while self.reason is None or self.running:
                    await self._next_quiet()
        except TimeoutError:
            return False
        return True

    async def stop(self, reason: pb.StopReason.ValueType) -> None:
        """Ends the job unless it has ended, and waits until none of its trees runs."""
        self._scheduler.end(self, reason)
        await self._settle()

    async def hold(self) -> None:
        """Pauses the job and waits until none of its trees runs."""
        self.held = True
        await self._settle()

    def resume(self) -> None:
        """Goes on after hold."""
        self.held = False
        self._scheduler.want_turn(self)

    def notify(self) -> None:
        """Wakes whoever waits for the job to be quiet."""
        self._quiet.set()

    async def _settle(self) -> None:
        while self.running:
            await self._next_quiet()

    async def _next_quiet(self) -> None:
        self._quiet.clear()
        await self._quiet.wait()


class Scheduler:
    """Decides which tree runs next, and for how long."""

    def __init__(
        self,
        processors: int,
        metrics: Metrics = NO_METRICS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Keeps a number of processors busy. All methods are for one event loop.

        Patience with slices is measured by the clock.
        """
        self._metrics = metrics
        self._processors = processors
        self._places = Places(processors + _SPARE_SLICES, self._begin_slices, clock)
        self._queue: FairQueue[Job] = FairQueue()
        self._jobs: set[Job] = set()
        self._draining = False

    def submit(
        self,
        search: Trees,
        trees: Iterable[int],
        *,
        client: str,
        priority: pb.Priority.ValueType,
        stop_at: float,
    ) -> Job:
        """Starts running the trees of a search, until they are done or the time is over."""
        interactive = priority == pb.PRIORITY_INTERACTIVE
        job = Job(self, search, trees, stop_at, interactive=interactive)
        job.ticket = self._queue.ticket(client, priority, job, stop_at)
        self._jobs.add(job)
        if not job.idle:
            self.end(job, pb.STOP_REASON_ITERATIONS)
        elif self._draining:
            self.end(job, pb.STOP_REASON_SHUTDOWN)
        else:
            self.want_turn(job)
        return job

    def end(self, job: Job, reason: pb.StopReason.ValueType) -> None:
        """Ends a job, unless it has ended for another reason."""
        if job.reason is None:
            job.reason = reason
            self._jobs.discard(job)
            self._queue.leave(job.ticket)
        if not job.running:
            job.notify()

    @property
    def draining(self) -> bool:
        """Whether searches end as soon as they begin."""
        return self._draining

    def drain(self) -> None:
        """Ends every job, and from now on each new one at once."""
        self._draining = True
        for job in tuple(self._jobs):
            self.end(job, pb.STOP_REASON_SHUTDOWN)

    def want_turn(self, job: Job) -> None:
        """Puts a job in the queue, if it has anything to run, and begins what can be begun."""
        self._enqueue(job)
        self._begin_slices()

    def _enqueue(self, job: Job) -> None:
        if job.idle and not job.held and job.reason is None:
            if not job.ticket.queued:
                job.ready_since = time.monotonic()
            job.ticket.enqueue()

    def _begin_slices(self) -> None:
        while (ticket := self._next_turn()) is not None:
            job = ticket.item
            if job.held or not job.idle:
                ticket.charge(-_NOMINAL_SLICE)
                continue
            tree = job.idle.popleft()
            ticket.fresh = False
            now = time.monotonic()
            self._metrics.slice_waited(now - job.ready_since)
            self._enqueue(job)
            left = (job.stop_at - now) / _SLICES_LEFT
            seconds = min(max(left, SHORTEST_SLICE), LONGEST_SLICE)
            until = job.quiet_at if now < job.quiet_at else job.stop_at
            place = self._places.take(seconds, interactive=job.interactive)
            job.running += 1
            job.search.run(tree, seconds, until, self._on_answer(job, place))

    def _next_turn(self) -> Ticket[Job] | None:
        """Whose slice begins now, if any does.

        Interactive slices don't wait until background slices end, since these give way to them.
        """
        if self._places.free > 0:
            return self._queue.take(_NOMINAL_SLICE)
        if self._places.interactive < self._processors:
            return self._queue.take(_NOMINAL_SLICE, only=pb.PRIORITY_INTERACTIVE)
        return None

    def _on_answer(self, job: Job, place: Place) -> Answer:
        def on_answer(answer: Ran | Exception) -> None:
            self._places.give_back(place)
            job.running -= 1
            if isinstance(answer, Exception):
                job.error = job.error or answer
                self.end(job, pb.STOP_REASON_UNSPECIFIED)
            else:
                self._put_back(job, answer)
            if not job.running and (job.held or job.reason is not None):
                job.notify()
            self._begin_slices()

        return on_answer

    def _put_back(self, job: Job, ran: Ran) -> None:
        job.ticket.charge(ran.seconds - _NOMINAL_SLICE)
        job.idle.extend(ran.trees)
        if job.reason is not None:
            return
        if not job.idle and not job.running:
            self.end(job, pb.STOP_REASON_ITERATIONS)
        elif time.monotonic() >= job.stop_at - _NO_TIME:
            self.end(job, pb.STOP_REASON_TIME)
        else:
            self._enqueue(job)
