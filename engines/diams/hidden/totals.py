"""How many ways there are to complete the deposits that a seat of Diam's did not see, and drawing
plans by it.
"""

from __future__ import annotations

import numpy as np

from engines.diams.hidden.plans import bound_specials, list_plans, weigh_spent
from engines.diams.hidden.prepared import MAX_PLANS, MAX_TOTALS, PLAN_BITS
from engines.diams.hidden.slot_counts import bound_slots, count_slots, tilt_steps
from engines.diams.rules.state import SET_SIZE
from engines.diams.rules.tables import KINDS
from engines.jit import Int, Record, Rng, rule
from engines.rng import uniform


@rule
def place_value(size: Int, special: Int) -> Int:
    """How far a deposit can be: cards chosen before its three of a kind are, and after.

    Before, three or more cards are left to choose: 0, 1, ... cards chosen. After, none to size - 3
    are left. A special deposit needs no three of a kind.
    """
    return size + 1 if special else 2 * (size - SET_SIZE + 1)


@rule
def advance_seat(h: Record, state: Int, cards: Int) -> Int:
    """How far the deposits are after what a seat did with one more kind; -1 if one gets too large,
    or can't get its three of a kind any more. A state has one digit for each deposit, see
    place_value."""
    for d in range(h.deposits):
        chosen = (cards >> (PLAN_BITS * d)) & 63
        number = chosen // 6 + chosen % 6
        if number == 0 or h.radix[d] == 1:
            continue
        digit = state // h.stride[d] % h.radix[d]
        following = digit + number
        if h.special[d] == 0:
            half = h.radix[d] // 2
            if digit < half and number >= SET_SIZE:
                following += half - SET_SIZE
            elif digit < half and following >= half:
                return np.int64(-1)
        if following >= h.radix[d]:
            return np.int64(-1)
        state += (following - digit) * h.stride[d]
    return np.int64(state)


@rule
def advance(v: Record, t: Record, state: Int, plan: Record) -> Int:
    """How far the deposits of all seats are after the plan of one more kind, or -1."""
    for seat in range(v.seats):
        if seat != v.seat and plan.cards[seat] != 0:
            state = advance_seat(t.seats[seat], state, plan.cards[seat])
            if state < 0:
                break
    return np.int64(state)


@rule
def number_states(v: Record, t: Record) -> Int:
    """Gives every deposit its digit of the states; returns how many states there are.

    Where they are too many the last deposits have no digit: their plans are drawn as if they could
    be of any size, and the replay gives up if they are not of the right one.
    """
    states = np.int64(1)
    for seat in range(v.seats):
        if seat != v.seat:
            h = t.seats[seat]
            for d in range(h.deposits):
                h.stride[d] = states
                h.radix[d] = place_value(h.sizes[d], h.special[d])
                if states * h.radix[d] * (KINDS + 1) > MAX_TOTALS:
                    h.radix[d] = 1
                states *= h.radix[d]
    return states


@rule
def total_plans(v: Record, t: Record) -> bool:
    """Fills the totals: what all plans from a kind on count for that complete the deposits from a
    state. False if there are none."""
    states = number_states(v, t)
    t.states = states
    size = states * (KINDS + 1)
    t.totals[:size] = 0.0
    t.totals[size - 1] = 1.0
    for kind in range(KINDS - 1, -1, -1):
        here = kind * states
        for state in range(states):
            total = 0.0
            for i in range(t.first_plan[kind], t.first_plan[kind + 1]):
                following = advance(v, t, state, t.plans[i])
                if following >= 0:
                    total += t.plans[i].weight * t.totals[here + states + following]
            t.totals[here + state] = total
    return t.totals[0] > 0.0


@rule
def plan_all(v: Record, t: Record) -> bool:
    """Lists and totals all plans; False if there are none, or more than there is room for."""
    for seat in range(v.seats):
        if seat != v.seat:
            if not count_slots(t, seat):
                return False
            tilt_steps(t, seat)
            t.seats[seat].slot_bound = bound_slots(t, seat)
    weigh_spent(v, t)
    t.plans_size = 0
    for kind in range(KINDS):
        list_plans(v, t, kind)
    t.first_plan[KINDS] = t.plans_size
    bound_specials(t)
    return t.plans_size < MAX_PLANS and total_plans(v, t)


@rule
def draw_plans(v: Record, t: Record, rng: Rng) -> None:
    """Draws a plan for each kind, each with its share."""
    state = np.int64(0)
    for kind in range(KINDS):
        here = kind * t.states
        rest = uniform(rng) * t.totals[here + state]
        chosen: Int = np.int64(-1)
        following = np.int64(-1)
        for i in range(t.first_plan[kind], t.first_plan[kind + 1]):
            reached = advance(v, t, state, t.plans[i])
            if reached >= 0:
                share = t.plans[i].weight * t.totals[here + t.states + reached]
                if share > 0.0:
                    chosen = i
                    following = reached
                    rest -= share
                    if rest < 0.0:
                        break
        state = following
        for seat in range(v.seats):
            t.seats[seat].plan[kind] = t.plans[chosen].cards[seat]
