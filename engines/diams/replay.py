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

Each choice is drawn with its share of the histories, or with a larger one that is made up for by
giving up the attempt with the right chance.
"""

from __future__ import annotations

import numpy as np

from engines.contract import record_dtype
from engines.diams.rules import (
    CARDS,
    COPIES,
    DIAMONDS,
    KINDS,
    MAX_HAND,
    MAX_NOTES,
    MAX_SEATS,
    ONE_KIND,
    SET_SIZE,
    STATE,
    X1,
    X2,
    X3,
    in_kind,
    kind_of,
    size_of,
)
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
"""What happens to a seat. LOST is decided in the replay: a known card or a slot. LOST_KNOWN and
LOST_SLOT are certain."""

MAX_STEPS = MAX_NOTES + MAX_SEATS
MAX_SLOTS = 24
"""No hand is larger: 8 cards, and what one turn can bring."""
ALL_KINDS = (1 << KINDS) - 1
ALL_DIAMONDS = (1 << DIAMONDS) - 1

STEP = record_dtype(
    [
        ("bound", np.float64),
        ("what", np.int8),
        ("card", np.int8),
        ("pure", np.int8),
        ("ordinary", np.int8),
        ("certain_pure", np.int8),
        ("certain_ordinary", np.int8),
    ]
)
"""One step of a seat's round. ``card``: the card, or the kind that is shown. ``pure`` and
``ordinary``: diamonds shown, and how many of them are certain to have been slots. ``pure`` alone:
cards dealt or put away; for HELD_NOTHING the bits of its note. ``bound``: the most that a choice
can count for; 0 if it counts the same in every history."""

SEAT = record_dtype(
    [
        ("known", np.int8, (CARDS,)),
        ("safe", np.int8, (DIAMONDS,)),
        ("pool", np.int8, (CARDS,)),
        ("spent", np.int8, (CARDS,)),
        ("barred", np.int64, (MAX_SLOTS,)),
        ("given", np.int8, (MAX_SLOTS,)),
        ("slots", np.int8),
        ("pool_size", np.int8),
        ("cards", np.int16),
        ("drawn", np.int16),
        ("unresolved", np.int16),
        ("certain", np.int8),
        ("deposited", np.int8),
    ]
)
"""A seat in the course of its replay: cards known to be in hand, its safe, the free cards that
slots can still be, those they have been given, and for each slot the bit set of cards that it can't
be and the card it is being given (plus one).

