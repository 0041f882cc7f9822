"""Moves of Diam's as numbers (section 3).

A decision that a player makes in steps is asked in steps: which cards make up a sum, what a forced
sale offers, what a drill looks for, and which cards go over the hand limit.
"""

from __future__ import annotations

import numpy as np

from engines.diams.rules.state import MAX_SEATS
from engines.diams.rules.tables import COPIES
from engines.jit import Int, Ints, rule

(
    DRAW_MOVE,
    NO_PLAY,
    VISIT,
    DEPOSIT,
    SALE,
    DRILL,
    SPECIAL_DEPOSIT,
    SHOPLIFT,
    TAKE_CARD,
    OFFER_CARD,
    NAME_CARD,
    GIVE_UP,
) = (np.int64(n) << np.int64(54) for n in range(12))
"""Sorts of moves. To these is added: a draw; nothing; card and mode of a visit (see
``visit_move``); the number and the set of cards; special and opponent (see ``sale_move``); an
opponent; the number and the set of cards; a card in all others."""

MOVE_SHIFT = 54
COUNT_SHIFT = 50
"""A deposit holds its number of cards above its set, so that deposits which the others can't tell
apart stand together."""

ARGUMENT = (1 << MOVE_SHIFT) - 1
SET_MASK = (1 << COUNT_SHIFT) - 1
KIND_BITS = 5
"""A set of diamonds has 5 bits for each kind: six times its pure ones plus its ordinary ones."""
PURE_UNIT = COPIES + 1
DRAW_HAND, DRAW_MARKET = 0, 1
SAME_KIND, SUM, NOTHING = 0, 1, 2
"""Modes of a visit (section 3.1)."""

MODES = 3


@rule
def visit_move(card: Int, mode: Int) -> Int:
    """Placing a card and what is taken back."""
    return VISIT + card * MODES + mode


@rule
def sale_move(special: Int, opponent: Int) -> Int:
    """A forced sale with special 0 to 2 (X1 to X3)."""
    return SALE + special * MAX_SEATS + opponent


@rule
def sort_of(move: Int) -> Int:
    """What sort of move it is, such as VISIT."""
    return move >> MOVE_SHIFT << MOVE_SHIFT


@rule
def argument_of(move: Int) -> Int:
    """What a move adds to its sort."""
    return move & ARGUMENT


@rule
def count_of(move: Int) -> Int:
    """How many cards a deposit has."""
    return (move & ARGUMENT) >> COUNT_SHIFT


@rule
def pure_in(cards: Int, kind: Int) -> Int:
    """Pure diamonds of a kind in a set."""
    return ((cards >> (KIND_BITS * kind)) & 31) // PURE_UNIT


@rule
def ordinary_in(cards: Int, kind: Int) -> Int:
    """Ordinary diamonds of a kind in a set."""
    return ((cards >> (KIND_BITS * kind)) & 31) % PURE_UNIT


@rule
def set_of(kind: Int, pure: Int, ordinary: Int) -> Int:
    """The set of some diamonds of one kind, with their number above it."""
    cards = np.int64(PURE_UNIT * pure + ordinary) << np.int64(KIND_BITS * kind)
    return cards + (np.int64(pure + ordinary) << np.int64(COUNT_SHIFT))


@rule
def sort_moves(out: Ints, start: Int, end: Int) -> None:
    """Sorts out[start:end] in ascending order."""
    for i in range(start + 1, end):
        move = out[i]
        j = i
        while j > start and out[j - 1] > move:
            out[j] = out[j - 1]
            j -= 1
        out[j] = move
