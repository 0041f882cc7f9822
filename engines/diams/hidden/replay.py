"""What the other seats can hold: their round replayed with the cards that nobody saw (section 6).

A *history* of the round is a shuffle of the pile together with a choice of the diamonds of each
deposit that the viewing seat did not see; choices that differ only in equal cards are one. Every
history that shows the viewing seat exactly what it saw counts once, and the sampler draws among
them uniformly. This module draws what the other seats held and did.

A card that came to a hand unseen is a *slot*. Slots are given a card when they have to be: when a
card leaves the hand in the open that was not known to be there, or when a deposit takes one. All
others are dealt at the end. So that a history is drawn in one way only,

* a card that leaves is one that was known to be in hand, if there is one that equals it;
* otherwise it is the oldest slot with this card: older slots that stay are barred from it.
"""

from __future__ import annotations

import numpy as np

from engines.diams.hidden.certainty import start_seat
from engines.diams.hidden.prepared import (
    DEALT_UNSEEN,
    GAINED,
    HELD_NOTHING,
    LOST,
    LOST_KNOWN,
    LOST_SLOT,
    PUT_AWAY,
    PUT_AWAY_SPECIAL,
    SAFE_GAINED,
    SAFE_LOST,
    SHOWN,
)
from engines.diams.hidden.slots import give, give_free, settle
from engines.diams.hidden.ways import draw_plans
from engines.diams.rules.state import SPECIALS, X1
from engines.diams.rules.tables import KINDS
from engines.jit import Int, Record, Rng, rule


@rule
def lose(t: Record, h: Record, step: Record, rng: Rng) -> bool:
    """A card left that may have been known to be there, or else was a slot."""
    card = step.card
    if h.known[card] > 0:
        h.known[card] -= 1
        return True
    return give_free(t, h, card, rng) and settle(h)


@rule
def show_card(t: Record, h: Record, card: Int, number: Int, certain: Int, rng: Rng) -> bool:
    """Slots for the shown diamonds of one sort that were not known to be there."""
    for i in range(number):
        if not (give(h, card, rng) if i < certain else give_free(t, h, card, rng)):
            return False
    return True


@rule
def show(t: Record, h: Record, step: Record, rng: Rng) -> bool:
    """All diamonds of a kind had to be shown; no others were in hand."""
    one = 2 * step.card
    pure = step.pure - h.known[one]
    ordinary = step.ordinary - h.known[one + 1]
    h.known[one] = 0
    h.known[one + 1] = 0
    if not show_card(t, h, one, pure, step.certain_pure, rng):
        return False
    if not show_card(t, h, one + 1, ordinary, step.certain_ordinary, rng):
        return False
    if not settle(h):
        return False
    for slot in range(h.slots):
        h.barred[slot] |= np.int64(3) << one
    return True


@rule
def put_card(t: Record, h: Record, card: Int, number: Int, rng: Rng) -> bool:
    """Puts so many of a card into the safe, known ones first."""
    known = min(number, np.int64(h.known[card]))
    h.known[card] -= known
    h.safe[card] += number
    for _ in range(number - known):
        if not give_free(t, h, card, rng):
            return False
    return True


@rule
def put_away(t: Record, h: Record, step: Record, rng: Rng) -> bool:
    """A deposit, as planned."""
    for kind in range(KINDS):
        chosen = np.int64(t.plans[t.chosen[kind]].cards[step.number])
        if chosen > 0:
            if not put_card(t, h, 2 * kind, chosen // 6, rng):
                return False
            if not put_card(t, h, 2 * kind + 1, chosen % 6, rng):
                return False
    return settle(h)


@rule
def hold_nothing(t: Record, h: Record, step: Record, rng: Rng) -> bool:
    """Nothing could be played: the slots are special cards, as planned."""
    if step.most == 0:
        return True
    slots = np.int64(t.plans[t.chosen[KINDS]].cards[step.number])
    for i in range(SPECIALS):
        if (slots >> i) & 1:
            if not give_free(t, h, X1 + i, rng):
                return False
            h.known[X1 + i] = 1
    return settle(h)


@rule
def replay_step(t: Record, h: Record, step: Record, rng: Rng) -> bool:
    """One step; False if the attempt has come to nothing."""
    what = step.what
    if what == DEALT_UNSEEN:
        for slot in range(h.slots, h.slots + step.pure):
            h.barred[slot] = 0
            h.given[slot] = 0
        h.slots += step.pure
    elif what == GAINED:
        h.known[step.card] += 1
    elif what == LOST_KNOWN:
        h.known[step.card] -= 1
    elif what == LOST_SLOT:
        return give(h, step.card, rng) and settle(h)
    elif what == LOST:
        return lose(t, h, step, rng)
    elif what == SHOWN:
        return show(t, h, step, rng)
    elif what in (PUT_AWAY, PUT_AWAY_SPECIAL):
        return put_away(t, h, step, rng)
    elif what == SAFE_GAINED:
        h.safe[step.card] += 1
    elif what == SAFE_LOST:
        h.safe[step.card] -= 1
    elif what == HELD_NOTHING:
        return hold_nothing(t, h, step, rng)
    return True


@rule
def replay_seat(t: Record, seat: Int, rng: Rng) -> bool:
    """The round of a seat; False if the attempt has come to nothing."""
    h = t.seats[seat]
    start_seat(h)
    for i in range(t.first_step[seat], t.first_step[seat + 1]):
        if not replay_step(t, h, t.steps[i], rng):
            return False
    return True


@rule
def replay_round(v: Record, t: Record, rng: Rng) -> bool:
    """One attempt to draw what all seats did; False if it has come to nothing."""
    t.pool[:] = t.free
    draw_plans(t, rng)
    for seat in range(v.seats):
        if seat != v.seat and not replay_seat(t, seat, rng):
            return False
    return True
