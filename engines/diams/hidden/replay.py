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
from engines.diams.hidden.plans import usable
from engines.diams.hidden.prepared import (
    DEALT_UNSEEN,
    GAINED,
    HELD_NOTHING,
    LOST,
    LOST_KNOWN,
    LOST_SLOT,
    PLAN_BITS,
    PUT_AWAY,
    PUT_AWAY_SPECIAL,
    SAFE_GAINED,
    SAFE_LOST,
    SHOWN,
    falling,
    power,
)
from engines.diams.hidden.slot_counts import share_of
from engines.diams.hidden.slots import give, give_free, settle
from engines.diams.hidden.totals import draw_plans
from engines.diams.rules.state import CARDS, SET_SIZE, X1
from engines.diams.rules.tables import KINDS
from engines.jit import Int, Record, Rng, rule
from engines.rng import below, uniform


@rule
def accept(t: Record, rng: Rng, chance: float) -> bool:
    """Whether to go on, with this chance."""
    return bool(t.lenient or chance >= 1.0 or uniform(rng) < chance)


@rule
def lose_slot(t: Record, h: Record, step: Record, free: Int, rng: Rng) -> bool:
    """A card left that was a slot."""
    h.chance *= share_of(step, h.slots, 1)
    given = give_free(t, h, step.card, rng) if free else give(t, h, step.card, rng)
    return given and settle(h)


@rule
def lose_special(t: Record, h: Record, step: Record, rng: Rng) -> bool:
    """The same for a special card, which no plan tells about."""
    weight = step.most * t.pool[step.card] * t.slot_weight
    return accept(t, rng, weight / step.bound) and lose_slot(t, h, step, 1, rng)


@rule
def lose(t: Record, h: Record, step: Record, rng: Rng) -> bool:
    """A card left that may have been known to be there."""
    card = step.card
    if h.known[card] > 0:
        h.known[card] -= 1
        return card < X1 or accept(t, rng, 1.0 / step.bound)
    return lose_special(t, h, step, rng) if card >= X1 else lose_slot(t, h, step, 1, rng)


@rule
def show_card(t: Record, h: Record, card: Int, number: Int, certain: Int, rng: Rng) -> bool:
    """Slots for the shown diamonds of one sort that were not known to be there."""
    for i in range(number):
        if not (give(t, h, card, rng) if i < certain else give_free(t, h, card, rng)):
            return False
    return True


@rule
def show(t: Record, h: Record, step: Record, rng: Rng) -> bool:
    """All diamonds of a kind had to be shown; no others were in hand."""
    one = 2 * step.card
    pure = step.pure - h.known[one]
    ordinary = step.ordinary - h.known[one + 1]
    slots = pure + ordinary
    h.chance *= share_of(step, h.slots, slots)
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
def put_card(t: Record, h: Record, card: Int, number: Int, rng: Rng) -> Int:
    """Puts so many of a card into the safe, known ones first; returns the slots used, or -1."""
    known = min(number, np.int64(h.known[card]))
    h.known[card] -= known
    h.safe[card] += number
    for _ in range(number - known):
        if not give_free(t, h, card, rng):
            return np.int64(-1)
    return number - known


@rule
def is_deposit(h: Record, step: Record) -> bool:
    """Whether the plans make up a deposit of the right size, with a set unless a special card
    allowed it (sections 3.2 and 3.3, C)."""
    size = np.int64(0)
    has_set = step.what == PUT_AWAY_SPECIAL
    for kind in range(KINDS):
        chosen = (h.plan[kind] >> (PLAN_BITS * step.number)) & 63
        number = chosen // 6 + chosen % 6
        size += number
        has_set |= number >= SET_SIZE
    return size == step.pure and has_set


@rule
def put_away(t: Record, h: Record, step: Record, rng: Rng) -> bool:
    """A deposit, as planned. Each kind has counted its own choices of slots."""
    if h.radix[step.number] == 1 and not is_deposit(h, step):
        return False
    used = np.int64(0)
    for kind in range(KINDS):
        chosen = (h.plan[kind] >> (PLAN_BITS * step.number)) & 63
        if chosen > 0:
            a = put_card(t, h, 2 * kind, chosen // 6, rng)
            b = put_card(t, h, 2 * kind + 1, chosen % 6, rng)
            if a < 0 or b < 0:
                return False
            h.chance *= falling(h.slots - used, a + b) / falling(step.most, a + b)
            used += a + b
    h.chance /= power(step.tilt, used)
    return settle(h)


@rule
def hold_nothing(t: Record, h: Record, step: Record, rng: Rng) -> bool:
    """Nothing could be played: the hand was special cards that could not be used."""
    for special in range(X1, CARDS):
        if h.known[special] > 0 and usable(special, step.pure):
            return False
    weight = 1.0
    for _ in range(h.slots):
        choices = 0
        for special in range(X1, CARDS):
            choices += t.pool[special] > 0 and not usable(special, step.pure)
        if choices == 0:
            return False
        weight *= choices * t.slot_weight
        skip = below(rng, choices)
        for special in range(X1, CARDS):
            if t.pool[special] > 0 and not usable(special, step.pure):
                if skip == 0:
                    give_free(t, h, special, rng)
                    h.known[special] += 1
                    break
                skip -= 1
    return settle(h) and accept(t, rng, weight / step.bound)


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
        return lose_slot(t, h, step, 0, rng)
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
    return accept(t, rng, h.chance / h.slot_bound)


@rule
def replay_round(v: Record, t: Record, rng: Rng) -> bool:
    """One attempt to draw what all seats did; False if it has come to nothing."""
    t.pool[:] = t.free
    t.spent = 0
    draw_plans(v, t, rng)
    for seat in range(v.seats):
        if seat != v.seat and not replay_seat(t, seat, rng):
            return False
    counted = t.spent_bound * power(t.slot_weight, t.spent) * falling(t.free_size, t.spent)
    return accept(t, rng, 1.0 / counted)
