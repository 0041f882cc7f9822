"""The games of a tournament's journal, to be looked through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from google.protobuf import json_format

from adamas.records import Played, Record
from adamas.v1.game_pb2 import GameOptions, Move

if TYPE_CHECKING:  # tournaments need not be installed
    from adamas_tournament.records import SideRecord

Json = dict[str, Any]


class NoJournal(Exception):
    """The journal can't be used; the text says why."""


@dataclass(frozen=True)
class JournalGame:
    """One of its games.

    Attributes:
        record: What was played.
        players: The entrants' names, in seat order.
    """

    record: Record
    players: list[str]


class Journal:
    """A journal, read anew for each request: the tournament may still go on."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @classmethod
    def open(cls, path: Path) -> Self:
        """The journal in a file; raises NoJournal."""
        journal = cls(path)
        try:
            journal.games()
        except ImportError:
            raise NoJournal(f"{path} needs tournaments: make .venv/ready-tournament") from None
        except Exception as error:  # whatever reading a file that is none may raise
            raise NoJournal(f"{path} can't be read: {error}") from None
        return journal

    def games(self) -> list[Json]:
        """What games there are, and how they ended."""
        from adamas_tournament.journal import open_journal

        with open_journal(self._path, read_only=True) as journal:
            return [
                {
                    "game": str(game.key),
                    "players": _players(game.sides),
                    "results": [
                        {"seat": seat, "score": side.score, "winShare": side.win_share}
                        for side in game.sides
                        for seat in side.seats
                    ],
                }
                for game in journal.games(with_moves=False)
            ]

    def game(self, name: str) -> JournalGame | None:
        """A game by the name that the journal has for it; None if there is none."""
        from adamas_tournament.journal import open_journal

        with open_journal(self._path, read_only=True) as journal:
            plan = journal.plan
            key = next((key for key in journal.finished() if str(key) == name), None)
            if key is None:
                return None
            game = journal.game(key)
        record = Record(
            options=json_format.Parse(plan.options, GameOptions()),
            seats=plan.seats,
            seed=game.seed,
            moves=tuple(
                Played(move.seat, json_format.Parse(move.move, Move())) for move in game.moves
            ),
        )
        return JournalGame(record, _players(game.sides))


def _players(sides: Sequence[SideRecord]) -> list[str]:
    names = {seat: side.entrant for side in sides for seat in side.seats}
    return [names[seat] for seat in sorted(names)]
