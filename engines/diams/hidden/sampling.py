"""Sampling of what a seat of Diam's does not know (section 6).

Hidden are the hands and safes of the others and the order of the pile with the closing card in it.
Samples are uniform over the histories that show the seat what it saw; see ``replay``.
"""

from __future__ import annotations

import numpy as np

from engines import contract
from engines.diams.hidden.certainty import follow_seat
from engines.diams.hidden.keys import lay_out_keys
from engines.diams.hidden.plans import list_all_plans
from engines.diams.hidden.prepared import (
    IMPOSSIBLE,
    MAX_CHOICES,
    MAX_STEPS,
    POSSIBLE,
    PUT_AWAY,
    PUT_AWAY_SPECIAL,
    SAFE_GAINED,
    SAFE_LOST,
    TABLE,
    UNDECIDED,
)
from engines.diams.hidden.replay import replay_round
from engines.diams.hidden.steps import count_unseen, undo_step, write_steps
from engines.diams.hidden.view import VIEW, pile_cards
from engines.diams.hidden.ways import combine_plans
from engines.diams.rules.state import (
    CARDS,
    CLOSING_CARD,
    DIAMONDS,
    LIMIT,
    OFFER,
    PUBLIC_BYTES,
    STATE,
    diamonds_of,
    size_of,
)
from engines.jit import Int, Record, Rng, Row, entry, rule
from engines.rng import below

ATTEMPTS = 20_000
"""Attempts at a sample after which the last one is used once more."""


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
def all_steps(v: Record, t: Record) -> bool:
    """Writes the steps of all other seats and what of them is certain; False if they can't be."""
    count_unseen(v, t)
    t.steps_size = 0
    t.choices = 0
    slots = np.int64(0)
    for seat in range(v.seats):
        t.first_step[seat] = t.steps_size
        if seat != v.seat:
            write_steps(v, t, seat)
            for i in range(t.first_step[seat], t.steps_size):
                slots += undo_step(t, t.steps[i])
        t.first_step[seat + 1] = t.steps_size
    t.first_step[v.seats :] = t.steps_size
    if t.steps_size == MAX_STEPS or slots + pile_cards(v) != size_of(t.free):
        return False
    for seat in range(v.seats):
        if seat != v.seat and not (follow_seat(t, seat) and fits_sizes(v, t, seat)):
            return False
    if t.choices > MAX_CHOICES:
        return False
    for card in range(CARDS):
        if t.free[card] < 0:
            return False
    t.free_size = size_of(t.free)
    return True


@rule
def plan_round(v: Record, t: Record) -> Int:
    """Plans the round for all kinds; whether that is possible."""
    if not (lay_out_keys(t) and list_all_plans(v, t)):
        return np.int64(UNDECIDED)
    return combine_plans(t)


@rule
def lay_out_rest(t: Record, s: Record) -> Int:
    """Writes the cards that are left into the pile, in order; returns how many."""
    n = 0
    for card in range(CARDS):
        for _ in range(t.pool[card]):
            s.deck[n] = card
            n += 1
    return n


@rule
def deal_hand(h: Record, hand: Row, s: Record, n: Int, rng: Rng) -> bool:
    """Gives every slot that is left a card of deck[0:n]; False if it is barred from it."""
    for slot in range(h.slots):
        i = below(rng, n)
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
    if not replay_round(v, t, rng):
        return False
    out[:] = t.template
    s = out.view(STATE)[0]
    n = lay_out_rest(t, s)
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
def sample(v: Record, t: Record, rng: Rng, out: Row) -> bool:
    """Draws a history; False if no attempt succeeds."""
    for _ in range(ATTEMPTS):
        if attempt(v, t, rng, out):
            return True
    return False


@rule
def reshuffle(s: Record, rng: Rng) -> None:
    """Shuffles the pile of a sample anew."""
    n = 0
    for i in range(s.deck_size):
        if s.deck[i] != CLOSING_CARD:
            s.deck[n] = s.deck[i]
            n += 1
    shuffle_pile(s, n, rng)


@rule
def lay_template(v: Record, t: Record, view: Row) -> None:
    """Writes what is known of every sample."""
    t.template[:] = 0
    t.template[:PUBLIC_BYTES] = view[:PUBLIC_BYTES]
    s = t.template.view(STATE)[0]
    s.hands[v.seat] = v.hand
    for seat in range(v.seats):
        s.safes[seat] = v.safes[seat]
    s.horizon = v.round_number


@entry(contract.PREPARE)
def prepare(view: Row, table: Row) -> Int:
    """Works out what is certain and looks for one history; 1 if one is found."""
    v = view.view(VIEW)[0]
    t = table.view(TABLE)[0]
    t.verdict = IMPOSSIBLE
    if all_steps(v, t):
        lay_template(v, t, view)
        t.scope = v.special_deposit_scope
        t.verdict = plan_round(v, t)
    if t.verdict != POSSIBLE:
        return np.int64(0)
    rng = np.ones(1, dtype=np.uint64)
    if not sample(v, t, rng, t.last_sample):
        t.verdict = UNDECIDED
    return np.int64(t.verdict == POSSIBLE)


@entry(contract.DETERMINIZE)
def determinize(view: Row, table: Row, rng: Rng, out: Row) -> None:
    """Samples a history. The sample ends with the round, as the next deal tells nothing.

    If all attempts fail, the last sample is used once more, with the pile shuffled anew. That is as
    uniform as a new one: how long drawing takes says nothing about what is drawn.
    """
    v = view.view(VIEW)[0]
    t = table.view(TABLE)[0]
    if sample(v, t, rng, out):
        t.last_sample[:] = out
        return
    out[:] = t.last_sample
    reshuffle(out.view(STATE)[0], rng)
