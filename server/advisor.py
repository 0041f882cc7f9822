"""AdvisorService: searches one position for one seat."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from adamas.v1 import advisor_service_pb2 as pb
from adamas.v1.advisor_service_pb2_grpc import AdvisorServiceServicer
from engines.contract import GAME_OVER
from engines.violations import Report
from server import advice, errors, players
from server.admission import Slots
from server.calls import Call, current_call
from server.errors import invalid
from server.limits import Limits, read_interval
from server.messages import GAME_IS_OVER, NO_STATE_AGREES, Reader, View, not_to_move
from server.offload import Offload
from server.queries import Query, read_query
from server.reserve import FOR_DEADLINE, FOR_TIME_LIMIT, Reserve
from server.scheduler import SLICE, Job, Scheduler
from server.settings import MIB, Settings
from server.updates import Updates

if TYPE_CHECKING:  # importing the search compiles it; see server.loading
    from search import Result, Search

_TOO_LATE = 2.0


class Advisor(AdvisorServiceServicer):
    """The service. Searches run under the scheduler, words are found by the offload threads."""

    def __init__(
        self, reader: Reader, scheduler: Scheduler, offload: Offload, settings: Settings
    ) -> None:
        self._reader = reader
        self._scheduler = scheduler
        self._offload = offload
        self._settings = settings
        self._slots = Slots(settings.concurrent_searches, settings.max_waiting)
        self._reserve = Reserve()

    async def Recommend(self, request: pb.RecommendRequest, context: Any) -> pb.RecommendResponse:
        """Searches and answers once."""
        report = Report()
        query = read_query(request, report, current_call(), self._settings)
        report.raise_if_any()
        found = await self._advise(request.query, query, None)
        return pb.RecommendResponse(request_id=request.request_id, advice=found)

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

    async def _advise(
        self, message: pb.SearchQuery, query: Query, updates: Updates | None
    ) -> pb.Advice:
        """One search from the position to the final advice."""
        if query.player != pb.PLAYER_SEARCH:
            return await self._offload(self._answer_at_once, message, query, current_call())
        limits = query.limits
        async with self._slots.hold(limits.answer_by, limits.last_moment):
            frame = await self._offload(self._open, message, query, current_call())
            listed = min(frame.candidates, len(frame.search.moves))
            kind = (frame.game.game_id, listed.bit_length())
            due = limits.answer_by
            caution = FOR_DEADLINE if limits.ends_by_deadline else FOR_TIME_LIMIT
            stop_at = due - self._reserve.seconds(kind, due, caution, self._slots.held)
            shares = self._shares(frame.search, limits)
            job = self._scheduler.submit(frame.search.trees, shares, stop_at, limits.last_moment)
            try:
                if updates is not None:
                    await self._send_updates(job, frame, updates)
                reason = await self._end(job, frame, limits)
                found = await self._conclude(frame, reason)
                self._learn(job, kind, time.monotonic() - stop_at)
                return found
            except asyncio.CancelledError:
                # Too late, most likely: it would have taken longer, nobody knows how much.
                self._learn(job, kind, _TOO_LATE * (time.monotonic() - stop_at))
                raise
            finally:
                await job.stop(pb.STOP_REASON_UNSPECIFIED)

    def _answer_at_once(self, message: pb.SearchQuery, query: Query, call: Call) -> pb.Advice:
        """The advice of a player that does not search."""
        view, path = self._read_position(message)
        player = pb.Player.Name(query.player).removeprefix("PLAYER_").lower()
        call.note(game=view.game.game_id, seat=view.seat, player=player)
        return players.answer(view, path, query)

    def _learn(self, job: Job, kind: tuple[str, int], seconds: float) -> None:
        """Notes how long after the end of its search an answer was there."""
        if job.begun and job.reason == pb.STOP_REASON_TIME:
            self._reserve.learn(kind, seconds)

    def _open(self, message: pb.SearchQuery, query: Query, call: Call) -> advice.Frame:
        """Reads the position and prepares its search."""
        from search import NoStateAgrees, Search

        view, path = self._read_position(message)
        call.note(game=view.game.game_id, seat=view.seat)
        try:
            search = Search(
                view.game,
                view.row,
                seed=query.seed,
                trees=query.trees,
                memory_bytes=self._settings.search_memory_mib * MIB,
            )
        except NoStateAgrees:
            raise invalid(path, NO_STATE_AGREES) from None
        if not search.moves:
            first = int(view.game.kernels.seat_to_move(search.sample))
            if first == GAME_OVER:
                raise invalid(path, GAME_IS_OVER)
            raise invalid(path, not_to_move(view.seat, first))
        return advice.Frame(
            game=view.game,
            search=search,
            candidates=query.candidates,
            language=query.language,
            seed=query.seed,
            started=query.limits.started,
        )

    def _read_position(self, message: pb.SearchQuery) -> tuple[View, str]:
        """The view to search and its path. A full state is reduced to the seat's view here."""
        if message.HasField("view"):
            view = self._reader.view(message.view, "query.view")
            return view, f"query.view.{view.game.game_id}"
        state = self._reader.state(message.state.state, "query.state.state")
        seat = message.state.seat
        if not 0 <= seat < state.seats:
            raise invalid("query.state.seat", f"is {seat}; use 0 to {state.seats - 1}")
        return state.view_of(seat), "query.state.seat"

    @staticmethod
    def _shares(search: Search, limits: Limits) -> tuple[int, ...] | None:
        """How many iterations each tree may run; none if there is nothing to choose."""
        if len(search.moves) == 1:
            return (0,) * len(search.trees)
        return None if limits.iterations is None else search.share(limits.iterations)

    async def _send_updates(self, job: Job, frame: advice.Frame, updates: Updates) -> None:
        """Offers an update each interval until the search ends."""
        while not await job.finished(min(updates.due, job.stop_at)):
            if time.monotonic() >= job.stop_at:
                return
            if job.begun and updates.wanted(job.stop_at):
                begin = time.monotonic()
                await job.hold()
                result = await self._offload(frame.search.result, frame.candidates)
                job.resume()
                running = pb.STOP_REASON_UNSPECIFIED
                update = await self._offload(advice.compose, frame, result, running)
                updates.offer(update, time.monotonic() - begin)
            updates.postpone()

    async def _end(self, job: Job, frame: advice.Frame, limits: Limits) -> pb.StopReason.ValueType:
        """Waits for the end of the search and says why it came."""
        if not await job.finished(job.stop_at) and not job.begun:
            await job.finished(limits.last_moment)
        await job.stop(pb.STOP_REASON_TIME)
        if job.error is not None:
            raise job.error
        if len(frame.search.moves) == 1:
            return pb.STOP_REASON_SINGLE_MOVE
        if not job.begun and limits.last_moment - limits.started > SLICE:
            if job.reason == pb.STOP_REASON_TIME:
                raise errors.overloaded(
                    "not even a slice of search could be had in time",
                    self._slots.retry_seconds(),
                )
        if job.reason == pb.STOP_REASON_TIME and limits.ends_by_deadline:
            return pb.STOP_REASON_DEADLINE
        return job.reason or pb.STOP_REASON_TIME

    async def _conclude(self, frame: advice.Frame, reason: pb.StopReason.ValueType) -> pb.Advice:
        """The final advice."""

        def conclude() -> tuple[pb.Advice, Result]:
            result = frame.search.result(frame.candidates)
            return advice.compose(frame, result, reason), result

        found, result = await self._offload(conclude)
        current_call().note(
            iterations=result.iterations,
            nodes=result.nodes,
            stop_reason=pb.StopReason.Name(reason).removeprefix("STOP_REASON_").lower(),
        )
        return found
