"""Positions and records in files, as protobuf's JSON."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from google.protobuf import json_format

from adamas.command.trouble import Trouble
from adamas.records import Record, read_records
from adamas.v1.game_pb2 import GameState, PlayerView

STANDARD_INPUT = "-"
_WRAPPINGS = ("query", "view", "state")
"""Fields of requests and answers that hold a position."""


@dataclass(frozen=True, slots=True)
class Given:
    """A position that was given.

    Attributes:
        message: What a seat knows, or a full state.
        seat: The seat to advise, of a full state; None: not said.
    """

    message: PlayerView | GameState
    seat: int | None = None


def read_json(name: str) -> Any:
    """The JSON of a file, or of the standard input if its name is "-".

    Raises:
        Trouble: If it can't be read.
    """
    shown = "the standard input" if name == STANDARD_INPUT else name
    try:
        text = sys.stdin.read() if name == STANDARD_INPUT else Path(name).read_text("utf-8-sig")
        return json.loads(text)
    except OSError as error:
        raise Trouble(f"{shown} can't be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise Trouble(f"{shown} is no text in UTF-8") from None
    except ValueError as error:
        raise Trouble(f"{shown} is no JSON: {error}") from None


def read_position(name: str, seat: int | None = None) -> Given:
    """The position in a file: a PlayerView or a GameState, alone or in a request or answer.

    Args:
        name: The file; "-": the standard input.
        seat: The seat to advise, where that is said outside the file of a full state.

    Raises:
        Trouble: If there is none.
    """
    values = read_json(name)
    kinds: tuple[type[PlayerView | GameState], ...] = (PlayerView, GameState)
    if seat is not None:
        kinds = (GameState, PlayerView)
    while isinstance(values, dict):
        inner = next((key for key in _WRAPPINGS if isinstance(values.get(key), dict)), None)
        if inner is None:
            break
        if inner == "state":
            kinds = (GameState,)
            seat = values.get("seat") if seat is None else seat
        values = values[inner]
    if not isinstance(values, dict):
        raise Trouble(f"{name} holds no position, which is a JSON object")
    errors = []
    for kind in kinds:
        message = kind()
        try:
            json_format.ParseDict(values, message)
        except json_format.ParseError as error:
            errors.append(f"no {kind.__name__}: {error}")
        else:
            if message.WhichOneof("game") is None:
                raise Trouble(f"{name} holds a position of no game")
            return Given(message, seat if isinstance(message, GameState) else None)
    raise Trouble(f"{name} is " + "\n  and ".join(errors))


def read_record(name: str, wanted: str | None) -> Record:
    """The record of a game in a file.

    Args:
        name: The file; "-": the standard input.
        wanted: Which of its games; None: the only one.

    Raises:
        Trouble: If it holds no such game.
    """
    values = read_json(name)
    try:
        games = read_records(values)
    except ValueError as error:
        raise Trouble(f"{name} is no record of a game: {error}") from None
    if wanted is None and len(games) == 1:
        (wanted,) = games
    if wanted not in games:
        raise Trouble(f"choose a game with --game: {', '.join(games)}")
    return games[wanted]


def write_record(record: Record, path: Path) -> None:
    """Keeps a record in a file.

    Raises:
        Trouble: If it can't be written.
    """
    text = json.dumps(record.values(), ensure_ascii=False) + "\n"
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Trouble(f"{path} can't be written: {error.strerror}") from None