From ``cards`` on: for ``follow`` only, which goes through the steps once with the most that can be
true of a seat. There ``known`` and ``slots`` are the most that can be in hand, ``cards`` cards are in
hand, ``drawn`` the most slots that can have been given a free card, ``unresolved`` the slots that
are not certain; ``certain``: the known cards are exactly known; ``deposited``: the safe may hold
anything."""

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
        ("weights", np.float64, (KINDS + 1, MAX_HAND + 1, MAX_HAND + 1, 2)),
        ("chosen", np.int8, (DIAMONDS,)),
    ]
)
"""Filled once for a view: the state without its hidden cards, one sample, the steps of every other
seat (those of seat p start at first_step[p]), and the free cards: those that slots can be beside the
certain ones. The rest is scratch paper."""

CHOOSE = np.array(
    [[1, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0], [1, 2, 1, 0, 0, 0], [1, 3, 3, 1, 0, 0],
     [1, 4, 6, 4, 1, 0], [1, 5, 10, 10, 5, 1]],
    dtype=np.float64,
)  # fmt: skip
"""Binomial coefficients."""


@rule
def falling(n: Int, k: Int) -> float:
    """n (n - 1) ... over k factors."""
    product = 1.0
    for i in range(k):
        product *= n - i
    return product


# ------------------------------------------------------------------------------------- deposits


@rule
def may_deposit(t: Record, what: Int, number: Int, left: Int, in_safe: Int) -> bool:
    """Whether so many of a kind may be among the cards left of a deposit (3.2 and 3.3, C)."""
    if number == 0:
        return True
    if what == PUT_AWAY:
        return in_safe == 1 or number >= SET_SIZE
    return in_safe == 1 and (t.scope != ONE_KIND or number == left)


@rule
def weigh_kind(
    t: Record, h: Record, what: Int, in_safe: Int, exact: Int, kind: Int, left: Int, slots: Int,
    complete: Int,
) -> None:  # fmt: skip
    """Continues the deposits that have so many cards left after the kinds below this one."""
    weight = t.weights[kind, left, slots, complete]
    one, two = 2 * kind, 2 * kind + 1
    for pure in range(min(left, COPIES, h.known[one] + h.pool[one]) + 1):
        for ordinary in range(min(left - pure, COPIES, h.known[two] + h.pool[two]) + 1):
            number = pure + ordinary
            if not may_deposit(t, what, number, left, in_safe):
                continue
            done = 1 if number >= SET_SIZE else complete
            least_one = max(0, pure - h.known[one])
            least_two = max(0, ordinary - h.known[two])
            for a in range(least_one, (least_one if exact else pure) + 1):
                for b in range(least_two, (least_two if exact else ordinary) + 1):
                    t.weights[kind + 1, left - number, slots + a + b, done] += (
                        weight * CHOOSE[h.pool[one], a] * CHOOSE[h.pool[two], b]
                    )


@rule
def slot_share(h: Record, slots: Int) -> float:
    """Choices of so many slots in order, as a share of all ways to deal them cards."""
    return falling(h.slots, slots) / falling(h.pool_size, slots)


@rule
def weigh_deposits(t: Record, h: Record, what: Int, size: Int, in_safe: Int, exact: Int) -> float:
    """What all deposits of a size count for together: for each the number of ways in which slots
    can be its cards, as a share of all ways to deal so many slots.

    Unless ``exact``, any number of the known cards may turn out not to be there: that gives a bound.
    t.weights[kind, left, slots, complete] sums up what is chosen of the kinds below ``kind``: the
    cards left to choose, the slots used, and whether the three of a kind are among them.
    """
    t.budget -= size * size
    t.weights[:, : size + 1, : size + 1, :] = 0.0
    t.weights[0, size, 0, 1 if what == PUT_AWAY_SPECIAL else 0] = 1.0
    for kind in range(KINDS):
        here = (in_safe >> kind) & 1
        for left in range(size + 1):
            for slots in range(size - left + 1):
                for complete in range(2):
                    if t.weights[kind, left, slots, complete] > 0.0:
                        weigh_kind(t, h, what, here, exact, kind, left, slots, complete)
    total = 0.0
    for slots in range(min(size, h.slots, h.pool_size) + 1):
        total += t.weights[KINDS, 0, slots, 1] * slot_share(h, slots)
    return total


@rule
def draw_kind(
    t: Record, h: Record, what: Int, size: Int, in_safe: Int, kind: Int, left: Int, slots: Int,
    complete: Int, rng: Rng,
) -> Int:  # fmt: skip
    """Draws how many of a kind a deposit has, given what is chosen after it.

    Returns pure + 8 * ordinary + 64 * (whether the kinds below are complete).
    """
    rest = uniform(rng) * t.weights[kind + 1, left, slots, complete]
    drawn = np.int64(0)
    one, two = 2 * kind, 2 * kind + 1
    for pure in range(min(size - left, COPIES, h.known[one] + h.pool[one]) + 1):
        for ordinary in range(min(size - left - pure, COPIES, h.known[two] + h.pool[two]) + 1):
            number = pure + ordinary
            a = max(0, pure - h.known[one])
            b = max(0, ordinary - h.known[two])
            if a + b > slots or not may_deposit(t, what, number, left + number, in_safe):
                continue
            ways = CHOOSE[h.pool[one], a] * CHOOSE[h.pool[two], b]
            for before in range(2):
                done = 1 if number >= SET_SIZE else before
                weight = ways * t.weights[kind, left + number, slots - a - b, before]
                if done == complete and weight > 0.0:
                    drawn = pure + 8 * ordinary + 64 * before
                    rest -= weight
                    if rest < 0.0:
                        return drawn
    return drawn


@rule
def draw_deposit(
    t: Record, h: Record, what: Int, size: Int, in_safe: Int, total: float, rng: Rng
) -> None:
    """Draws one of the deposits that weigh_deposits has weighed, into t.chosen."""
    rest = uniform(rng) * total
    slots = np.int64(0)
    for n in range(min(size, h.slots, h.pool_size) + 1):
        weight = t.weights[KINDS, 0, n, 1] * slot_share(h, n)
        if weight > 0.0 and rest >= 0.0:
            slots = np.int64(n)
            rest -= weight
    left = np.int64(0)
    complete = np.int64(1)
    for kind in range(KINDS - 1, -1, -1):
        here = (in_safe >> kind) & 1
        drawn = draw_kind(t, h, what, size, here, kind, left, slots, complete, rng)
        pure = drawn & 7
        ordinary = (drawn >> 3) & 7
        complete = drawn >> 6
        left += pure + ordinary
        slots -= max(0, pure - h.known[2 * kind]) + max(0, ordinary - h.known[2 * kind + 1])
        t.chosen[2 * kind] = pure
        t.chosen[2 * kind + 1] = ordinary


@rule
def kinds_in_safe(h: Record) -> Int:
    """Bit mask of the kinds in the safe."""
    kinds = np.int64(0)
    for kind in range(KINDS):
        if in_kind(h.safe, kind) > 0:
            kinds |= 1 << kind
    return kinds


# ---------------------------------------------------------------------------------------- slots


@rule
def give(h: Record, card: Int, rng: Rng) -> bool:
    """Chooses a slot that is being given the card; False if there is none left."""
    free = 0
    for slot in range(h.slots):
        free += h.given[slot] == 0
    if free == 0:
        return False
    skip = below(rng, free)
    for slot in range(h.slots):
        if h.given[slot] == 0:
            if skip == 0:
                h.given[slot] = card + 1
                return True
            skip -= 1
    return False


@rule
def give_free(h: Record, card: Int, rng: Rng) -> bool:
    """The same with a free card, which is spent."""
    if h.pool[card] == 0:
        return False
    h.pool[card] -= 1
    h.pool_size -= 1
    h.spent[card] += 1
    return give(h, card, rng)


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


@rule
def accept(rng: Rng, weight: float, bound: float) -> bool:
    """Whether to go on: with chance weight / bound."""
    return bound == 0.0 or uniform(rng) * bound < weight


# ---------------------------------------------------------------------------------------- steps


@rule
def lose(h: Record, step: Record, rng: Rng) -> bool:
    """A card left that may have been known to be there."""
    card = step.card
    if h.known[card] > 0:
        h.known[card] -= 1
        return accept(rng, 1.0, step.bound)
    if h.slots == 0 or h.pool[card] == 0:
        return False
    return (
        accept(rng, h.slots * h.pool[card] / h.pool_size, step.bound)
        and give_free(h, card, rng)
        and settle(h)
    )


@rule
def lose_slot(h: Record, step: Record, rng: Rng) -> bool:
    """A card left that can't have been known to be there."""
    return accept(rng, float(h.slots), step.bound) and give(h, step.card, rng) and settle(h)


