"""Scoring and tie-break (section 5)."""

from __future__ import annotations

from engines.diamonds_club.rules.state import (
    ALL_PRINTED,
    BONUS_CARDS,
    BONUS_POINTS,
    FOREST,
    FOREST_TRACK,
    MONEY_TRACK,
    TECHNOLOGY_TRACK,
    fewest,
    total,
)
from engines.jit import Int, Record, rule

BUILDING_POINTS = 4
ANIMAL_SET_POINTS = 10
ANIMALS_IN_SET = 3


@rule
def animal_points(s: Record, seat: Int) -> Int:
    """10 for each set of three different kinds, 1 for each animal outside the sets."""
    sets = fewest(s.animals[seat])
    return ANIMAL_SET_POINTS * sets + total(s.animals[seat]) - ANIMALS_IN_SET * sets


@rule
def forest_points(s: Record, seat: Int) -> Int:
    """Forests times what the forest track says."""
    return s.landscape[seat, FOREST] * s.forest_points[s.levels[seat, FOREST_TRACK]]


@rule
def track_points(s: Record, seat: Int) -> Int:
    """The end bonus of technology and money."""
    technology = s.technology_bonus[s.levels[seat, TECHNOLOGY_TRACK]]
    return technology + s.money_bonus[s.levels[seat, MONEY_TRACK]]


@rule
def bonus_points(s: Record, seat: Int) -> Int:
    """The bonus cards."""
    points = 0
    for card in range(BONUS_CARDS):
        if s.bonus_owner[card] == seat + 1:
            points += BONUS_POINTS[card]
    return points


@rule
def park_value(s: Record, seat: Int) -> Int:
    """The score with all printed spaces covered."""
    buildings = total(s.landscape[seat]) - s.landscape[seat, FOREST]
    return (
        BUILDING_POINTS * buildings
        + animal_points(s, seat)
        + forest_points(s, seat)
        + track_points(s, seat)
        + bonus_points(s, seat)
    )


@rule
def score(s: Record, seat: Int) -> Int:
    """The score: nothing at all if a printed space is open."""
    if s.uncovered_printed_zero == 1 and s.covered[seat] != ALL_PRINTED:
        return 0
    return park_value(s, seat)


@rule
def gems_left(s: Record, seat: Int) -> Int:
    """The tie-break: gems, diamonds included."""
    return total(s.gems[seat])
