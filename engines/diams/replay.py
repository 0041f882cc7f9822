"""What the other seats can hold: their round replayed with the cards that nobody saw (section 6).

A *history* of the round is a shuffle of the pile together with a choice of the diamonds of each
deposit that the viewing seat did not see; choices that differ only in equal cards are one. Every
history that shows the viewing seat exactly what it saw counts once, and the sampler draws among
them uniformly. This module draws the part of one other seat.

A card that came to a hand unseen is a *slot*. Slots are given a card when they have to be: when a
card leaves the hand in the open that was not known to be there, or when a deposit takes one. All
others are dealt at the end. So that a history is drawn in one way only,

* a card that leaves is one that was known to be in hand, if there is one that equals it;
* otherwise it is the oldest slot with this card: older slots that stay are barred from it.

What a deposit took of one kind has to do with the other kinds only in that the numbers add up. So
all *plans* for a kind (how many of it went into each deposit) are listed with the number of ways to
give slots its cards, and a table tells for the kinds from any one on how many ways there are to
complete the deposits. Drawing a plan kind by kind with it is exact but for the number of slots that
were in hand at each time, which depends on all kinds: there the most that is possible is counted,
and the replay gives up with the chance that makes up for it.
"""

from __future__ import annotations

import numpy as np

from engines.contract import record_dtype
from engines.diams.rules import (
    CARDS,
    DIAMONDS,
    MAX_NOTES,
    MAX_SEATS,
    ONE_KIND,
    SET_SIZE,
    STATE,
    X1,
    X3,
    size_of,
)
from engines.diams.tables import COPIES, KINDS
from engines.jit import Int, Record, Rng, rule
from engines.rng import below, uniform

(
    DEALT_UNSEEN,
    GAINED,
    LOST,
    LOST_KNOWN,
    LOST_SLOT,
    SHOWN,
    PUT_AWAY,
    PUT_AWAY_SPECIAL,
    SAFE_GAINED,
    SAFE_LOST,
    SAFE_LACKS,
    HELD_NOTHING,
) = range(12)
"""What happens to a seat. LOST may be a known card or a slot; LOST_KNOWN and LOST_SLOT are
certain."""

MAX_STEPS = MAX_NOTES + MAX_SEATS
MAX_SLOTS = 24
"""No hand is larger: 8 cards, and what one turn can bring."""
MAX_DEPOSITS = 10
MAX_PLANS = 4096
MAX_TOTALS = 250_000
"""Room for the plans of all seats and for their totals. Games that were played need a tenth."""
PLAN_BITS = 6
"""A plan has 6 bits for each deposit: six times the pure diamonds plus the ordinary ones."""

STEP = record_dtype(
    [
        ("bound", np.float64),
        ("what", np.int8),
        ("card", np.int8),
        ("pure", np.int8),
        ("ordinary", np.int8),
        ("certain_pure", np.int8),
        ("certain_ordinary", np.int8),
        ("most", np.int8),
        ("number", np.int8),
    ]
)
"""One step of a seat's round. ``card``: the card, or the kind that is shown. ``pure`` and
``ordinary``: diamonds shown, and how many of them are certain to have been slots. ``pure`` alone:
cards dealt or put away; for HELD_NOTHING the bits of its note. ``most``: slots that can be in hand
at most. ``number`` of a deposit, from 0. ``bound``: the most that a special card can count for."""

SEAT = record_dtype(
    [
        ("known", np.int8, (CARDS,)),
        ("safe", np.int8, (DIAMONDS,)),
        ("pool", np.int8, (CARDS,)),
        ("spent", np.int8, (CARDS,)),
        ("barred", np.int64, (MAX_SLOTS,)),
        ("given", np.int8, (MAX_SLOTS,)),
        ("slots", np.int8),
        ("cards", np.int16),
        ("most_spent", np.int16),
        ("least_spent", np.int16),
        ("unresolved", np.int16),
        ("certain", np.int8),
        ("slot_weight", np.float64),
        ("spent_bound", np.float64),
        ("deposits", np.int8),
        ("sizes", np.int8, (MAX_DEPOSITS,)),
        ("special", np.int8, (MAX_DEPOSITS,)),
        ("radix", np.int32, (MAX_DEPOSITS,)),
        ("stride", np.int32, (MAX_DEPOSITS,)),
        ("states", np.int32),
        ("first_plan", np.int32, (KINDS + 1,)),
        ("first_total", np.int32),
        ("plan", np.int64, (KINDS,)),
        ("lenient", np.int8),
    ]
)
"""A seat. In its replay: cards known to be in hand, its safe, the free cards that slots can still
be, those they have been given, and for each slot the bit set of cards that it can't be and the card
it is being given (plus one).

``cards`` to ``certain`` are for ``follow``, which goes through the steps with the most that can be
true: ``known`` and ``slots`` are then the most that can be in hand of ``cards`` cards. At least and
at most so many slots can have been given free cards, and ``unresolved`` are not certain;
``certain`` tells that the known cards are exactly known.

``slot_weight`` and ``spent_bound``: what each slot that is given a free card counts for, see
``weigh_spent``. From ``deposits`` on: the deposits with their sizes, and the places of the plans
and totals of the seat; see ``advance``. ``plan``: the plan drawn for each kind. ``lenient``: what
agrees is taken, without giving up for the sake of the right chances."""