@rule
def weigh_shown(h: Record, step: Record, pure: Int, ordinary: Int) -> float:
    """What it counts for that so many slots had to be shown in a forced sale."""
    more_pure = pure - step.certain_pure
    more = ordinary - step.certain_ordinary
    if more_pure < 0 or more < 0 or pure + ordinary > h.slots or more_pure + more > h.pool_size:
        return 0.0
    ways = falling(h.slots, pure + ordinary) / (falling(pure, pure) * falling(ordinary, ordinary))
    ways *= falling(h.pool[2 * step.card], more_pure) * falling(h.pool[2 * step.card + 1], more)
    return ways / falling(h.pool_size, more_pure + more)


@rule
def show(h: Record, step: Record, rng: Rng) -> bool:
    """All diamonds of a kind had to be shown; no others were in hand."""
    one = 2 * step.card
    pure = step.pure - h.known[one]
    ordinary = step.ordinary - h.known[one + 1]
    if pure < 0 or ordinary < 0:
        return False
    weight = weigh_shown(h, step, pure, ordinary)
    if weight == 0.0 or not accept(rng, weight, step.bound):
        return False
    h.known[one] = 0
    h.known[one + 1] = 0
    for i in range(pure):
        dealt = give(h, one, rng) if i < step.certain_pure else give_free(h, one, rng)
        if not dealt:
            return False
    for i in range(ordinary):
        card = one + 1
        dealt = give(h, card, rng) if i < step.certain_ordinary else give_free(h, card, rng)
        if not dealt:
            return False
    if not settle(h):
        return False
    for slot in range(h.slots):
        h.barred[slot] |= np.int64(3) << one
    return True


