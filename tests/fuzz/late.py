"""Whether anything is compiled while calls are handled; all of it should have been before."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from numba.core.dispatcher import Dispatcher

_PACKAGES = ("engines", "search")


def compiled() -> dict[str, int]:
    """How often each function was compiled in this process, by the function's full name.

    What was compiled before is loaded from the disk cache, which is not counted.
    """
    return {
        f"{module}.{name}": sum(thing.stats.cache_misses.values())
        for module in sorted(sys.modules)
        if module.partition(".")[0] in _PACKAGES
        for name, thing in vars(sys.modules[module]).items()
        if isinstance(thing, Dispatcher) and thing.py_func.__module__ == module
    }


def compiled_since(before: Mapping[str, int]) -> list[str]:
    """The functions that have been compiled since."""
    return [name for name, count in compiled().items() if count > before.get(name, 0)]