PLAN = record_dtype(
    [
        ("weight", np.float64),
        ("cards", np.int64),
        ("known", np.int8, (2,)),
        ("safe", np.int8, (2,)),
        ("spent", np.int8, (2,)),
    ]
)
"""A plan for a kind: what it counts for, what goes into each deposit; and while it is being made,
the pure and ordinary diamonds known in hand, in the safe, and of the free ones given to slots."""

TABLE = record_dtype(
    [
        ("template", np.uint8, (STATE.itemsize,)),
        ("last_sample", np.uint8, (STATE.itemsize,)),
        ("seats", SEAT, (MAX_SEATS,)),
        ("steps", STEP, (MAX_STEPS,)),
        ("first_step", np.int16, (MAX_SEATS + 1,)),
        ("steps_size", np.int16),
        ("free", np.int8, (CARDS,)),
        ("free_size", np.int8),
        ("scope", np.int8),
        ("joint_bound", np.float64),
        ("budget", np.int64),
        ("plans", PLAN, (MAX_PLANS,)),
        ("plans_size", np.int32),
        ("totals", np.float64, (MAX_TOTALS,)),
        ("totals_size", np.int32),
    ],
    raw=("template", "last_sample"),
)
"""Filled once for a view: the state without its hidden cards, one sample, the steps of every other
seat (those of seat p start at first_step[p]), the free cards (those that slots can be beside the
certain ones), and the plans with their totals."""

CHOOSE = np.array(
    [[1, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0], [1, 2, 1, 0, 0, 0], [1, 3, 3, 1, 0, 0],
     [1, 4, 6, 4, 1, 0], [1, 5, 10, 10, 5, 1]],
    dtype=np.float64,
)  # fmt: skip
"""Binomial coefficients."""


@rule
def falling(n: Int, k: Int) -> float:
    """N (n - 1) ... over k factors."""
    product = 1.0
    for i in range(k):
        product *= n - i
    return product


@rule
def power(base: float, exponent: Int) -> float:
    """A small power."""
    product = 1.0
    for _ in range(exponent):
        product *= base
    return product


# ------------------------------------------------------------------------------- what is certain


@rule
def start_seat(t: Record, h: Record) -> None:
    """A seat before the first card is dealt."""
    h.known[:] = 0
    h.safe[:] = 0
    h.spent[:] = 0
    h.pool[:] = t.free
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
def follow(h: Record, step: Record) -> None:
    """One step with the most that can be true of a seat."""
    what = step.what
    step.most = h.slots
    if what == DEALT_UNSEEN:
        h.slots += step.pure
        h.cards += step.pure
        h.unresolved += step.pure
    elif what == GAINED:
        h.known[step.card] += 1
        h.cards += 1
    elif what in (LOST_KNOWN, LOST):
        h.known[step.card] -= 1
        h.cards -= 1
        h.most_spent += what == LOST
    elif what == LOST_SLOT:
        h.slots -= 1
        h.unresolved -= 1
        h.cards -= 1
    elif what == SHOWN:
        follow_shown(h, step)
    elif what in (PUT_AWAY, PUT_AWAY_SPECIAL):
        follow_deposit(h, step)
    elif what == HELD_NOTHING and h.cards > 0:
        h.most_spent += h.slots
        h.slots = 0
        h.certain = 0
        h.known[:] = 0
        h.known[X1:] = 1
    h.slots = min(h.slots, max(h.cards, 0))


