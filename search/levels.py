"""Strength levels 1 to 10 of each game, calibrated by measurement: engines/<game>/levels.json.

Level 10 is full strength. Ratings are in Elo points; a random player has 0.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import engines
from search.strength import FULL_STRENGTH, Strength

LOWEST_LEVEL: Final = 1
HIGHEST_LEVEL: Final = 10
LEVELS_FILE: Final = "levels.json"


class NoLevels(Exception):
    """A game has not been calibrated."""


class BadLevels(Exception):
    """A game's file of levels makes no sense."""


@dataclass(frozen=True)
class Level:
    """A level with its rating, in Elo points, and that rating's 95 % confidence interval."""

    level: int
    rating: float
    low: float
    high: float
    measured: Strength
    """With what limits the rating was measured: of level 10 too, which plays without any."""

    @property
    def strength(self) -> Strength:
        """With what limits the level plays."""
        return FULL_STRENGTH if self.level == HIGHEST_LEVEL else self.measured


def levels_file(game_id: str) -> Path:
    """Where a game's levels are kept."""
    return Path(engines.__file__).parent / game_id / LEVELS_FILE


@cache
def levels(game_id: str) -> tuple[Level, ...]:
    """A game's levels, weakest first. Raises NoLevels or BadLevels."""
    path = levels_file(game_id)
    if not path.is_file():
        raise NoLevels(f"{game_id} has no levels: {path} is missing; `make calibrate` makes it")
    try:
        found = tuple(_read(entry) for entry in json.loads(path.read_text("utf-8"))["levels"])
    except (ValueError, KeyError, TypeError) as error:
        raise BadLevels(f"{path} can't be read: {error!r}") from error
    _check(path, found)
    return found


def strength_of_level(game_id: str, level: int) -> Strength:
    """The strength of a level, 1 to 10. Raises NoLevels, BadLevels or IndexError."""
    if not LOWEST_LEVEL <= level <= HIGHEST_LEVEL:
        raise IndexError(f"there is no level {level}; use {LOWEST_LEVEL} to {HIGHEST_LEVEL}")
    return levels(game_id)[level - LOWEST_LEVEL].strength


def strength_of_rating(game_id: str, rating: float) -> Strength:
    """The strength with a rating; the weakest or full strength for one outside of the levels'.

    Raises NoLevels or BadLevels.
    """
    return _at_rating(levels(game_id), rating)


def _at_rating(found: Sequence[Level], rating: float) -> Strength:
    if rating <= found[0].rating:
        return found[0].strength
    for below, above in pairwise(found):
        if rating < above.rating:
            part = (rating - below.rating) / (above.rating - below.rating)
            return between(below.measured, above.measured, part)
    return found[-1].strength


def between(weak: Strength, strong: Strength, part: float) -> Strength:
    """A part, 0 to 1, of the way from one strength to another; both have all limits.

    Counts grow by equal factors, since what a player gains depends on ratios of effort; the blur
    shrinks by equal amounts.
    """
    return Strength(
        iterations=_count_between(weak.iterations, strong.iterations, part),
        worlds=_count_between(weak.worlds, strong.worlds, part),
        reach=_count_between(weak.reach, strong.reach, part),
        blur=(1 - part) * weak.blur + part * strong.blur,
    )


def _count_between(weak: int | None, strong: int | None, part: float) -> int:
    if weak is None or strong is None:
        raise ValueError("there is no way from or to a strength without limits")
    return max(1, round(float(weak ** (1 - part) * strong**part)))


def _read(entry: dict[str, Any]) -> Level:
    return Level(
        level=entry["level"],
        rating=entry["rating"],
        low=entry["low"],
        high=entry["high"],
        measured=Strength(
            iterations=entry["iterations"],
            worlds=entry["worlds"],
            reach=entry["reach"],
            blur=entry["blur"],
        ),
    )


def _check(path: Path, found: Sequence[Level]) -> None:
    numbers = [level.level for level in found]
    if numbers != list(range(LOWEST_LEVEL, HIGHEST_LEVEL + 1)):
        raise BadLevels(f"{path} has the levels {numbers}; it needs 1 to {HIGHEST_LEVEL} in order")
    for below, above in pairwise(found):
        if not below.rating < above.rating:
            raise BadLevels(
                f"{path}: level {above.level} is rated {above.rating}, no higher than the "
                f"{below.rating} of level {below.level}"
            )
