"""One tree of a search: grows by any number of iterations, at any time, on any thread."""

from __future__ import annotations

import numpy as np

from engines.contract import Game
from engines.jit import Row
from engines.rng import generator
from search import kernel
from search.arena import EMPTY, Arena
from search.pointers import pointers
from search.solver import Solver
from search.strength import FULL_STRENGTH, Strength


class Tree:
    """A resumable tree. ``run`` is the only method that changes it; one thread at a time."""

    def __init__(
        self,
        game: Game,
        view: Row,
        table: Row,
        moves: tuple[int, ...],
        *,
        seed: int,
        stream: int,
        memory_bytes: int,
        exploration: float | None = None,
        strength: Strength = FULL_STRENGTH,
        solver: Solver | None = None,
        first: int = EMPTY,
    ) -> None:
        """A tree for a prepared view and the moves to consider at its root, legal ones in ascending
        order; ``stream`` tells trees of one seed apart. The exploration is the game's unless
        another one is given. ``first``: the move to try first, as its place among them; EMPTY for
        none.

        Of the strength, worlds, reach and policy are the tree's business. The first tree of a
        search keeps its solver up with it, the others only look whether that is done.
        """
        worlds = strength.worlds or 0
        rng = generator(seed, stream)
        reach = kernel.MAX_DEPTH if strength.reach is None else strength.reach
        self.plan = kernel.Plan(
            observer=game.codec.viewing_seat(view),
            exploration=game.exploration if exploration is None else exploration,
            reach=min(reach, kernel.MAX_DEPTH),
            policy=strength.policy,
            first=first,
        )
        self.knowledge = kernel.Knowledge(
            view_row=view,
            table=table.copy(),
            rng=strength.world_rng(seed) if worlds else rng,
            worlds=np.zeros((worlds, game.state.itemsize), dtype=np.uint8),
        )
        self.arena = Arena.for_root(moves)
        self.pointers = pointers(game)
        self._desk = kernel.Desk.for_game(game, rng)
        self._memory_bytes = memory_bytes
        self._solver = solver
        self._drives_solver = stream == 0

    @property
    def iterations(self) -> int:
        """Iterations run so far; each sampled one determinization."""
        return int(self.arena.tree[0].iterations)

    @property
    def nodes(self) -> int:
        """Information sets in the tree."""
        return int(self.arena.tree[0].nodes)

    @property
    def memory_bound_reached(self) -> bool:
        """Whether the tree has stopped growing."""
        return bool(self.arena.tree[0].full)

    @property
    def widened(self) -> bool:
        """Whether moves were held back somewhere, to be tried progressively."""
        return bool(self.arena.tree[0].widened)

    @property
    def solved(self) -> bool:
        """Whether the position is solved, so that more iterations would tell nothing."""
        return self._solver is not None and self._solver.solved

    def run(self, iterations: int) -> None:
        """Runs iterations in compiled code, without the interpreter lock.

        How they are divided into calls makes no difference to the tree.
        """
        left = iterations
        if self._solver is not None and self._drives_solver:
            self._solver.keep_up(self.iterations + iterations - 1)
        while left > 0:
            left -= int(
                kernel.run(left, self.plan, self.knowledge, self.arena, self._desk, self.pointers)
            )
            if left > 0:
                self._make_room()

    def _make_room(self) -> None:
        if 2 * self.arena.bytes <= self._memory_bytes:
            self.arena = self.arena.grown()
        else:
            self.arena.tree[0].full = 1
