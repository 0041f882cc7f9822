"""The positions that come with the demonstration: one file a game, what a seat knew mid-game."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from google.protobuf import json_format

from adamas.v1.game_pb2 import PlayerView

FOLDER = Path(__file__).parent / "positions"


@dataclass(frozen=True, slots=True)
class Shipped:
    """One position.

    Attributes:
        game_id: Which game.
        view: The game's view message.
    """

    game_id: str
    view: Any


def shipped_positions(folder: Path = FOLDER) -> list[Shipped]:
    """All positions of a folder: files `<anything>.json`, each a PlayerView as protobuf JSON.

    Raises:
        ValueError: If a file holds no view of a game.
    """
    return [_read(path) for path in sorted(folder.glob("*.json"))]


def _read(path: Path) -> Shipped:
    try:
        view = json_format.Parse(path.read_text(encoding="utf-8"), PlayerView())
    except json_format.ParseError as error:
        raise ValueError(f"{path.name} is no PlayerView: {error}") from error
    game_id = view.WhichOneof("game")
    if game_id is None:
        raise ValueError(f"{path.name} is a PlayerView of no game")
    return Shipped(game_id, getattr(view, game_id))
