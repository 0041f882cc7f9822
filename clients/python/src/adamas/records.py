"""Records of games: what was dealt and what was played, in JSON.

    {"game": "dao", "options": {"dao": {}}, "seats": 3, "games": [
        {"game": "1", "seed": "7", "moves": [{"ply": 0, "seat": 0, "move": {"dao": {...}}}]}]}

`options` is a GameOptions and `move` a Move, as protobuf's JSON. A seed is text, since JSON's
numbers may be too short for it. `adamas tournament export --format json` writes the same, and more.
"""

from dataclasses import dataclass
from typing import Any

from google.protobuf import json_format

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

    def values(self) -> dict[str, Any]:
        """The record as plain values for JSON, its game called "1"."""
        moves = [
            {"ply": ply, "seat": played.seat, "move": _plain(played.move)}
            for ply, played in enumerate(self.moves)
        ]
        return {
            "game": self.options.WhichOneof("game"),
            "options": _plain(self.options),
            "seats": self.seats,
            "games": [{"game": "1", "seed": str(self.seed), "moves": moves}],
        }


def read_records(values: Any) -> dict[str, Record]:
    """The games of a record, by what it calls them.

    Args:
        values: What the JSON of a record says.

    Raises:
        ValueError: If that is none; the text says why.
    """
    try:
        options = json_format.ParseDict(values["options"], GameOptions())
        if options.WhichOneof("game") is None:
            raise ValueError("its options are of no game")
        return {
            str(game["game"]): Record(
                options=options,
                seats=int(values["seats"]),
                seed=int(game["seed"]),
                moves=tuple(_played(move) for move in game["moves"]),
            )
            for game in values["games"]
        }
    except KeyError as error:
        raise ValueError(f"there is no {error}") from None
    except (TypeError, json_format.ParseError) as error:
        raise ValueError(str(error)) from None


def _played(values: Any) -> Played:
    return Played(int(values["seat"]), json_format.ParseDict(values["move"], Move()))


def _plain(message: GameOptions | Move) -> Any:
    return json_format.MessageToDict(message, preserving_proto_field_name=True)
