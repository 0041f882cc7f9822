"""What a seat of Diamonds Club knows: everything but the markets to come (section 6)."""

from __future__ import annotations

import numpy as np

from engines import contract
from engines.diamonds_club.rules.state import MARKET, OPEN_FIELDS, OPEN_START, STATE, offset_of
from engines.jit import Int, Record, Rng, Row, entry, rule
from engines.records import record_dtype
from engines.rng import next_word

VIEW = record_dtype([("seat", np.int64), *OPEN_FIELDS])
"""What one seat knows. The open fields lie in one block, as in the state."""
VIEW_START = offset_of(VIEW, "seats")
OPEN_BYTES = min(STATE.itemsize - OPEN_START, VIEW.itemsize - VIEW_START)

TABLE = record_dtype([("template", np.uint8, (STATE.itemsize,))], raw=("template",))
"""Filled once for a view: the state without a generator."""


@entry(contract.PROJECT)
def project(row: Row, seat: Int, view: Row) -> None:
    """Copies the open fields."""
    view[VIEW_START : VIEW_START + OPEN_BYTES] = row[OPEN_START : OPEN_START + OPEN_BYTES]
    view.view(VIEW)[0].seat = seat


@entry(contract.PREPARE)
def prepare(view: Row, table: Row) -> Int:
    """Copies the open fields; nothing else is needed for any view to agree with a state."""
    t = table.view(TABLE)[0]
    t.template[OPEN_START : OPEN_START + OPEN_BYTES] = view[VIEW_START : VIEW_START + OPEN_BYTES]
    return 1


@rule
def horizon_of(s: Record) -> Int:
    """The round after which a search ends: this one in the market phase, later the next one, which
    the exchange and the building phase prepare. The search goes to the end of a shorter game."""
    return s.round_number if s.phase == MARKET else s.round_number + 1


@entry(contract.DETERMINIZE)
def determinize(view: Row, table: Row, rng: Rng, out: Row) -> None:
    """Gives the state a generator for the markets to come.

    A market is drawn when it is laid, from the strips that ``drawn`` leaves in the piles, so all
    orders of the piles that agree with the view are equally likely.
    """
    out[:] = table.view(TABLE)[0].template
    s = out.view(STATE)[0]
    s.random_state[0] = next_word(rng)
    s.horizon = horizon_of(s)
