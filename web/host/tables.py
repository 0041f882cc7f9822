"""All tables: found, opened, changed, kept, and told of."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from adamas import InvalidRequest
from adamas.v1.game_pb2 import Move
from web.host import refusals
from web.host.referee import Referee, as_refusals
from web.host.seats import Kind, Seat
from web.host.store import Store
from web.host.table import Table, UndoRule
from web.host.watchers import Watchers


class Tables:
    """The tables of a host. Those that somebody has asked for are in memory."""

    def __init__(self, store: Store, referee: Referee, watchers: Watchers) -> None:
        self._store = store
        self._referee = referee
        self._watchers = watchers
        self._loaded: dict[str, Table] = {}
        self.on_change: Callable[[Table], None] = lambda table: None
        """Called with a table when it has been loaded, and after every change."""

    # ------------------------------------------------------------------------------------ finding

    async def get(self, key: str, browser: str) -> Table:
        """A table that concerns a browser; raises Refusal."""
        table = await self._find(key)
        if table is None or not table.concerns(browser):
            raise refusals.not_found()
        return table

    async def invited(self, key: str, invitation: str) -> Table:
        """The table that a secret invites to; raises Refusal."""
        table = await self._find(key)
        if table is None or not any(seat.invites(invitation) for seat in table.seats):
            raise refusals.not_found()
        return table

    async def of(self, browser: str) -> list[Table]:
        """The tables that concern a browser, the latest first."""
        found = [await self._find(key) for key in await self._store.keys_of(browser)]
        return [table for table in found if table is not None]

    async def _find(self, key: str) -> Table | None:
        if key not in self._loaded:
            table = await self._store.load(key)
            if table is None:
                return None
            if key not in self._loaded:  # nobody else has been quicker
                self._loaded[key] = table
                self.on_change(table)
        return self._loaded[key]

    # ----------------------------------------------------------------------------------- changing

    async def add(self, table: Table) -> None:
        """A new table."""
        self._loaded[table.key] = table
        await self._changed(table)

    async def remove(self, table: Table) -> None:
        """Forgets a table."""
        async with table.lock:
            await self._store.remove(table.key)
            self._loaded.pop(table.key, None)
        for watcher in self._watchers.of_table(table.key):
            watcher.tell("gone", {"table": table.key})
        self._tell_summaries(table)

    def holds(self, table: Table) -> bool:
        """Whether a table has not been removed."""
        return self._loaded.get(table.key) is table

    @asynccontextmanager
    async def changing(self, table: Table) -> AsyncIterator[None]:
        """Surrounds a change: one at a time, kept and told of afterwards."""
        async with table.lock:
            if not self.holds(table):
                raise refusals.not_found()
            yield
            await self._changed(table)

    async def play(self, table: Table, seat: int, turn: str, move: Move) -> None:
        """Plays a move; raises Refusal if it is late or not legal, or nobody can say."""
        async with table.lock:
            if not self.holds(table):
                raise refusals.not_found()
            if turn != table.turn_of(seat) or seat not in table.position.seats_to_move:
                raise refusals.late()
            with as_refusals():
                try:
                    step = await self._referee.play(table.position, seat, move)
                except InvalidRequest:
                    raise refusals.illegal() from None
            table.add(step)
            await self._changed(table)

    async def sit(self, table: Table, browser: str, invitation: str, name: str) -> None:
        """Takes the seat of an invitation; raises Refusal."""
        async with self.changing(table):
            number = next(
                (n for n, seat in enumerate(table.seats) if seat.invites(invitation)), None
            )
            if number is None:
                raise refusals.impossible("used")
            if table.seat_of(browser) not in (None, number):
                raise refusals.impossible("seated")
            before = table.seats[number]
            table.seats[number] = Seat.person(browser, name or before.name)

    async def leave(self, table: Table, seat: int, level: int) -> None:
        """Lets a bot play for a person."""
        async with self.changing(table):
            table.seats[seat].left = True
            table.seats[seat].stand_in = level

    async def stand_in(self, table: Table, seat: int, level: int) -> None:
        """Lets a bot play for a person whom others have waited for too long."""
        async with self.changing(table):
            table.seats[seat].stand_in = level

    async def give_back(self, table: Table, seat: int) -> None:
        """Gives a person the own seat back."""
        if table.seats[seat].stand_in is None:
            return
        async with self.changing(table):
            table.seats[seat].stand_in = None
            table.seats[seat].left = False

    async def fill(self, table: Table, number: int, seat: Seat) -> None:
        """Gives an open seat to a bot, or a bot's to whoever is invited; raises Refusal."""
        async with self.changing(table):
            if table.seats[number].kind is Kind.PERSON:
                raise refusals.impossible("taken")
            if table.open_to_view:
                # Whoever looked at all seats must not sit down at one.
                raise refusals.impossible("hidden")
            table.seats[number] = seat

    # ---------------------------------------------------------------------------------- taking back

    async def undo(self, table: Table, seat: int) -> None:
        """Takes back to a seat's last decision, asks for that, or agrees; raises Refusal."""
        async with self.changing(table):
            if table.asks is not None and table.asks != seat:
                table.agreed.add(seat)
                if set(table.people) <= table.agreed | {table.asks}:
                    self._go_back(table, table.asks)
                return
            plies = table.last_decision(seat)
            if plies is None or table.undo_rule is UndoRule.NONE or table.imported:
                raise refusals.impossible("no_undo")
            if await self._is_fair(table, seat, plies):
                table.back_to(plies)
            elif table.undo_rule is UndoRule.FAIR:
                raise refusals.impossible("revealed")
            elif set(table.people) <= {seat}:
                table.back_to(plies)
            else:
                table.asks = seat
                table.agreed.clear()

    async def refuse_undo(self, table: Table) -> None:
        """Refuses what was asked for, or asks no longer."""
        async with self.changing(table):
            table.asks = None
            table.agreed.clear()

    def _go_back(self, table: Table, seat: int) -> None:
        plies = table.last_decision(seat)
        if plies is not None:
            table.back_to(plies)

    async def _is_fair(self, table: Table, seat: int, plies: int) -> bool:
        """Whether nobody has decided or learnt anything since."""
        if table.position.over or table.others_decided_since(seat, plies):
            return False
        with as_refusals():
            for before in range(plies, table.plies):
                for person in table.people:
                    if not await self._referee.foreseen(
                        person, table.steps[before].position, table.steps[before + 1]
                    ):
                        return False
        return True

    # -------------------------------------------------------------------------------------- telling

    async def _changed(self, table: Table) -> None:
        table.version += 1
        table.changed = time.time()
        await self._store.save(table)
        self.tell(table)
        self.on_change(table)

    def tell(self, table: Table) -> None:
        """Tells everybody concerned that a table is not as it was."""
        for watcher in self._watchers.of_table(table.key):
            watcher.tell("table")
        self._tell_summaries(table)

    def _tell_summaries(self, table: Table) -> None:
        for browser in {table.owner} | {seat.browser for seat in table.seats if seat.browser}:
            for watcher in self._watchers.of_browser(browser):
                watcher.tell("tables")
