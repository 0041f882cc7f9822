"""Opponents of a level: the search as the service plays it, in this process."""

from __future__ import annotations

from engines.contract import Game
from engines.jit import Row
from search import Search
from search.levels import HIGHEST_LEVEL, LOWEST_LEVEL, levels


def check_level(game_id: str, level: int) -> None:
    """Raises ValueError for a level that there isn't, NoLevels for a game without levels."""
    if not LOWEST_LEVEL <= level <= HIGHEST_LEVEL:
        raise ValueError(f"there is no level {level}; use {LOWEST_LEVEL} to {HIGHEST_LEVEL}")
    levels(game_id)


def choose(game: Game, view: Row, level: int, seed: int) -> int:
    """The move of a level, 1 to 10; a seed fixes it.

    Level 10 plays with the iterations with which it was measured, as it has no limit of its own.
    """
    strength = levels(game.game_id)[level - LOWEST_LEVEL].measured
    search = Search(game, view, seed=seed, trees=1, strength=strength)
    if len(search.moves) > 1:
        search.run(search.limit(None) or 0)
    return search.best_move()
