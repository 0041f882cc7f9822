"""Positions with very many ways to decide."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from engines.registry import game_ids


@dataclass(frozen=True)
class WidePosition:
    """A position, the seat that decides, and in how many ways it can."""

    state: Any
    """The state message of the game."""
    seat: int
    moves: int
    """Legal moves."""
    combinations: int
    """Whole decisions, all steps and seats together, equal cards and tiles told apart."""


def widest_positions() -> dict[str, Callable[[], WidePosition]]:
    """Of each game that has wide positions: ``widest`` of tests/engines/<game>/positions.py."""
    found = {}
    for game_id in game_ids():
        name = f"tests.engines.{game_id}.positions"
        if find_spec(f"tests.engines.{game_id}") and find_spec(name):
            widest = getattr(import_module(name), "widest", None)
            if widest is not None:
                found[game_id] = widest
    return found
