"""The log that a rule function writes public events to.

A log is an int32 array of shape (capacity + 1, 4). Row 0 column 0 counts the entries; each entry
is (kind, seat, a, b), with kinds of the game's own. An array without rows logs nothing; None in its
place does not even ask, as the compiler drops the branch: playouts pass that.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engines.jit import Int, Log, rule

CAPACITY = 64
NO_LOG = np.zeros((0, 4), dtype=np.int32)


def new_log() -> Log:
    """An empty log with room for everything that one move can cause."""
    return np.zeros((CAPACITY + 1, 4), dtype=np.int32)


def entries(log: Log) -> Iterator[tuple[int, int, int, int]]:
    """The entries of a log, oldest first."""
    for i in range(1, int(log[0, 0]) + 1):
        kind, seat, a, b = (int(x) for x in log[i])
        yield kind, seat, a, b


@rule
def emit(log: Log | None, kind: Int, seat: Int, a: Int, b: Int) -> None:
    """Adds an entry, if the log keeps any."""
    # Two conditions, as the compiler drops the outer one alone.
    if log is not None:
        if log.shape[0] > 0:
            n = log[0, 0] + 1
            log[0, 0] = n
            log[n, 0] = kind
            log[n, 1] = seat
            log[n, 2] = a
            log[n, 3] = b