@rule
def follow_shown(h: Record, step: Record) -> None:
    """All diamonds of a kind had to be shown."""
    certain = step.certain_pure + step.certain_ordinary
    h.known[2 * step.card] = 0
    h.known[2 * step.card + 1] = 0
    h.cards -= step.pure + step.ordinary
    h.slots -= certain
    h.unresolved -= certain
    if h.certain == 0:
        h.most_spent += step.pure + step.ordinary - certain


@rule
def follow_deposit(h: Record, step: Record) -> None:
    """A deposit: at most all known cards went into it, at least none of them."""
    known = size_of(h.known)
    step.number = h.deposits
    if h.deposits < MAX_DEPOSITS:
        h.sizes[h.deposits] = step.pure
        h.special[h.deposits] = step.what == PUT_AWAY_SPECIAL
    h.deposits += 1
    h.cards -= step.pure
    h.slots -= max(0, step.pure - known)
    h.most_spent += step.pure
    h.least_spent += max(0, step.pure - known)
    if known > 0:
        h.certain = 0


@rule
def follow_seat(t: Record, seat: Int) -> bool:
    """Tells certain from possible in the steps of a seat; False if they can't be right."""
    h = t.seats[seat]
    start_seat(t, h)
    h.cards = 0
    h.most_spent = 0
    h.least_spent = 0
    h.unresolved = 0
    h.certain = 1
    h.deposits = 0
    for i in range(t.first_step[seat], t.first_step[seat + 1]):
        step = t.steps[i]
        settle_certain(t, h, step)
        follow(h, step)
        if not 0 <= h.slots <= h.cards <= MAX_SLOTS:
            return False
    h.most_spent = min(h.most_spent, h.unresolved)
    return h.least_spent <= h.most_spent and h.deposits <= MAX_DEPOSITS


# ----------------------------------------------------------------------------------------- plans


@rule
def weigh_spent(t: Record, h: Record) -> None:
    """What a slot that is given a free card counts for.

    So many slots can be given cards in free_size (free_size - 1) ... ways, of which one each is
    meant. The weight of a history has the inverse of that as a factor. Taken as so many equal
    factors, times ``spent_bound``, it is exact for the least and the most slots that can have been
    given cards, and too large in between.
    """
    least = 1.0 / falling(t.free_size, h.least_spent)
    h.slot_weight = 1.0 / max(1, t.free_size - h.least_spent)
    if h.most_spent > h.least_spent:
        most = least
        for i in range(h.least_spent, h.most_spent):
            most /= max(1, t.free_size - i)
        h.slot_weight = (most / least) ** (1.0 / (h.most_spent - h.least_spent))
    h.spent_bound = least / power(h.slot_weight, h.least_spent)


@rule
def plan_loss(t: Record, h: Record, plan: Record, step: Record) -> None:
    """A card left: one that is known to be there by this plan, or else a slot."""
    side = step.card & 1
    if step.what == LOST_KNOWN or plan.known[side] > 0:
        plan.known[side] -= 1
    else:
        left = t.free[step.card] - plan.spent[side]
        plan.weight *= step.most * left * h.slot_weight
        plan.spent[side] += 1


@rule
def plan_shown(t: Record, h: Record, plan: Record, step: Record) -> None:
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
    plan.weight *= power(h.slot_weight, more_pure + more)
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
    t: Record, h: Record, plan: Record, step: Record, kind: Int, pure: Int, ordinary: Int
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
    longer.weight *= falling(step.most, a + b) * power(h.slot_weight, a + b)
    longer.cards = plan.cards | (6 * pure + ordinary) << (PLAN_BITS * step.number)
    longer.known[0] = plan.known[0] - known_pure
    longer.known[1] = plan.known[1] - known
    longer.safe[0] = plan.safe[0] + pure
    longer.safe[1] = plan.safe[1] + ordinary
    longer.spent[0] = plan.spent[0] + a
    longer.spent[1] = plan.spent[1] + b


