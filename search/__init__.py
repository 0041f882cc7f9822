"""Information-set Monte Carlo tree search over any game of engines.contract."""

from search.lines import LineStep
from search.search import NoStateAgrees, RankedMove, Result, Search
from search.tree import Tree

__all__ = ["LineStep", "NoStateAgrees", "RankedMove", "Result", "Search", "Tree"]
