"""Plans: what happened to the diamonds of one kind that a seat of Diam's did not see.

What a deposit took of one kind has to do with the other kinds only in that the numbers add up. So
all plans for a kind are listed with the number of ways to choose its free cards, and ``ways``
combines them. The special cards are planned like one more kind.
"""

from __future__ import annotations

import numpy as np

from engines.bits import count
from engines.diams.hidden.keys import add_to_deposit, use_slots
from engines.diams.hidden.prepared import (
    CHOOSE,
    DEALT_UNSEEN,
    GAINED,
    HELD_NOTHING,
    LOST,
    LOST_KNOWN,
    LOST_SLOT,
    MAX_PLANS,
    PLANNED,
    PUT_AWAY,
    PUT_AWAY_SPECIAL,
    SAFE_GAINED,
    SAFE_LACKS,
    SAFE_LOST,
    SHOWN,
    falling,
)
from engines.diams.rules.options import ONE_KIND
from engines.diams.rules.state import SET_SIZE, SPECIALS, X1, X3
from engines.diams.rules.tables import COPIES, KINDS
from engines.jit import Int, Record, rule


@rule
def usable(special: Int, bits: Int) -> bool:
    """Whether a special could have been used by a seat without diamonds (section 3.3)."""
    if special == X1:
        return bits & 1 == 0
    return special == X3 and bits & 2 == 0


@rule
def plan_of(card: Int) -> Int:
    """The kind that a card is planned with."""
    return min(card >> 1, KINDS)


@rule
def take_slots(plan: Record, step: Record, slots: Int) -> None:
    """A step uses slots for cards of the kind, if so many can be that."""
    plan.room -= slots
    if slots > step.most or plan.room < 0:
        plan.weight = 0.0
    elif slots > 0:
        use_slots(plan, step, slots)


@rule
def plan_loss(t: Record, plan: Record, step: Record) -> None:
    """A card left: one that is known to be there by this plan, or else a slot."""
    side = step.card - 2 * plan_of(step.card)
    if step.what == LOST_KNOWN or plan.known[side] > 0:
        plan.known[side] -= 1
    else:
        plan.weight *= t.free[step.card] - plan.spent[side]
        plan.spent[side] += 1
        take_slots(plan, step, 1)


@rule
def plan_shown(t: Record, plan: Record, step: Record) -> None:
    """All diamonds of the kind had to be shown: the known ones, and slots for the rest."""
    pure = step.pure - plan.known[0]
    ordinary = step.ordinary - plan.known[1]
    more_pure = pure - step.certain_pure
    more = ordinary - step.certain_ordinary
    if pure < 0 or ordinary < 0 or pure + ordinary > min(step.most, plan.room):
        plan.weight = 0.0
        return
    plan.weight /= falling(pure, pure) * falling(ordinary, ordinary)
    plan.weight *= falling(t.free[2 * step.card] - plan.spent[0], more_pure)
    plan.weight *= falling(t.free[2 * step.card + 1] - plan.spent[1], more)
    plan.known[:] = 0
    plan.spent[0] += more_pure
    plan.spent[1] += more
    take_slots(plan, step, more_pure + more)
    plan.room = 0


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
def add_deposit(t: Record, plan: Record, step: Record, kind: Int, pure: Int, ordinary: Int) -> None:
    """Continues a plan with a choice for a deposit, as a new plan."""
    known_pure = min(pure, plan.known[0])
    known = min(ordinary, plan.known[1])
    a = pure - known_pure
    b = ordinary - known
    left_pure = t.free[2 * kind] - plan.spent[0]
    left = t.free[2 * kind + 1] - plan.spent[1]
    if a > left_pure or b > left or a + b > min(step.most, plan.room) or t.plans_size == MAX_PLANS:
        return
    longer = t.plans[t.plans_size]
    t.plans_size += 1
    longer.weight = plan.weight * CHOOSE[left_pure, a] * CHOOSE[left, b]
    longer.uses[:] = plan.uses
    longer.cards[:] = plan.cards
    longer.cards[step.number] = 6 * pure + ordinary
    if pure + ordinary > 0:
        add_to_deposit(longer, step, pure + ordinary, a + b)
    longer.room = plan.room - a - b
    longer.known[0] = plan.known[0] - known_pure
    longer.known[1] = plan.known[1] - known
    longer.safe[0] = plan.safe[0] + pure
    longer.safe[1] = plan.safe[1] + ordinary
    longer.spent[0] = plan.spent[0] + a
    longer.spent[1] = plan.spent[1] + b


