"""Endings of Diamonds Club: once the last market has been laid, chance has no part any more."""

from __future__ import annotations

import numpy as np

from engines import contract
from engines.diamonds_club.rules.options import OPTIONS
from engines.diamonds_club.rules.park import is_full
from engines.diamonds_club.rules.state import (
    MARKET,
    OPEN_START,
    OVER,
    STATE,
    offset_of,
)
from engines.jit import Int, Ints, Record, Row, entry, rule
from engines.rng import mix

MOST_COINS = 6
"""Coins of all seats with which the end of a market is tried."""
_KEY_START = OPEN_START // 8
_KEY_END = (offset_of(STATE, OPTIONS[0].name) + 7) // 8
"""What lies on the table, in words of the state. Options do not change in a game."""


@rule
def is_last_round(s: Record) -> bool:
    """Whether it is certain that the game ends with this round."""
    last = s.round_number == s.max_rounds
    for seat in range(s.seats):
        last = last or is_full(s, seat)
    return last


@rule
def coins_left(s: Record) -> Int:
    """Coins of the seats that may still buy."""
    coins = 0
    for seat in range(s.seats):
        if s.out >> seat & 1 == 0:
            coins += s.coins[seat]
    return coins


@entry(contract.UNSEEN)
def unseen(row: Row, out: Ints) -> Int:
    """Nothing is turned in the last round, but most of its market has too many ways to go on."""
    s = row.view(STATE)[0]
    if s.phase == OVER:
        return 0
    if not is_last_round(s) or (s.phase == MARKET and coins_left(s) > MOST_COINS):
        return -1
    return 0


@entry(contract.REORDER)
def reorder(row: Row, cards: Ints, n: Int) -> None:
    """There is nothing to turn."""


@entry(contract.POSITION_KEY)
def position_key(row: Row) -> Int:
    """Everything that lies on the table."""
    words = row.view(np.int64)
    key = np.int64(0)
    for i in range(_KEY_START, _KEY_END):
        key = mix(key, words[i])
    return key
