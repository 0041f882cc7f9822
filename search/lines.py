"""Principal variations: the line that a tree expects after a move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from engines.contract import MAX_SEATS, RESULT_ROWS, Game
from engines.jit import Row
from engines.rng import generator
from search import kernel
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
    """The line that the tree expects after a root edge, in a determinization that allows it."""
    observer = game.codec.viewing_seat(view)
    rng = generator(seed, stream=root_edge + 1)
    scratch_table = table.copy()
    state = game.new_row()
    moves = np.zeros(game.max_moves, dtype=np.int64)
    keys = np.zeros(1, dtype=np.int64)
    path = np.zeros(2, dtype=np.int32)
    results = np.zeros((RESULT_ROWS, MAX_SEATS))
    arena = tree.arena
    best: tuple[float, int] = (-1.0, 0)
    steps: tuple[LineStep, ...] = ()
    for _ in range(_SAMPLES):
        line_moves = np.zeros(LINE_LENGTH, dtype=np.int64)
        line_seats = np.zeros(LINE_LENGTH, dtype=np.int64)
        line_rows = np.zeros((LINE_LENGTH, len(state)), dtype=np.uint8)
        length = kernel.line(
            root_edge,
            observer,
            view,
            scratch_table,
            rng,
            tree.log,
            arena.tree,
            arena.root,
            arena.edges,
            arena.edge_slots,
            arena.children,
            arena.child_slots,
            state,
            moves,
            keys,
            path,
            results,
            line_moves,
            line_seats,
            line_rows,
            tree.pointers,
        )
        if (rank := (float(results[0, 0]), int(length))) > best:
            best = rank
            steps = tuple(
                _step(game, observer, int(line_seats[i]), int(line_moves[i]), line_rows[i])
                for i in range(length)
            )
    return steps


def _step(game: Game, observer: int, seat: int, move: int, row: Row) -> LineStep:
    hidden = seat != observer and game.kernels.move_key(row, move, observer) != move
    return LineStep(seat=seat, move=None if hidden else move, row=row)
