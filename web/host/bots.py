"""Bots at the tables: they move at a natural pace, and stand in for people who are away."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from time import monotonic

import structlog

from adamas import AdamasError, AsyncClient, InvalidRequest
from adamas.envelopes import wrap
from adamas.v1.game_pb2 import Move
from web.host.refusals import Refusal
from web.host.table import Table
from web.host.tables import Tables
from web.host.watchers import Watchers

NO_WAIT = 16.0
"""At this speed bots do not wait at all."""
_RETRY = 2.0
_LOOK = 5.0
"""Seconds after which a table is looked at again though nothing has changed."""
STAND_IN_LEVEL = 6


class Bots:
    """Plays for all bots, with a task for each table at which one may have to move."""

    def __init__(
        self, client: AsyncClient, tables: Tables, watchers: Watchers, *, patience: float
    ) -> None:
        """``patience``: seconds for which others wait for a person who is not there."""
        self._client = client
        self._tables = tables
        self._watchers = watchers
        self._patience = patience
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._wakes: dict[str, asyncio.Event] = {}
        self._log = structlog.get_logger()

    def look(self, table: Table) -> None:
        """Something has happened at a table, or somebody has come or gone."""
        if table.imported or table.position.over:
            return
        wake = self._wakes.setdefault(table.key, asyncio.Event())
        wake.set()
        running = self._tasks.get(table.key)
        if running is None or running.done():
            self._tasks[table.key] = asyncio.create_task(self._run(table, wake))

    async def step(self, table: Table) -> None:
        """Plays one move of a table of bots; raises Refusal or AdamasError."""
        if table.position.over:
            return
        seat = table.position.seats_to_move[0]
        turn = table.turn_of(seat)
        move, _ = await self._ask(table, seat)
        await self._tables.play(table, seat, turn, move)

    async def close(self) -> None:
        """Ends all games' play; the tables stay as they are."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, table: Table, wake: asyncio.Event) -> None:
        """Plays until the game is over, the table is gone, or nobody watches bots alone."""
        waits_since: float | None = None
        while self._tables.holds(table) and not table.position.over:
            wake.clear()
            seat = self._to_move(table)
            if seat is not None:
                waits_since = None
                await self._move(table, seat, wake)
                continue
            if table.bots_alone and not self._watchers.watched(table.key):
                return
            away = self._awaited(table)
            if away is None:
                waits_since = None
            elif waits_since is None:
                waits_since = monotonic()
            elif monotonic() - waits_since >= self._patience:
                waits_since = None
                with suppress(Refusal):
                    await self._tables.stand_in(table, away, STAND_IN_LEVEL)
                continue
            with suppress(TimeoutError):
                async with asyncio.timeout(min(_LOOK, self._patience)):
                    await wake.wait()

    def _to_move(self, table: Table) -> int | None:
        """The first seat that a bot has to move for now."""
        if table.bots_alone and not (table.speed and self._watchers.watched(table.key)):
            return None
        for seat in table.position.seats_to_move:
            if table.seats[seat].bot_level is not None:
                return seat
        return None

    def _awaited(self, table: Table) -> int | None:
        """A person who is to move and not there, while another one is."""
        here = [p for p in table.people if self._watchers.present(table.seats[p].browser)]
        if not here:
            return None
        return next(
            (s for s in table.position.seats_to_move if s in table.people and s not in here), None
        )

    async def _move(self, table: Table, seat: int, wake: asyncio.Event) -> None:
        """Thinks, waits as a person would, and moves, unless things have changed by then."""
        turn, level = table.turn_of(seat), table.seats[seat].bot_level
        try:
            move, delay = await self._ask(table, seat)
            if not await self._pause(table, delay, wake):
                return
            if turn == table.turn_of(seat) and level == table.seats[seat].bot_level:
                await self._tables.play(table, seat, turn, move)
            self._trouble(table, "")
        except (AdamasError, Refusal) as error:
            if isinstance(error, Refusal) and error.reason in ("LATE", "NOT_FOUND"):
                return
            self._log.warning("bot could not move", table=table.key, seat=seat, reason=str(error))
            self._trouble(table, "failed" if isinstance(error, InvalidRequest) else "unavailable")
            await asyncio.sleep(_RETRY)

    async def _ask(self, table: Table, seat: int) -> tuple[Move, float]:
        """A bot's move, and how much longer it should seem to think."""
        view = await self._client.view(table.position.state, seat)
        level = table.seats[seat].bot_level
        advice = await self._client.recommend(view, candidates=1, level=level or None)
        return wrap(Move, advice.best_move), advice.suggested_delay

    async def _pause(self, table: Table, delay: float, wake: asyncio.Event) -> bool:
        """Waits; False if something has changed meanwhile, so that it has to be thought over."""
        if table.bots_alone:
            delay = 0.0 if table.speed >= NO_WAIT else delay / table.speed
        if delay <= 0:
            return True
        try:
            async with asyncio.timeout(delay):
                await wake.wait()
        except TimeoutError:
            return True
        return False

    def _trouble(self, table: Table, key: str) -> None:
        if table.trouble != key:
            table.trouble = key
            table.version += 1
            self._tables.tell(table)
