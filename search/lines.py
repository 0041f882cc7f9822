"""Principal variations: the line that a tree expects after a move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engines.contract import Game
from engines.jit import Row
from engines.rng import generator
from search import line_kernel
from search.kernel import Desk
from search.tree import Tree

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
    game: Game, tree: Tree, table: Row, root_edge: int, seed: int
) -> tuple[LineStep, ...]:
    """The line that the tree expects after a root edge, in a determinization that allows it.

    Samples are drawn from ``table``, which may change by that.
    """
    observer = tree.plan.observer
    lines = line_kernel.Lines.for_game(game)
    length = line_kernel.line(
        _SAMPLES,
        root_edge,
        observer,
        tree.knowledge._replace(table=table),
        tree.arena,
        Desk.for_game(game, generator(seed, stream=root_edge + 1)),
        lines,
        tree.pointers,
    )
    return tuple(
        _step(game, observer, int(seat), int(move), row)
        for seat, move, row in zip(
            lines.seats[0, :length], lines.moves[0, :length], lines.rows[0, :length], strict=True
        )
    )


def _step(game: Game, observer: int, seat: int, move: int, row: Row) -> LineStep:
    hidden = seat != observer and game.kernels.move_key(row, move, observer) != move
    return LineStep(seat=seat, move=None if hidden else move, row=row)
