"""The journal: an SQLite file that is the single truth about a tournament.

A finished game is written in one transaction that is on the disk before anything else happens, so
whatever ends the process loses only the games that were being played.
"""

import fcntl
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from adamas_tournament.config import Config, parse_config
from adamas_tournament.plan import Plan
from adamas_tournament.records import (
    Forfeit,
    GameKey,
    GameRecord,
    MoveRecord,
    Offence,
    SideRecord,
)

APPLICATION_ID = 0x61646D74
"""Marks the file as a tournament's journal ("admt")."""
FORMAT = 2

_SCHEMA = """
CREATE TABLE tournament (
  config TEXT NOT NULL,      -- the configuration file as it was given
  plan TEXT NOT NULL,        -- the game as the referee understood it, JSON
  created TEXT NOT NULL
) STRICT;
CREATE TABLE sessions (      -- one row each time that the tournament was begun or resumed
  session INTEGER PRIMARY KEY,
  started TEXT NOT NULL,
  versions TEXT NOT NULL     -- JSON
) STRICT;
CREATE TABLE games (
  deal INTEGER NOT NULL,
  seating INTEGER NOT NULL,
  session INTEGER NOT NULL REFERENCES sessions,
  seed TEXT NOT NULL,        -- decimal, 64 bits without a sign
  started TEXT NOT NULL,
  seconds REAL NOT NULL,
  digest TEXT NOT NULL,
  host TEXT NOT NULL,
  PRIMARY KEY (deal, seating)
) STRICT, WITHOUT ROWID;
CREATE TABLE sides (
  deal INTEGER NOT NULL,
  seating INTEGER NOT NULL,
  side INTEGER NOT NULL,
  entrant TEXT NOT NULL,
  seats TEXT NOT NULL,       -- JSON list
  place INTEGER NOT NULL,
  win_share REAL NOT NULL,
  score REAL NOT NULL,
  seconds REAL NOT NULL,
  moves INTEGER NOT NULL,
  PRIMARY KEY (deal, seating, side),
  FOREIGN KEY (deal, seating) REFERENCES games
) STRICT, WITHOUT ROWID;
CREATE TABLE moves (
  deal INTEGER NOT NULL,
  seating INTEGER NOT NULL,
  ply INTEGER NOT NULL,
  seat INTEGER NOT NULL,
  move TEXT NOT NULL,        -- the Move message, JSON
  seconds REAL NOT NULL,
  events TEXT NOT NULL,      -- JSON list of sentences
  scores TEXT NOT NULL,      -- JSON list, one a seat
  win_probability REAL,
  iterations INTEGER,
  stand_in INTEGER NOT NULL,
  reason TEXT NOT NULL,      -- the player's own, empty if it gave none
  PRIMARY KEY (deal, seating, ply),
  FOREIGN KEY (deal, seating) REFERENCES games
) STRICT, WITHOUT ROWID;
CREATE TABLE forfeits (
  deal INTEGER NOT NULL,
  seating INTEGER NOT NULL,
  number INTEGER NOT NULL,
  side INTEGER NOT NULL,
  seat INTEGER NOT NULL,
  ply INTEGER NOT NULL,
  offence TEXT NOT NULL,
  detail TEXT NOT NULL,
  PRIMARY KEY (deal, seating, number),
  FOREIGN KEY (deal, seating) REFERENCES games
) STRICT, WITHOUT ROWID;
"""

_GAME_COLUMNS = "SELECT deal, seating, seed, started, seconds, digest, host FROM games "
_ONE_GAME = _GAME_COLUMNS + "WHERE deal = ? AND seating = ?"
_ALL_GAMES = _GAME_COLUMNS + "ORDER BY deal, seating"


class JournalError(Exception):
    """A journal that can't be used; the text says why."""