@rule
def plan_deposit(t: Record, h: Record, step: Record, kind: Int, first: Int) -> None:
    """Replaces the plans from the first on by all that continue them."""
    end = t.plans_size
    for i in range(first, end):
        plan = t.plans[i]
        for pure in range(min(step.pure, COPIES) + 1):
            for ordinary in range(min(step.pure, COPIES) - pure + 1):
                if may_deposit(t, plan, step, pure + ordinary):
                    add_deposit(t, h, plan, step, kind, pure, ordinary)
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
def plan_step(t: Record, h: Record, plan: Record, step: Record, kind: Int) -> None:
    """A step that leaves no choice within a kind."""
    what = step.what
    if what == HELD_NOTHING:
        if plan.known[0] + plan.known[1] > 0:
            plan.weight = 0.0
    elif what == SHOWN:
        if step.card == kind:
            plan_shown(t, h, plan, step)
    elif step.card >> 1 == kind:
        side = step.card & 1
        if what == GAINED:
            plan.known[side] += 1
        elif what in (LOST, LOST_KNOWN):
            plan_loss(t, h, plan, step)
        elif what == SAFE_GAINED:
            plan.safe[side] += 1
        elif what == SAFE_LOST:
            plan.safe[side] -= 1
            if plan.safe[side] < 0:
                plan.weight = 0.0
        elif what == SAFE_LACKS and plan.safe[side] > 0:
            plan.weight = 0.0


@rule
def list_plans(t: Record, seat: Int, kind: Int) -> None:
    """All plans for a kind: what of it went into each deposit of a seat."""
    h = t.seats[seat]
    first = t.plans_size
    h.first_plan[kind] = first
    if first == MAX_PLANS:
        return
    plan = t.plans[first]
    plan.weight = 1.0
    plan.cards = 0
    plan.known[:] = 0
    plan.safe[:] = 0
    plan.spent[:] = 0
    t.plans_size += 1
    for i in range(t.first_step[seat], t.first_step[seat + 1]):
        step = t.steps[i]
        if step.what in (PUT_AWAY, PUT_AWAY_SPECIAL):
            plan_deposit(t, h, step, kind, first)
        else:
            for j in range(first, t.plans_size):
                plan_step(t, h, t.plans[j], step, kind)
    keep_plans(t, first, first)


@rule
def place_value(size: Int, special: Int) -> Int:
    """How far a deposit can be: cards chosen before its three of a kind are, and after.

    Before, three or more cards are left to choose: 0, 1, ... cards chosen. After, none to size - 3
    are left. A special deposit needs no three of a kind.
    """
    return size + 1 if special else 2 * (size - SET_SIZE + 1)


@rule
def advance(h: Record, state: Int, cards: Int) -> Int:
    """How far the deposits are after the plan of one more kind; -1 if one gets too large, or can't
    get its three of a kind any more. A state has one digit for each deposit, see place_value."""
    for d in range(h.deposits):
        chosen = (cards >> (PLAN_BITS * d)) & 63
        number = chosen // 6 + chosen % 6
        if number == 0:
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
def total_plans(t: Record, seat: Int) -> bool:
    """Fills the seat's totals: what all plans from a kind on count for that complete the deposits
    from a state. False if there are none, or too many."""
    h = t.seats[seat]
    states = np.int64(1)
    for d in range(h.deposits):
        h.radix[d] = place_value(h.sizes[d], h.special[d])
        h.stride[d] = states
        states *= h.radix[d]
        if states * (KINDS + 1) > MAX_TOTALS:
            return False
    first = np.int64(t.totals_size)
    if t.plans_size == MAX_PLANS or first + states * (KINDS + 1) > MAX_TOTALS:
        return False
    h.states = states
    h.first_total = first
    t.totals_size = first + states * (KINDS + 1)
    t.totals[first : t.totals_size] = 0.0
    t.totals[t.totals_size - 1] = 1.0
    for kind in range(KINDS - 1, -1, -1):
        here = first + kind * states
        for state in range(states):
            total = 0.0
            for i in range(h.first_plan[kind], h.first_plan[kind + 1]):
                following = advance(h, state, t.plans[i].cards)
                if following >= 0:
                    total += t.plans[i].weight * t.totals[here + states + following]
            t.totals[here + state] = total
    return t.totals[first] > 0.0


@rule
def plan_seat(t: Record, seat: Int) -> bool:
    """Lists and totals all plans of a seat; False if there are none."""
    h = t.seats[seat]
    weigh_spent(t, h)
    for kind in range(KINDS):
        list_plans(t, seat, kind)
    h.first_plan[KINDS] = t.plans_size
    bound_specials(t, seat)
    return total_plans(t, seat)


