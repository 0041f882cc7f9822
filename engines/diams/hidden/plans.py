"""Plans: how many diamonds of a kind went into each deposit that a seat of Diam's did not see.

What a deposit took of one kind has to do with the other kinds only in that the numbers add up. So
all plans for a kind are listed with the number of ways to give slots its cards, and a table tells
for the kinds from any one on how many ways there are to complete the deposits (see ``totals``).
Drawing a plan kind by kind with it is exact but for the number of slots that were in hand at each
time, which depends on all kinds: there a bound is counted (see ``slot_counts``), and the replay
gives up with the chance that makes up for it.
"""

from __future__ import annotations

import numpy as np

from engines.diams.hidden.prepared import (
    CHOOSE,
    GAINED,
    HELD_NOTHING,
    LOST,
    LOST_KNOWN,
    MAX_PLANS,
    PLAN_BITS,
    PUT_AWAY,
    PUT_AWAY_SPECIAL,
    SAFE_GAINED,
    SAFE_LACKS,
    SAFE_LOST,
    SHOWN,
    falling,
    power,
)
from engines.diams.rules.options import ONE_KIND
from engines.diams.rules.state import CARDS, SET_SIZE, X1, X3
from engines.diams.rules.tables import COPIES
from engines.jit import Int, Record, rule


@rule
def weigh_spent(v: Record, t: Record) -> None:
    """What a slot that is given a free card counts for.

    So many slots can be given cards in free_size (free_size - 1) ... ways, of which one each is
    meant. The weight of a history has the inverse of that as a factor. Taken as so many equal
    factors, times ``spent_bound``, it is exact for the least and the most slots that can have been
    given cards, and too large in between.
    """
    least = np.int64(0)
    most = np.int64(0)
    for seat in range(v.seats):
        if seat != v.seat:
            least += t.seats[seat].least_spent
            most += t.seats[seat].most_spent
    least = min(least, np.int64(t.free_size))
    most = min(most, np.int64(t.free_size))
    at_least = 1.0 / falling(t.free_size, least)
    t.slot_weight = 1.0 / max(1, t.free_size - least)
    if most > least:
        t.slot_weight = falling(t.free_size - least, most - least) ** (-1.0 / (most - least))
    t.spent_bound = at_least / power(t.slot_weight, least)


@rule
def plan_loss(t: Record, plan: Record, step: Record) -> None:
    """A card left: one that is known to be there by this plan, or else a slot."""
    side = step.card & 1
    if step.what == LOST_KNOWN or plan.known[side] > 0:
        plan.known[side] -= 1
    else:
        left = t.free[step.card] - plan.spent[side]
        plan.weight *= step.most * left * step.tilt * t.slot_weight
        plan.spent[side] += 1


@rule
def plan_shown(t: Record, plan: Record, step: Record) -> None:
    """All diamonds of the kind had to be shown: the known ones, and slots for the rest."""
    pure = step.pure - plan.known[0]
    ordinary = step.ordinary - plan.known[1]
    more_pure = pure - step.certain_pure
    more = ordinary - step.certain_ordinary
    if pure < 0 or ordinary < 0 or pure + ordinary > step.most:
        plan.weight = 0.0
        return
    plan.weight *= falling(step.most, pure + ordinary)
    plan.weight /= falling(pure, pure) * falling(ordinary, ordinary)
    plan.weight *= falling(t.free[2 * step.card] - plan.spent[0], more_pure)
    plan.weight *= falling(t.free[2 * step.card + 1] - plan.spent[1], more)
    plan.weight *= power(step.tilt * t.slot_weight, more_pure + more)
    plan.known[:] = 0
    plan.spent[0] += more_pure
    plan.spent[1] += more


@rule
def may_deposit(t: Record, plan: Record, step: Record, number: Int) -> bool:
    """Whether a deposit may have so many diamonds of the kind (sections 3.2 and 3.3, C)."""
    in_safe = plan.safe[0] + plan.safe[1] > 0
    if number == 0:
        return True
    if step.what == PUT_AWAY:
        return in_safe or number >= SET_SIZE
    return in_safe and (t.scope != ONE_KIND or number == step.pure)


