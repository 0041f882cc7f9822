"""Principal variations: the line that a tree expects after a move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from engines.contract import Game
from engines.jit import Row
from engines.rng import generator
from search import line_kernel
from search.tree import Tree

LINE_LENGTH: Final = 12
_SAMPLES: Final = 16
"""Determinizations in which a line is followed; the one along the most visited edges is kept."""


@dataclass(frozen=True)
class LineStep:
    """One move of a line. ``row`` is the state in which it is played."""

    seat: int
    move: int | None
    """None where the advised seat would not see the move."""
    row: Row


def principal_variation(
    game: Game, tree: Tree, view: Row, table: Row, root_edge: int, seed: int
) -> tuple[LineStep, ...]:
    """The line that the tree expects after a root edge, in a determinization that allows it.

    Samples are drawn from ``table``, which may change by that.
    """
    observer = game.codec.viewing_seat(view)
    arena = tree.arena
    moves, seats = (np.zeros((2, LINE_LENGTH), dtype=np.int64) for _ in range(2))
    rows = np.zeros((2, LINE_LENGTH, game.state.itemsize), dtype=np.uint8)
    length = line_kernel.line(
        _SAMPLES,
        root_edge,
        observer,
        view,
        table,
        generator(seed, stream=root_edge + 1),
        tree.log,
        arena.tree,
        arena.edges,
        arena.edge_slots,
        arena.children,
        arena.child_slots,
        game.new_row(),
        np.zeros(game.max_moves, dtype=np.int64),
        moves,
        seats,
        rows,
        tree.pointers,
    )
    return tuple(
        _step(game, observer, int(seats[0, i]), int(moves[0, i]), rows[0, i]) for i in range(length)
    )


def _step(game: Game, observer: int, seat: int, move: int, row: Row) -> LineStep:
    hidden = seat != observer and game.kernels.move_key(row, move, observer) != move
    return LineStep(seat=seat, move=None if hidden else move, row=row)
