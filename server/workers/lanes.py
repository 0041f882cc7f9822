"""Threads that do what a worker is asked."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import TypeAlias

from server.workers.messages import Advise, Open, Slice
from server.workers.turns import Turns

Job: TypeAlias = Open | Slice | Advise


class Lanes:
    """Threads of one priority that take what there is to do in the order in which it comes."""

    def __init__(
        self, count: int, name: str, turns: Turns, run: Callable[[int, Job], None]
    ) -> None:
        self._turns = turns
        self._run = run
        self._jobs: SimpleQueue[tuple[int, Job] | None] = SimpleQueue()
        self._count = count
        for number in range(count):
            threading.Thread(target=self._work, name=f"{name}-{number}", daemon=True).start()

    def put(self, number: int, job: Job) -> None:
        """Has something done by the next thread that is free."""
        self._jobs.put((number, job))

    def close(self) -> None:
        """Ends the threads once they have done what there is."""
        for _ in range(self._count):
            self._jobs.put(None)

    def _work(self) -> None:
        self._turns.take()
        while (taken := self._jobs.get()) is not None:
            self._run(*taken)