@rule
def put_away(t: Record, h: Record, step: Record, rng: Rng) -> bool:
    """A deposit: draws which cards it had."""
    in_safe = kinds_in_safe(h)
    total = weigh_deposits(t, h, step.what, step.pure, in_safe, 1)
    if total == 0.0 or not accept(rng, total, step.bound):
        return False
    draw_deposit(t, h, step.what, step.pure, in_safe, total, rng)
    for card in range(DIAMONDS):
        number = np.int64(t.chosen[card])
        h.safe[card] += number
        known = min(number, np.int64(h.known[card]))
        h.known[card] -= known
        for _ in range(number - known):
            if not give_free(h, card, rng):
                return False
    return settle(h)


@rule
def usable(special: Int, bits: Int) -> bool:
    """Whether a special could have been used by a seat without diamonds (section 3.3)."""
    if special == X1:
        return bits & 1 == 0
    return special == X3 and bits & 2 == 0


@rule
def hold_nothing(h: Record, step: Record, rng: Rng) -> bool:
    """Nothing could be played: the hand was special cards that could not be used."""
    for card in range(CARDS):
        if h.known[card] > 0 and (card < DIAMONDS or usable(card, step.pure)):
            return False
    weight = 1.0
    for _ in range(h.slots):
        choices = 0
        for special in range(X1, CARDS):
            choices += h.pool[special] > 0 and not usable(special, step.pure)
        if choices == 0:
            return False
        weight *= choices / h.pool_size
        skip = below(rng, choices)
        for special in range(X1, CARDS):
            if h.pool[special] > 0 and not usable(special, step.pure):
                if skip == 0:
                    give_free(h, special, rng)
                    h.known[special] += 1
                    break
                skip -= 1
    return settle(h) and accept(rng, weight, step.bound)


@rule
def safe_changes(h: Record, step: Record) -> bool:
    """A diamond drilled out of the safe, or into it, or not found."""
    if step.what == SAFE_GAINED:
        h.safe[step.card] += 1
        return True
    if step.what == SAFE_LACKS:
        return h.safe[step.card] == 0
    h.safe[step.card] -= 1
    return h.safe[step.card] >= 0


@rule
def replay_step(t: Record, h: Record, step: Record, rng: Rng) -> bool:
    """One step; False if the attempt has come to nothing."""
    what = step.what
    if what == DEALT_UNSEEN:
        for slot in range(h.slots, h.slots + step.pure):
            h.barred[slot] = 0
            h.given[slot] = 0
        h.slots += step.pure
        return True
    if what == GAINED:
        h.known[step.card] += 1
        return True
    if what == LOST_KNOWN:
        h.known[step.card] -= 1
        return True
    if what == LOST_SLOT:
        return lose_slot(h, step, rng)
    if what == LOST:
        return lose(h, step, rng)
    if what == SHOWN:
        return show(h, step, rng)
    if what == PUT_AWAY or what == PUT_AWAY_SPECIAL:
        return put_away(t, h, step, rng)
    if what == HELD_NOTHING:
        return hold_nothing(h, step, rng)
    return safe_changes(h, step)


