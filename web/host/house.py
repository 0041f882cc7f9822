"""A host's parts, put together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from adamas import AsyncClient
from web.host.bots import Bots
from web.host.hints import Hints
from web.host.journal import Journal
from web.host.limits import Limits
from web.host.opening import Opening
from web.host.referee import Referee
from web.host.refusals import Refusal
from web.host.reviews import Reviews
from web.host.settings import Settings
from web.host.store import Store
from web.host.table import Table
from web.host.tables import Tables
from web.host.told import Told
from web.host.watchers import Watcher, Watchers

_SOON_THERE_AGAIN = (
    ("grpc.initial_reconnect_backoff_ms", 200),
    ("grpc.min_reconnect_backoff_ms", 1000),
    ("grpc.max_reconnect_backoff_ms", 2000),
)
"""A server that was away is tried this often: people wait at the tables."""


@dataclass
class House:
    """All that answers requests.

    Attributes:
        closing: Whether the host is about to end, so that streams end too.
    """

    client: AsyncClient
    tables: Tables
    told: Told
    opening: Opening
    bots: Bots
    hints: Hints
    reviews: Reviews
    watchers: Watchers
    limits: Limits
    journal: Journal | None
    closing: bool = False

    async def come(self, watcher: Watcher) -> None:
        """A browser has opened a stream: seats where a bot stands in are given back."""
        self.watchers.add(watcher)
        for table in await self.tables.of(watcher.browser):
            seat = table.seat_of(watcher.browser)
            if seat is not None and not table.seats[seat].left:
                with suppress(Refusal):
                    await self.tables.give_back(table, seat)
            self._look(table)

    async def go(self, watcher: Watcher) -> None:
        """A stream has ended."""
        self.watchers.remove(watcher)
        if not self.closing:
            for table in await self.tables.of(watcher.browser):
                self._look(table)

    def _look(self, table: Table) -> None:
        self.bots.look(table)
        self.tables.tell(table)

    def close_streams(self) -> None:
        """Ends all streams, so that the server over them can end."""
        self.closing = True
        self.watchers.wake_all()


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[House]:
    """A house while it is open. Raises NoStore or NoJournal if a file can't be used."""
    journal = Journal.open(settings.journal) if settings.journal else None
    store = await Store.open(settings.tables)
    client = AsyncClient(
        settings.server, tls=settings.tls, token=settings.token, options=_SOON_THERE_AGAIN
    )
    watchers = Watchers()
    referee = Referee(client)
    tables = Tables(store, referee, watchers)
    bots = Bots(client, tables, watchers, patience=settings.patience)
    tables.on_change = bots.look
    house = House(
        client=client,
        tables=tables,
        told=Told(referee, watchers),
        opening=Opening(referee),
        bots=bots,
        hints=Hints(client, tables, watchers),
        reviews=Reviews(client, watchers, settings.review_iterations),
        watchers=watchers,
        limits=Limits(settings.requests_per_second),
        journal=journal,
    )
    try:
        yield house
    finally:
        house.close_streams()
        for part in (house.hints, house.reviews, house.bots):
            await part.close()
        await client.close()
        await store.close()
