"""Sampling of what a seat of Diamonds doesn't know (section 6).

Hidden are the other hands, the cards put aside, and which cards the others have passed on. A view
fixes some of it: cards that the seat passed lie with their receiver until they are played, and a
seat that did not follow suit holds none of that suit. Samples are exactly uniform over what is
left: deals are counted suit by suit over the seats with voids, a sample follows the counts.
"""

from __future__ import annotations

import math

import numpy as np

from engines import contract
from engines.bits import count, lowest
from engines.contract import MAX_SEATS
from engines.diamonds.hidden.view import VIEW, has_passed
from engines.diamonds.rules.state import (
    CARDS,
    PUBLIC_BYTES,
    RANKS,
    STATE,
    SUITS,
    bit,
    cards_of_round,
    deck_ranks,
    giver_of,
    left_of,
    receiver_of,
    suit_cards,
    suit_of,
)
from engines.jit import Int, Record, Rng, Row, entry, rule
from engines.records import record_dtype
from engines.rng import below, next_word, uniform

PER_SUIT = RANKS + 1
TABLE = record_dtype(
    [
        ("template", np.uint8, (STATE.itemsize,)),
        ("fixed", np.int64, (MAX_SEATS,)),
        ("played_by", np.int64, (MAX_SEATS,)),
        ("free", np.int64),
        ("voids", np.int8, (MAX_SEATS,)),
        ("room", np.int8, (MAX_SEATS,)),
        ("bound", np.int8, (MAX_SEATS,)),
        ("bound_size", np.int8),
        ("viewer", np.int8),
        ("free_by_suit", np.int8, (SUITS,)),
        ("cards", np.uint8, (CARDS,)),
        ("ways", np.float64, (MAX_SEATS, PER_SUIT, PER_SUIT, PER_SUIT)),
    ],
    raw=("template",),
)
"""Filled once for a view. ``fixed``: cards known to lie in a seat's hand. ``free``: the cards that
may lie anywhere else. ``voids``: suits that a seat has shown not to hold. ``room``: how many free
cards a seat holds. ``bound``: the seats whose voids matter, in the order in which they are dealt
to. ``ways[i, a, b, c]``: in how many ways the bound seats from i on can be dealt to when a, b and c
cards of the first three suits are left (the fourth follows). ``cards``: room to shuffle in."""

CHOOSE = np.array([[float(math.comb(n, k)) for k in range(PER_SUIT)] for n in range(PER_SUIT)])
"""Binomial coefficients."""


# ------------------------------------------------------------------------------- what is known


@rule
def deck(v: Record) -> Int:
    """All cards in play."""
    ranks = bit(deck_ranks(v)) - 1
    cards = np.int64(0)
    for suit in range(SUITS):
        cards |= ranks << np.int64(RANKS * suit)
    return cards


@rule
def read_plays(v: Record, t: Record) -> None:
    """Who played what this round, and which suits each seat has shown not to hold."""
    t.played_by[:] = 0
    t.voids[:] = 0
    seat = left_of(v, np.int64(v.dealer))
    best_seat = seat
    led = np.int64(0)
    best = np.int64(0)
    for i in range(v.played):
        card = np.int64(v.plays[i])
        suit = suit_of(card)
        t.played_by[seat] |= bit(card)
        if i % v.trick_length == 0:
            led = suit
            best = card
            best_seat = seat
        elif suit != led:
            t.voids[seat] |= bit(led)
        elif card > best:
            best = card
            best_seat = seat
        ends_trick = (i + 1) % v.trick_length == 0
        seat = best_seat if ends_trick else left_of(v, seat)


@rule
def place_known_cards(v: Record, t: Record) -> bool:
    """Finds the free cards, and the room for them in each hand; False if they don't fit."""
    t.fixed[:] = 0
    t.room[:] = 0
    played = np.int64(0)
    for seat in range(v.seats):
        played |= t.played_by[seat]
    if has_passed(v):
        t.fixed[receiver_of(v, v.seat)] = v.given & ~played
    t.free = deck(v) & ~(played | v.hand)
    held = np.int64(0)
    for seat in range(v.seats):
        if seat == v.seat:
            continue
        t.free &= ~t.fixed[seat]
        room = v.hand_size - count(t.played_by[seat]) - count(t.fixed[seat])
        if room < 0 or holds_void(t, seat):
            return False
        t.room[seat] = room
        held += room
    for suit in range(SUITS):
        t.free_by_suit[suit] = count(t.free & suit_cards(suit))
    aside = count(deck(v)) - cards_of_round(v)
    return count(t.free) == held + aside


