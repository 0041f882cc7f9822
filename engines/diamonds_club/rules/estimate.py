"""What a table is worth at the end of a round, for searches that end there.

Beyond the next market little depends on what is done now, but chance makes final scores vary by
about ten points. So a determinization ends at a horizon (see ``hidden``), and the final scores are
estimated there: linear in what a seat has, fitted by least squares to 3,000 games of the playout
policy against itself, apart for each number of rounds to come. Shares of the victory follow by a
softmax whose scale was fitted to the winners of the same games.
"""

from __future__ import annotations

import math

import numpy as np

from engines.contract import SCORE, WIN_SHARE
from engines.diamonds_club.rules.scoring import park_value
from engines.diamonds_club.rules.state import (
    ANIMALS,
    DIAMOND,
    FOREST_TRACK,
    MONEY_TRACK,
    PRINTED,
    TECHNOLOGY_TRACK,
    fewest,
    total,
)
from engines.diamonds_club.rules.worth import rounds_to_come
from engines.jit import Floats, Int, Record, rule

POINTS_AT_ONCE = np.array([16.0, 35.3, 49.5, 53.2])
POINT = np.array([0.76, 0.46, 0.0, 0.24])
GEM = np.array([0.93, 0.47, 0.65, 0.57])
DIAMOND_GEM = np.array([0.65, 0.65, 0.91, 1.52])
TILE = np.array([0.98, 0.23, 0.48, 0.80])
OPEN_PICTURE = np.array([-6.91, -3.30, -3.73, -2.70])
TECHNOLOGY_LEVEL = np.array([0.55, 0.93, 1.32, 1.68])
MONEY_LEVEL = np.array([0.74, 1.20, 1.72, 2.41])
FOREST_LEVEL = np.array([0.57, 0.54, 0.53, 0.18])
ODD_ANIMAL = np.array([1.10, 1.32, -0.08, 1.04])
COVERED_SPACE = np.array([0.11, 0.26, 1.44, 0.74])
"""Points of the final score for each thing a seat has, by the number of rounds to come."""
SHARE_SCALE = np.array([3.0, 3.5, 4.0, 4.5])
"""Points by which one seat must be ahead to be e times as likely to win as another."""


@rule
def open_pictures(s: Record, seat: Int) -> Int:
    """Printed spaces that are not covered."""
    pictures = 0
    for space in range(PRINTED):
        pictures += 1 - (s.covered[seat] >> space & 1)
    return pictures


@rule
def odd_animals(s: Record, seat: Int) -> Int:
    """Kinds of animals that the seat has more of than it has complete sets."""
    sets = fewest(s.animals[seat])
    kinds = 0
    for animal in range(ANIMALS):
        kinds += s.animals[seat, animal] > sets
    return kinds


@rule
def estimated_score(s: Record, seat: Int, rounds: Int) -> float:
    """The final score to be expected, with so many rounds to come."""
    diamonds = s.gems[seat, DIAMOND]
    return (
        POINTS_AT_ONCE[rounds]
        + POINT[rounds] * park_value(s, seat)
        + GEM[rounds] * (total(s.gems[seat]) - diamonds)
        + DIAMOND_GEM[rounds] * diamonds
        + TILE[rounds] * total(s.tiles[seat])
        + OPEN_PICTURE[rounds] * open_pictures(s, seat)
        + TECHNOLOGY_LEVEL[rounds] * s.levels[seat, TECHNOLOGY_TRACK]
        + MONEY_LEVEL[rounds] * s.levels[seat, MONEY_TRACK]
        + FOREST_LEVEL[rounds] * s.levels[seat, FOREST_TRACK]
        + ODD_ANIMAL[rounds] * odd_animals(s, seat)
        + COVERED_SPACE[rounds] * s.light_tiles[seat]
    )


@rule
def estimate(s: Record, out: Floats) -> None:
    """Expected final scores and shares of the victory at a horizon."""
    rounds = min(rounds_to_come(s), len(POINT) - 1)
    best = -1e9
    for seat in range(s.seats):
        out[SCORE, seat] = estimated_score(s, seat, rounds)
        best = max(best, out[SCORE, seat])
    sum_of_shares = 0.0
    for seat in range(s.seats):
        out[WIN_SHARE, seat] = math.exp((out[SCORE, seat] - best) / SHARE_SCALE[rounds])
        sum_of_shares += out[WIN_SHARE, seat]
    for seat in range(s.seats):
        out[WIN_SHARE, seat] /= sum_of_shares
