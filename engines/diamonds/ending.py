"""Endings of Diamonds: in Perfect Diamonds for two nothing is hidden once cards are passed."""

from __future__ import annotations

import numpy as np

from engines import contract
from engines.bits import count
from engines.diamonds.rules.round_end import captured_by
from engines.diamonds.rules.state import PASS, STATE, SUITS, rounds
from engines.jit import Int, Ints, Record, Row, entry, rule
from engines.rng import mix

MOST_CARDS = 14
"""Cards in both hands with which an ending is tried."""


@entry(contract.UNSEEN)
def unseen(row: Row, out: Ints) -> Int:
    """No card is turned any more, late in the last round of Perfect Diamonds for two."""
    s = row.view(STATE)[0]
    last = s.seats == 2 and s.perfect == 1 and s.phase > PASS and s.round_number == rounds(s)
    if not last or count(s.hands[0]) + count(s.hands[1]) > MOST_CARDS:
        return -1
    return 0


@entry(contract.REORDER)
def reorder(row: Row, cards: Ints, n: Int) -> None:
    """There is nothing to turn."""


@rule
def scores_key(s: Record, side: Int) -> Int:
    """Crystals, and captured cards of each suit, of a side."""
    key = np.int64(s.vaults[side]) * 256 + s.showrooms[side]
    for suit in range(SUITS):
        key = key * 16 + captured_by(s, side, suit)
    return key


@entry(contract.POSITION_KEY)
def position_key(row: Row) -> Int:
    """Hands, trick, crystals, captured cards by suit, and whose turn of which phase it is."""
    s = row.view(STATE)[0]
    key = mix(mix(s.hands[0], s.hands[1]), s.trick)
    key = mix(key, scores_key(s, 0))
    key = mix(key, scores_key(s, 1))
    turn = np.int64(s.phase) * 2 + s.turn
    turn = (turn * 8 + s.trick_size) * 4 + s.led
    turn = (turn * 64 + s.best) * 2 + s.best_seat
    turn = (turn * 4 + s.thief + 1) * 8 + s.victim_reason
    turn = (turn * 4 + s.pending) * 4 + s.bonus_left
    return mix(mix(key, turn), s.supply_left)