@rule
def holds_void(t: Record, seat: Int) -> bool:
    """Whether a card known to lie with a seat is of a suit that the seat does not hold."""
    for suit in range(SUITS):
        if t.voids[seat] & bit(suit) != 0 and t.fixed[seat] & suit_cards(suit) != 0:
            return True
    return False


@rule
def find_bound_seats(v: Record, t: Record) -> None:
    """Lists the seats with room and with a void in a suit of which cards are free."""
    n = 0
    for seat in range(v.seats):
        matters = False
        for suit in range(SUITS):
            if t.voids[seat] & bit(suit) != 0 and t.free_by_suit[suit] > 0:
                matters = True
        if matters and t.room[seat] > 0:
            t.bound[n] = seat
            n += 1
    t.bound_size = n


# ------------------------------------------------------------------------- counting the deals


@rule
def most_of(t: Record, seat: Int, suit: Int, left: Int, room: Int) -> Int:
    """The most cards of a suit that a seat can get."""
    if t.voids[seat] & bit(suit) != 0:
        return np.int64(0)
    return min(np.int64(left), np.int64(room))


@rule
def ways_after(t: Record, i: Int, a: Int, b: Int, c: Int) -> float:
    """In how many ways the bound seats from i on can be dealt to."""
    return 1.0 if i == t.bound_size else t.ways[i, a, b, c]


@rule
def count_hands(t: Record, i: Int, a: Int, b: Int, c: Int, d: Int) -> float:
    """In how many ways bound seat i and those after it can be dealt to from a, b, c, d cards of the
    four suits: the sum over the seat's cards of each suit."""
    seat = t.bound[i]
    room = t.room[seat]
    total = 0.0
    for na in range(most_of(t, seat, 0, a, room) + 1):
        for nb in range(most_of(t, seat, 1, b, room - na) + 1):
            for nc in range(most_of(t, seat, 2, c, room - na - nb) + 1):
                nd = room - na - nb - nc
                if nd <= most_of(t, seat, 3, d, nd):
                    hands = CHOOSE[a, na] * CHOOSE[b, nb] * CHOOSE[c, nc] * CHOOSE[d, nd]
                    total += hands * ways_after(t, i + 1, a - na, b - nb, c - nc)
    return total


@rule
def count_deals(t: Record) -> float:
    """Fills ``ways`` from the last bound seat to the first; returns the number of all deals to the
    bound seats."""
    left = count(t.free)
    for i in range(t.bound_size):
        left -= t.room[t.bound[i]]
    suits = t.free_by_suit
    for i in range(t.bound_size - 1, 0, -1):
        left += t.room[t.bound[i]]
        for a in range(suits[0] + 1):
            for b in range(suits[1] + 1):
                for c in range(suits[2] + 1):
                    d = left - a - b - c
                    if 0 <= d <= suits[3]:
                        t.ways[i, a, b, c] = count_hands(t, i, a, b, c, d)
    if t.bound_size == 0:
        return 1.0
    deals = count_hands(t, 0, suits[0], suits[1], suits[2], suits[3])
    t.ways[0, suits[0], suits[1], suits[2]] = deals
    return deals


@entry(contract.PREPARE)
def prepare(view: Row, table: Row) -> Int:
    """Counts the deals that agree with the view; 0 if there are none."""
    v = view.view(VIEW)[0]
    t = table.view(TABLE)[0]
    t.viewer = v.seat
    template = t.template.view(STATE)[0]
    t.template[:PUBLIC_BYTES] = view[:PUBLIC_BYTES]
    template.horizon = v.round_number
    template.hands[:] = 0
    template.passed[:] = 0
    template.hands[v.seat] = v.hand
    template.passed[v.seat] = v.given
    if has_passed(v):
        template.passed[giver_of(v, v.seat)] = v.received
    read_plays(v, t)
    if not place_known_cards(v, t):
        return 0
    find_bound_seats(v, t)
    return 1 if count_deals(t) > 0.0 else 0


# ----------------------------------------------------------------------------------- sampling


@rule
def shuffle_range(rng: Rng, cards: Row, start: Int, end: Int) -> None:
    """Shuffles cards[start:end] in place."""
    for i in range(end - 1, start, -1):
        j = start + below(rng, i - start + 1)
        swapped = cards[i]
        cards[i] = cards[j]
        cards[j] = swapped


@rule
def list_cards(cards: Int, out: Row, n: Int) -> Int:
    """Writes the members of a set to out[n:]; returns the new length."""
    while cards != 0:
        out[n] = lowest(cards)
        cards &= cards - 1
        n += 1
    return n


