"""One search in a worker: from the query to the advice."""

from __future__ import annotations

import time

from adamas.v1 import advisor_service_pb2 as pb
from engines.violations import invalid
from search.search import NoStateAgrees, Search
from server.answers import advice
from server.requests.messages import NO_STATE_AGREES, Reader, View, nothing_to_decide
from server.requests.positions import read_position
from server.workers.messages import Advised, Opened, Task
from server.workers.pacing import PacedTree


class Case:
    """A search that has been opened, and what its answers need."""

    def __init__(self, reader: Reader, task: Task) -> None:
        """Runs one iteration of each tree; raises InvalidMessage if there is nothing to search."""
        view, path = read_position(reader, pb.SearchQuery.FromString(task.query))
        self._search = _search(view, path, task)
        self._frame = advice.Frame(
            game=view.game,
            sample=self._search.sample,
            candidates=task.candidates,
            language=task.language,
            seed=task.seed,
            started=task.started,
        )
        moves = len(self._search.moves)
        self.trees = self._begin(task) if moves > 1 else {}
        """Those that have iterations left to run, by their numbers."""
        self.opened = Opened(view.game.game_id, view.seat, moves, tuple(self.trees))

    def stop(self) -> None:
        """Ends running slices at once; there is nothing more to run."""
        for tree in self.trees.values():
            tree.stop()

    def advise(self, stop_reason: pb.StopReason.ValueType) -> Advised:
        """The advice so far, while no tree runs."""
        used = time.thread_time()
        result = self._search.result(self._frame.candidates)
        if result.solved and len(self._search.moves) > 1:
            stop_reason = pb.STOP_REASON_SOLVED
        found = advice.compose(self._frame, result, stop_reason).SerializeToString()
        return Advised(found, time.thread_time() - used)

    def _begin(self, task: Task) -> dict[int, PacedTree]:
        trees = self._search.trees
        limits: tuple[int | None, ...] = (None,) * len(trees)
        if (limit := self._search.limit(task.iterations)) is not None:
            limits = self._search.share(limit)
        open_trees = {}
        for number, (tree, own_limit) in enumerate(zip(trees, limits, strict=True)):
            paced = PacedTree(tree, own_limit)
            if not paced.done:
                paced.run_chunk(0.0)
            if not paced.done:
                open_trees[number] = paced
        return open_trees


def _search(view: View, path: str, task: Task) -> Search:
    """The search of a view in which its seat is to move."""
    strength = task.strength.of_game(view.game.game_id)
    try:
        search = Search(
            view.game,
            view.row,
            seed=task.seed,
            trees=strength.trees or task.trees,
            memory_bytes=task.memory_bytes,
            strength=strength,
        )
    except NoStateAgrees:
        raise invalid(path, NO_STATE_AGREES) from None
    if not search.moves:
        first = int(view.game.kernels.seat_to_move(search.sample))
        raise nothing_to_decide(first, view.seat, path)
    return search
