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
    OPTION_FIELDS,
    PUBLIC_FIELDS,
    STATE,
    VALUES,
    is_split_first_round,
)
from engines.jit import Int, Record, Rng, Row, entry, rule
from engines.records import record_dtype
from engines.rng import shuffle

VIEW = record_dtype([("seat", np.int8), *OPTION_FIELDS, *PUBLIC_FIELDS])
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
def copy_public(source: Record, target: Record) -> None:
    """Copies options and public fields between states and views."""
    target.exception_card = source.exception_card
    target.initial_row = source.initial_row
    target.two_round_split = source.two_round_split
    target.split_second_starter = source.split_second_starter
    target.exception_on_last_card = source.exception_on_last_card
    target.leftover_row = source.leftover_row
    target.refill_ends_game = source.refill_ends_game
    target.tie_break = source.tie_break
    target.random_start = source.random_start
    target.seats = source.seats
    target.turn = source.turn
    target.starter = source.starter
    target.round_number = source.round_number
    target.over = source.over
    target.row_size = source.row_size
    target.deck_size = source.deck_size
    target.row[:] = source.row
    target.piles[:] = source.piles
    target.first_half[:] = source.first_half
    target.first_score[:] = source.first_score
    target.first_cards[:] = source.first_cards


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
    v = view.view(VIEW)[0]
    copy_public(row.view(STATE)[0], v)
    v.seat = seat


@entry(contract.PREPARE)
def prepare(view: Row, table: Row) -> Int:
    """Lists the unseen cards; 1 if they are as many as lie face down."""
    v = view.view(VIEW)[0]
    t = table.view(TABLE)[0]
    template = t.template.view(STATE)[0]
    copy_public(v, template)
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
