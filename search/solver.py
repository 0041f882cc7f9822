"""Solves a search's position exactly, if it is an ending, beside the trees that search it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from engines.contract import MAX_UNSEEN, SCORE, WIN_SHARE, Game
from engines.jit import Row
from search import solver_kernel as kernel
from search.pointers import ending_pointers, pointers

STEPS_AN_ITERATION: Final = 16
"""In DAO two to three times the work of an iteration: only what is solved is exact."""
_ITERATIONS_A_RUN: Final = 128
"""The solver goes on once in so many iterations, so that slices of a search change nothing."""
_MOST_STEPS: Final = 1 << 25
"""Steps after which an ending is given up."""
_FIRST_CAPACITY: Final = 1 << 12


@dataclass(frozen=True)
class ExactMove:
    """What a move of a solved ending is worth to the seat that makes it."""

    win_share: float
    score: float
    margin: float
    """Over the best other seat, in points."""


class Solver:
    """A resumable solver of one ending."""

    def __init__(self, game: Game, row: Row, moves: int, memory_bytes: int) -> None:
        """For an ending (see ``solver_of``) in which so many moves are legal."""
        if game.endings is None:
            raise ValueError(f"{game.game_id} has no endings that can be solved")
        self._mover = int(game.kernels.seat_to_move(row))
        self._stack = kernel.Stack.for_ending(game, row, moves)
        self._table = kernel.Table.with_capacity(_FIRST_CAPACITY, game.codec.seats(row))
        self._memory_bytes = memory_bytes
        self._pointers = pointers(game)
        self._ending_pointers = ending_pointers(game.endings)
        self._given_up = False

    @property
    def solved(self) -> bool:
        """Whether the ending is solved."""
        return bool(self._stack.mark[0].status == kernel.SOLVED)

    @property
    def steps(self) -> int:
        """Positions reached so far."""
        return int(self._stack.mark[0].steps)

    def keep_up(self, iterations: int) -> None:
        """Does its share of the work beside a tree that has run so many iterations."""
        self.run((1 + iterations // _ITERATIONS_A_RUN) * _ITERATIONS_A_RUN * STEPS_AN_ITERATION)

    def run(self, steps: int) -> None:
        """Goes on until it has made so many steps in all."""
        while not self._given_up and not self.solved and self.steps < steps:
            status = kernel.solve(
                min(steps, _MOST_STEPS),
                self._stack,
                self._table,
                self._pointers,
                self._ending_pointers,
            )
            if status == kernel.RUNNING and self.steps < min(steps, _MOST_STEPS):
                self._make_room()
            elif status == kernel.TOO_DEEP or self.steps >= _MOST_STEPS:
                self._given_up = True

    def values(self) -> list[ExactMove]:
        """What each legal move is worth, once solved; in the order of the moves."""
        return [
            ExactMove(
                win_share=float(values[WIN_SHARE, self._mover]),
                score=float(values[SCORE, self._mover]),
                margin=float(values[kernel.MARGIN, self._mover]),
            )
            for values in self._stack.roots
        ]

    def _make_room(self) -> None:
        if 3 * self._table.bytes <= self._memory_bytes:
            self._table = self._table.grown()
        else:
            self._given_up = True


def solver_of(game: Game, row: Row, moves: int, memory_bytes: int) -> Solver | None:
    """A solver for a determinization, in which so many moves are legal, if it is an ending."""
    if game.endings is None or game.endings.unseen(row, np.zeros(MAX_UNSEEN, dtype=np.int64)) < 0:
        return None
    return Solver(game, row, moves, memory_bytes)
