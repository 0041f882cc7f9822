"""What a seat of Diam's knows, and sampling of what it doesn't (section 6).

Hidden are the hands and safes of the others and the order of the pile with the closing card in it.
Samples are uniform over the histories that show the seat what it saw; see engines.diams.replay.
"""

from __future__ import annotations

import numpy as np

from engines import contract
from engines.contract import record_dtype
from engines.diams.replay import (
    DEALT_UNSEEN,
    GAINED,
    HELD_NOTHING,
    LOST,
    MAX_STEPS,
    PUT_AWAY,
    PUT_AWAY_SPECIAL,
    SAFE_GAINED,
    SAFE_LACKS,
    SAFE_LOST,
    SHOWN,
    TABLE,
    accept,
    follow_seat,
    plan_seat,
    replay_seat,
)
from engines.diams.rules import (
    CARDS,
    CLOSING_CARD,
    DEALT,
    DEPOSITED,
    DIAMONDS,
    DREW,
    DRILL_STARTED,
    FOUND,
    GIVEN_UP,
    LIMIT,
    MAX_SEATS,
    MISSED,
    NOTHING_PLAYED,
    OFFER,
    OFFERED,
    PLACED,
    PUBLIC_BYTES,
    PUBLIC_FIELDS,
    SALE_STARTED,
    SHOPLIFTED,
    SOLD,
    SPECIAL_DEPOSITED,
    STATE,
    STORED,
    TAKEN,
    TO_HAND,
    X1,
    X2,
    X3,
    copies_of,
    diamonds_of,
    size_of,
)
from engines.jit import Int, Record, Rng, Row, entry, rule
from engines.rng import below

VIEW = record_dtype(
    [
        *PUBLIC_FIELDS,
        ("seat", np.int8),
        ("hand", np.uint8, (CARDS,)),
        ("hand_sizes", np.uint8, (MAX_SEATS,)),
        ("safe_sizes", np.uint8, (MAX_SEATS,)),
        ("safes", np.uint8, (MAX_SEATS, DIAMONDS)),
    ]
)
"""What one seat knows. ``safes``: the own safe, and with open safes those of all seats."""

PREPARE_BUDGET = 5_000
SAMPLE_BUDGET = 3_000
"""Attempts at a history after which one is taken that agrees with the view, whatever its chance.
With the usual hand limit a view of a game that was played needs ten attempts or less."""
LENIENT_BUDGET = 5_000
"""Attempts at that. What runs into this are histories made up to be all but impossible."""


@entry(contract.PROJECT)
def project(row: Row, seat: Int, view: Row) -> None:
    """Reduces a state to what the seat knows."""
    view[:PUBLIC_BYTES] = row[:PUBLIC_BYTES]
    s = row.view(STATE)[0]
    v = view.view(VIEW)[0]
    v.seat = seat
    v.hand[:] = s.hands[seat]
    for other in range(s.seats):
        v.hand_sizes[other] = size_of(s.hands[other])
        v.safe_sizes[other] = size_of(s.safes[other])
        if other == seat or s.open_safes:
            v.safes[other] = s.safes[other]


# -------------------------------------------------------------------------- from notes to steps


@rule
def add_step(t: Record, what: Int, card: Int, number: Int) -> None:
    """Adds a step, if there is room."""
    if t.steps_size < MAX_STEPS:
        step = t.steps[t.steps_size]
        step.what = what
        step.card = card
        step.pure = number
        step.ordinary = 0
        step.certain_pure = 0
        step.certain_ordinary = 0
        t.steps_size += 1


@rule
def add_drill_steps(v: Record, t: Record, seat: Int, actor: Int, victim: Int, card: Int) -> None:
    """A drill that found a card. What is in an open safe needs no replay."""
    if actor == seat:
        if v.drill_to == TO_HAND:
            add_step(t, GAINED, card, 0)
        elif v.open_safes == 0:
            add_step(t, SAFE_GAINED, card, 0)
    elif victim == seat and v.open_safes == 0:
        add_step(t, SAFE_LOST, card, 0)


