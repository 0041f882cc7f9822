"""One search, from the query to the advice: a slot, a worker, turns, and an answer in time."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace

from adamas.v1 import advisor_service_pb2 as pb
from server import errors
from server.calls.call import current_call
from server.requests.messages import game_of
from server.requests.queries import Query
from server.services.updates import Updates
from server.settings import Settings
from server.suspects.fingerprints import Fingerprints
from server.suspects.hosts import Hosts
from server.suspects.quarantine import Quarantined
from server.telemetry.metrics import NO_METRICS, Gauge, Metrics
from server.turns.admission import Claim, Slots
from server.turns.course import Course, Latencies
from server.turns.forecast import Kind
from server.turns.reserve import Booking
from server.turns.scheduler import Job, Scheduler
from server.workers.connection import Worker, WorkerDied
from server.workers.messages import Advised, Opened, Task
from server.workers.search import RemoteSearch


class Searches:
    """Runs searches. All methods are for one event loop."""

    def __init__(
        self,
        hosts: Hosts,
        scheduler: Scheduler,
        latencies: Latencies,
        settings: Settings,
        metrics: Metrics = NO_METRICS,
    ) -> None:
        self._hosts = hosts
        self._fingerprints = Fingerprints()
        self._scheduler = scheduler
        self._latencies = latencies
        self._settings = settings
        self._slots = Slots(settings.concurrent_searches, settings.max_waiting)
        metrics.observe(Gauge.RUNNING_SEARCHES, lambda: self._slots.held)
        metrics.observe(Gauge.WAITING_SEARCHES, lambda: self._slots.waiting)

    async def advise(
        self, message: pb.SearchQuery, query: Query, updates: Updates | None
    ) -> pb.Advice:
        """Waits for a slot, and searches; says so if the search is suspected of doing harm."""
        fingerprint = self._fingerprints.of(message)
        kind = Kind(game_of(message), query.detail)
        claimed = time.monotonic()
        try:
            self._hosts.check(fingerprint)
            async with self._slots.hold(self._claim(query, kind)):
                limits = query.limits.after_waiting(time.monotonic() - claimed)
                query = replace(query, limits=limits)
                course = Course(self._latencies, kind, query.candidates, self._slots.held)
                return await self._advise_in_worker(message, query, updates, course, fingerprint)
        except WorkerDied:
            current_call().note(fingerprint=fingerprint)
            raise errors.worker_died() from None
        except Quarantined as refusal:
            current_call().note(fingerprint=fingerprint)
            path = f"query.{message.WhichOneof('position')}"
            raise errors.quarantined(path, fingerprint, refusal.seconds) from None

    def _claim(self, query: Query, kind: Kind) -> Claim:
        """What the search wants a slot for."""
        limits = query.limits
        return Claim(
            client=current_call().client,
            priority=query.priority,
            seconds=limits.answer_by - limits.started,
            may_end_early=limits.iterations is not None or query.strength.may_be_limited,
            last_moment=self._latencies.last_end(limits, kind, self._slots.held + 1),
        )

    async def _advise_in_worker(
        self,
        message: pb.SearchQuery,
        query: Query,
        updates: Updates | None,
        course: Course,
        fingerprint: str,
    ) -> pb.Advice:
        """Waits for a worker, and searches."""
        background = query.priority == pb.PRIORITY_BACKGROUND
        if self._scheduler.draining and background:
            raise errors.shutting_down()  # nobody waits: another server does it better
        async with self._hosts.host(
            fingerprint, last_moment=query.limits.last_moment, background=background
        ) as worker:
            with course.booking(query.limits) as booking:
                one = _One(self._scheduler, query, course, booking)
                return await one.search(worker, self._task(message, query), fingerprint, updates)

    def _task(self, message: pb.SearchQuery, query: Query) -> Task:
        return Task(
            query=message.SerializeToString(),
            language=query.language,
            candidates=query.candidates,
            detail=query.detail,
            seed=query.seed,
            trees=query.trees,
            memory_bytes=self._settings.search_memory_bytes,
            iterations=query.limits.iterations,
            strength=query.strength,
            started=query.limits.started,
        )


class _One:
    """A search that has a worker."""

    def __init__(
        self, scheduler: Scheduler, query: Query, course: Course, booking: Booking
    ) -> None:
        self._scheduler = scheduler
        self._query = query
        self._course = course
        self._booking = booking

    async def search(
        self, worker: Worker, task: Task, fingerprint: str, updates: Updates | None
    ) -> pb.Advice:
        """Runs it to its end."""
        search = RemoteSearch(
            worker,
            task,
            background=self._query.priority == pb.PRIORITY_BACKGROUND,
            fingerprint=fingerprint,
            late_reason=self._late_reason if updates is None else pb.STOP_REASON_UNSPECIFIED,
        )
        try:
            opened = await search.open(self._booking.stop_at)
            current_call().note(game=opened.game_id, seat=opened.seat)
            self._course.opened(opened, self._booking)
            if (found := opened.advised) is not None:
                self._course.answered_at_once(found.seconds)
            else:
                found = await self._run(search, opened, updates)
        except asyncio.CancelledError:
            # A worker that hangs tells nothing about the pace of answers.
            hangs = search.worker_is_silent and not self._course.at_length
            if self._query.limits.over and not hangs:
                self._course.lost()
            raise
        finally:
            search.close()
        return self._noted(pb.Advice.FromString(found.advice))

    async def _run(self, search: RemoteSearch, opened: Opened, updates: Updates | None) -> Advised:
        """Runs the trees that are left in turn with other searches, then asks for the advice."""
        job = self._scheduler.submit(
            search,
            opened.trees,
            client=current_call().client,
            priority=self._query.priority,
            stop_at=self._booking.stop_at,
        )
        job.ticket.charge(opened.ran)
        try:
            if updates is not None:
                await self._send_updates(job, search, updates)
            await job.finished(job.stop_at)
            await job.stop(pb.STOP_REASON_TIME)
            if job.error is not None:
                raise job.error
            self._course.over()
            self._course.keep_to(self._query.limits)
            found = await self._advise(search, self._reason(job))
        finally:
            self._scheduler.end(job, pb.STOP_REASON_UNSPECIFIED)
        self._course.answered(found.seconds, stopped=job.reason == pb.STOP_REASON_TIME)
        return found

    async def _send_updates(self, job: Job, search: RemoteSearch, updates: Updates) -> None:
        """Offers an update each interval until the search ends."""
        while not await job.finished(min(updates.due, job.stop_at)):
            if time.monotonic() >= job.stop_at:
                return
            if updates.wanted(job.stop_at):
                begin = time.monotonic()
                await job.hold()
                found = await self._advise(search, pb.STOP_REASON_UNSPECIFIED)
                job.resume()
                updates.offer(pb.Advice.FromString(found.advice), time.monotonic() - begin)
            updates.postpone()

    async def _advise(self, search: RemoteSearch, reason: pb.StopReason.ValueType) -> Advised:
        candidates, at_length = self._course.candidates, self._course.at_length
        return await search.advise(reason, candidates, at_length=at_length)

    @staticmethod
    def _noted(advice: pb.Advice) -> pb.Advice:
        """The advice, told to the log."""
        reason = pb.StopReason.Name(advice.search.stop_reason)
        current_call().note(
            iterations=advice.search.iterations,
            nodes=advice.search.nodes,
            stop_reason=reason.removeprefix("STOP_REASON_").lower(),
        )
        return advice

    def _reason(self, job: Job) -> pb.StopReason.ValueType:
        """Why the search ended."""
        if job.reason in (None, pb.STOP_REASON_TIME):
            return self._late_reason
        return job.reason

    @property
    def _late_reason(self) -> pb.StopReason.ValueType:
        """What ends the search when its time is over."""
        by_deadline = self._query.limits.ends_by_deadline
        return pb.STOP_REASON_DEADLINE if by_deadline else pb.STOP_REASON_TIME
