"""Positions with very many ways to decide."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class WidePosition:
    """A position, the seat that decides, and in how many ways it could all at once."""

    state: Any
    """The state message of the game."""
    seat: int
    combinations: int
    """Whole decisions, equal cards and tiles told apart."""
