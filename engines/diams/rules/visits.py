"""Visits to the market of Diam's (section 3.1)."""

from __future__ import annotations

import numpy as np

from engines.diams.rules.market import place, take, take_kind
from engines.diams.rules.moves import NOTHING, SAME_KIND, SUM, TAKE_CARD, visit_move
from engines.diams.rules.notes import PLACED, tell
from engines.diams.rules.state import DIAMONDS, TAKE, digit_of, in_kind, kind_of
from engines.diams.rules.turns import end_play
from engines.jit import Int, Ints, Log, Record, Row, rule


@rule
def add_sums(sums: Int, card: Int, copies: Int) -> Int:
    """Adds what up to so many copies of a card make possible to a bit mask of possible sums."""
    for _ in range(copies):
        sums |= (sums << digit_of(card)) & 2047
    return sums


@rule
def sum_exists(market: Row, placed: Int) -> bool:
    """Whether market cards of other kinds add up to the placed card's digit (3.1, mode B)."""
    sums = np.int64(1)
    for card in range(2 * kind_of(placed)):  # the digits of other kinds are all above the sum
        sums = add_sums(sums, card, market[card])
    return (sums >> digit_of(placed)) & 1 == 1


@rule
def list_takes(s: Record, out: Ints, n: Int) -> Int:
    """Cards that can be taken next for a sum: in descending order, and so that it comes out."""
    sums = np.int64(1)
    for card in range(min(s.last_card + 1, 2 * kind_of(s.placed))):
        copies = np.int64(s.market[card])
        left = s.missing - digit_of(card)
        if copies == 0 or left < 0:
            continue
        sums = add_sums(sums, card, copies - 1)
        if (sums >> left) & 1:
            out[n] = TAKE_CARD + card
            n += 1
        sums = add_sums(sums, card, 1)
    return n


@rule
def start_sum(s: Record, placed: Int) -> None:
    """Mode B: the cards are taken one by one, each not above ``last_card``."""
    s.phase = TAKE
    s.placed = placed
    s.missing = digit_of(placed)
    s.last_card = DIAMONDS - 1


@rule
def take_for_sum(s: Record, card: Int, log: Log | None) -> None:
    """Takes the next card of a sum."""
    take(s, card, log)
    s.missing -= digit_of(card)
    s.last_card = card
    if s.missing == 0:
        end_play(s, log)


@rule
def visit(s: Record, card: Int, mode: Int, log: Log | None) -> None:
    """Places a card and takes back its kind, a sum, or nothing (section 3.1)."""
    place(s, card)
    tell(s, log, PLACED + card)
    if mode == SUM:
        start_sum(s, card)
        return
    if mode == SAME_KIND:
        take_kind(s, kind_of(card), log)
    end_play(s, log)


@rule
def list_visits(s: Record, out: Ints, n: Int) -> Int:
    """Every diamond in hand with every mode that is possible with it."""
    hand = s.hands[s.turn]
    for card in range(DIAMONDS):
        if hand[card] == 0:
            continue
        if in_kind(s.market, kind_of(card)) > 0:
            out[n] = visit_move(card, SAME_KIND)
            n += 1
        if sum_exists(s.market, card):
            out[n] = visit_move(card, SUM)
            n += 1
        out[n] = visit_move(card, NOTHING)
        n += 1
    return n
