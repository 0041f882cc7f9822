"""What everybody sees of hands and safes of Diam's: the notes of a round (section 6)."""

from __future__ import annotations

from engines.diams.rules.state import CARDS, DIAMONDS, MAX_HAND, MAX_NOTES, MAX_SEATS, SPECIALS
from engines.events import emit
from engines.jit import Int, Log, Record, rule
from engines.rng import mix

NOTES_PER_TURN = 17
"""A turn tells at most: whose it is, a draw, a placed card, 7 taken and 7 given up; a forced sale
or a deposit tells less."""

TURN_OF = 0
DREW = TURN_OF + MAX_SEATS
PLACED = DREW + 1
TAKEN = PLACED + DIAMONDS
OFFERED = TAKEN + DIAMONDS
SOLD = OFFERED + DIAMONDS
STORED = SOLD + DIAMONDS
GIVEN_UP = STORED + DIAMONDS
FOUND = GIVEN_UP + CARDS
MISSED = FOUND + DIAMONDS
DEPOSITED = MISSED + DIAMONDS
SPECIAL_DEPOSITED = DEPOSITED + MAX_HAND + 1
SALE_STARTED = SPECIAL_DEPOSITED + MAX_HAND + 1
DRILL_STARTED = SALE_STARTED + SPECIALS * MAX_SEATS
SHOPLIFTED = DRILL_STARTED + MAX_SEATS
NOTHING_PLAYED = SHOPLIFTED + 1
"""Notes: what everybody saw of a hand or a safe, a byte each. To these is added: the seat; nothing;
a card (seven times); a card and its like for drills; a number of cards (twice); special and
opponent; the opponent; nothing; bits for an empty market (2) and empty safes of all others (1).
STORED tells the cards of a deposit into an open safe, after their number."""

TURNED, CLOSING, ROUND_STARTED, ROUND_SCORED = range(256, 260)
"""Kinds of log entries that are no notes. Those of notes are the notes themselves. a: the card;
nothing; the round (twice)."""


@rule
def append_note(s: Record, code: Int) -> None:
    """Adds a note. The codec sees to it that there is room for all that can follow."""
    if s.notes_size < MAX_NOTES:
        s.notes[s.notes_size] = code
        s.notes_size += 1


@rule
def tell_of(s: Record, log: Log | None, seat: Int, code: Int) -> None:
    """Tells everybody something about a seat's hand or safe, and keeps it among the notes."""
    if s.noted_turn != s.turn + 1:
        append_note(s, TURN_OF + s.turn)
        s.noted_turn = s.turn + 1
    append_note(s, code)
    emit(log, code, seat, 0, 0)


@rule
def tell(s: Record, log: Log | None, code: Int) -> None:
    """Tells everybody what the seat to move did."""
    tell_of(s, log, s.turn, code)


@rule
def reveal(s: Record, what: Int) -> None:
    """Notes for outcome_key that everybody saw something that was hidden."""
    s.turned = mix(s.turned, what + 1)
