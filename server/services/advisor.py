"""AdvisorService: searches one position for one seat."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from adamas.v1 import advisor_service_pb2 as pb
from adamas.v1.advisor_service_pb2_grpc import AdvisorServiceServicer
from engines.violations import Report
from server.answers import players
from server.calls.call import Call, current_call
from server.requests.limits import read_interval
from server.requests.messages import Reader
from server.requests.positions import read_position
from server.requests.queries import Query, read_query
from server.services.batch import Batch
from server.services.offload import Offload
from server.services.searches import Searches
from server.services.updates import Updates
from server.settings import Settings
from server.telemetry.metrics import NO_METRICS, Metrics
from server.telemetry.searches import search_ended


class Advisor(AdvisorServiceServicer):
    """The service. Positions are read, searched and put into words in the workers."""

    def __init__(
        self,
        reader: Reader,
        searches: Searches,
        offload: Offload,
        settings: Settings,
        metrics: Metrics = NO_METRICS,
    ) -> None:
        self._reader = reader
        self._searches = searches
        self._offload = offload
        self._settings = settings
        self._metrics = metrics

    async def Recommend(self, request: pb.RecommendRequest, context: Any) -> pb.RecommendResponse:
        """Searches and answers once."""
        found = await self._recommend(request)
        return pb.RecommendResponse(request_id=request.request_id, advice=found)

    def RecommendBatch(
        self, requests: Any, context: Any
    ) -> AsyncIterator[pb.RecommendBatchResponse]:
        """Searches many positions side by side and answers each as its search ends."""
        most = min(self._settings.max_stream_searches, self._settings.concurrent_searches)
        return Batch(requests, self._recommend_in_batch, most).answers()

    async def Analyze(
        self, request: pb.AnalyzeRequest, context: Any
    ) -> AsyncIterator[pb.AnalyzeResponse]:
        """Searches and answers with growing results, then the final one."""
        report = Report()
        query = read_query(request, report, current_call(), self._settings)
        updates = Updates(read_interval(request, report))
        report.raise_if_any()
        # The search runs on its own, so that a client that doesn't read holds up nothing.
        search = asyncio.create_task(self._advise(request.query, query, updates))
        try:
            async for update in updates.until(search):
                yield pb.AnalyzeResponse(request_id=request.request_id, advice=update)
            yield pb.AnalyzeResponse(
                request_id=request.request_id, advice=search.result(), final=True
            )
        finally:
            search.cancel()
            await asyncio.gather(search, return_exceptions=True)

    async def _recommend(self, request: pb.RecommendRequest) -> pb.Advice:
        """The final advice for a request; raises InvalidMessage if it makes no sense."""
        report = Report()
        query = read_query(request, report, current_call(), self._settings)
        report.raise_if_any()
        return await self._advise(request.query, query, None)

    async def _recommend_in_batch(self, request: pb.RecommendRequest) -> pb.Advice:
        """As _recommend, for somebody who is not waiting."""
        if request.query.priority == pb.PRIORITY_UNSPECIFIED:
            request.query.priority = pb.PRIORITY_BACKGROUND
        return await self._recommend(request)

    async def _advise(
        self, message: pb.SearchQuery, query: Query, updates: Updates | None
    ) -> pb.Advice:
        """One search from the position to the final advice."""
        if query.player != pb.PLAYER_SEARCH:
            return await self._offload(self._answer_at_once, message, query, current_call())
        call, limits = current_call(), query.limits
        with call.caller.thinking(limits.answer_by - limits.started):
            found = await self._searches.advise(message, query, updates)
        self._metrics.search_ended(search_ended(call.fields["game"], found))
        return found

    def _answer_at_once(self, message: pb.SearchQuery, query: Query, call: Call) -> pb.Advice:
        """The advice of a player that does not search."""
        view, path = read_position(self._reader, message)
        player = pb.Player.Name(query.player).removeprefix("PLAYER_").lower()
        call.note(game=view.game.game_id, seat=view.seat, player=player)
        return players.answer(view, path, query)
<<<<<<< HEAD
=======

    def _claim(self, query: Query) -> Claim:
        """What the search wants a slot for."""
        limits = query.limits
        return Claim(
            client=current_call().client,
            priority=query.priority,
            seconds=limits.answer_by - limits.started,
            may_end_early=limits.iterations is not None or query.strength.may_be_limited,
            last_moment=limits.last_moment - self._overhead.seconds(self._slots.held + 1),
        )

    async def _open(
        self, search: RemoteSearch, message: pb.SearchQuery, query: Query, slot: _Slot
    ) -> Opened:
        """Prepares a search."""
        task = Task(
            query=message.SerializeToString(),
            language=query.language,
            candidates=query.candidates,
            seed=query.seed,
            trees=query.trees,
            memory_bytes=self._settings.search_memory_bytes,
            iterations=query.limits.iterations,
            strength=query.strength,
            started=query.limits.started,
        )
        try:
            opened = await search.open(task)
        except asyncio.CancelledError:
            if query.limits.over and not search.worker_is_silent:
                self._learn_overhead(_TOO_LATE * (time.monotonic() - slot.granted), slot)
            raise
        current_call().note(game=opened.game_id, seat=opened.seat)
        return opened

    async def _search(
        self,
        search: RemoteSearch,
        opened: Opened,
        query: Query,
        updates: Updates | None,
        slot: _Slot,
    ) -> pb.Advice:
        """Runs a search that has been prepared."""
        limits = query.limits
        kind = (opened.game_id, min(query.candidates, opened.moves).bit_length())
        caution = FOR_DEADLINE if limits.ends_by_deadline else FOR_TIME_LIMIT
        begun = time.monotonic()
        with self._reserve.booking(kind, limits.answer_by, caution) as stop_at:
            job = self._scheduler.submit(
                search,
                opened.trees,
                client=current_call().client,
                priority=query.priority,
                stop_at=stop_at,
            )
            over = max(begun, stop_at)
            before = begun - slot.granted
            try:
                if updates is not None:
                    await self._send_updates(job, search, updates)
                await job.finished(job.stop_at)
                await job.stop(pb.STOP_REASON_TIME)
                over = min(over, max(begun, time.monotonic()))
                reason = self._reason(job, opened, limits)
                found, turn = await self._conclude(search, reason)
            except asyncio.CancelledError:
                if limits.over and not search.worker_is_silent:
                    # It would have taken longer, nobody knows how much.
                    latency = _TOO_LATE * max(0.0, time.monotonic() - over)
                    self._reserve.learn(kind, latency)
                    self._learn_overhead(before + latency, slot)
                raise
            finally:
                self._scheduler.end(job, pb.STOP_REASON_UNSPECIFIED)
        latency = time.monotonic() - over
        self._learn_overhead(before + latency, slot)
        if job.reason == pb.STOP_REASON_TIME:
            self._reserve.learn(kind, latency, turn)
        return found

    def _learn_overhead(self, seconds: float, slot: _Slot) -> None:
        """Notes what a search took beside searching."""
        self._overhead.learn(seconds, max(slot.crowd, self._slots.held))

    async def _send_updates(self, job: Job, search: RemoteSearch, updates: Updates) -> None:
        """Offers an update each interval until the search ends."""
        while not await job.finished(min(updates.due, job.stop_at)):
            if time.monotonic() >= job.stop_at:
                return
            if updates.wanted(job.stop_at):
                begin = time.monotonic()
                await job.hold()
                update, _ = await search.advise(pb.STOP_REASON_UNSPECIFIED)
                job.resume()
                updates.offer(update, time.monotonic() - begin)
            updates.postpone()

    @staticmethod
    def _reason(job: Job, opened: Opened, limits: Limits) -> pb.StopReason.ValueType:
        """Why the search ended; raises what it failed with."""
        if job.error is not None:
            raise job.error
        if opened.moves == 1:
            return pb.STOP_REASON_SINGLE_MOVE
        if job.reason == pb.STOP_REASON_TIME and limits.ends_by_deadline:
            return pb.STOP_REASON_DEADLINE
        return job.reason or pb.STOP_REASON_TIME

    async def _conclude(
        self, search: RemoteSearch, reason: pb.StopReason.ValueType
    ) -> tuple[pb.Advice, float]:
        """The final advice, and for how long no other could be made up."""
        found, seconds = await search.advise(reason)
        current_call().note(
            iterations=found.search.iterations,
            nodes=found.search.nodes,
            stop_reason=pb.StopReason.Name(found.search.stop_reason)
            .removeprefix("STOP_REASON_")
            .lower(),
        )
        return found, seconds / self._settings.threads + _HANDLING
>>>>>>> main
