"""What a seat of Diam's knows (section 6)."""

from __future__ import annotations

import numpy as np

from engines import contract
from engines.diams.rules.state import (
    CARDS,
    DIAMONDS,
    MAX_SEATS,
    PUBLIC_BYTES,
    PUBLIC_FIELDS,
    STATE,
    size_of,
)
from engines.jit import Int, Record, Row, entry, rule
from engines.records import record_dtype

VIEW = record_dtype(
    [
        *PUBLIC_FIELDS,
        ("seat", np.int8),
        ("hand", np.uint8, (CARDS,)),
        ("hand_sizes", np.uint8, (MAX_SEATS,)),
        ("safe_sizes", np.uint8, (MAX_SEATS,)),
        ("safes", np.uint8, (MAX_SEATS, DIAMONDS)),
    ]
)
"""What one seat knows. ``safes``: the own safe, and with open safes those of all seats."""


@entry(contract.PROJECT)
def project(row: Row, seat: Int, view: Row) -> None:
    """Reduces a state to what the seat knows."""
    view[:PUBLIC_BYTES] = row[:PUBLIC_BYTES]
    s = row.view(STATE)[0]
    v = view.view(VIEW)[0]
    v.seat = seat
    v.hand[:] = s.hands[seat]
    for other in range(s.seats):
        v.hand_sizes[other] = size_of(s.hands[other])
        v.safe_sizes[other] = size_of(s.safes[other])
        if other == seat or s.open_safes:
            v.safes[other] = s.safes[other]


@rule
def pile_cards(v: Record) -> Int:
    """Cards left in the pile beside the closing card."""
    return np.int64(v.deck_size) - (0 if v.closed else 1)
