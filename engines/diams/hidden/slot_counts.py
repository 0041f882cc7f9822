"""How many slots a seat of Diam's can have had in hand at each time, and what each counts for.

A card in hand is a slot or known, so the number of slots tells that of known cards. Which numbers
are possible at each step follows from the sizes of the hand alone (``count_slots``).

A plan counts the slots that a card can have been by the most that can be in hand at that time. How
many there are depends on what the deposits before it took, of all kinds together. So each slot that
a step may or may not use counts for a little less, its *tilt*: by as much as the choices of later
steps go down. What is left is made up for by the replay, which gives up with the chance that the
tilted counts are too large by. ``bound_slots`` is the most that the true counts can be above them.
"""

from __future__ import annotations

import numpy as np

from engines.bits import highest, lowest
from engines.diams.hidden.prepared import (
    DEALT_UNSEEN,
    HELD_NOTHING,
    LOST,
    LOST_KNOWN,
    LOST_SLOT,
    MAX_SLOTS,
    PUT_AWAY,
    PUT_AWAY_SPECIAL,
    SHOWN,
    falling,
    power,
)
from engines.diams.rules.state import X1
from engines.jit import Floats, Int, Record, rule

LEAST_TILT = 0.1
"""The least that one later step takes from a tilt."""


@rule
def certain_slots(step: Record) -> Int:
    """Shown diamonds that are certain to have been slots."""
    return np.int64(step.certain_pure) + np.int64(step.certain_ordinary)


@rule
def least_used(step: Record, cards: Int, slots: Int) -> Int:
    """The least slots that a step uses, of so many and other cards in hand that are known."""
    what = step.what
    known = cards - slots
    if what == LOST_SLOT:
        return np.int64(1)
    if what == LOST_KNOWN:
        return np.int64(0 if known > 0 else 1)
    if what == LOST:
        return np.int64(max(0, 1 - known))
    if what == SHOWN:
        return max(certain_slots(step), step.pure + step.ordinary - known)
    if what in (PUT_AWAY, PUT_AWAY_SPECIAL):
        return np.int64(max(0, step.pure - known))
    if what == HELD_NOTHING:
        return max(slots, np.int64(step.least))
    return np.int64(0)


@rule
def most_used(step: Record, slots: Int) -> Int:
    """The most slots that a step uses; less than the least if it can't be with so many."""
    what = step.what
    if what in (LOST, LOST_SLOT):
        return min(np.int64(1), slots)
    if what == SHOWN:
        return min(np.int64(step.pure + step.ordinary), slots)
    if what in (PUT_AWAY, PUT_AWAY_SPECIAL):
        return min(np.int64(step.pure), slots)
    if what == HELD_NOTHING:
        return slots
    return np.int64(0)


@rule
def dealt_by(step: Record) -> Int:
    """Slots that a step brings."""
    return np.int64(step.pure) if step.what == DEALT_UNSEEN else np.int64(0)


@rule
def follow_slots(t: Record, seat: Int) -> Int:
    """Notes for each step which numbers of slots can be in hand before it, as a bit set; returns
    those after the last."""
    before = np.int64(1)
    cards: Int = np.int64(0)
    for i in range(t.first_step[seat], t.first_step[seat + 1]):
        step = t.steps[i]
        step.slots = before
        after = np.int64(0)
        for slots in range(min(cards, MAX_SLOTS) + 1):
            if (before >> slots) & 1:
                for used in range(least_used(step, cards, slots), most_used(step, slots) + 1):
                    after |= np.int64(1) << np.int64(slots - used + dealt_by(step))
        cards = np.int64(step.cards)
        before = after & ((np.int64(2) << cards) - 1)
    return before


@rule
def trim_slots(step: Record, cards: Int, after: Int) -> Int:
    """Leaves the numbers of slots before a step that lead to one of those after it; sets the most
    slots, and the least that are used."""
    trimmed = np.int64(0)
    least = np.int64(MAX_SLOTS)
    for slots in range(min(cards, MAX_SLOTS) + 1):
        if (step.slots >> slots) & 1:
            for used in range(least_used(step, cards, slots), most_used(step, slots) + 1):
                if (after >> (slots - used + dealt_by(step))) & 1:
                    trimmed |= np.int64(1) << np.int64(slots)
                    least = min(least, np.int64(used))
                    step.most = slots
    step.slots = trimmed
    step.least = least
    return trimmed


@rule
def count_slots(t: Record, seat: Int) -> bool:
    """Works out the slots that can be in hand at each step, and so how many can have been given
    free cards; False if the steps can't be right."""
    h = t.seats[seat]
    after = follow_slots(t, seat)
    if after == 0:
        return False
    h.least_spent = max(0, h.unresolved - highest(after))
    h.most_spent = max(0, h.unresolved - lowest(after))
    first = t.first_step[seat]
    for i in range(t.first_step[seat + 1] - 1, first - 1, -1):
        cards = np.int64(t.steps[i - 1].cards) if i > first else np.int64(0)
        after = trim_slots(t.steps[i], cards, after)
    return True


@rule
def tilt_steps(t: Record, seat: Int) -> None:
    """Sets the tilts of a seat, from its last step to its first."""
    tilt = 1.0
    for i in range(t.first_step[seat + 1] - 1, t.first_step[seat] - 1, -1):
        step = t.steps[i]
        step.tilt = 1.0
        if step.what in (SHOWN, PUT_AWAY, PUT_AWAY_SPECIAL) or (
            step.what == LOST and step.card < X1
        ):
            step.tilt = tilt
        if step.what == HELD_NOTHING:
            tilt = 1.0
        elif step.least > 0:
            typical = 0.5 * (step.most + lowest(step.slots))
            tilt *= max(LEAST_TILT, (typical - step.least) / typical)


@rule
def share_of(step: Record, slots: Int, used: Int) -> float:
    """Ways to use so many of the slots in hand, against those that the plans have counted."""
    if used > step.most:
        return 0.0
    more = used - (certain_slots(step) if step.what == SHOWN else 0)
    return falling(slots, used) / (falling(step.most, used) * power(step.tilt, more))


@rule
def follow_bounds(step: Record, cards: Int, bounds: Floats, now: Int) -> None:
    """From the bounds before a step, by slots in hand, to those after it, in the other row."""
    bounds[1 - now] = 0.0
    for slots in range(min(cards, MAX_SLOTS) + 1):
        if (step.slots >> slots) & 1 == 0 or bounds[now, slots] == 0.0:
            continue
        for used in range(least_used(step, cards, slots), most_used(step, slots) + 1):
            left = slots - used + dealt_by(step)
            share = 1.0 if step.what == HELD_NOTHING else share_of(step, slots, used)
            bounds[1 - now, left] = max(bounds[1 - now, left], bounds[now, slots] * share)


@rule
def bound_slots(t: Record, seat: Int) -> float:
    """The most that the product of all shares of a seat can be; 0 if its steps can't be right."""
    bounds = np.zeros((2, 2 * MAX_SLOTS + 1))
    bounds[0, 0] = 1.0
    now = 0
    cards = np.int64(0)
    for i in range(t.first_step[seat], t.first_step[seat + 1]):
        follow_bounds(t.steps[i], cards, bounds, now)
        cards = np.int64(t.steps[i].cards)
        now = 1 - now
    return bounds[now].max()
