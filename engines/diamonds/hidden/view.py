"""What a seat of Diamonds knows (section 6)."""

from __future__ import annotations

import numpy as np

from engines import contract
from engines.diamonds.rules.state import (
    PASS,
    PASS_COUNT,
    PUBLIC_BYTES,
    PUBLIC_FIELDS,
    STATE,
    bit,
    first_from_left,
    giver_of,
)
from engines.jit import Int, Record, Row, entry, rule
from engines.records import record_dtype

VIEW = record_dtype(
    [
        *PUBLIC_FIELDS,
        ("hand", np.int64),
        ("given", np.int64),
        ("received", np.int64),
        ("seat", np.int8),
    ]
)
"""What one seat knows. ``given``: the cards it passes or has passed on this round; ``received``:
the cards that it was passed. While passing, ``turn`` says nothing of who has chosen."""


@rule
def has_passed(s: Record) -> bool:
    """Whether the cards to pass have changed hands this round."""
    return s.phase > PASS


@rule
def turn_while_passing(s: Record, seat: Int, chosen: bool) -> Int:
    """Whose turn a view tells while the cards to pass are chosen: the viewing seat's own if it has
    not chosen, else the first other seat's; nothing about what the others have done."""
    if not chosen:
        return seat
    return first_from_left(s, (bit(s.seats) - 1) ^ bit(seat))


@entry(contract.PROJECT)
def project(row: Row, seat: Int, view: Row) -> None:
    """Reduces a state to what the seat knows."""
    s = row.view(STATE)[0]
    v = view.view(VIEW)[0]
    view[:PUBLIC_BYTES] = row[:PUBLIC_BYTES]
    v.seat = seat
    v.hand = s.hands[seat]
    v.given = s.passed[seat]
    v.received = 0
    if s.phase == PASS:
        v.turn = turn_while_passing(s, seat, s.passed[seat] != 0)
    elif s.phase != PASS_COUNT:
        v.received = s.passed[giver_of(s, seat)]
