"""Whether anything is compiled while calls are handled; all of it should have been before."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from numba.core.dispatcher import Dispatcher

_PACKAGES = ("engines", "search")


def compiled() -> dict[str, int]:
    """How many versions of each function there are in this process, by the function's full name."""
    return {
        f"{module}.{name}": len(thing.signatures)
        for module in sorted(sys.modules)
        if module.partition(".")[0] in _PACKAGES
        for name, thing in vars(sys.modules[module]).items()
        if isinstance(thing, Dispatcher) and thing.py_func.__module__ == module
    }


def compiled_since(before: Mapping[str, int]) -> list[str]:
    """The functions of which there are more versions than before."""
    return [name for name, count in compiled().items() if count > before.get(name, 0)]
