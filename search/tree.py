"""One tree of a search: grows by any number of iterations, at any time, on any thread."""

from __future__ import annotations

from typing import Final

import numpy as np

from engines.contract import MAX_SEATS, RESULT_ROWS, Game
from engines.events import NO_LOG
from engines.jit import Row
from engines.rng import generator
from search import kernel
from search.arena import Arena
from search.pointers import pointers
from search.strength import FULL_STRENGTH, Strength

EXPLORATION: Final = 0.6
"""UCB's exploration constant, for utilities in [0, 1]."""


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
        exploration: float = EXPLORATION,
        strength: Strength = FULL_STRENGTH,
    ) -> None:
        """A tree for a prepared view; ``stream`` tells trees of one seed apart.

        Of the strength, worlds, reach and policy are the tree's business.
        """
        self._game = game
        self._view = view
        self._table = table.copy()
        self._rng = generator(seed, stream)
        self._memory_bytes = memory_bytes
        self._exploration = exploration
        self._reach = min(
            kernel.MAX_DEPTH if strength.reach is None else strength.reach, kernel.MAX_DEPTH
        )
        self._policy = strength.policy
        self._worlds = np.zeros((strength.worlds or 0, game.state.itemsize), dtype=np.uint8)
        self._world_rng = self._rng if strength.worlds is None else strength.world_rng(seed)
        self._observer = game.codec.viewing_seat(view)
        self._state = game.new_row()
        self._moves = np.zeros(game.max_moves, dtype=np.int64)
        self._keys = np.zeros(game.max_moves, dtype=np.int64)
        self._path = np.zeros(2 * kernel.MAX_DEPTH, dtype=np.int32)
        self._results = np.zeros((RESULT_ROWS, MAX_SEATS))
        self.log = NO_LOG.copy()
        self.arena = Arena.for_root(moves)
        self.pointers = pointers(game)

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

    def run(self, iterations: int) -> None:
        """Runs iterations in compiled code, without the interpreter lock.

        How they are divided into calls makes no difference to the tree.
        """
        left = iterations
        while left > 0:
            arena = self.arena
            left -= int(
                kernel.run(
                    left,
                    self._exploration,
                    self._reach,
                    self._policy,
                    self._observer,
                    self._view,
                    self._table,
                    self._rng,
                    self._world_rng,
                    self._worlds,
                    self.log,
                    arena.tree,
                    arena.root,
                    arena.edges,
                    arena.edge_slots,
                    arena.children,
                    arena.child_slots,
                    self._state,
                    self._moves,
                    self._keys,
                    self._path,
                    self._results,
                    self.pointers,
                )
            )
            if left > 0:
                self._make_room()

    def _make_room(self) -> None:
        if 2 * self.arena.bytes <= self._memory_bytes:
            self.arena.grow()
        else:
            self.arena.tree[0].full = 1
