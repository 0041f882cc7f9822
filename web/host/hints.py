"""Hints: advice that grows while it thinks, one search a browser at a time."""

from __future__ import annotations

import asyncio
from typing import Any

from adamas import AdamasError, AsyncClient, Limit
from web.host import refusals, wording
from web.host.table import Table
from web.host.tables import Tables
from web.host.watchers import Watchers

CANDIDATES = 5
_INTERVAL = 0.2
AT_ONCE = 8
"""Hints that are searched at the same time, of all browsers together."""


class Hints:
    """The searches that people wait for."""

    def __init__(self, client: AsyncClient, tables: Tables, watchers: Watchers) -> None:
        self._client = client
        self._tables = tables
        self._watchers = watchers
        self._running: dict[str, asyncio.Task[None]] = {}

    async def start(
        self, table: Table, seat: int, browser: str, seconds: float, language: str
    ) -> None:
        """Begins to search for a seat; ends what the browser had searched before."""
        await self.stop(browser)
        if len(self._running) >= AT_ONCE:
            raise refusals.too_many(seconds)
        task = asyncio.create_task(self._search(table, seat, browser, seconds, language))
        self._running[browser] = task
        task.add_done_callback(lambda done: self._forget(browser, done))

    async def stop(self, browser: str) -> None:
        """Ends a browser's search, if it has one."""
        task = self._running.get(browser)
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def close(self) -> None:
        """Ends all."""
        for browser in tuple(self._running):
            await self.stop(browser)

    def _forget(self, browser: str, task: asyncio.Task[None]) -> None:
        if self._running.get(browser) is task:
            del self._running[browser]

    async def _search(
        self, table: Table, seat: int, browser: str, seconds: float, language: str
    ) -> None:
        heading: dict[str, Any] = {"table": table.key, "turn": table.turn_of(seat)}
        try:
            view = await self._client.view(table.position.state, seat)
            analysis = self._client.analyze(
                view,
                Limit(time=seconds),
                candidates=CANDIDATES,
                language=language,
                update_interval=_INTERVAL,
            )
            async with analysis:
                async for advice in analysis:
                    told = {**heading, "advice": wording.advice(advice), "final": advice.final}
                    self._tell(table, browser, told)
                    if heading["turn"] != table.turn_of(seat) or not self._tables.holds(table):
                        return
        except AdamasError:
            words = refusals.unavailable().words(language)
            self._tell(table, browser, {**heading, "error": words, "final": True})

    def _tell(self, table: Table, browser: str, told: dict[str, Any]) -> None:
        for watcher in self._watchers.of_browser(browser):
            if watcher.key == table.key:
                watcher.tell("hint", told)
