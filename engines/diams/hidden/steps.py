"""From the notes of a round of Diam's to what happened to one seat (section 6)."""

from __future__ import annotations

import numpy as np
from numba import types

from engines.diams.hidden.prepared import (
    DEALT_UNSEEN,
    GAINED,
    HELD_NOTHING,
    LOST,
    MAX_STEPS,
    PUT_AWAY,
    PUT_AWAY_SPECIAL,
    SAFE_GAINED,
    SAFE_LACKS,
    SAFE_LOST,
    SHOWN,
    TABLE,
)
from engines.diams.hidden.view import VIEW
from engines.diams.rules.notes import (
    DEPOSITED,
    DREW,
    DRILL_STARTED,
    FOUND,
    GIVEN_UP,
    MISSED,
    NOTHING_PLAYED,
    OFFERED,
    PLACED,
    SALE_STARTED,
    SHOPLIFTED,
    SOLD,
    SPECIAL_DEPOSITED,
    STORED,
    TAKEN,
)
from engines.diams.rules.options import TO_HAND
from engines.diams.rules.state import CARDS, DEALT, DIAMONDS, MAX_SEATS, X1, X2, X3, copies_of
from engines.jit import ROW, Int, Record, Row, entry, rule


@rule
def add_step(t: Record, what: Int, card: Int, number: Int) -> None:
    """Adds a step, if there is room."""
    if t.steps_size < MAX_STEPS:
        step = t.steps[t.steps_size]
        step.what = what
        step.card = card
        step.pure = number
        step.ordinary = 0
        step.certain_pure = 0
        step.certain_ordinary = 0
        t.steps_size += 1


@rule
def add_drill_steps(v: Record, t: Record, seat: Int, actor: Int, victim: Int, card: Int) -> None:
    """A drill that found a card. What is in an open safe needs no replay."""
    if actor == seat:
        if v.drill_to == TO_HAND:
            add_step(t, GAINED, card, 0)
        elif v.open_safes == 0:
            add_step(t, SAFE_GAINED, card, 0)
    elif victim == seat and v.open_safes == 0:
        add_step(t, SAFE_LOST, card, 0)


@rule
def add_own_steps(v: Record, t: Record, note: Int) -> None:
    """A note about the seat whose steps are being written, drills apart."""
    if note == DREW:
        add_step(t, DEALT_UNSEEN, 0, 1)
    elif note < TAKEN:
        add_step(t, LOST, note - PLACED, 0)
    elif note < OFFERED:
        add_step(t, GAINED, note - TAKEN, 0)
    elif note < SOLD:
        add_step(t, LOST, note - OFFERED, 0)
    elif STORED <= note < GIVEN_UP:
        add_step(t, LOST, note - STORED, 0)
    elif GIVEN_UP <= note < FOUND:
        add_step(t, LOST, note - GIVEN_UP, 0)
    elif DEPOSITED <= note < SPECIAL_DEPOSITED:
        if v.open_safes == 0:
            add_step(t, PUT_AWAY, 0, note - DEPOSITED)
    elif SPECIAL_DEPOSITED <= note < SALE_STARTED:
        add_step(t, LOST, X2, 0)
        if v.open_safes == 0:
            add_step(t, PUT_AWAY_SPECIAL, 0, note - SPECIAL_DEPOSITED)
    elif SALE_STARTED <= note < DRILL_STARTED:
        add_step(t, LOST, X1 + (note - SALE_STARTED) // MAX_SEATS, 0)
    elif DRILL_STARTED <= note < SHOPLIFTED:
        add_step(t, LOST, X1, 0)
    elif note == SHOPLIFTED:
        add_step(t, LOST, X3, 0)
    elif note >= NOTHING_PLAYED:
        add_step(t, HELD_NOTHING, 0, note - NOTHING_PLAYED)


@rule
def write_steps(v: Record, t: Record, seat: Int) -> None:
    """The round of one other seat, step by step."""
    add_step(t, DEALT_UNSEEN, 0, DEALT)
    actor = np.int64(-1)
    victim = np.int64(-1)
    for i in range(v.notes_size):
        note = np.int64(v.notes[i])
        if note < DREW:
            actor = note
        elif SALE_STARTED <= note < DRILL_STARTED:
            victim = (note - SALE_STARTED) % MAX_SEATS
        elif DRILL_STARTED <= note < SHOPLIFTED:
            victim = note - DRILL_STARTED
        if SOLD <= note < STORED:
            if victim == seat:
                step = t.steps[t.steps_size - 1]
                if (note - SOLD) & 1:
                    step.ordinary += 1
                else:
                    step.pure += 1
        elif FOUND <= note < MISSED:
            add_drill_steps(v, t, seat, actor, victim, note - FOUND)
        elif MISSED <= note < DEPOSITED:
            if victim == seat and v.open_safes == 0:
                add_step(t, SAFE_LACKS, note - MISSED, 0)
        elif actor == seat and note >= DREW:
            add_own_steps(v, t, note)
        elif victim == seat and OFFERED <= note < SOLD:
            add_step(t, SHOWN, (note - OFFERED) >> 1, 0)


@entry(types.int64(ROW, ROW))
def own_steps(view: Row, table: Row) -> Int:
    """Writes the round of the viewing seat itself; returns how many steps it has."""
    v = view.view(VIEW)[0]
    t = table.view(TABLE)[0]
    t.steps_size = 0
    write_steps(v, t, v.seat)
    return np.int64(t.steps_size)


@rule
def count_unseen(v: Record, t: Record) -> None:
    """The cards that the seat does not see, into t.free."""
    for card in range(CARDS):
        unseen = copies_of(v, card) - v.removed[card] - v.hand[card]
        if card < DIAMONDS:
            unseen -= v.market[card]
            for seat in range(v.seats):
                unseen -= v.safes[seat, card]
        t.free[card] = unseen


@rule
def undo_step(t: Record, step: Record) -> Int:
    """Gives back what left a seat in the open, and takes what came to it in the open, so that
    t.free gets to be the cards that came to slots or still lie in the pile. Returns how many slots
    the step dealt."""
    what = step.what
    if what == DEALT_UNSEEN:
        return np.int64(step.pure)
    if what in (LOST, SAFE_LOST):
        t.free[step.card] += 1
    elif what in (GAINED, SAFE_GAINED):
        t.free[step.card] -= 1
    elif what == SHOWN:
        t.free[2 * step.card] += step.pure
        t.free[2 * step.card + 1] += step.ordinary
    return np.int64(0)
