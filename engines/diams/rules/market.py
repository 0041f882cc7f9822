"""The pile and the market of Diam's (sections 2 and 3.4)."""

from __future__ import annotations

import numpy as np

from engines.diams.rules.notes import CLOSING, TAKEN, TURNED, reveal, tell
from engines.diams.rules.options import DISCARD
from engines.diams.rules.state import CLOSING_CARD, DIAMONDS
from engines.events import emit
from engines.jit import Int, Log, Record, rule


@rule
def close(s: Record, log: Log | None) -> None:
    """The closing card comes up (section 3.4)."""
    s.closed = 1
    s.closer = s.turn
    emit(log, CLOSING, s.turn, 0, 0)


@rule
def pop(s: Record) -> Int:
    """Takes the top card off the pile."""
    s.deck_size -= 1
    card = np.int64(s.deck[s.deck_size])
    s.deck[s.deck_size] = 0
    return card


@rule
def turn_for_market(s: Record, log: Log | None) -> bool:
    """Turns a card into the market; False if the closing card came up.

    A special leaves the game, and the next card is turned in its place (sections 2 and 10.8).
    """
    while True:
        card = pop(s)
        reveal(s, card)
        if card == CLOSING_CARD:
            close(s, log)
            return False
        emit(log, TURNED, s.turn, card, 0)
        if card < DIAMONDS:
            s.market[card] += 1
            return True
        s.removed[card] += 1
        if s.special_in_market == DISCARD:
            return True


@rule
def take(s: Record, card: Int, log: Log | None) -> None:
    """One diamond from the market to the hand."""
    s.market[card] -= 1
    s.hands[s.turn, card] += 1
    tell(s, log, TAKEN + card)


@rule
def take_kind(s: Record, kind: Int, log: Log | None) -> None:
    """All market diamonds of a kind to the hand."""
    for card in range(2 * kind, 2 * kind + 2):
        for _ in range(s.market[card]):
            take(s, card, log)


@rule
def place(s: Record, card: Int) -> None:
    """Puts a diamond of the hand face up into the market."""
    s.hands[s.turn, card] -= 1
    s.market[card] += 1
