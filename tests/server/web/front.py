"""The front alone, with nothing behind it that has to be loaded first."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from adamas.v1 import advisor_service_pb2 as advisor_pb
from adamas.v1 import rules_service_pb2 as rules_pb
from server.access.guard import Guard
from server.calls.gate import Gate
from server.calls.handling import Handling
from server.log import LineWriter, make_logger
from server.services.offload import Offload
from server.settings import Settings
from server.telemetry.telemetry import Telemetry
from server.web.endpoints import Offer
from server.web.front import WebFront
from tests.server.positions import Memory
from tests.server.web.conftest import Web

ADVISOR = advisor_pb.DESCRIPTOR.services_by_name["AdvisorService"]
RULES = rules_pb.DESCRIPTOR.services_by_name["RulesService"]


class EmptyAnswers:
    """Answers with empty messages."""

    async def Recommend(self, request: Any, context: Any) -> Any:
        return advisor_pb.RecommendResponse()

    async def Analyze(self, request: Any, context: Any) -> Any:
        yield advisor_pb.AnalyzeResponse()

    async def ListGames(self, request: Any, context: Any) -> Any:
        return rules_pb.ListGamesResponse()


EMPTY = (
    Offer(ADVISOR, EmptyAnswers(), ("Recommend", "Analyze")),
    Offer(RULES, EmptyAnswers(), ("ListGames",)),
)


def front(settings: Settings, offers: Sequence[Offer], log: Memory) -> WebFront:
    """A front that has not been opened."""
    logger = make_logger(LineWriter(log), "json", "info")
    gate = Gate(settings.max_calls, refusal=None)
    calls = Handling(gate, Guard(settings, logger), logger, Telemetry(settings, {}))
    return WebFront(settings, offers, (), calls, Offload(), logger)


@contextmanager
def front_alone(offers: Sequence[Offer] = EMPTY, **settings: Any) -> Iterator[Web]:
    """A front that answers while the block runs."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()

    def run(awaitable: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(awaitable, loop).result()

    log = Memory()

    async def opened() -> WebFront:
        found = front(Settings(**{"web_port": 0, **settings}), offers, log)
        await found.open()
        return found

    try:
        found = run(opened())
        try:
            yield Web(found.port, "", log)
        finally:
            run(found.stop(1.0))
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