class Journal:
    """An open journal. Made by `create_journal` or `open_journal`; closed by `with`."""

    def __init__(self, path: Path, *, read_only: bool) -> None:
        self._path = path
        self._lock = None if read_only else _lock(path)
        self._session: int | None = None
        mode = "ro" if read_only else "rwc"
        self._database = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={mode}",
            uri=True,
            isolation_level=None,
            timeout=30,
        )
        if not read_only:
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = FULL")
            self._database.execute("PRAGMA foreign_keys = ON")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file."""
        self._database.close()
        if self._lock is not None:
            self._lock.close()

    @property
    def path(self) -> Path:
        """Where the journal is."""
        return self._path

    @property
    def config_text(self) -> str:
        """The configuration file as it was given."""
        return str(self._database.execute("SELECT config FROM tournament").fetchone()[0])

    @property
    def config(self) -> Config:
        """The configuration."""
        return parse_config(self.config_text, str(self._path))

    @property
    def plan(self) -> Plan:
        """The game as the referee understood it."""
        values = json.loads(self._database.execute("SELECT plan FROM tournament").fetchone()[0])
        values["sides"] = tuple(tuple(side) for side in values["sides"])
        return Plan(**values)

    @property
    def created(self) -> str:
        """When the tournament was begun, as ISO 8601 in UTC."""
        return str(self._database.execute("SELECT created FROM tournament").fetchone()[0])

    # ----------------------------------------------------------------------------------- writing

    def fill(self, config_text: str, plan: Plan) -> None:
        """Writes what is fixed for the whole tournament into a new journal."""
        self._database.executescript(
            f"BEGIN; {_SCHEMA}"
            f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {FORMAT};"
        )
        self._database.execute(
            "INSERT INTO tournament VALUES (?, ?, ?)",
            (config_text, json.dumps(asdict(plan)), _now()),
        )
        self._database.execute("COMMIT")

    def begin_session(self, versions: Mapping[str, str]) -> None:
        """Notes that games are played from now on, and by which versions."""
        self._session = self._database.execute(
            "INSERT INTO sessions (started, versions) VALUES (?, ?)",
            (_now(), json.dumps(dict(versions))),
        ).lastrowid

    def add(self, game: GameRecord) -> bool:
        """Writes a finished game; false if the journal has it already."""
        with _Transaction(self._database):
            key = tuple(game.key)
            if self._database.execute(
                "SELECT 1 FROM games WHERE deal = ? AND seating = ?", key
            ).fetchone():
                return False
            self._database.execute(
                "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (*key, self._session, str(game.seed), game.started, game.seconds, game.digest,
                 game.host),
            )  # fmt: skip
            self._database.executemany(
                "INSERT INTO sides VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (*key, number, side.entrant, json.dumps(side.seats), side.place,
                     side.win_share, side.score, side.seconds, side.moves)
                    for number, side in enumerate(game.sides)
                ],
            )  # fmt: skip
            self._database.executemany(
                "INSERT INTO moves VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (*key, move.ply, move.seat, move.move, move.seconds,
                     json.dumps(move.events, ensure_ascii=False), json.dumps(move.scores),
                     move.win_probability, move.iterations, int(move.stand_in), move.reason)
                    for move in game.moves
                ],
            )  # fmt: skip
            self._database.executemany(
                "INSERT INTO forfeits VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (*key, number, forfeit.side, forfeit.seat, forfeit.ply, forfeit.offence.value,
                     forfeit.detail)
                    for number, forfeit in enumerate(game.forfeits)
                ],
            )  # fmt: skip
        return True

    # ----------------------------------------------------------------------------------- reading

    def versions(self) -> list[tuple[str, dict[str, str]]]:
        """When each session began, and its versions."""
        rows = self._database.execute("SELECT started, versions FROM sessions ORDER BY session")
        return [(started, json.loads(versions)) for started, versions in rows]

    def finished(self) -> set[GameKey]:
        """The keys of all finished games."""
        return {GameKey(*row) for row in self._database.execute("SELECT deal, seating FROM games")}

    def game(self, key: GameKey) -> GameRecord:
        """One game.

        Raises:
            JournalError: If it is not there.
        """
        for game in self._games(_ONE_GAME, tuple(key)):
            return game
        raise JournalError(f"{self._path}: game {key} is not in the journal")

    def games(self, *, with_moves: bool = True) -> Iterator[GameRecord]:
        """All games, deal by deal.

        Args:
            with_moves: Whether to read the moves too; without, `moves` is empty.
        """
        return self._games(_ALL_GAMES, with_moves=with_moves)

    def move_seconds(self) -> Iterator[tuple[GameKey, int, float]]:
        """Game, seat and seconds of every move of an entrant, deal by deal."""
        rows = self._database.execute(
            "SELECT deal, seating, seat, seconds FROM moves WHERE NOT stand_in "
            "ORDER BY deal, seating, ply"
        )
        return ((GameKey(deal, seating), seat, seconds) for deal, seating, seat, seconds in rows)

    def _games(
        self, query: str, values: tuple[int, ...] = (), *, with_moves: bool = True
    ) -> Iterator[GameRecord]:
        games = self._database.execute(query, values)
        for deal, seating, seed, started, seconds, digest, host in games:
            key = GameKey(deal, seating)
            yield GameRecord(
                key=key,
                seed=int(seed),
                sides=tuple(self._sides(key)),
                moves=tuple(self._moves(key)) if with_moves else (),
                forfeits=tuple(self._forfeits(key)),
                started=started,
                seconds=seconds,
                digest=digest,
                host=host,
            )

    def _sides(self, key: GameKey) -> Iterator[SideRecord]:
        for entrant, seats, *rest in self._parts("sides", "side", key):
            yield SideRecord(entrant, tuple(json.loads(seats)), *rest)

    def _moves(self, key: GameKey) -> Iterator[MoveRecord]:
        for row in self._parts("moves", "ply", key, keep=1):
            ply, seat, move, seconds, events, scores, expects, iterations, stand_in, reason = row
            yield MoveRecord(
                ply=ply,
                seat=seat,
                move=move,
                seconds=seconds,
                events=tuple(json.loads(events)),
                scores=tuple(json.loads(scores)),
                win_probability=expects,
                iterations=iterations,
                stand_in=bool(stand_in),
                reason=reason,
            )

    def _forfeits(self, key: GameKey) -> Iterator[Forfeit]:
        for side, seat, ply, offence, detail in self._parts("forfeits", "number", key):
            yield Forfeit(side, seat, ply, Offence(offence), detail)

    def _parts(
        self, table: str, order: str, key: GameKey, keep: int = 0
    ) -> Iterable[tuple[Any, ...]]:
        """The rows of a game in one of its tables, without the game's key and the order."""
        rows = self._database.execute(
            f"SELECT * FROM {table} WHERE deal = ? AND seating = ? ORDER BY {order}",  # noqa: S608
            tuple(key),
        )
        return (row[3 - keep :] for row in rows)


