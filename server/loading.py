"""Gets the games ready in the process that answers calls, and in the one that workers come from."""

from __future__ import annotations

from collections.abc import Mapping

from engines.contract import Game
from engines.rehearsal import rehearse

_STRIDE = 16
"""One position in so many is rehearsed at a start: what is compiled has only to be loaded."""


def compile_games() -> None:
    """Compiles what is not compiled yet: takes minutes at the very first start."""
    from search.warmup import warm_up

    warm_up()


def load_games() -> Mapping[str, Game]:
    """All games, ready to be read and worded without further delay. They must have been compiled.

    Takes a second or two, so it is meant for a thread of its own.
    """
    # Importing it compiles the games.
    from engines.registry import games

    loaded = games()
    for game in loaded.values():
        rehearse(game, _STRIDE)
    return loaded
