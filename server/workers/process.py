"""Inside a worker: searches, run in slices on one thread a core.

A worker decides nothing about whose turn it is; it does what it is told and answers. Opening and
ranking have threads of their own, so that they wait for no slice. So have slices that nobody waits
for: theirs have less priority, so that a hint has the processors at once.
"""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from queue import SimpleQueue
from typing import Any

import numpy as np

from engines.registry import game
from search.search import NoStateAgrees, Result, Search
from search.tree import Tree
from server.workers.messages import (
    Close,
    Failed,
    Open,
    Opened,
    Ran,
    Rank,
    Request,
    Slice,
    encode,
    receive,
)

_LARGEST_GROWTH = 8
_NICENESS, _BACKGROUND_NICENESS = 5, 12
"""Five to one on Linux; what fairness gives background searches beyond that, they get by having
more slices."""
_SHORTEST_CHUNK = 0.0002
"""A slice with less time than this left is over."""
_DESKS = 2
"""Threads for opening and ranking."""
_SWITCH_INTERVAL = 0.001
"""How long a thread may keep the interpreter lock while another wants it, in seconds."""


def serve(connection: socket.socket, lanes: int) -> None:
    """Answers requests until the other end closes; runs up to ``lanes`` slices at a time."""
    sys.setswitchinterval(min(sys.getswitchinterval(), _SWITCH_INTERVAL))
    _Host(connection, lanes).serve()


class _PacedTree:
    """A tree that knows how many iterations fit into a time.

    How its iterations are cut into chunks makes no difference to the tree, so a search with an
    iteration limit gives the same answer under any load.
    """

    def __init__(self, tree: Tree, left: int | None) -> None:
        self._tree = tree
        self._left = left
        self._chunk = 1
        self._seconds_per_iteration = 0.0

    @property
    def done(self) -> bool:
        """Whether the iteration limit is reached."""
        return self._left == 0

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

    def run_slice(self, seconds: float, until: float) -> Ran:
        """Runs for some seconds, but not past a time."""
        used = time.thread_time()
        end = min(until, time.monotonic() + seconds)
        while not self.done and (left := end - time.monotonic()) >= _SHORTEST_CHUNK:
            self.run_chunk(left)
        return Ran(time.thread_time() - used, self.done)


class _Lanes:
    """Threads of one priority that run slices in the order in which they come."""

    def __init__(
        self, count: int, name: str, niceness: int, run: Callable[[int, Slice], None]
    ) -> None:
        self._niceness = niceness
        self._run = run
        self._slices: SimpleQueue[tuple[int, Slice] | None] = SimpleQueue()
        self._count = count
        for number in range(count):
            threading.Thread(target=self._work, name=f"{name}-{number}", daemon=True).start()

    def put(self, number: int, request: Slice) -> None:
        """Has a slice run by the next thread that is free."""
        self._slices.put((number, request))

    def close(self) -> None:
        """Ends the threads once they have done what there is."""
        for _ in range(self._count):
            self._slices.put(None)

    def _work(self) -> None:
        _give_way(self._niceness)
        while (taken := self._slices.get()) is not None:
            self._run(*taken)


class _Host:
    """The searches of one worker and the threads that run them."""

    def __init__(self, connection: socket.socket, lanes: int) -> None:
        self._connection = connection
        self._sending = threading.Lock()
        self._searches: dict[int, Search] = {}
        self._trees: dict[tuple[int, int], _PacedTree] = {}
        self._desk = ThreadPoolExecutor(_DESKS, thread_name_prefix="adamas-desk")
        self._foreground = _Lanes(lanes, "adamas-search", _NICENESS, self._answer)
        self._background = _Lanes(lanes, "adamas-background", _BACKGROUND_NICENESS, self._answer)

    def serve(self) -> None:
        """Handles requests until the connection ends."""
        with self._connection.makefile("rb") as stream:
            for number, request in receive(stream):
                self._begin(number, request)
        self._desk.shutdown(wait=False, cancel_futures=True)
        self._foreground.close()
        self._background.close()

    def _begin(self, number: int, request: Request) -> None:
        if isinstance(request, Slice):
            lanes = self._background if request.background else self._foreground
            lanes.put(number, request)
        elif isinstance(request, Close):
            self._close(request)
        else:
            self._desk.submit(self._answer, number, request)

    def _answer(self, number: int, request: Open | Slice | Rank) -> None:
        answer: Any
        try:
            if isinstance(request, Slice):
                tree = self._trees[request.search, request.tree]
                answer = tree.run_slice(request.seconds, request.until)
                del tree  # a waiting thread must not keep a search's memory
            elif isinstance(request, Open):
                answer = self._open(request)
            else:
                answer = self._rank(request)
            data = encode(number, answer)
        except Exception:
            data = encode(number, Failed(traceback.format_exc()))
        # If the server is gone, reading ends too, and that ends the worker.
        with suppress(OSError), self._sending:
            self._connection.sendall(data)

    def _open(self, request: Open) -> Opened:
        view = np.frombuffer(request.view, dtype=np.uint8).copy()
        try:
            search = Search(
                game(request.game_id),
                view,
                seed=request.seed,
                trees=request.trees,
                memory_bytes=request.memory_bytes,
                strength=request.strength,
            )
        except NoStateAgrees:
            return Opened(None, 0, ())
        sample, moves = search.sample.tobytes(), len(search.moves)
        if moves == 0:
            return Opened(sample, 0, ())
        self._searches[request.search] = search
        if moves == 1:
            return Opened(sample, 1, ())
        limits: tuple[int | None, ...] = (None,) * request.trees
        if (limit := search.limit(request.iterations)) is not None:
            limits = search.share(limit)
        open_trees = []
        for number, (tree, limit) in enumerate(zip(search.trees, limits, strict=True)):
            paced = _PacedTree(tree, limit)
            if not paced.done:
                paced.run_chunk(0.0)
            if not paced.done:
                self._trees[request.search, number] = paced
                open_trees.append(number)
        return Opened(sample, moves, tuple(open_trees))

    def _rank(self, request: Rank) -> Result:
        return self._searches[request.search].result(request.candidates)

    def _close(self, request: Close) -> None:
        search = self._searches.pop(request.search, None)
        for number in range(len(search.trees) if search is not None else 0):
            self._trees.pop((request.search, number), None)


def _give_way(niceness: int) -> None:
    """Lowers this thread's priority, so that answers get out while all processors are searching."""
    if sys.platform == "linux":  # elsewhere priorities belong to processes
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), niceness)