@rule
def start_seat(t: Record, h: Record) -> None:
    """A seat before the first card is dealt."""
    h.known[:] = 0
    h.safe[:] = 0
    h.spent[:] = 0
    h.pool[:] = t.free
    h.pool_size = t.free_size
    h.slots = 0


@rule
def attempt_seat(t: Record, seat: Int, rng: Rng) -> bool:
    """One attempt to draw the part of a seat, as if the free cards were for it alone."""
    h = t.seats[seat]
    start_seat(t, h)
    for i in range(t.first_step[seat], t.first_step[seat + 1]):
        if not replay_step(t, h, t.steps[i], rng):
            return False
    return True


@rule
def replay_seat(t: Record, seat: Int, rng: Rng) -> bool:
    """Draws the part of a seat; False if the budget runs out."""
    while not attempt_seat(t, seat, rng):
        t.budget -= 1
        if t.budget < 0:
            return False
    return True


# -------------------------------------------------------------------------------------- bounds


@rule
def start_following(t: Record, h: Record) -> None:
    """A seat before the first card is dealt, for follow."""
    start_seat(t, h)
    h.cards = 0
    h.drawn = 0
    h.unresolved = 0
    h.certain = 1
    h.deposited = 0


@rule
def follow(h: Record, step: Record) -> None:
    """One step with the most that can be true of a seat."""
    what = step.what
    known = size_of(h.known)
    if what == DEALT_UNSEEN:
        h.slots += step.pure
        h.cards += step.pure
        h.unresolved += step.pure
    elif what == GAINED:
        h.known[step.card] += 1
        h.cards += 1
    elif what == LOST_KNOWN or what == LOST:
        h.known[step.card] -= 1
        h.cards -= 1
        h.drawn += what == LOST
    elif what == LOST_SLOT:
        h.slots -= 1
        h.unresolved -= 1
        h.cards -= 1
    elif what == SHOWN:
        certain = step.certain_pure + step.certain_ordinary
        h.known[2 * step.card] = 0
        h.known[2 * step.card + 1] = 0
        h.cards -= step.pure + step.ordinary
        h.slots -= certain
        h.unresolved -= certain
        if h.certain == 0:
            h.drawn += step.pure + step.ordinary - certain
    elif what == PUT_AWAY or what == PUT_AWAY_SPECIAL:
        h.cards -= step.pure
        h.slots -= max(0, step.pure - known)
        h.drawn += step.pure
        h.deposited = 1
        if known > 0:
            h.certain = 0
    elif what == SAFE_GAINED:
        h.deposited = 1
    elif what == HELD_NOTHING and h.cards > 0:
        h.drawn += h.slots
        h.slots = 0
        h.certain = 0
        h.known[:] = 0
        for special in range(X1, CARDS):
            h.known[special] = 1
    h.slots = min(h.slots, max(h.cards, 0))


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
def bound_of(t: Record, h: Record, step: Record) -> float:
    """The most that a step can count for; 0 if it counts the same in every history."""
    what = step.what
    h.pool_size = max(t.free_size - h.drawn, 1)
    if what == LOST:
        return max(1.0, h.slots * h.pool[step.card] / h.pool_size)
    if what == LOST_SLOT:
        return 0.0 if h.certain else float(h.slots)
    if what == SHOWN and h.certain == 0:
        best = 0.0
        for pure in range(step.certain_pure, step.pure + 1):
            for ordinary in range(step.certain_ordinary, step.ordinary + 1):
                best = max(best, weigh_shown(h, step, pure, ordinary))
        return best
    if what == PUT_AWAY or what == PUT_AWAY_SPECIAL:
        if h.certain and h.deposited == 0:
            return 0.0
        in_safe = ALL_KINDS if h.deposited else 0
        return weigh_deposits(t, h, what, step.pure, in_safe, 0)
    if what == HELD_NOTHING:
        least = max(0, h.cards - size_of(h.known[X1:]))
        return falling(3, least) / falling(max(h.pool_size, least), least)
    return 0.0
