"""Keys: how far the steps of all other seats have come whose cards have to be chosen.

Plans for different kinds have to do with one another only in what they add up to: how many cards
each deposit takes and whether three of a kind are among them, and how many slots each step uses,
which tells how many are in hand at the steps after it. A key holds these numbers in bit fields, so
that the key of two plans together is the sum of their keys.
"""

from __future__ import annotations

import numpy as np

from engines.diams.hidden.prepared import (
    DEALT_UNSEEN,
    HELD_NOTHING,
    KEY_WORDS,
    LOST,
    LOST_SLOT,
    PUT_AWAY,
    PUT_AWAY_SPECIAL,
    SHOWN,
    falling,
)
from engines.diams.rules.state import MAX_SEATS, SET_SIZE
from engines.jit import Int, Ints, Record, rule

WORD_BITS = 62
USED_BITS = 4
"""Slots that a step uses. None has more cards."""
SIZE_SHIFT = USED_BITS
FULL = 15
"""A deposit's size is counted up to here, so that one card too many carries into the guard bit."""
GUARD_SHIFT = SIZE_SHIFT + 4
SETS_SHIFT = GUARD_SHIFT + 1
DEPOSIT_BITS = SETS_SHIFT + 2


@rule
def is_deposit(step: Record) -> bool:
    """Whether the step is a deposit that the viewing seat did not see."""
    return step.what in (PUT_AWAY, PUT_AWAY_SPECIAL)


@rule
def bits_of(step: Record) -> Int:
    """How many bits a step needs: none where it is certain how many slots it uses."""
    if is_deposit(step):
        return DEPOSIT_BITS
    may_vary = step.what in (LOST, SHOWN, HELD_NOTHING) and step.most > 0
    return USED_BITS if may_vary else 0


@rule
def lay_out_keys(t: Record) -> bool:
    """Gives every step its place in the keys; False if there is not enough room."""
    t.start[:] = 0
    t.guards[:] = 0
    word = 0
    place = 0
    for i in range(t.steps_size):
        step = t.steps[i]
        bits = bits_of(step)
        if place + bits > WORD_BITS:
            word += 1
            place = 0
        if word == KEY_WORDS:
            return False
        step.word = word
        step.place = place
        if is_deposit(step):
            t.start[word] += (FULL - step.pure) << (place + SIZE_SHIFT)
            t.guards[word] += 1 << (place + GUARD_SHIFT)
        place += bits
    return True


@rule
def use_slots(plan: Record, step: Record, slots: Int) -> None:
    """Adds to a plan that a step uses slots."""
    plan.uses[step.word] += slots << step.place


@rule
def add_to_deposit(plan: Record, step: Record, cards: Int, slots: Int) -> None:
    """Adds to a plan what a deposit takes."""
    sets = np.int64(cards >= SET_SIZE)
    added = slots + (cards << SIZE_SHIFT) + (sets << SETS_SHIFT)
    plan.uses[step.word] += added << step.place


@rule
def used_by(key: Ints, step: Record) -> Int:
    """The slots that a step uses and that were given free cards."""
    if bits_of(step) == 0:
        return np.int64(0)
    return (key[step.word] >> step.place) & ((1 << USED_BITS) - 1)


@rule
def certain_slots(step: Record) -> Int:
    """The slots that a step is certain to use."""
    if step.what == LOST_SLOT:
        return np.int64(1)
    if step.what == SHOWN:
        return np.int64(step.certain_pure) + np.int64(step.certain_ordinary)
    return np.int64(0)


@rule
def added_to(plan: Record, step: Record) -> Int:
    """How many cards a plan adds to a deposit; 0 for another step."""
    if not is_deposit(step):
        return np.int64(0)
    return (plan.uses[step.word] >> (step.place + SIZE_SHIFT)) & FULL


@rule
def missing_from(key: Ints, step: Record) -> Int:
    """How many cards a deposit still has to get."""
    return FULL - ((key[step.word] >> (step.place + SIZE_SHIFT)) & FULL)


@rule
def within_reach(key: Ints, step: Record, reach: Int) -> bool:
    """Whether a deposit can get its size with at most so many more cards and, unless a special card
    allowed it, has a set or can still get one (sections 3.2 and 3.3, C)."""
    missing = missing_from(key, step)
    sets = (key[step.word] >> (step.place + SETS_SHIFT)) & 3
    needs_set = step.what == PUT_AWAY and sets == 0
    return missing <= reach and (missing >= SET_SIZE or not needs_set)


@rule
def weigh(t: Record, key: Ints) -> float:
    """In how many ways the slots can be chosen that all steps use, each way weighed by in how many
    the cards can lie that are still free then, as a share of all; 0 if it can't have been so."""
    weight = 1.0
    free = np.int64(t.free_size)
    for seat in range(MAX_SEATS):
        slots = np.int64(0)
        for i in range(t.first_step[seat], t.first_step[seat + 1]):
            step = t.steps[i]
            spent = used_by(key, step)
            used = spent + certain_slots(step)
            if used > slots or spent > free:
                return 0.0
            if step.what == HELD_NOTHING and used < slots:
                return 0.0
            if is_deposit(step) and not within_reach(key, step, 0):
                return 0.0
            weight *= falling(slots, used) / falling(free, spent)
            free -= spent
            slots -= used
            if step.what == DEALT_UNSEEN:
                slots += step.pure
    return weight
