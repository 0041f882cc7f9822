"""Playouts of Diam's: random, or with a player's rules of thumb.

The thumb rule is one number for the diamonds of a kind in hand: what they are worth now or are
likely to bring. A deposit is made as soon as there is one; visits, takes and cards over the limit
are chosen by what they do to the sum of these numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engines import contract
from engines.contract import INFORMED, RANDOM
from engines.diams.outlook import draw_outcomes
from engines.diams.rules.deposits import holds_set
from engines.diams.rules.kernels import MAX_MOVES, list_moves, play
from engines.diams.rules.moves import (
    DEPOSIT,
    DRAW_HAND,
    DRAW_MARKET,
    DRAW_MOVE,
    GIVE_UP,
    NOTHING,
    OFFER_CARD,
    SAME_KIND,
    SHOPLIFT,
    SPECIAL_DEPOSIT,
    SUM,
    TAKE_CARD,
    sale_move,
    set_of,
    visit_move,
)
from engines.diams.rules.state import (
    DIAMONDS,
    DRAW,
    LIMIT,
    OFFER,
    OVER,
    PLAY,
    SET_SIZE,
    SPECIALS,
    STATE,
    TAKE,
    X1,
    X2,
    X3,
    in_kind,
    kind_of,
    size_of,
)
from engines.diams.rules.tables import COPIES, KINDS
from engines.diams.rules.turns import list_give_ups
from engines.diams.rules.visits import list_takes
from engines.jit import Int, Ints, Record, Rng, Row, entry, rule
from engines.rng import below

EXPLORE = 40
"""One informed decision in this many is random, so that no line is ruled out."""
ALONE, PAIR = 0.1, 0.35
"""Share of a set's value that one or two diamonds of it are worth in hand."""
READY = 0.9
"""Share of its value that a set in hand is worth."""
EXTRA = 1.2
"""What a diamond in hand is worth whose kind is in the safe."""
PAIR_SEEN = 2
"""So many of a kind in a hand have mostly been taken in the open, so a forced sale finds them."""
SURE_GAIN = 2.0
"""What a special card has to bring to be played."""
PURITY = 0.4
"""What a pure diamond is worth more than an ordinary one."""
LAST_DIGIT = 0.2
"""What a digit in hand is worth in the last turn, when no set will be completed any more."""


@rule
def worth(s: Record, kind: Int, number: Int) -> float:
    """What so many diamonds of a kind are worth in the hand of the seat to move, in points."""
    if number <= 0:
        return 0.0
    if s.closed == 1:
        return LAST_DIGIT * (kind + 1) * number
    stored = in_kind(s.safes[s.turn], kind)
    if stored > 0:
        return EXTRA * min(number, COPIES - stored)
    value = s.collection_values[kind, max(0, min(number, COPIES) - SET_SIZE)]
    if number >= SET_SIZE:
        return READY * value
    return value * (PAIR if number == 2 else ALONE)


@rule
def change(s: Record, kind: Int, more: Int) -> float:
    """What so many more (or fewer) diamonds of a kind change."""
    held = in_kind(s.hands[s.turn], kind)
    return worth(s, kind, held + more) - worth(s, kind, held)


@rule
def best_sums(s: Record, kind: Int, held: Int, there: Int, sums: Any, gains: Any) -> None:
    """Adds the market cards of a kind to the best way to come to each sum of digits."""
    digit = kind + 1
    now = worth(s, kind, held)
    for taken in range(1, there + 1):
        gains[taken] = worth(s, kind, held + taken) - now
    for total in range(len(sums) - 1, digit - 1, -1):
        best = sums[total]
        before = total
        for taken in range(1, there + 1):
            before -= digit
            if before < 0:
                break
            best = max(best, sums[before] + gains[taken])
        sums[total] = best


