"""What a round of Diam's will bring each seat, foreseen in place of a playout to its end.

The points that a seat will still make are a sum of weights, which were fitted to how rounds went
on; see tools/learn_diams.py. For each kind, what has become of its five copies as the seat sees it
has three: one as it is, one by what the kind is worth, so that other tables of values are foreseen
too, and one by its digit. A few more are for the bonuses and the hand as a whole. The weights
change with the cards left in the pile, between the knots in a straight line. How far the margin of
two seats is off is a normal distribution, of which a few values are drawn.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from statistics import NormalDist

import numpy as np

from engines.diams.rules.scoring import collection_points, hand_sum, magnifiers
from engines.diams.rules.state import DIAMONDS, DRAWS, SPECIALS, X1, in_kind, size_of
from engines.diams.rules.tables import KINDS
from engines.jit import Int, Ints, Record, Rng, rule
from engines.rng import below

KNOTS = np.array([1.0, 8.0, 20.0, 44.0])
"""Cards in the pile."""
KIND_CELLS = 4 * 4 * 3 * 3 * 4 * 2
WEIGHTS_OF_A_KIND = 3
"""As it is, by value, by digit."""
_DIGITS = 9 * 5
_HAND = _DIGITS + 7
_SEATS = _HAND + 8 * 2
_SPECIALS = _SEATS + 6 * 2
OTHER_CELLS = _SPECIALS + SPECIALS
MOST_CELLS = KINDS + 4 + SPECIALS
"""No seat's position has more."""

DATA = Path(__file__).parent / "data" / "outlook.json"
_FITTED = json.loads(DATA.read_text("utf-8"))
KIND_WEIGHTS = np.array(_FITTED["kinds"], dtype=np.float64).reshape(
    KIND_CELLS, len(KNOTS), WEIGHTS_OF_A_KIND
)
OTHER_WEIGHTS = np.array(_FITTED["others"], dtype=np.float64).reshape(OTHER_CELLS, len(KNOTS))
"""Points for each cell, at each knot."""
DEVIATIONS = np.array(_FITTED["deviations"])
"""Standard deviation, at each knot, of what the margin of two seats is off."""
_STEPS = 256
_QUANTILES = np.array([NormalDist().inv_cdf((i + 0.5) / _STEPS) for i in range(_STEPS)])


@rule
def kind_cell(s: Record, seat: Int, kind: Int) -> Int:
    """What has become of the copies of a kind, and whether the seat moves, as one number."""
    others = np.int64(0)
    locked = in_kind(s.removed, kind)
    for other in range(s.seats):
        if other != seat:
            others += in_kind(s.hands[other], kind)
            locked += in_kind(s.safes[other], kind)
    stored = in_kind(s.safes[seat], kind)
    cell: Int = np.int64(0)
    if stored > 0:
        cell = min(max(stored - 2, 1), 3)
    cell = cell * 4 + min(in_kind(s.hands[seat], kind), 3)
    cell = cell * 3 + min(in_kind(s.market, kind), 2)
    cell = cell * 3 + min(others, 2)
    cell = cell * 4 + min(locked, 3)
    return cell * 2 + np.int64(s.turn == seat)


@rule
def pure_in_hand(s: Record, seat: Int) -> Int:
    """Magnifiers in hand."""
    pure = np.int64(0)
    for card in range(0, DIAMONDS, 2):
        pure += s.hands[seat, card]
    return pure


@rule
def lead(own: Int, best: Int, most: Int) -> Int:
    """By how much one is ahead, from 0 (so many behind, or more) to twice that."""
    return min(max(own - best, -most), most) + most


@rule
def list_cells(s: Record, seat: Int, cells: Ints) -> Int:
    """Writes the cells of a seat's position, those of the kinds first; returns how many."""
    for kind in range(KINDS):
        cells[kind] = kind_cell(s, seat, kind)
    best_stored = np.int64(0)
    best_pure = np.int64(0)
    best_sum = np.int64(0)
    for other in range(s.seats):
        if other != seat:
            best_stored = max(best_stored, magnifiers(s, other))
            best_pure = max(best_pure, pure_in_hand(s, other))
            best_sum = max(best_sum, hand_sum(s, other))
    mine = np.int64(s.turn == seat)
    n = np.int64(KINDS)
    ahead = lead(magnifiers(s, seat), best_stored, 4) * 5
    cells[n] = ahead + lead(pure_in_hand(s, seat), best_pure, 2)
    cells[n + 1] = _DIGITS + lead(hand_sum(s, seat) // 8, best_sum // 8, 3)
    cells[n + 2] = _HAND + min(size_of(s.hands[seat]), 7) * 2 + mine
    cells[n + 3] = _SEATS + s.seats * 2 + mine
    n += 4
    for special in range(SPECIALS):
        if s.hands[seat, X1 + special] > 0:
            cells[n] = _SPECIALS + special
            n += 1
    return n


@rule
def knot_below(cards: Int) -> Int:
    """The last knot with so many cards or fewer; never the last of all."""
    knot = np.int64(len(KNOTS) - 2)
    while knot > 0 and KNOTS[knot] > cards:
        knot -= 1
    return knot


@rule
def way_from(knot: Int, cards: Int) -> float:
    """How far it is from a knot to the next one, from 0 to 1."""
    way = (cards - KNOTS[knot]) / (KNOTS[knot + 1] - KNOTS[knot])
    return min(max(way, 0.0), 1.0)


@rule
def points_to_come(s: Record, seat: Int, cells: Ints, knot: Int, way: float) -> float:
    """What is added to a seat's collections until the end of the round, bonuses included."""
    n = list_cells(s, seat, cells)
    here = 0.0
    there = 0.0
    for kind in range(KINDS):
        weights = KIND_WEIGHTS[cells[kind]]
        value, digit = float(s.collection_values[kind, 0]), kind + 1.0
        here += weights[knot, 0] + weights[knot, 1] * value + weights[knot, 2] * digit
        there += weights[knot + 1, 0] + weights[knot + 1, 1] * value + weights[knot + 1, 2] * digit
    for i in range(KINDS, n):
        here += OTHER_WEIGHTS[cells[i], knot]
        there += OTHER_WEIGHTS[cells[i], knot + 1]
    return here + way * (there - here)


@rule
def draw_outcomes(s: Record, rng: Rng) -> None:
    """Writes how the round may come out if it goes on from here.

    Of two seats one has less of what the other has more of; three and more are on their own.
    """
    knot = knot_below(s.deck_size)
    way = way_from(knot, s.deck_size)
    deviation = DEVIATIONS[knot] + way * (DEVIATIONS[knot + 1] - DEVIATIONS[knot])
    deviation *= 0.5 if s.seats == 2 else math.sqrt(0.5)
    cells = np.empty(MOST_CELLS, dtype=np.int64)
    part = _STEPS // DRAWS
    luck = below(rng, part)
    shift = np.int64(0)
    for seat in range(s.seats):
        points = collection_points(s, seat) + points_to_come(s, seat, cells, knot, way)
        if seat > 0 and s.seats == 2:
            deviation = -deviation
        elif seat > 0:
            luck = below(rng, part)
            shift = below(rng, DRAWS)
        for i in range(DRAWS):
            quantile = _QUANTILES[(i + shift) % DRAWS * part + luck]
            s.outcomes[i, seat] = np.int16(math.floor(points + deviation * quantile + 0.5))
    s.drawn_outcomes = DRAWS