@rule
def add_deposit(
    t: Record, seat: Int, plan: Record, step: Record, kind: Int, pure: Int, ordinary: Int
) -> None:
    """Continues a plan with a choice for a deposit, as a new plan."""
    known_pure = min(pure, plan.known[0])
    known = min(ordinary, plan.known[1])
    a = pure - known_pure
    b = ordinary - known
    left_pure = t.free[2 * kind] - plan.spent[0]
    left = t.free[2 * kind + 1] - plan.spent[1]
    if a > left_pure or b > left or a + b > step.most or t.plans_size == MAX_PLANS:
        return
    longer = t.plans[t.plans_size]
    t.plans_size += 1
    longer.weight = plan.weight * CHOOSE[left_pure, a] * CHOOSE[left, b]
    longer.weight *= falling(step.most, a + b) * power(step.tilt * t.slot_weight, a + b)
    longer.cards[:] = plan.cards
    longer.cards[seat] |= (6 * pure + ordinary) << (PLAN_BITS * step.number)
    longer.known[0] = plan.known[0] - known_pure
    longer.known[1] = plan.known[1] - known
    longer.safe[0] = plan.safe[0] + pure
    longer.safe[1] = plan.safe[1] + ordinary
    longer.spent[0] = plan.spent[0] + a
    longer.spent[1] = plan.spent[1] + b


@rule
def plan_deposit(t: Record, seat: Int, step: Record, kind: Int, first: Int) -> None:
    """Replaces the plans from the first on by all that continue them."""
    end = t.plans_size
    for i in range(first, end):
        plan = t.plans[i]
        for pure in range(min(step.pure, COPIES) + 1):
            for ordinary in range(min(step.pure, COPIES) - pure + 1):
                if may_deposit(t, plan, step, pure + ordinary):
                    add_deposit(t, seat, plan, step, kind, pure, ordinary)
    keep_plans(t, end, first)


@rule
def keep_plans(t: Record, start: Int, target: Int) -> None:
    """Moves the plans from ``start`` on that are possible to ``target``."""
    for i in range(start, t.plans_size):
        if t.plans[i].weight > 0.0:
            t.plans[target] = t.plans[i]
            target += 1
    t.plans_size = target


@rule
def plan_step(t: Record, plan: Record, step: Record, kind: Int) -> None:
    """A step that leaves no choice within a kind."""
    what = step.what
    if what == HELD_NOTHING:
        if plan.known[0] + plan.known[1] > 0:
            plan.weight = 0.0
    elif what == SHOWN:
        if step.card == kind:
            plan_shown(t, plan, step)
    elif step.card >> 1 == kind:
        side = step.card & 1
        if what == GAINED:
            plan.known[side] += 1
        elif what in (LOST, LOST_KNOWN):
            plan_loss(t, plan, step)
        elif what == SAFE_GAINED:
            plan.safe[side] += 1
        elif what == SAFE_LOST:
            plan.safe[side] -= 1
            if plan.safe[side] < 0:
                plan.weight = 0.0
        elif what == SAFE_LACKS and plan.safe[side] > 0:
            plan.weight = 0.0


@rule
def continue_plans(t: Record, seat: Int, kind: Int, first: Int) -> None:
    """Continues the plans from the first on with what a seat did with the kind."""
    for i in range(first, t.plans_size):
        t.plans[i].known[:] = 0
        t.plans[i].safe[:] = 0
    for i in range(t.first_step[seat], t.first_step[seat + 1]):
        step = t.steps[i]
        if step.what in (PUT_AWAY, PUT_AWAY_SPECIAL):
            plan_deposit(t, seat, step, kind, first)
        else:
            for j in range(first, t.plans_size):
                plan_step(t, t.plans[j], step, kind)
    keep_plans(t, first, first)


@rule
def list_plans(v: Record, t: Record, kind: Int) -> None:
    """All plans for a kind: what of it went into each deposit of each seat."""
    first = np.int64(t.plans_size)
    t.first_plan[kind] = first
    if first == MAX_PLANS:
        return
    plan = t.plans[first]
    plan.weight = 1.0
    plan.cards[:] = 0
    plan.spent[:] = 0
    t.plans_size += 1
    for seat in range(v.seats):
        if seat != v.seat:
            continue_plans(t, seat, kind, first)


@rule
def usable(special: Int, bits: Int) -> bool:
    """Whether a special could have been used by a seat without diamonds (section 3.3)."""
    if special == X1:
        return bits & 1 == 0
    return special == X3 and bits & 2 == 0


@rule
def bound_nothing(t: Record, step: Record) -> float:
    """The most that a hand of special cards that could not be used can count for."""
    fitting = np.int64(0)
    for special in range(X1, CARDS):
        fitting += t.free[special] > 0 and not usable(special, step.pure)
    bound = 0.0
    for slots in range(step.least, min(step.most, fitting) + 1):
        bound = max(bound, falling(fitting, slots) * power(t.slot_weight, slots))
    return bound


@rule
def bound_specials(t: Record) -> None:
    """The most that steps with special cards can count for, which no plan is about."""
    for i in range(t.steps_size):
        step = t.steps[i]
        if step.what == LOST and step.card >= X1:
            step.bound = max(1.0, step.most * t.slot_weight)
        elif step.what == HELD_NOTHING:
            step.bound = bound_nothing(t, step)