@rule
def deal_freely(t: Record, s: Record, cards: Int, rng: Rng) -> None:
    """Deals cards to the seats that still have room, every deal alike; the rest lies aside."""
    size = list_cards(cards, t.cards, 0)
    dealt = 0
    for seat in range(s.seats):
        if seat == t.viewer or s.hands[seat] != 0:
            continue
        hand = t.fixed[seat]
        for _ in range(t.room[seat]):
            drawn = dealt + below(rng, size - dealt)
            card = t.cards[drawn]
            t.cards[drawn] = t.cards[dealt]
            hand |= bit(card)
            dealt += 1
        s.hands[seat] = hand


@rule
def take_cards(t: Record, start: Int, n: Int) -> Int:
    """The set of n shuffled cards from a place on."""
    hand = np.int64(0)
    for i in range(start, start + n):
        hand |= bit(t.cards[i])
    return hand


@rule
def list_shuffled(t: Record, suit: Int, start: Int, rng: Rng) -> Int:
    """Writes the free cards of a suit to ``cards`` from a place on, shuffled; returns their end."""
    end = list_cards(t.free & suit_cards(suit), t.cards, start)
    shuffle_range(rng, t.cards, start, end)
    return end


@rule
def deal_to_bound(t: Record, s: Record, rng: Rng) -> Int:
    """Deals to the seats with voids by the counts; returns the cards that are left."""
    a_at = np.int64(0)
    b_at = a_end = list_shuffled(t, 0, a_at, rng)
    c_at = b_end = list_shuffled(t, 1, b_at, rng)
    d_at = c_end = list_shuffled(t, 2, c_at, rng)
    d_end = list_shuffled(t, 3, d_at, rng)
    left = t.free
    for i in range(t.bound_size):
        a, b, c, d = a_end - a_at, b_end - b_at, c_end - c_at, d_end - d_at
        na, nb, nc, nd = draw_suit_counts(t, i, a, b, c, d, rng)
        dealt = (
            take_cards(t, a_at, na)
            | take_cards(t, b_at, nb)
            | take_cards(t, c_at, nc)
            | take_cards(t, d_at, nd)
        )
        a_at += na
        b_at += nb
        c_at += nc
        d_at += nd
        seat = t.bound[i]
        s.hands[seat] = t.fixed[seat] | dealt
        left &= ~dealt
    return left


@rule
def draw_suit_counts(
    t: Record, i: Int, a: Int, b: Int, c: Int, d: Int, rng: Rng
) -> tuple[Int, Int, Int, Int]:
    """How many cards of each suit bound seat i gets, with the chance that all deals alike give."""
    seat = t.bound[i]
    room = np.int64(t.room[seat])
    point = uniform(rng) * t.ways[i, a, b, c]
    drawn = (np.int64(0), np.int64(0), np.int64(0), room)
    for na in range(most_of(t, seat, 0, a, room) + 1):
        for nb in range(most_of(t, seat, 1, b, room - na) + 1):
            for nc in range(most_of(t, seat, 2, c, room - na - nb) + 1):
                nd = room - na - nb - nc
                if nd > most_of(t, seat, 3, d, nd):
                    continue
                hands = CHOOSE[a, na] * CHOOSE[b, nb] * CHOOSE[c, nc] * CHOOSE[d, nd]
                deals = hands * ways_after(t, i + 1, a - na, b - nb, c - nc)
                if deals > 0.0:
                    drawn = (np.int64(na), np.int64(nb), np.int64(nc), np.int64(nd))
                    point -= deals
                    if point < 0.0:
                        return drawn
    return drawn


@rule
def some_of(cards: Int, size: Int, rng: Rng) -> Int:
    """A uniformly random subset of a set that has at least ``size`` members."""
    chosen = np.int64(0)
    members = count(cards)
    for taken in range(size):
        left = cards & ~chosen
        for _ in range(below(rng, members - taken)):
            left &= left - 1
        chosen |= left & -left
    return chosen


@rule
def sample_passes(t: Record, s: Record, rng: Rng) -> None:
    """Which cards the others have passed: any of those that their receivers have held since."""
    for seat in range(s.seats):
        receiver = receiver_of(s, seat)
        if seat != t.viewer:
            if receiver != t.viewer:
                held = s.hands[receiver] | t.played_by[receiver]
                s.passed[seat] = some_of(held, s.pass_count, rng)


@entry(contract.DETERMINIZE)
def determinize(view: Row, table: Row, rng: Rng, out: Row) -> None:
    """Deals the cards that the seat has not seen."""
    t = table.view(TABLE)[0]
    out[:] = t.template
    s = out.view(STATE)[0]
    s.random_state[0] = next_word(rng)
    left = deal_to_bound(t, s, rng) if t.bound_size > 0 else t.free
    deal_freely(t, s, left, rng)
    if has_passed(s):
        sample_passes(t, s, rng)
