"""What a seat of DAO knows, and sampling of what it doesn't (section 6).

Every card was open when it was taken, so only the order of the deck is hidden, and in round 1 of a
split which of the unseen cards lie in which half.
"""

from __future__ import annotations

import numpy as np

from engines import contract
from engines.contract import MAX_SEATS
from engines.dao.rules import (
    CARD_KINDS,
    COPIES,
    DECK_SIZE,
    HALF_DECK,
    PUBLIC_BYTES,
    PUBLIC_FIELDS,
    STATE,
    VALUES,
    is_split_first_round,
)
from engines.jit import Int, Record, Rng, Row, entry, rule
from engines.records import record_dtype
from engines.rng import shuffle

VIEW = record_dtype([*PUBLIC_FIELDS, ("seat", np.int8)])
"""What one seat knows."""

TABLE = record_dtype(
    [
        ("template", np.uint8, (STATE.itemsize,)),
        ("unseen", np.uint8, (DECK_SIZE,)),
        ("unseen_size", np.int8),
    ],
    raw=("template",),
)
"""Filled once for a view: the state without its hidden cards, and the cards not seen yet."""


@rule
def hidden_cards(v: Record) -> Int:
    """How many cards lie face down: the deck, and the second half while it is still to come."""
    return v.deck_size + (HALF_DECK if is_split_first_round(v) else 0)


@rule
def unseen_copies(v: Record, card: Int) -> Int:
    """Copies of a card kind that the seat has not seen; negative if the view shows too many."""
    copies = COPIES[card % VALUES] - v.first_half[card]
    for i in range(v.row_size):
        if v.row[i] == card:
            copies -= 1
    for seat in range(MAX_SEATS):
        copies -= v.piles[seat, card]
    return copies


@entry(contract.PROJECT)
def project(row: Row, seat: Int, view: Row) -> None:
    """Reduces a state to what the seat knows."""
    view[:PUBLIC_BYTES] = row[:PUBLIC_BYTES]
    view.view(VIEW)[0].seat = seat


@entry(contract.PREPARE)
def prepare(view: Row, table: Row) -> Int:
    """Lists the unseen cards; 1 if they are as many as lie face down."""
    v = view.view(VIEW)[0]
    t = table.view(TABLE)[0]
    t.template[:PUBLIC_BYTES] = view[:PUBLIC_BYTES]
    n = 0
    for card in range(CARD_KINDS):
        copies = unseen_copies(v, card)
        if copies < 0:
            return 0
        for _ in range(copies):
            t.unseen[n] = card
            n += 1
    t.unseen_size = n
    return 1 if n == hidden_cards(v) else 0


@entry(contract.DETERMINIZE)
def determinize(view: Row, table: Row, rng: Rng, out: Row) -> None:
    """Shuffles the unseen cards into the deck and, if still to come, the second half."""
    t = table.view(TABLE)[0]
    out[:] = t.template
    s = out.view(STATE)[0]
    shuffle(rng, t.unseen, t.unseen_size)
    for i in range(s.deck_size):
        s.deck[i] = t.unseen[i]
    for i in range(s.deck_size, t.unseen_size):
        s.second_half[i - s.deck_size] = t.unseen[i]
