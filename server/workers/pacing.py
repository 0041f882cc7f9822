"""Trees that run for a time rather than a number of iterations."""

from __future__ import annotations

import time

from search.tree import Tree

_LARGEST_GROWTH = 8
_SHORTEST_CHUNK, _LONGEST_CHUNK = 0.0002, 0.005
"""In seconds. A slice with less time than the first left is over; after no more than the second, it
looks whether it has been stopped."""


class PacedTree:
    """A tree that knows how many iterations fit into a time.

    How its iterations are cut into chunks makes no difference to the tree, so a search with an
    iteration limit gives the same answer under any load.
    """

    def __init__(self, tree: Tree, left: int | None) -> None:
        self._tree = tree
        self._left = left
        self._chunk = 1
        self._seconds_per_iteration = 0.0
        self._stopped = False

    @property
    def done(self) -> bool:
        """Whether the iteration limit is reached, or there is nothing left to find out."""
        return self._left == 0 or self._tree.solved

    @property
    def endless(self) -> bool:
        """Whether only time ends it."""
        return self._left is None

    def stop(self) -> None:
        """Ends the slice that runs, if any, and all later ones at once. For any thread."""
        self._stopped = True

    def run_chunk(self, seconds: float) -> None:
        """Runs as many iterations as fit in the time by the pace so far; at least one."""
        if self._seconds_per_iteration > 0.0:
            fitting = int(seconds / self._seconds_per_iteration)
            self._chunk = max(1, min(fitting, self._chunk * _LARGEST_GROWTH))
        iterations = self._chunk if self._left is None else min(self._chunk, self._left)
        begin = time.monotonic()
        self._tree.run(iterations)
        self._seconds_per_iteration = max(1e-9, (time.monotonic() - begin) / iterations)
        if self._left is not None:
            self._left -= iterations

    def run_slice(self, seconds: float, until: float) -> None:
        """Runs for some seconds, but not past a time."""
        end = min(until, time.monotonic() + seconds)
        while not (self.done or self._stopped):
            left = end - time.monotonic()
            if left < _SHORTEST_CHUNK:
                break
            self.run_chunk(min(left, _LONGEST_CHUNK))