class _Transaction:
    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def __enter__(self) -> None:
        self._database.execute("BEGIN IMMEDIATE")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._database.execute("COMMIT" if kind is None else "ROLLBACK")


def create_journal(path: Path, config_text: str, plan: Plan) -> Journal:
    """A new journal.

    Raises:
        JournalError: If there is a file already, or none can be made.
    """
    if path.exists() and not _is_blank(path):
        raise JournalError(
            f"{path} exists already; go on with it (adamas tournament resume {path}), "
            "or choose another file with --journal"
        )
    try:
        journal = Journal(path, read_only=False)
    except (OSError, sqlite3.Error) as error:
        raise JournalError(f"{path} can't be made: {error}") from None
    journal.fill(config_text, plan)
    return journal


def open_journal(path: Path, *, read_only: bool = True) -> Journal:
    """An existing journal.

    Args:
        path: The file.
        read_only: Whether to look only; else no other process may write to it.

    Raises:
        JournalError: If it is none, or another process is writing to it.
    """
    if not path.is_file():
        raise JournalError(f"there is no journal {path}")
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
            mark = database.execute("PRAGMA application_id").fetchone()[0]
            version = database.execute("PRAGMA user_version").fetchone()[0]
        if mark != APPLICATION_ID:
            raise JournalError(f"{path} is no journal of a tournament")
        if version != FORMAT:
            raise JournalError(
                f"{path} has the format {version}, and this version of adamas reads {FORMAT}"
            )
        return Journal(path, read_only=read_only)
    except sqlite3.Error as error:
        raise JournalError(f"{path} can't be read: {error}") from None


def _is_blank(path: Path) -> bool:
    """Whether a file is a database without tables, as a process leaves it that ends too early."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
            return database.execute("SELECT 1 FROM sqlite_master").fetchone() is None
    except sqlite3.Error:
        return False


def _lock(path: Path) -> Any:
    """Takes the right to write, which ends with the process however that ends."""
    lock = path.with_name(path.name + ".lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise JournalError(f"another process is playing the tournament of {path}") from None
    return lock


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
