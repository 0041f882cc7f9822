"""A fork server whose workers do harm when they are told to.

Runs as a program in the place of the server's own: workers are real processes, and what they do to
themselves is real. A search with the seed CRASH reads memory that is not there, inside native code,
as soon as it has an iteration behind it; one with the seed HANG never answers.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from server.workers import forkserver, launcher
from server.workers.messages import Task

CRASH, HANG = 666, 667


@contextmanager
def harmful_workers() -> Iterator[None]:
    """Servers that are started in the block have such workers."""
    with patch.object(launcher, "_PROGRAM", f"from {__name__} import main; main()"):
        yield


def main() -> None:
    """Serves as the server's own fork server does."""
    from server.workers import case

    begin = case.Case._begin

    def begin_harm(self: case.Case, task: Task) -> object:
        trees = begin(self, task)
        if task.seed == CRASH:
            ctypes.string_at(0)
        if task.seed == HANG:
            time.sleep(3600)
        return trees

    with patch.object(case.Case, "_begin", begin_harm):
        forkserver.main()
