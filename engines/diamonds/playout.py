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
from engines.jit import Int, Record, Rng, Row, count, entry, lowest, rule
from engines.rng import below


from numba.extending import intrinsic
from numba import types
@intrinsic
def _pdep(tyctx, a, b):
    def codegen(context, builder, signature, args):
        from llvmlite import ir
        i64=ir.IntType(64)
        f=builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), ir.FunctionType(i64,[i64,i64]))
        return builder.call(f,args)
    return types.int64(types.int64,types.int64), codegen
@rule
def nth(mask, n):
    return lowest(_pdep(np.int64(1)<<n, mask))

GENERATOR = np.dtype((np.record, np.dtype([("words", np.uint64, (1,))])))


@rule
def pick(members: Int, rng: Rng) -> Int:
    """A uniformly random member of a set that is not empty."""
    return nth(members, below(rng, count(members)))


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


@rule
def play_randomly(s: Record, rng: Rng) -> Int:
    """Plays uniformly random legal moves to the end; returns their number."""
    moves = 0
    while s.phase != OVER:
        if s.phase == PLAY:
            play_card(s, pick(playable_cards(s), rng), None)
        else:
            decide(s, random_decision(s, rng), None)
        moves += 1
    return moves


@entry(contract.PLAYOUT)
def playout(row: Row, rng: Rng, policy: Int) -> Int:
    """Plays to the end or the horizon in place; returns the number of moves."""
    return play_randomly(row.view(STATE)[0], rng.view(GENERATOR)[0].words)
