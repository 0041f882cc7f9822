"""Information-set Monte Carlo tree search over any game of engines.contract.

The names load when they are first used, because importing the search compiles it: ``search.warmup``
has to be importable before that.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from search.lines import LineStep
    from search.search import NoStateAgrees, RankedMove, Result, Search
    from search.tree import Tree

__all__ = ["LineStep", "NoStateAgrees", "RankedMove", "Result", "Search", "Tree"]

_HOMES = {"LineStep": "search.lines", "Tree": "search.tree"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES.get(name, "search.search")), name)
