"""Playouts of DAO: random, or with a player's rules of thumb."""

from __future__ import annotations

from engines import contract
from engines.contract import RANDOM
from engines.dao.rules import REVEAL, ROW_LIMIT, STATE, TAKE, pile_score, play, row_total, value_of
from engines.jit import Int, Record, Rng, Row, entry, rule
from engines.rng import below

SAFE_TOTAL = ROW_LIMIT - 4
"""Up to this row total no card can push the row above 12."""
EXPLORE = 8
"""One informed decision in this many is random, so that no line is ruled out."""


@rule
def front_gain(s: Record) -> Int:
    """What taking the front card would add to the mover's score of this round, in points."""
    pile = s.piles[s.turn]
    before = pile_score(pile)
    card = s.row[0]
    pile[card] += 1
    gain = pile_score(pile) - before
    pile[card] -= 1
    return gain


@rule
def informed_move(s: Record, rng: Rng) -> Int:
    """Takes cards that score; turns while that is safe; otherwise takes the smaller evil."""
    if s.deck_size == 0:
        return TAKE
    if below(rng, EXPLORE) == 0:
        return below(rng, 2)
    total = row_total(s)
    gain = front_gain(s)
    if gain > 0 and (total > SAFE_TOTAL or gain >= value_of(s.row[0])):
        return TAKE
    if total <= SAFE_TOTAL:
        return REVEAL
    return TAKE if s.row_size > 1 or gain >= 0 else REVEAL


@rule
def random_move(s: Record, rng: Rng) -> Int:
    """A uniformly random legal move."""
    return TAKE if s.deck_size == 0 else below(rng, 2)


@entry(contract.POLICY_MOVE)
def policy_move(row: Row, rng: Rng) -> Int:
    """A legal move by the informed policy."""
    return informed_move(row.view(STATE)[0], rng)


@entry(contract.PLAYOUT)
def playout(row: Row, rng: Rng, policy: Int) -> Int:
    """Plays to the end in place; returns the number of moves."""
    s = row.view(STATE)[0]
    moves = 0
    while not s.over:
        move = random_move(s, rng) if policy == RANDOM else informed_move(s, rng)
        play(s, move, None)
        moves += 1
    return moves
