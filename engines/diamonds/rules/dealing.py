"""Dealing and passing in Diamonds (section 3)."""

from __future__ import annotations

from engines.diamonds.rules.state import (
    CARDS_PASSED,
    DEALT,
    EXCHANGED,
    PASS,
    PASS_COUNT,
    PASS_COUNT_CHOSEN,
    PLAY,
    RANKS,
    ROUND_STARTED,
    SUITS,
    bit,
    deck_ranks,
    left_of,
    receiver_of,
)
from engines.events import emit
from engines.jit import Int, Log, Record, rule
from engines.rng import below


@rule
def deal(s: Record) -> None:
    """Shuffles the deck and deals the hands (section 3); ``plays`` serves as the deck."""
    deck = s.plays
    size = 0
    for suit in range(SUITS):
        for rank in range(deck_ranks(s)):
            deck[size] = suit * RANKS + rank
            size += 1
    dealt = 0
    for seat in range(s.seats):
        hand = 0
        for _ in range(s.hand_size):
            drawn = dealt + below(s.random_state, size - dealt)
            card = deck[drawn]
            deck[drawn] = deck[dealt]
            hand |= bit(card)
            dealt += 1
        s.hands[seat] = hand
    deck[:] = 0


@rule
def start_round(s: Record, log: Log | None) -> None:
    """Deals, and asks the dealer how many cards are passed (section 3)."""
    for seat in range(s.seats):
        s.captured[seat] = 0
        s.passed[seat] = 0
    s.played = 0
    s.pass_count = 0
    deal(s)
    s.phase = PASS_COUNT
    s.turn = s.dealer
    s.outcome = DEALT
    emit(log, ROUND_STARTED, s.dealer, s.round_number, 0)


@rule
def choose_pass_count(s: Record, cards: Int, log: Log | None) -> None:
    """The dealer says how many cards are passed."""
    emit(log, PASS_COUNT_CHOSEN, s.turn, cards, 0)
    s.pass_count = cards
    s.phase = PASS
    s.turn = left_of(s, s.dealer)


@rule
def seats_to_pass(s: Record) -> Int:
    """The seats that have not chosen yet which cards they pass."""
    waiting = 0
    for seat in range(s.seats):
        if s.passed[seat] == 0:
            waiting |= bit(seat)
    return waiting


@rule
def exchange(s: Record, log: Log | None) -> None:
    """All chosen cards change hands at the same time; the dealer's left neighbour leads."""
    for seat in range(s.seats):
        s.hands[seat] ^= s.passed[seat]
    seat = left_of(s, s.dealer)
    s.turn = seat
    s.phase = PLAY
    s.outcome = EXCHANGED
    for _ in range(s.seats):
        receiver = receiver_of(s, seat)
        s.hands[receiver] |= s.passed[seat]
        emit(log, CARDS_PASSED, seat, receiver, s.pass_count)
        seat = left_of(s, seat)


@rule
def choose_pass(s: Record, cards: Int, log: Log | None) -> None:
    """A seat chooses the cards that it passes; nobody sees that before all have chosen."""
    seat = s.turn
    s.passed[seat] = cards
    waiting = left_of(s, seat)
    while waiting != seat and s.passed[waiting] != 0:
        waiting = left_of(s, waiting)
    if waiting != seat:
        s.turn = waiting
    else:
        exchange(s, log)
