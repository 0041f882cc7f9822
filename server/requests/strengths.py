"""How strongly a search is asked to play: SearchQuery.level and SearchQuery.target_rating."""

from __future__ import annotations

import math
from dataclasses import dataclass

from adamas.v1 import advisor_service_pb2 as pb
from engines.violations import Report, invalid
from search.levels import (
    HIGHEST_LEVEL,
    LOWEST_LEVEL,
    NoLevels,
    strength_of_level,
    strength_of_rating,
)
from search.strength import FULL_STRENGTH, Strength


@dataclass(frozen=True)
class AskedStrength:
    """What a request asks for; neither a level nor a rating is full strength."""

    level: int | None = None
    rating: float | None = None

    @property
    def may_be_limited(self) -> bool:
        """Whether the search may be over before its limits."""
        return self.rating is not None or self.level not in (None, HIGHEST_LEVEL)

    def of_game(self, game_id: str) -> Strength:
        """The strength in a game; raises InvalidMessage if that has no levels."""
        try:
            if self.level is not None:
                return strength_of_level(game_id, self.level)
            if self.rating is not None:
                return strength_of_rating(game_id, self.rating)
        except NoLevels:
            field = "level" if self.level is not None else "target_rating"
            raise invalid(
                f"query.{field}",
                f"is set, but {game_id} has no calibrated levels; leave it out for full strength",
            ) from None
        return FULL_STRENGTH


def read_strength(query: pb.SearchQuery, report: Report) -> AskedStrength:
    """The strength that a query asks for; notes what is out of range."""
    has_rating = query.HasField("target_rating")
    report.check(
        query.level == 0 or LOWEST_LEVEL <= query.level <= HIGHEST_LEVEL,
        "query.level",
        f"is {query.level}; use {LOWEST_LEVEL} to {HIGHEST_LEVEL}, or 0 for full strength",
    )
    report.check(
        not (has_rating and query.level),
        "query.target_rating",
        "is set beside query.level; use one of them",
    )
    report.check(
        not has_rating or math.isfinite(query.target_rating),
        "query.target_rating",
        f"is {query.target_rating}; use a number",
    )
    return AskedStrength(query.level or None, query.target_rating if has_rating else None)
