"""What a seat knows as a vector of numbers for learning programs.

The vector is the view record, field by field in its order. A number stays a number. A field of 64
bits is a set of things (cards, mostly) and becomes one 0 or 1 a thing. Nothing is scaled: ranges
differ from game to game, and a learner's own normalisation does it better.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from engines.contract import Game
from engines.jit import Row
from engines.registry import game

_SET_SIZE = 63
"""Sets are non-negative 64-bit integers."""
_PADDING = "padding"

Observation = NDArray[np.int32]


@dataclass(frozen=True)
class Field:
    """Where a field of the view lies in the vector: ``vector[start : start + size]``."""

    name: str
    start: int
    size: int
    is_set: bool


def encode(game: Game, view: Row) -> Observation:
    """A view as a vector of int32, shape (size of ``fields(game_id)``,)."""
    record = view.view(game.view)[0]
    parts = []
    for field in fields(game.game_id):
        values = np.asarray(record[field.name]).reshape(-1)
        if field.is_set:
            values = (values[:, None] >> np.arange(_SET_SIZE)) & 1
        parts.append(values.reshape(-1).astype(np.int32))
    return np.concatenate(parts)


@cache
def fields(game_id: str) -> tuple[Field, ...]:
    """The fields of a game's vector, in order, without gaps."""
    found: list[Field] = []
    start = 0
    dtype = game(game_id).view
    for name in dtype.names or ():
        if name == _PADDING:
            continue
        inner = dtype.fields[name][0] if dtype.fields else dtype
        is_set = inner.base.itemsize == np.dtype(np.int64).itemsize
        size = int(np.prod(inner.shape, dtype=np.int64)) * (_SET_SIZE if is_set else 1)
        found.append(Field(name, start, size, is_set))
        start += size
    return tuple(found)


def size(game_id: str) -> int:
    """The length of a game's vector."""
    last = fields(game_id)[-1]
    return last.start + last.size
