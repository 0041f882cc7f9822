"""The state of Diam's and its cards. Section numbers in this folder are those of
docs/rules/diams.md.

A card is a number: ``2 * kind`` for a pure and ``2 * kind + 1`` for an ordinary diamond of kind 0
to 9 (whose digit is one more), 20 to 22 for the specials X1 to X3, 23 for the closing card. Hands,
safes and the market are counts by card, so equal cards are not told apart and every position has
one record only.
"""

from __future__ import annotations

import numpy as np

from engines.diams.rules import options
from engines.diams.rules.options import QUICK
from engines.diams.rules.tables import COPIES, KINDS
from engines.jit import Int, Record, Row, rule
from engines.records import record_dtype

MAX_SEATS = 5
DIAMONDS = 2 * KINDS
X1, X2, X3 = range(DIAMONDS, DIAMONDS + 3)
SPECIALS = 3
CARDS = DIAMONDS + SPECIALS
CLOSING_CARD = CARDS
PILE_SIZE = KINDS * COPIES + SPECIALS + 1
DEALT = 3
"""Cards dealt to a seat, and cards turned for the first market (section 2)."""

SET_SIZE = 3
MAX_HAND = options.MAX_HAND_LIMIT + 1
ROUNDS = 3
DRAW, PLAY, TAKE, OFFER, NAME, LIMIT, OVER = range(1, 8)
"""Phases, as DiamsPhase numbers them (section 3). OVER is also the phase of a sample that has
reached its horizon."""

DRAWS = 4
"""Outcomes of a round that are drawn, one from each equally likely part of the distribution."""

MAX_NOTES = 800
"""At most 45 draws in a round of 2 seats, and the last turn."""

OPTION_FIELDS = [(spec.name, np.int8) for spec in options.OPTIONS]
PUBLIC_FIELDS = [
    *OPTION_FIELDS,
    ("collection_values", np.uint8, (KINDS, COPIES - SET_SIZE + 1)),
    ("pure_copies", np.uint8, (KINDS,)),
    ("points", np.int16, (ROUNDS, MAX_SEATS)),
    ("seats", np.int8),
    ("turn", np.int8),
    ("starter", np.int8),
    ("round_number", np.int8),
    ("phase", np.int8),
    ("closed", np.int8),
    ("closer", np.int8),
    ("deck_size", np.int8),
    ("placed", np.int8),
    ("missing", np.int8),
    ("last_card", np.int8),
    ("opponent", np.int8),
    ("market", np.uint8, (DIAMONDS,)),
    ("removed", np.uint8, (CARDS,)),
    ("notes_size", np.int16),
    ("notes", np.uint8, (MAX_NOTES,)),
    ("noted_turn", np.int8),
]
"""What everybody knows. ``points`` of finished rounds. ``closer``: during whose turn the closing
card came up. ``placed``, ``missing``, ``last_card`` and ``opponent`` tell a decision made in part:
see ``start_sum``, ``start_sale``, ``start_drill`` and ``end_play``; 0 otherwise. ``notes`` are
those of this round, ``noted_turn`` the seat that the last one is about, plus one."""

STATE = record_dtype(
    [
        *PUBLIC_FIELDS,
        ("hands", np.uint8, (MAX_SEATS, CARDS)),
        ("safes", np.uint8, (MAX_SEATS, DIAMONDS)),
        ("deck", np.uint8, (PILE_SIZE,)),
        ("random_state", np.uint64, (1,)),
        ("turned", np.int64),
        ("drawn", np.int8),
        ("drawer", np.int8),
        ("horizon", np.int8),
        ("drawn_outcomes", np.int8),
        ("outcomes", np.int16, (DRAWS, MAX_SEATS)),
    ]
)
"""The full state. The next card of the pile is deck[deck_size - 1]. ``random_state`` is the
generator of the deals to come. ``turned`` is a hash of what the last move revealed to everybody,
``drawn`` the card, plus one, that it gave to the hand of ``drawer``. A sample ends after round
``horizon``; 0 in the state of a table. Where it is not played to the end, so many ``outcomes`` are
drawn instead: the points that each seat may have in the end; see engines.diams.outlook."""

PUBLIC_BYTES = STATE.fields["hands"][1] if STATE.fields else 0
"""States and views start with the public fields."""
TRANSIENT_FIELDS = ("turned", "drawn", "drawer", "horizon", "drawn_outcomes", "outcomes")


@rule
def kind_of(card: Int) -> Int:
    """The kind of a diamond, 0 to 9."""
    return card >> 1


@rule
def digit_of(card: Int) -> Int:
    """The purchasing digit of a diamond, 1 to 10."""
    return (card >> 1) + 1


@rule
def copies_of(s: Record, card: Int) -> Int:
    """How many equal cards the pile has (section 1)."""
    if card >= DIAMONDS:
        return np.int64(1)
    pure = np.int64(s.pure_copies[card >> 1])
    return COPIES - pure if card & 1 else pure


@rule
def in_kind(cards: Row, kind: Int) -> Int:
    """How many diamonds of a kind there are, pure or not."""
    return np.int64(cards[2 * kind]) + np.int64(cards[2 * kind + 1])


@rule
def size_of(cards: Row) -> Int:
    """How many cards there are."""
    size = np.int64(0)
    for card in range(len(cards)):
        size += cards[card]
    return size


@rule
def diamonds_of(cards: Row) -> Int:
    """How many diamonds there are."""
    size = np.int64(0)
    for card in range(DIAMONDS):
        size += cards[card]
    return size


@rule
def rounds_of(s: Record) -> Int:
    """Rounds of the game (section 5)."""
    return np.int64(1) if s.rounds == QUICK else np.int64(ROUNDS)