@rule
def plan_deposit(t: Record, step: Record, kind: Int, first: Int) -> None:
    """Replaces the plans from the first on by all that continue them."""
    end = t.plans_size
    for i in range(first, end):
        plan = t.plans[i]
        for pure in range(min(step.pure, COPIES) + 1):
            for ordinary in range(min(step.pure, COPIES) - pure + 1):
                if may_deposit(t, plan, step, pure + ordinary):
                    add_deposit(t, plan, step, kind, pure, ordinary)
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
def add_nothing(t: Record, plan: Record, step: Record, held: Int) -> None:
    """Continues a plan with a hand of special cards, a bit set, as a new plan."""
    if count(held) != step.cards or t.plans_size == MAX_PLANS:
        return
    longer = t.plans[t.plans_size]
    longer.weight = plan.weight
    longer.room = 0
    longer.uses[:] = plan.uses
    longer.cards[:] = plan.cards
    slots = np.int64(0)
    for i in range(SPECIALS):
        is_held = (held >> i) & 1
        is_slot = is_held - plan.known[i]
        if is_slot < 0 or (is_held and usable(X1 + i, step.pure)):
            return
        if is_slot > t.free[X1 + i] - plan.spent[i]:
            return
        slots += is_slot << i
        longer.known[i] = is_held
        longer.spent[i] = plan.spent[i] + is_slot
    if count(slots) > step.most:
        return
    if step.most > 0:
        longer.cards[step.number] = slots
        use_slots(longer, step, count(slots))
    t.plans_size += 1


@rule
def plan_nothing(t: Record, step: Record, first: Int) -> None:
    """Nothing could be played: the hand was special cards that could not be used."""
    end = t.plans_size
    for i in range(first, end):
        for held in range(1 << SPECIALS):
            add_nothing(t, t.plans[i], step, held)
    keep_plans(t, end, first)


@rule
def plan_step(t: Record, plan: Record, step: Record, kind: Int) -> None:
    """A step that leaves no choice within a kind."""
    what = step.what
    if what == DEALT_UNSEEN:
        plan.room += step.pure
    elif what == HELD_NOTHING:
        plan.room = 0
        if plan.known[0] + plan.known[1] > 0:
            plan.weight = 0.0
    elif what == SHOWN:
        if step.card == kind:
            plan_shown(t, plan, step)
    elif what in (GAINED, LOST, LOST_KNOWN, LOST_SLOT, SAFE_GAINED, SAFE_LOST, SAFE_LACKS) and (
        plan_of(step.card) == kind
    ):
        side = step.card - 2 * kind
        if what == GAINED:
            plan.known[side] += 1
        elif what in (LOST, LOST_KNOWN):
            plan_loss(t, plan, step)
        elif what == LOST_SLOT:
            plan.room -= 1
            if plan.room < 0:
                plan.weight = 0.0
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
        t.plans[i].room = 0
        t.plans[i].known[:] = 0
        t.plans[i].safe[:] = 0
    for i in range(t.first_step[seat], t.first_step[seat + 1]):
        step = t.steps[i]
        if step.what in (PUT_AWAY, PUT_AWAY_SPECIAL) and kind < KINDS:
            plan_deposit(t, step, kind, first)
        elif step.what == HELD_NOTHING and kind == KINDS:
            plan_nothing(t, step, first)
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
    plan.uses[:] = 0
    plan.cards[:] = 0
    plan.spent[:] = 0
    t.plans_size += 1
    for seat in range(v.seats):
        if seat != v.seat:
            continue_plans(t, seat, kind, first)


@rule
def list_all_plans(v: Record, t: Record) -> bool:
    """All plans for all kinds; False if there is not enough room."""
    t.plans_size = 0
    for kind in range(PLANNED):
        list_plans(v, t, kind)
    t.first_plan[PLANNED] = t.plans_size
    return t.plans_size < MAX_PLANS
