"""Points of a round of Diam's (section 4)."""

from __future__ import annotations

import numpy as np

from engines.diams.rules.state import DIAMONDS, SET_SIZE, digit_of, in_kind
from engines.diams.rules.tables import KINDS
from engines.jit import Int, Record, rule

PURITY_BONUS = 5
HAND_BONUS = 3


@rule
def collection_points(s: Record, seat: Int) -> Int:
    """Points of the kinds with three or more diamonds in the safe (section 4)."""
    points = np.int64(0)
    for kind in range(KINDS):
        diamonds = in_kind(s.safes[seat], kind)
        if diamonds >= SET_SIZE:
            points += s.collection_values[kind, diamonds - SET_SIZE]
    return points


@rule
def magnifiers(s: Record, seat: Int) -> Int:
    """Pure diamonds in the safe."""
    pure = np.int64(0)
    for kind in range(KINDS):
        pure += s.safes[seat, 2 * kind]
    return pure


@rule
def hand_sum(s: Record, seat: Int) -> Int:
    """Digits of the diamonds left in hand; specials count nothing."""
    total = np.int64(0)
    for card in range(DIAMONDS):
        total += digit_of(card) * s.hands[seat, card]
    return total


@rule
def purity_points(s: Record, seat: Int) -> Int:
    """The bonus for most magnifiers (section 4)."""
    own = magnifiers(s, seat)
    if own == 0:
        return np.int64(0)
    tied = False
    for other in range(s.seats):
        if other != seat:
            theirs = magnifiers(s, other)
            if theirs > own:
                return np.int64(0)
            tied |= theirs == own
    return np.int64(s.purity_tie) if tied else np.int64(PURITY_BONUS)


@rule
def hand_points(s: Record, seat: Int) -> Int:
    """The bonus for the highest hand sum (section 4)."""
    own = hand_sum(s, seat)
    tied = False
    for other in range(s.seats):
        if other != seat:
            theirs = hand_sum(s, other)
            if theirs > own:
                return np.int64(0)
            tied |= theirs == own
    return np.int64(s.hand_bonus_tie) if tied else np.int64(HAND_BONUS)


@rule
def round_points(s: Record, seat: Int) -> Int:
    """Points of a seat at the end of a round, bonuses included (section 4)."""
    return collection_points(s, seat) + purity_points(s, seat) + hand_points(s, seat)