@rule
def informed_visit(s: Record, sums: Any, gains: Any) -> Int:
    """The visit that leaves the best hand; NO_PLAY without a diamond."""
    best = np.int64(-1)
    best_gain = -1e9
    sums[:] = -1e6
    sums[0] = 0.0
    hand = s.hands[s.turn]
    for kind in range(KINDS):
        held = in_kind(hand, kind)
        there = in_kind(s.market, kind)
        if held > 0:
            card = 2 * kind + 1 if hand[2 * kind + 1] > 0 else 2 * kind
            now = worth(s, kind, held)
            if there > 0:
                gain = worth(s, kind, held + there) - now
                if gain > best_gain:
                    best_gain = gain
                    best = visit_move(card, SAME_KIND)
            lost = worth(s, kind, held - 1) - now
            if sums[kind + 1] + lost > best_gain and sums[kind + 1] > -1e5:
                best_gain = sums[kind + 1] + lost
                best = visit_move(card, SUM)
            if lost > best_gain:
                best_gain = lost
                best = visit_move(card, NOTHING)
        if there > 0:
            best_sums(s, kind, held, there, sums, gains)
    return best


@rule
def whole_deposit(s: Record) -> Int:
    """Everything that may go into the safe along with the sets in hand."""
    move = DEPOSIT
    hand = s.hands[s.turn]
    for kind in range(KINDS):
        held = in_kind(hand, kind)
        if held >= SET_SIZE or (held > 0 and in_kind(s.safes[s.turn], kind) > 0):
            move += set_of(kind, hand[2 * kind], hand[2 * kind + 1])
    return move


@rule
def best_special_deposit(s: Record) -> Int:
    """All diamonds of the kind that has most for its collection in the safe, or -1."""
    hand = s.hands[s.turn]
    best = np.int64(-1)
    most = 0
    for kind in range(KINDS):
        held = in_kind(hand, kind)
        if held > most and in_kind(s.safes[s.turn], kind) > 0:
            most = held
            best = SPECIAL_DEPOSIT + set_of(kind, hand[2 * kind], hand[2 * kind + 1])
    return best


@rule
def best_shoplift(s: Record) -> Int:
    """The market diamond that brings most, if that is enough, or -1."""
    best = np.int64(-1)
    best_gain = SURE_GAIN
    for card in range(DIAMONDS):
        if s.market[card] > 0 and change(s, kind_of(card), 1) > best_gain:
            best_gain = change(s, kind_of(card), 1)
            best = SHOPLIFT + card
    return best


@rule
def sale_gain(s: Record, kind: Int, opponent: Int) -> float:
    """What a forced sale of a kind brings if the opponent was likely seen to take it; otherwise the
    offered diamond counts as lost."""
    theirs = in_kind(s.hands[opponent], kind)
    if theirs < PAIR_SEEN:
        return change(s, kind, -1)
    return change(s, kind, theirs + in_kind(s.market, kind))


@rule
def best_sale(s: Record, special: Int) -> Int:
    """A forced sale that brings enough, or -1."""
    best = np.int64(-1)
    best_gain = SURE_GAIN
    for opponent in range(s.seats):
        for kind in range(KINDS):
            if opponent != s.turn and in_kind(s.hands[s.turn], kind) > 0:
                gain = sale_gain(s, kind, opponent)
                if gain > best_gain:
                    best_gain = gain
                    best = sale_move(special, opponent)
    return best


@rule
def informed_special(s: Record) -> Int:
    """A use of a special card that looks good, or -1."""
    hand = s.hands[s.turn]
    if hand[X2] > 0:
        move = best_special_deposit(s)
        if move >= 0:
            return move
    if hand[X3] > 0:
        move = best_shoplift(s)
        if move >= 0:
            return move
    for special in range(SPECIALS):
        if hand[X1 + special] > 0:
            return best_sale(s, special)
    return np.int64(-1)


