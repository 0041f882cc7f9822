"""Tables on the disk, in SQLite: a table is kept as soon as it has changed."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Self

import aiosqlite

from adamas import Position
from adamas.envelopes import wrap
from adamas.games import read_position
from adamas.v1 import game_pb2, rules_service_pb2
from web.host.seats import Seat
from web.host.table import Step, Table, UndoRule

APPLICATION_ID = 0x61646D77
"""Marks the file as a host's tables ("admw")."""
FORMAT = 1

_SCHEMA = """
CREATE TABLE tables (
  key TEXT PRIMARY KEY,
  owner TEXT NOT NULL,        -- a browser, as identity.py knows it
  options BLOB NOT NULL,      -- GameOptions
  seed TEXT NOT NULL,         -- decimal, 64 bits without a sign
  seats TEXT NOT NULL,        -- JSON, see seats.py
  rules TEXT NOT NULL,        -- JSON: what else a table is
  changed REAL NOT NULL       -- Unix time
) STRICT;
CREATE TABLE browsers (       -- which browsers a table concerns
  browser TEXT NOT NULL,
  key TEXT NOT NULL REFERENCES tables ON DELETE CASCADE,
  PRIMARY KEY (browser, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE steps (
  key TEXT NOT NULL REFERENCES tables ON DELETE CASCADE,
  ply INTEGER NOT NULL,       -- 0 for the deal
  seat INTEGER,
  move BLOB,                  -- Move
  outcome BLOB NOT NULL,      -- ApplyMoveResponse
  words TEXT NOT NULL,        -- JSON: the events in words, by language
  PRIMARY KEY (key, ply)
) STRICT, WITHOUT ROWID;
"""
_RULES = ("hints", "imported", "speed", "undone", "version")


class NoStore(Exception):
    """The file can't be used; the text says why."""


