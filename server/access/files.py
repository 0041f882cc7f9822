"""Files that are replaced while the server runs: renewed certificates, changed lists."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

_LOOK_INTERVAL = 1.0


class Watched:
    """Notices that files have changed, by looking at most once a second."""

    def __init__(self, paths: Sequence[Path], clock: Callable[[], float] = time.monotonic) -> None:
        self.paths = tuple(paths)
        self._clock = clock
        self._looked = clock()
        self._marks = self._look()

    def changed(self) -> bool:
        """Whether a file has changed since this was last said."""
        now = self._clock()
        if now - self._looked < _LOOK_INTERVAL:
            return False
        self._looked = now
        marks = self._look()
        changed = marks != self._marks
        self._marks = marks
        return changed

    def _look(self) -> list[tuple[int, int, int] | None]:
        return [_mark(path) for path in self.paths]


def _mark(path: Path) -> tuple[int, int, int] | None:
    """What differs when a file is written or replaced; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