@rule
def add_own_steps(v: Record, t: Record, note: Int) -> None:
    """A note about the seat whose steps are being written, drills apart."""
    if note == DREW:
        add_step(t, DEALT_UNSEEN, 0, 1)
    elif note < TAKEN:
        add_step(t, LOST, note - PLACED, 0)
    elif note < OFFERED:
        add_step(t, GAINED, note - TAKEN, 0)
    elif note < SOLD:
        add_step(t, LOST, note - OFFERED, 0)
    elif STORED <= note < GIVEN_UP:
        add_step(t, LOST, note - STORED, 0)
    elif GIVEN_UP <= note < FOUND:
        add_step(t, LOST, note - GIVEN_UP, 0)
    elif DEPOSITED <= note < SPECIAL_DEPOSITED:
        if v.open_safes == 0:
            add_step(t, PUT_AWAY, 0, note - DEPOSITED)
    elif SPECIAL_DEPOSITED <= note < SALE_STARTED:
        add_step(t, LOST, X2, 0)
        if v.open_safes == 0:
            add_step(t, PUT_AWAY_SPECIAL, 0, note - SPECIAL_DEPOSITED)
    elif SALE_STARTED <= note < DRILL_STARTED:
        add_step(t, LOST, X1 + (note - SALE_STARTED) // MAX_SEATS, 0)
    elif DRILL_STARTED <= note < SHOPLIFTED:
        add_step(t, LOST, X1, 0)
    elif note == SHOPLIFTED:
        add_step(t, LOST, X3, 0)
    elif note >= NOTHING_PLAYED:
        add_step(t, HELD_NOTHING, 0, note - NOTHING_PLAYED)


@rule
def write_steps(v: Record, t: Record, seat: Int) -> None:
    """The round of one other seat, step by step."""
    add_step(t, DEALT_UNSEEN, 0, DEALT)
    actor = np.int64(-1)
    victim = np.int64(-1)
    for i in range(v.notes_size):
        note = np.int64(v.notes[i])
        if note < DREW:
            actor = note
        elif SALE_STARTED <= note < DRILL_STARTED:
            victim = (note - SALE_STARTED) % MAX_SEATS
        elif DRILL_STARTED <= note < SHOPLIFTED:
            victim = note - DRILL_STARTED
        if SOLD <= note < STORED:
            if victim == seat:
                step = t.steps[t.steps_size - 1]
                if (note - SOLD) & 1:
                    step.ordinary += 1
                else:
                    step.pure += 1
        elif FOUND <= note < MISSED:
            add_drill_steps(v, t, seat, actor, victim, note - FOUND)
        elif MISSED <= note < DEPOSITED:
            if victim == seat and v.open_safes == 0:
                add_step(t, SAFE_LACKS, note - MISSED, 0)
        elif actor == seat and note >= DREW:
            add_own_steps(v, t, note)
        elif victim == seat and OFFERED <= note < SOLD:
            add_step(t, SHOWN, (note - OFFERED) >> 1, 0)


# --------------------------------------------------------------------------------------- prepare


@rule
def count_unseen(v: Record, t: Record) -> None:
    """The cards that the seat does not see, into t.free."""
    for card in range(CARDS):
        unseen = copies_of(v, card) - v.removed[card] - v.hand[card]
        if card < DIAMONDS:
            unseen -= v.market[card]
            for seat in range(v.seats):
                unseen -= v.safes[seat, card]
        t.free[card] = unseen


@rule
def undo_step(t: Record, step: Record) -> Int:
    """Gives back what left a seat in the open, and takes what came to it in the open, so that
    t.free gets to be the cards that came to slots or still lie in the pile. Returns how many slots
    the step dealt."""
    what = step.what
    if what == DEALT_UNSEEN:
        return np.int64(step.pure)
    if what in (LOST, SAFE_LOST):
        t.free[step.card] += 1
    elif what in (GAINED, SAFE_GAINED):
        t.free[step.card] -= 1
    elif what == SHOWN:
        t.free[2 * step.card] += step.pure
        t.free[2 * step.card + 1] += step.ordinary
    return np.int64(0)


@rule
def stored_by(step: Record) -> Int:
    """How many diamonds a step adds to a closed safe."""
    if step.what in (PUT_AWAY, PUT_AWAY_SPECIAL):
        return np.int64(step.pure)
    return np.int64(step.what == SAFE_GAINED) - np.int64(step.what == SAFE_LOST)


@rule
def fits_sizes(v: Record, t: Record, seat: Int) -> bool:
    """Whether the steps of a seat lead to the size of its hand and, unless it is open, its safe."""
    stored = np.int64(0)
    for i in range(t.first_step[seat], t.first_step[seat + 1]):
        stored += stored_by(t.steps[i])
    if v.open_safes == 0 and stored != v.safe_sizes[seat]:
        return False
    return t.seats[seat].cards == v.hand_sizes[seat]


@rule
def joint_share(t: Record, drawn: Int, before: Int) -> float:
    """How much likelier it is than for a seat alone that slots of a seat get ``drawn`` given cards,
    after ``before`` have gone to other seats."""
    share = 1.0
    for i in range(drawn):
        share *= max(1, t.free_size - i) / max(1, t.free_size - before - i)
    return share


@rule
def bound_joint(v: Record, t: Record) -> float:
    """The most that the parts of all seats can count for together; see fits_together."""
    bound = 1.0
    before = np.int64(0)
    for seat in range(v.seats):
        if seat != v.seat:
            drawn = np.int64(t.seats[seat].most_spent)
            bound *= joint_share(t, drawn, before)
            before += drawn
    return bound


@rule
def all_steps(v: Record, t: Record) -> bool:
    """Writes the steps of all other seats and what of them is certain; False if they can't be."""
    count_unseen(v, t)
    t.steps_size = 0
    slots = np.int64(0)
    for seat in range(v.seats):
        t.first_step[seat] = t.steps_size
        if seat != v.seat:
            write_steps(v, t, seat)
            for i in range(t.first_step[seat], t.steps_size):
                slots += undo_step(t, t.steps[i])
        t.first_step[seat + 1] = t.steps_size
    if t.steps_size == MAX_STEPS or slots + pile_cards(v) != size_of(t.free):
        return False
    for seat in range(v.seats):
        if seat != v.seat and not (follow_seat(t, seat) and fits_sizes(v, t, seat)):
            return False
    for card in range(CARDS):
        if t.free[card] < 0:
            return False
    t.free_size = size_of(t.free)
    return True


@rule
def pile_cards(v: Record) -> Int:
    """Cards left in the pile beside the closing card."""
    return np.int64(v.deck_size) - (0 if v.closed else 1)


# -------------------------------------------------------------------------------------- samples


@rule
def fits_together(v: Record, t: Record, rng: Rng) -> bool:
    """Whether the seats' parts go together: each was drawn as if the free cards were for it alone.

    Counts the ways to give all of them their cards against the product of the ways for each.
    """
    share = 1.0 / t.joint_bound
    before = np.int64(0)
    for seat in range(v.seats):
        if seat != v.seat:
            drawn = np.int64(size_of(t.seats[seat].spent))
            share *= joint_share(t, drawn, before)
            before += drawn
    if before > t.free_size:
        return False
    for card in range(CARDS):
        taken = 0
        for seat in range(v.seats):
            if seat != v.seat:
                for i in range(t.seats[seat].spent[card]):
                    share *= (t.free[card] - taken) / (t.free[card] - i)
                    taken += 1
    return accept(t.seats[0], rng, share)


@rule
def lay_out_rest(v: Record, t: Record, s: Record) -> Int:
    """Writes the cards that are left into the pile, in order; returns how many."""
    n = 0
    for card in range(CARDS):
        left = np.int64(t.free[card])
        for seat in range(v.seats):
            if seat != v.seat:
                left -= t.seats[seat].spent[card]
        for _ in range(left):
            s.deck[n] = card
            n += 1
    return n


@rule
def allowed_place(h: Record, slot: Int, s: Record, n: Int, rng: Rng) -> Int:
    """A random place in deck[0:n] with a card that the slot is not barred from, or -1."""
    allowed = 0
    for i in range(n):
        allowed += ((h.barred[slot] >> np.int64(s.deck[i])) & 1) == 0
    if allowed == 0:
        return np.int64(-1)
    skip = below(rng, allowed)
    for i in range(n):
        if ((h.barred[slot] >> np.int64(s.deck[i])) & 1) == 0:
            if skip == 0:
                return np.int64(i)
            skip -= 1
    return np.int64(-1)


@rule
def deal_hand(h: Record, hand: Row, s: Record, n: Int, rng: Rng) -> bool:
    """Gives every slot that is left a card of deck[0:n]; False if it is barred from it."""
    for slot in range(h.slots):
        i = allowed_place(h, slot, s, n, rng) if h.lenient else below(rng, n)
        if i < 0:
            return False
        card = np.int64(s.deck[i])
        if (h.barred[slot] >> card) & 1:
            return False
        hand[card] += 1
        n -= 1
        s.deck[i] = s.deck[n]
        s.deck[n] = 0
    return True


@rule
def shuffle_pile(s: Record, n: Int, rng: Rng) -> None:
    """Shuffles deck[0:n]; the closing card goes to any place left of its zone (section 2.2)."""
    for i in range(n - 1, 0, -1):
        j = below(rng, i + 1)
        card = s.deck[i]
        s.deck[i] = s.deck[j]
        s.deck[j] = card
    if s.closed == 0:
        place = below(rng, min(n, np.int64(s.closing_window)) + 1)
        s.deck[n] = s.deck[place]
        s.deck[place] = CLOSING_CARD


@rule
def can_go_on(s: Record) -> bool:
    """Whether the seat to move can finish what it has begun: it has a diamond to offer, or cards
    enough to give up that are not below the last one."""
    hand = s.hands[s.turn]
    if s.phase == OFFER:
        return diamonds_of(hand) > 0
    if s.phase == LIMIT:
        return size_of(hand[s.last_card :]) >= size_of(hand) - s.hand_limit
    return True


@rule
def attempt(v: Record, t: Record, rng: Rng, out: Row) -> bool:
    """One attempt to draw a history; False if it has come to nothing."""
    for seat in range(v.seats):
        if seat != v.seat and not replay_seat(t, seat, rng):
            return False
    if not fits_together(v, t, rng):
        return False
    out[:] = t.template
    s = out.view(STATE)[0]
    n = lay_out_rest(v, t, s)
    for seat in range(v.seats):
        if seat != v.seat:
            h = t.seats[seat]
            for card in range(CARDS):
                s.hands[seat, card] = h.known[card]
            if v.open_safes == 0:
                for card in range(DIAMONDS):
                    s.safes[seat, card] = h.safe[card]
            if not deal_hand(h, s.hands[seat], s, n, rng):
                return False
            n -= h.slots
    shuffle_pile(s, n, rng)
    return can_go_on(s)


@rule
def sample_within(v: Record, t: Record, rng: Rng, out: Row, budget: Int, lenient: Int) -> bool:
    """Draws a history; False if the budget runs out."""
    t.budget = budget
    for seat in range(MAX_SEATS):
        t.seats[seat].lenient = lenient
    while not attempt(v, t, rng, out):
        t.budget -= 1
        if t.budget < 0:
            return False
    return True


@rule
def sample(v: Record, t: Record, rng: Rng, out: Row, budget: Int) -> bool:
    """Draws a history; one that merely agrees if the budget runs out; False if that fails too."""
    if sample_within(v, t, rng, out, budget, 0):
        return True
    return sample_within(v, t, rng, out, LENIENT_BUDGET, 1)


@rule
def reshuffle(s: Record, rng: Rng) -> None:
    """Shuffles the pile of a sample anew."""
    n = 0
    for i in range(s.deck_size):
        if s.deck[i] != CLOSING_CARD:
            s.deck[n] = s.deck[i]
            n += 1
    shuffle_pile(s, n, rng)


@entry(contract.PREPARE)
def prepare(view: Row, table: Row) -> Int:
    """Works out what is certain and looks for one history; 1 if there is one."""
    v = view.view(VIEW)[0]
    t = table.view(TABLE)[0]
    if not all_steps(v, t):
        return np.int64(0)
    t.template[:] = 0
    t.template[:PUBLIC_BYTES] = view[:PUBLIC_BYTES]
    s = t.template.view(STATE)[0]
    s.hands[v.seat] = v.hand
    for seat in range(v.seats):
        s.safes[seat] = v.safes[seat]
    s.horizon = v.round_number
    t.scope = v.special_deposit_scope
    t.plans_size = 0
    t.totals_size = 0
    for seat in range(v.seats):
        if seat != v.seat and not plan_seat(t, seat):
            return np.int64(0)
    rng = np.ones(1, dtype=np.uint64)
    t.joint_bound = bound_joint(v, t)
    return np.int64(sample(v, t, rng, t.last_sample, PREPARE_BUDGET))


@entry(contract.DETERMINIZE)
def determinize(view: Row, table: Row, rng: Rng, out: Row) -> None:
    """Samples a history. The sample ends with the round, as the next deal tells nothing.

    If all budgets run out, the last sample is used once more, with the pile shuffled anew.
    """
    v = view.view(VIEW)[0]
    t = table.view(TABLE)[0]
    if sample(v, t, rng, out, SAMPLE_BUDGET):
        t.last_sample[:] = out
        return
    out[:] = t.last_sample
    reshuffle(out.view(STATE)[0], rng)