class Store:
    """The file. Statements run in a thread of its own, one after another."""

    def __init__(self, connection: aiosqlite.Connection) -> None:
        self._connection = connection
        self._writing = asyncio.Lock()

    @classmethod
    async def open(cls, path: Path) -> Self:
        """Opens the file, or makes it, readable by its owner only: it holds full states.

        Raises:
            NoStore: If it can't be used.
        """
        try:
            await asyncio.to_thread(_make, path)
            connection = await aiosqlite.connect(path, isolation_level=None)
        except (OSError, sqlite3.Error) as error:
            raise NoStore(f"{path} can't be opened: {error}") from None
        try:
            await connection.executescript(
                "PRAGMA foreign_keys = ON; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
            )
            (kind,) = await _one(connection, "PRAGMA application_id")
            (tables,) = await _one(connection, "SELECT count(*) FROM sqlite_schema")
            if not kind and not tables:
                await connection.executescript(
                    f"BEGIN; PRAGMA application_id = {APPLICATION_ID}; "
                    f"PRAGMA user_version = {FORMAT}; {_SCHEMA} COMMIT;"
                )
            elif kind != APPLICATION_ID:
                raise NoStore(f"{path} is something else, not the tables of a host")
            (found,) = await _one(connection, "PRAGMA user_version")
            if found != FORMAT:
                raise NoStore(f"{path} has the format {found}; this host reads {FORMAT}")
        except sqlite3.Error as error:
            await connection.close()
            raise NoStore(f"{path} can't be used: {error}") from None
        except NoStore:
            await connection.close()
            raise
        return cls(connection)

    async def close(self) -> None:
        """Closes the file."""
        await self._connection.close()

    async def save(self, table: Table) -> None:
        """Keeps a table as it is now, in one transaction."""
        rules = {name: getattr(table, name) for name in _RULES} | {"undo_rule": table.undo_rule}
        seats = [seat.values() for seat in table.seats]
        browsers = {table.owner} | {seat.browser for seat in table.seats if seat.browser}
        first = table.unsaved
        steps = [_kept(table.key, ply, table.steps[ply]) for ply in range(first, len(table.steps))]
        async with self._writing, self._transaction() as run:
            await run(
                "INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET "
                "seats = excluded.seats, rules = excluded.rules, changed = excluded.changed",
                (
                    *(table.key, table.owner, table.options.SerializeToString()),
                    *(str(table.seed), json.dumps(seats), json.dumps(rules), table.changed),
                ),
            )
            await run("DELETE FROM browsers WHERE key = ?", (table.key,))
            for browser in browsers:
                await run("INSERT INTO browsers VALUES (?, ?)", (browser, table.key))
            await run("DELETE FROM steps WHERE key = ? AND ply >= ?", (table.key, first))
            for step in steps:
                await run("INSERT INTO steps VALUES (?, ?, ?, ?, ?, ?)", step)
        table.unsaved = len(table.steps)

    async def load(self, key: str) -> Table | None:
        """A table as it was kept; None if there is none."""
        row = await _one(self._connection, "SELECT * FROM tables WHERE key = ?", (key,))
        if row is None:
            return None
        rules = json.loads(row[5])
        found = await self._connection.execute_fetchall(
            "SELECT seat, move, outcome, words FROM steps WHERE key = ? ORDER BY ply", (key,)
        )
        steps = [_step(*each) for each in found]
        return Table(
            key=key,
            owner=row[1],
            options=game_pb2.GameOptions.FromString(row[2]),
            seed=int(row[3]),
            seats=[Seat.read(values) for values in json.loads(row[4])],
            steps=steps,
            undo_rule=UndoRule(rules["undo_rule"]),
            changed=row[6],
            unsaved=len(steps),
            **{name: rules[name] for name in _RULES},
        )

    async def remove(self, key: str) -> None:
        """Forgets a table."""
        async with self._writing:
            await self._connection.execute("DELETE FROM tables WHERE key = ?", (key,))

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[Callable[..., Awaitable[Any]]]:
        """Statements that are all carried out or none."""
        run = self._connection.execute
        await run("BEGIN IMMEDIATE")
        try:
            yield run
        except BaseException:
            await run("ROLLBACK")
            raise
        await run("COMMIT")

    async def keys_of(self, browser: str) -> list[str]:
        """The tables that concern a browser, the latest first."""
        found = await self._connection.execute_fetchall(
            "SELECT key FROM tables JOIN browsers USING (key) WHERE browser = ? "
            "ORDER BY changed DESC",
            (browser,),
        )
        return [key for (key,) in found]


def _make(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder")
    path.touch(mode=0o600)


async def _one(connection: aiosqlite.Connection, statement: str, values: Iterable[Any] = ()) -> Any:
    async with connection.execute(statement, values) as cursor:
        return await cursor.fetchone()


def _kept(key: str, ply: int, step: Step) -> tuple[Any, ...]:
    move = None if step.move is None else step.move.SerializeToString()
    words = json.dumps(step.words, ensure_ascii=False)
    return key, ply, step.seat, move, _outcome(step.position).SerializeToString(), words


def _outcome(position: Position[Any]) -> rules_service_pb2.ApplyMoveResponse:
    return rules_service_pb2.ApplyMoveResponse(
        state=wrap(game_pb2.GameState, position.state),
        events=[wrap(game_pb2.Event, event.event) for event in position.events],
        event_words=[event.words for event in position.events],
        status=game_pb2.TableStatus(
            seats_to_move=position.seats_to_move,
            over=position.over,
            results=[
                game_pb2.SeatResult(
                    seat=result.seat, score=result.score, win_share=result.win_share
                )
                for result in position.results
            ],
        ),
    )


def _step(seat: int | None, move: bytes | None, outcome: bytes, words: str) -> Step:
    found = rules_service_pb2.ApplyMoveResponse.FromString(outcome)
    return Step(
        seat,
        None if move is None else game_pb2.Move.FromString(move),
        read_position(found.state, found.events, found.event_words, found.status),
        {language: tuple(said) for language, said in json.loads(words).items()},
    )
