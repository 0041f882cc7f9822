"""Threads that do what a worker is asked."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue

from server.workers.messages import Question


class Lanes:
    """Threads of one priority that take what there is to do in the order in which it comes."""

    def __init__(
        self, count: int, name: str, niceness: int, run: Callable[[int, Question], None]
    ) -> None:
        self._niceness = niceness
        self._run = run
        self._questions: SimpleQueue[tuple[int, Question] | None] = SimpleQueue()
        self._count = count
        for number in range(count):
            threading.Thread(target=self._work, name=f"{name}-{number}", daemon=True).start()

    def put(self, number: int, question: Question) -> None:
        """Has a question answered by the next thread that is free."""
        self._questions.put((number, question))

    def close(self) -> None:
        """Ends the threads once they have done what there is."""
        for _ in range(self._count):
            self._questions.put(None)

    def _work(self) -> None:
        _give_way(self._niceness)
        while (taken := self._questions.get()) is not None:
            self._run(*taken)


def _give_way(niceness: int) -> None:
    """Lowers this thread's priority, so that answers get out while all processors are searching."""
    if sys.platform == "linux":  # elsewhere priorities belong to processes
        with suppress(OSError):
            own = os.getpriority(os.PRIO_PROCESS, 0)
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), own + niceness)
