"""One search in a worker: from the query to the advice."""

from __future__ import annotations

import time

from adamas.v1 import advisor_service_pb2 as pb
from engines.violations import invalid
from search.choice import Choice
from search.search import NoStateAgrees, Search
from server.answers import advice
from server.requests.choices import read_choice
from server.requests.messages import NO_STATE_AGREES, Reader, View, nothing_to_decide
from server.requests.positions import read_position
from server.workers.messages import Advised, Task
from server.workers.pacing import PacedTree

_MOMENT = 0.002
"""Seconds for which several trees may run one after another rather than side by side."""


class Case:
    """A search that has been opened, and what its answers need."""

    def __init__(self, reader: Reader, task: Task) -> None:
        """Runs one iteration of each tree; raises InvalidMessage if there is nothing to search."""
        query = pb.SearchQuery.FromString(task.query)
        view, path = read_position(reader, query)
        self.game_id = view.game.game_id
        self.seat = view.seat
        choice = read_choice(reader, query, view, path, task.language)
        self._search = _search(view, path, task, choice)
        self._frame = advice.Frame(
            game=view.game,
            sample=self._search.sample,
            language=task.language,
            detail=task.detail,
            seed=task.seed,
            started=task.started,
        )
        self.moves = len(self._search.moves)
        """How many moves are considered."""
        self.forced = self._search.forced
        """Whether one move only is legal."""
        self.trees = {} if self.forced else self._begin(task)
        """Those that had iterations left to run then, by their numbers."""

    @property
    def left(self) -> tuple[int, ...]:
        """The trees that have iterations left to run."""
        return tuple(number for number, tree in self.trees.items() if not tree.done)

    def run_ahead(self, seconds: float, until: float) -> None:
        """Runs trees whose iterations are limited, for some seconds but not past a time.

        Several trees run side by side in slices of their own, unless they are over in no time.
        """
        if any(tree.endless for tree in self.trees.values()):
            return
        if len(self.trees) > 1:
            seconds = min(seconds, _MOMENT)
        until = min(until, time.monotonic() + seconds)
        for tree in self.trees.values():
            tree.run_slice(seconds, until)

    def stop(self) -> None:
        """Ends running slices at once; there is nothing more to run."""
        for tree in self.trees.values():
            tree.stop()

    def advise(self, stop_reason: pb.StopReason.ValueType, candidates: int) -> Advised:
        """The advice so far, while no tree runs."""
        used = time.thread_time()
        result = self._search.result(candidates, lines=self._frame.has_lines)
        if result.solved:
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


def _search(view: View, path: str, task: Task, choice: Choice) -> Search:
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
            choice=choice,
        )
    except NoStateAgrees:
        raise invalid(path, NO_STATE_AGREES) from None
    if not search.moves:
        first = int(view.game.kernels.seat_to_move(search.sample))
        raise nothing_to_decide(first, view.seat, path)
    return search
