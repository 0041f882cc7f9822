"""Playouts of Diamonds: random, or with a player's rules of thumb."""

from __future__ import annotations

import numpy as np

from engines import contract
from engines.contract import RANDOM
from engines.diamonds.rules import (
    BONUS,
    MAX_PASS,
    MIN_PASS,
    OVER,
    PASS,
    PASS_COUNT,
    PLAY,
    STATE,
    SUITS,
    VICTIM,
    bit,
    decide,
    play_card,
    playable_cards,
    possible_victims,
    side_of,
)
from engines.jit import Int, Record, Rng, Row, count, entry, member, rule
from engines.rng import below, borrowed


@rule
def pick(members: Int, rng: Rng) -> Int:
    """A uniformly random member of a set that is not empty."""
    return member(members, below(rng, count(members)))


@rule
def pick_some(members: Int, size: Int, rng: Rng) -> Int:
    """A uniformly random subset of a set that has at least ``size`` members."""
    chosen = np.int64(0)
    for _ in range(size):
        chosen |= bit(pick(members ^ chosen, rng))
    return chosen


@rule
def random_decision(s: Record, rng: Rng) -> Int:
    """A uniformly random legal move of any phase but PLAY."""
    if s.phase == VICTIM:
        return pick(possible_victims(s, side_of(s, np.int64(s.turn))), rng)
    if s.phase == PASS:
        return pick_some(s.hands[s.turn], s.pass_count, rng)
    if s.phase == PASS_COUNT:
        return MIN_PASS + below(rng, MAX_PASS - MIN_PASS + 1)
    return below(rng, SUITS)


@entry(contract.PLAYOUT)
def playout(row: Row, rng: Rng, policy: Int) -> Int:
    """Plays to the end or the horizon in place; returns the number of moves."""
    s = row.view(STATE)[0]
    draw = borrowed(rng)
    moves = 0
    while s.phase != OVER:
        if s.phase == PLAY:
            play_card(s, pick(playable_cards(s), draw), None)
        else:
            decide(s, random_decision(s, draw), None)
        moves += 1
    return moves


@entry(contract.POLICY_MOVE)
def policy_move(row: Row, rng: Rng) -> Int:
    """A legal move by the informed playout policy."""
    s = row.view(STATE)[0]
    if s.phase == PLAY:
        return pick(playable_cards(s), rng)
    return random_decision(s, rng)
