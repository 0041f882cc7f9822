"""The stream that a browser holds: server-sent events."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from web.host.api.asking import browser_of, house_of, number_of
from web.host.api.tables import summaries
from web.host.guard import address_of, language_of
from web.host.house import House
from web.host.refusals import Refusal
from web.host.table import Table
from web.host.watchers import Watcher

HEARTBEAT = 15.0
"""Seconds after which a stream without news gets a comment."""
_RETRY = 2.0


async def stream(request: Request) -> StreamingResponse:
    """Everything that a browser is told, from now on."""
    house, browser = house_of(request), browser_of(request)
    key, seat = request.query_params.get("table"), number_of(request, "seat")
    table = None
    if key is not None:
        table = await house.tables.get(key, browser)
        house.told.seat_for(table, browser, seat)
    return _Events(_Stream(request, house, Watcher(browser, key), table, seat))


@dataclass
class _Stream:
    """One stream."""

    request: Request
    house: House
    watcher: Watcher
    table: Table | None
    seat: int | None

    async def lines(self) -> AsyncIterator[str]:
        """The text of the stream."""
        while True:
            news = await self.watcher.news(HEARTBEAT)
            if not news:
                yield ": nothing new\n\n"
            for event, data in news:
                if event == "closing":
                    return
                told = data
                if told is None:
                    try:
                        told = await self._told(event)
                    except Refusal as refusal:
                        told = {"words": refusal.words(language_of(self.request))}
                        self._retry(event)
                        event = "trouble"
                if told is not None:
                    yield f"event: {event}\ndata: {json.dumps(told, ensure_ascii=False)}\n\n"

    async def _told(self, event: str) -> dict[str, Any] | None:
        """What is true now; raises Refusal."""
        browser, language = self.watcher.browser, language_of(self.request)
        if event == "tables":
            return await summaries(self.request)
        if self.table is None or not self.house.tables.holds(self.table):
            return None
        if event == "table":
            return await self.house.told.table(self.table, browser, language, seat=self.seat)
        review = self.house.reviews.known(self.table, language)
        return None if review is None else review.told()

    def _retry(self, event: str) -> None:
        asyncio.get_running_loop().call_later(_RETRY, self.watcher.tell, event)


class _Events(StreamingResponse):
    """A stream as an answer. Its browser is there as long as it lasts."""

    def __init__(self, told: _Stream) -> None:
        super().__init__(
            told.lines(), media_type="text/event-stream", headers={"x-accel-buffering": "no"}
        )
        self._told = told

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends it; raises Refusal if the address holds too many."""
        house, watcher = self._told.house, self._told.watcher
        with house.limits.stream(address_of(self._told.request)):
            await house.come(watcher)
            try:
                await super().__call__(scope, receive, send)
            finally:
                await house.go(watcher)


ROUTES = [Route("/api/stream", stream)]
