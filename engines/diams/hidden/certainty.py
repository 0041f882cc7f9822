"""What is certain about the hidden cards of Diam's, and what is possible at most."""

from __future__ import annotations

import numpy as np

from engines.diams.hidden.prepared import (
    DEALT_UNSEEN,
    GAINED,
    HELD_NOTHING,
    LOST,
    LOST_KNOWN,
    LOST_SLOT,
    MAX_CHOICES,
    MAX_SLOTS,
    PUT_AWAY,
    PUT_AWAY_SPECIAL,
    SHOWN,
)
from engines.diams.rules.state import X1, size_of
from engines.jit import Int, Record, rule


@rule
def start_seat(h: Record) -> None:
    """A seat before the first card is dealt."""
    h.known[:] = 0
    h.safe[:] = 0
    h.slots = 0


@rule
def settle_certain(t: Record, h: Record, step: Record) -> None:
    """Finds out whether a card that left is certain to have been known or a slot; cards that are
    certain to have been slots are no longer free."""
    if step.what == LOST:
        if h.known[step.card] == 0:
            step.what = LOST_SLOT
            t.free[step.card] -= 1
        elif h.certain:
            step.what = LOST_KNOWN
    elif step.what == SHOWN:
        one = 2 * step.card
        step.certain_pure = max(0, step.pure - h.known[one])
        step.certain_ordinary = max(0, step.ordinary - h.known[one + 1])
        t.free[one] -= step.certain_pure
        t.free[one + 1] -= step.certain_ordinary


@rule
def follow(t: Record, h: Record, i: Int) -> None:
    """Step i with the most that can be true of a seat."""
    step = t.steps[i]
    what = step.what
    step.most = min(h.unresolved, h.cards)
    if what == DEALT_UNSEEN:
        h.cards += step.pure
        h.unresolved += step.pure
    elif what == GAINED:
        h.known[step.card] += 1
        h.cards += 1
    elif what in (LOST_KNOWN, LOST):
        h.known[step.card] -= 1
        h.cards -= 1
    elif what == LOST_SLOT:
        h.unresolved -= 1
        h.cards -= 1
    elif what == SHOWN:
        h.known[2 * step.card] = 0
        h.known[2 * step.card + 1] = 0
        h.cards -= step.pure + step.ordinary
        h.unresolved -= step.certain_pure + step.certain_ordinary
    elif what in (PUT_AWAY, PUT_AWAY_SPECIAL):
        number_choice(t, i)
        follow_deposit(h, step)
    elif what == HELD_NOTHING:
        if step.most > 0:
            number_choice(t, i)
        follow_nothing(h)
    step.cards = h.cards


@rule
def number_choice(t: Record, i: Int) -> None:
    """Gives a number to step i, whose cards have to be chosen, if there is room."""
    t.steps[i].number = min(np.int64(t.choices), MAX_CHOICES - 1)
    t.choice_steps[t.steps[i].number] = i
    t.choices += 1


@rule
def follow_deposit(h: Record, step: Record) -> None:
    """A deposit: at most all known cards went into it, at least none of them."""
    h.cards -= step.pure
    if size_of(h.known) > 0:
        h.certain = 0


@rule
def follow_nothing(h: Record) -> None:
    """All cards in hand are special ones, and known to be from now on."""
    h.known[:] = 0
    if h.cards > 0:
        h.known[X1:] = 1
    h.certain = h.cards == 0
    h.unresolved = 0


@rule
def follow_seat(t: Record, seat: Int) -> bool:
    """Tells certain from possible in the steps of a seat; False if they can't be right."""
    h = t.seats[seat]
    start_seat(h)
    h.cards = 0
    h.unresolved = 0
    h.certain = 1
    for i in range(t.first_step[seat], t.first_step[seat + 1]):
        settle_certain(t, h, t.steps[i])
        follow(t, h, i)
        if not (0 <= h.cards <= MAX_SLOTS and h.unresolved >= 0):
            return False
    return True