@rule
def bound_specials(t: Record, seat: Int) -> None:
    """The most that steps with special cards can count for, which no plan is about."""
    h = t.seats[seat]
    for i in range(t.first_step[seat], t.first_step[seat + 1]):
        step = t.steps[i]
        if step.what == LOST and step.card >= X1:
            step.bound = max(1.0, step.most * h.slot_weight)
        elif step.what == HELD_NOTHING:
            step.bound = 6.0


@rule
def draw_plans(t: Record, h: Record, rng: Rng) -> None:
    """Draws a plan for each kind, each with its share."""
    state = np.int64(0)
    for kind in range(KINDS):
        here = h.first_total + kind * h.states
        rest = uniform(rng) * t.totals[here + state]
        following = np.int64(-1)
        for i in range(h.first_plan[kind], h.first_plan[kind + 1]):
            reached = advance(h, state, t.plans[i].cards)
            if reached >= 0:
                share = t.plans[i].weight * t.totals[here + h.states + reached]
                if share > 0.0:
                    h.plan[kind] = t.plans[i].cards
                    following = reached
                    rest -= share
                    if rest < 0.0:
                        break
        state = following


# ---------------------------------------------------------------------------------------- slots


@rule
def can_be_given(h: Record, slot: Int, card: Int) -> bool:
    """Whether a slot has no card yet; if lenient, only those are chosen that may have this one."""
    return h.given[slot] == 0 and not (h.lenient and (h.barred[slot] >> card) & 1)


@rule
def give(h: Record, card: Int, rng: Rng) -> bool:
    """Chooses a slot that is being given the card; False if there is none left."""
    waiting = 0
    for slot in range(h.slots):
        waiting += can_be_given(h, slot, card)
    if waiting == 0:
        return False
    skip = below(rng, waiting)
    for slot in range(h.slots):
        if can_be_given(h, slot, card):
            if skip == 0:
                h.given[slot] = card + 1
                return True
            skip -= 1
    return False


@rule
def give_free(h: Record, card: Int, rng: Rng) -> bool:
    """The same with a free card, which is spent."""
    h.pool[card] -= 1
    h.spent[card] += 1
    return h.pool[card] >= 0 and give(h, card, rng)


@rule
def settle(h: Record) -> bool:
    """Takes the slots that have been given cards off the hand; False if one is barred from its
    card. Older slots that stay are barred from it."""
    kept = 0
    for slot in range(h.slots):
        card = np.int64(h.given[slot]) - 1
        h.given[slot] = 0
        if card < 0:
            h.barred[kept] = h.barred[slot]
            kept += 1
        else:
            if (h.barred[slot] >> card) & 1:
                return False
            for older in range(kept):
                h.barred[older] |= np.int64(1) << card
    h.slots = kept
    return True


# ---------------------------------------------------------------------------------------- replay


@rule
def accept(h: Record, rng: Rng, chance: float) -> bool:
    """Whether to go on, with this chance."""
    return bool(h.lenient or chance >= 1.0 or uniform(rng) < chance)


@rule
def lose_slot(h: Record, step: Record, free: Int, rng: Rng) -> bool:
    """A card left that was a slot. Counts the slots it can have been, against the most."""
    if h.slots == 0 or not accept(h, rng, h.slots / step.most):
        return False
    given = give_free(h, step.card, rng) if free else give(h, step.card, rng)
    return given and settle(h)


@rule
def lose_special(h: Record, step: Record, rng: Rng) -> bool:
    """The same for a special card, which no plan tells about."""
    weight = step.most * h.pool[step.card] * h.slot_weight
    return accept(h, rng, weight / step.bound) and lose_slot(h, step, 1, rng)


@rule
def lose(h: Record, step: Record, rng: Rng) -> bool:
    """A card left that may have been known to be there."""
    card = step.card
    if h.known[card] > 0:
        h.known[card] -= 1
        return card < X1 or accept(h, rng, 1.0 / step.bound)
    return lose_special(h, step, rng) if card >= X1 else lose_slot(h, step, 1, rng)


@rule
def show_card(h: Record, card: Int, number: Int, certain: Int, rng: Rng) -> bool:
    """Slots for the shown diamonds of one sort that were not known to be there."""
    for i in range(number):
        if not (give(h, card, rng) if i < certain else give_free(h, card, rng)):
            return False
    return True


