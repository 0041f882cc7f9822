"""Records of games: what was dealt and what was played, in JSON.

    {"game": "dao", "options": {"dao": {}}, "seats": 3, "games": [
        {"game": "1", "seed": "7", "moves": [{"ply": 0, "seat": 0, "move": {"dao": {...}}}]}]}

`options` is a GameOptions and `move` a Move, as protobuf's JSON. A seed is text, since JSON's
numbers may be too short for it. `adamas tournament export --format json` writes the same, and more.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from google.protobuf import json_format

from adamas.command.files import read_json
from adamas.command.output import plain
from adamas.command.trouble import Trouble
from adamas.v1.game_pb2 import GameOptions, Move


@dataclass(frozen=True, slots=True)
class Played:
    """One move of a game.

    Attributes:
        seat: Who moved, 0-based.
        move: The move.
    """

    seat: int
    move: Move


@dataclass(frozen=True, slots=True)
class Record:
    """A game from its deal on.

    Attributes:
        options: What was played.
        seats: Number of seats.
        seed: Of the deal and of all later chance.
        moves: What was played, in order.
    """

    options: GameOptions
    seats: int
    seed: int
    moves: tuple[Played, ...]

    def write(self, path: Path) -> None:
        """Writes the record to a file; raises OSError."""
        moves = [
            {"ply": ply, "seat": played.seat, "move": plain(played.move)}
            for ply, played in enumerate(self.moves)
        ]
        values = {
            "game": self.options.WhichOneof("game"),
            "options": plain(self.options),
            "seats": self.seats,
            "games": [{"game": "1", "seed": str(self.seed), "moves": moves}],
        }
        path.write_text(json.dumps(values, ensure_ascii=False) + "\n", encoding="utf-8")

    @classmethod
    def read(cls, name: str, wanted: str | None) -> Self:
        """The record in a file.

        Args:
            name: The file; "-": the standard input.
            wanted: Which of its games; None: the only one.

        Raises:
            Trouble: If it holds no such game.
        """
        values = read_json(name)
        try:
            games = {str(game["game"]): game for game in values["games"]}
            if wanted is None and len(games) == 1:
                (wanted,) = games
            if wanted not in games:
                raise Trouble(f"choose a game with --game: {', '.join(games)}")
            return cls(
                options=json_format.ParseDict(values["options"], GameOptions()),
                seats=int(values["seats"]),
                seed=int(games[wanted]["seed"]),
                moves=tuple(_played(move) for move in games[wanted]["moves"]),
            )
        except (KeyError, TypeError, ValueError, json_format.ParseError) as error:
            raise Trouble(f"{name} is no record of a game: {_said(error)}") from None


def _played(values: Any) -> Played:
    return Played(int(values["seat"]), json_format.ParseDict(values["move"], Move()))


def _said(error: Exception) -> str:
    return f"there is no {error}" if isinstance(error, KeyError) else str(error)
