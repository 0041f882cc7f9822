"""AdvisorService: searches one position for one seat, or samples what it doesn't know."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from adamas.v1 import advisor_service_pb2 as pb
from adamas.v1.advisor_service_pb2_grpc import AdvisorServiceServicer
from engines.violations import Report
from server.answers import players, worlds
from server.calls.call import Call, current_call
from server.requests.limits import read_interval
from server.requests.messages import Reader
from server.requests.positions import read_position
from server.requests.queries import Query, read_query
from server.requests.sampling import Sampling, read_sampling
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

    async def SampleWorlds(
        self, request: pb.SampleWorldsRequest, context: Any
    ) -> pb.SampleWorldsResponse:
        """Samples what a seat doesn't know and counts where cards lie."""
        call = current_call()
        wanted = read_sampling(request, call, self._settings)
        with call.caller.thinking(wanted.seconds):
            return await self._offload(self._sample_worlds, request, wanted, call)

    def _sample_worlds(
        self, request: pb.SampleWorldsRequest, wanted: Sampling, call: Call
    ) -> pb.SampleWorldsResponse:
        view, path = read_position(self._reader, request, "")
        call.note(game=view.game.game_id, seat=view.seat)
        return worlds.answer(view, path, wanted)

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