@rule
def show(h: Record, step: Record, rng: Rng) -> bool:
    """All diamonds of a kind had to be shown; no others were in hand."""
    one = 2 * step.card
    pure = step.pure - h.known[one]
    ordinary = step.ordinary - h.known[one + 1]
    slots = pure + ordinary
    if slots > h.slots or not accept(h, rng, falling(h.slots, slots) / falling(step.most, slots)):
        return False
    h.known[one] = 0
    h.known[one + 1] = 0
    if not show_card(h, one, pure, step.certain_pure, rng):
        return False
    if not show_card(h, one + 1, ordinary, step.certain_ordinary, rng):
        return False
    if not settle(h):
        return False
    for slot in range(h.slots):
        h.barred[slot] |= np.int64(3) << one
    return True


@rule
def put_card(h: Record, card: Int, number: Int, rng: Rng) -> Int:
    """Puts so many of a card into the safe, known ones first; returns the slots used, or -1."""
    known = min(number, np.int64(h.known[card]))
    h.known[card] -= known
    h.safe[card] += number
    for _ in range(number - known):
        if not give_free(h, card, rng):
            return np.int64(-1)
    return number - known


@rule
def put_away(h: Record, step: Record, rng: Rng) -> bool:
    """A deposit, as planned. Counts the choices of slots against those that the plans counted."""
    chance = 1.0
    used = np.int64(0)
    for kind in range(KINDS):
        chosen = (h.plan[kind] >> (PLAN_BITS * step.number)) & 63
        if chosen > 0:
            a = put_card(h, 2 * kind, chosen // 6, rng)
            b = put_card(h, 2 * kind + 1, chosen % 6, rng)
            if a < 0 or b < 0:
                return False
            chance *= falling(h.slots - used, a + b) / falling(step.most, a + b)
            used += a + b
    return accept(h, rng, chance) and settle(h)


@rule
def usable(special: Int, bits: Int) -> bool:
    """Whether a special could have been used by a seat without diamonds (section 3.3)."""
    if special == X1:
        return bits & 1 == 0
    return special == X3 and bits & 2 == 0


@rule
def hold_nothing(h: Record, step: Record, rng: Rng) -> bool:
    """Nothing could be played: the hand was special cards that could not be used."""
    for special in range(X1, CARDS):
        if h.known[special] > 0 and usable(special, step.pure):
            return False
    weight = 1.0
    for _ in range(h.slots):
        choices = 0
        for special in range(X1, CARDS):
            choices += h.pool[special] > 0 and not usable(special, step.pure)
        if choices == 0:
            return False
        weight *= choices * h.slot_weight
        skip = below(rng, choices)
        for special in range(X1, CARDS):
            if h.pool[special] > 0 and not usable(special, step.pure):
                if skip == 0:
                    give_free(h, special, rng)
                    h.known[special] += 1
                    break
                skip -= 1
    return settle(h) and accept(h, rng, weight / step.bound)


@rule
def replay_step(h: Record, step: Record, rng: Rng) -> bool:
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
        return lose_slot(h, step, 0, rng)
    elif what == LOST:
        return lose(h, step, rng)
    elif what == SHOWN:
        return show(h, step, rng)
    elif what in (PUT_AWAY, PUT_AWAY_SPECIAL):
        return put_away(h, step, rng)
    elif what == SAFE_GAINED:
        h.safe[step.card] += 1
    elif what == SAFE_LOST:
        h.safe[step.card] -= 1
    elif what == HELD_NOTHING:
        return hold_nothing(h, step, rng)
    return True


@rule
def attempt_seat(t: Record, seat: Int, rng: Rng) -> bool:
    """One attempt to draw the part of a seat, as if the free cards were for it alone."""
    h = t.seats[seat]
    start_seat(t, h)
    draw_plans(t, h, rng)
    for i in range(t.first_step[seat], t.first_step[seat + 1]):
        if not replay_step(h, t.steps[i], rng):
            return False
    spent = size_of(h.spent)
    if spent > t.free_size:
        return False
    counted = h.spent_bound * power(h.slot_weight, spent) * falling(t.free_size, spent)
    return accept(h, rng, 1.0 / counted)


@rule
def replay_seat(t: Record, seat: Int, rng: Rng) -> bool:
    """Draws the part of a seat; False if the budget runs out."""
    while not attempt_seat(t, seat, rng):
        t.budget -= 1
        if t.budget < 0:
            return False
    return True