@rule
def informed_take(s: Record, moves: Ints) -> Int:
    """The next card of a sum that brings most."""
    n = list_takes(s, moves, np.int64(0))
    best = moves[0]
    best_gain = -1e9
    for i in range(n):
        card = moves[i] - TAKE_CARD
        gain = change(s, kind_of(card), 1) + (PURITY if card & 1 == 0 else 0.0)
        if gain >= best_gain:
            best_gain = gain
            best = moves[i]
    return best


@rule
def informed_give_up(s: Record, moves: Ints) -> Int:
    """The card over the limit that is missed least."""
    n = list_give_ups(s, moves, np.int64(0))
    best = moves[0]
    best_loss = 1e9
    for i in range(n):
        card = moves[i] - GIVE_UP
        loss = -change(s, kind_of(card), -1) if card < DIAMONDS else SURE_GAIN
        if loss < best_loss:
            best_loss = loss
            best = moves[i]
    return best


@rule
def informed_offer(s: Record) -> Int:
    """The diamond of the kind that the market has most of use of."""
    best = OFFER_CARD
    best_gain = -1e9
    for card in range(DIAMONDS):
        if s.hands[s.turn, card] > 0:
            kind = kind_of(card)
            gain = sale_gain(s, kind, s.opponent)
            if gain > best_gain:
                best_gain = gain
                best = OFFER_CARD + card
    return best


@rule
def random_move(s: Record, rng: Rng, moves: Ints) -> Int:
    """A uniformly random legal move."""
    return moves[below(rng, list_moves(s, moves))]


@rule
def informed_play(s: Record, rng: Rng, moves: Ints, sums: Any, gains: Any) -> Int:
    """Deposits if it can, plays a special if that looks good, goes to the market otherwise."""
    if holds_set(s.hands[s.turn]):
        return whole_deposit(s)
    move = informed_special(s)
    if move < 0:
        move = informed_visit(s, sums, gains)
    return move if move >= 0 else random_move(s, rng, moves)


@rule
def informed_move(s: Record, rng: Rng, moves: Ints, sums: Any, gains: Any) -> Int:
    """What a player would do by the rules of thumb, with a random move now and then."""
    if below(rng, EXPLORE) == 0:
        return random_move(s, rng, moves)
    if s.phase == DRAW:
        full = size_of(s.hands[s.turn]) >= s.hand_limit
        return DRAW_MOVE + (DRAW_MARKET if full else DRAW_HAND)
    if s.phase == PLAY:
        return informed_play(s, rng, moves, sums, gains)
    if s.phase == TAKE:
        return informed_take(s, moves)
    if s.phase == OFFER:
        return informed_offer(s)
    if s.phase == LIMIT:
        return informed_give_up(s, moves)
    return random_move(s, rng, moves)


@entry(contract.POLICY_MOVE)
def policy_move(row: Row, rng: Rng) -> Int:
    """A legal move by the informed policy."""
    moves = np.empty(MAX_MOVES, dtype=np.int64)
    sums, gains = np.empty(KINDS + 1), np.empty(COPIES + 1)
    return informed_move(row.view(STATE)[0], rng, moves, sums, gains)


@entry(contract.PLAYOUT)
def playout(row: Row, rng: Rng, policy: Int) -> Int:
    """Plays to the end or the horizon in place; returns the number of moves.

    By the informed policy each seat of a sample has a turn of its own at most; how the round comes
    out from there is foreseen.
    """
    s = row.view(STATE)[0]
    moves = np.empty(MAX_MOVES, dtype=np.int64)
    sums, gains = np.empty(KINDS + 1), np.empty(COPIES + 1)
    played = 0
    turns = np.int64(0)
    while s.phase != OVER:
        if s.phase == DRAW and s.round_number == s.horizon and policy == INFORMED:
            if turns == s.seats:
                draw_outcomes(s, rng)
                s.phase = OVER
                break
            turns += 1
        if policy == RANDOM:
            move = random_move(s, rng, moves)
        else:
            move = informed_move(s, rng, moves, sums, gains)
        play(s, move, None)
        played += 1
    return played
