"""The list of games. Adding a game adds a line to _GAME_IDS."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module

from google.protobuf.message import Message

from adamas.v1 import game_pb2
from engines.contract import Game

_GAME_IDS = ("dao", "diamonds", "diams", "diamonds_club")


def game_ids() -> tuple[str, ...]:
    """The ids of all games, in the order in which they are listed."""
    return _GAME_IDS


@cache
def game(game_id: str) -> Game:
    """One game; compiles its rules, or loads them compiled."""
    found: Game = import_module(f"engines.{game_id}").GAME
    return found


def games() -> Mapping[str, Game]:
    """All games by id."""
    return {game_id: game(game_id) for game_id in _GAME_IDS}


def options_message(game_id: str) -> Message:
    """An empty options message of a game."""
    options: Message = getattr(game_pb2.GameOptions(), game_id)
    return options
