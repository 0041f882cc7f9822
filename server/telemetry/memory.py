"""How much memory processes take."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

_UNITS = {"kB": 1024}


def memory_bytes(pids: Iterable[int]) -> float:
    """Memory of some processes together; what they share counts once. 0 where it isn't known.

    Linux tells it as the proportional set size. Processes that have ended count nothing.
    """
    return sum(_proportional_set_size(pid) for pid in pids)


def _proportional_set_size(pid: int) -> float:
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text("ascii")
    except OSError:
        return 0.0
    for line in text.splitlines():
        if line.startswith("Pss:"):
            _, amount, unit = line.split()
            return float(amount) * _UNITS[unit]
    return 0.0
