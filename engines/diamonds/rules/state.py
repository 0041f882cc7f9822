"""The state of Diamonds, and what its cards and seats are. Section numbers in this folder are those
of docs/rules/diamonds.md.

A card is a number ``15 * suit + rank - 1`` (suit 0 to 3: diamonds, hearts, spades, clubs), a set of
cards an int64 bit mask. A *side* is what owns a vault and a showroom: a seat, or in a partnership
a team; team t is seats t and t + sides.
"""

from __future__ import annotations

import numpy as np

from engines.contract import MAX_SEATS
from engines.diamonds.rules import options
from engines.diamonds.rules.options import FIXED, PLAYER_COUNT
from engines.jit import Int, Record, rule
from engines.records import end_of, record_dtype

SUITS = 4
RANKS = 15
CARDS = 60
DIAMONDS, HEARTS, SPADES, CLUBS = range(SUITS)

ROUNDS = (0, 0, 4, 6, 4, 5, 6)
"""Rounds by the number of seats (section 1.1)."""
HAND_SIZE = 10
PERFECT_RANKS = (0, 0, 8, 9, 13, 15)
PERFECT_HAND_SIZE = (0, 0, 16, 12, 13, 12)
"""Ranks kept and cards dealt by the number of seats (section 7.3)."""
FIRST_SHOWROOM = 3
MIN_PASS, MAX_PASS = 1, 3
NO_TRICK_ACTIONS = 2

PASS_COUNT, PASS, PLAY, VICTIM, BONUS, OVER = range(1, 7)
"""Phases, as DiamondsPhase numbers them (section 3). OVER is also the phase of a sample that has
reached its horizon."""
OFF_SUIT, TRICK, MAJORITY, NO_TRICK = range(1, 5)
"""Reasons of a suit action, as DiamondsActionReason numbers them."""
EXCHANGED, DEALT = 1, 2
"""What ``outcome`` says of the last move: cards were passed on, or a round was dealt."""

(
    ROUND_STARTED,
    PASS_COUNT_CHOSEN,
    CARDS_PASSED,
    CARD_PLAYED,
    SUIT_ACTION,
    TRICK_WON,
    MAJORITY_COMPARED,
    ROUND_SCORED,
    GAME_ENDED,
) = range(9)
"""Kinds of log entries. seat, a and b: dealer, round, -; seat, count, -; seat, receiver, count;
seat, card, -; seat, suit and reason, effect and thief (see ``log_action``); seat, winning card, -;
mask of the seats that act, suit, captured cards in 4 bits a side; -, round, -; -, -, -."""
NO_EFFECT, MOVED, STOLEN = range(3)
"""Effects of a suit action: none, a crystal moved, or (plus the number of the side) was stolen."""

OPTION_FIELDS = [(spec.name, np.int16) for spec in options.OPTIONS]
PUBLIC_FIELDS = [
    ("trick", np.int64),
    ("captured", np.int64, (MAX_SEATS,)),
    ("vaults", np.int16, (MAX_SEATS,)),
    ("showrooms", np.int16, (MAX_SEATS,)),
    ("supply_left", np.int16),
    ("seats", np.int8),
    ("sides", np.int8),
    ("hand_size", np.int8),
    ("trick_length", np.int8),
    ("dealer", np.int8),
    ("round_number", np.int8),
    ("phase", np.int8),
    ("turn", np.uint8),
    ("pass_count", np.int8),
    ("trick_size", np.uint8),
    ("led", np.uint8),
    ("best", np.uint8),
    ("best_seat", np.uint8),
    ("thief", np.int8),
    ("victim_reason", np.int8),
    ("pending", np.int8),
    ("bonus_left", np.int8),
    ("played", np.uint8),
    ("plays", np.uint8, (CARDS,)),
    *OPTION_FIELDS,
]
"""What everybody knows. ``trick`` to ``best_seat`` tell the current trick: its cards, how many they
are, the led suit, the highest card of it and who played that. ``captured`` are the cards of the
tricks each seat has won this round, ``plays`` the cards of this round in order. ``pending`` is the
mask of seats that still have an action to do at the end of the round, after the one that does its
own. ``sides``, ``hand_size`` (cards dealt to a seat) and ``trick_length`` (cards of a full trick)
follow from options and seats."""

STATE = record_dtype(
    [
        *PUBLIC_FIELDS,
        ("random_state", np.uint64, (1,)),
        ("hands", np.int64, (MAX_SEATS,)),
        ("passed", np.int64, (MAX_SEATS,)),
        ("horizon", np.int8),
        ("outcome", np.int8),
    ]
)
"""The full state. ``passed`` are the cards each seat passes or has passed on this round; until all
have chosen they are still in its hand. ``random_state`` is the generator of the deals to come. A
sample ends after round ``horizon``; 0 in the state of a table."""
PUBLIC_BYTES = end_of(STATE, options.OPTIONS[-1].name)
"""States and views start with the public fields."""
TRANSIENT_FIELDS = ("horizon", "outcome")


@rule
def bit(index: Int) -> Int:
    """The set of one card, seat or side."""
    return np.int64(1) << np.int64(index)


@rule
def suit_of(card: Int) -> Int:
    """The suit of a card, 0 to 3."""
    return card * 137 >> 11  # card // RANKS without a division


@rule
def suit_cards(suit: Int) -> Int:
    """All cards of a suit."""
    return (bit(RANKS) - 1) << (suit * RANKS)


@rule
def deck_ranks(s: Record) -> Int:
    """The highest rank of the deck (sections 1 and 7.3)."""
    return PERFECT_RANKS[s.seats] if s.perfect else RANKS


@rule
def cards_of_round(s: Record) -> Int:
    """How many cards are dealt, and played, in a round."""
    return s.hand_size * s.seats


@rule
def rounds(s: Record) -> Int:
    """Rounds of the game (section 1.1)."""
    if s.round_count == FIXED:
        return s.fixed_rounds
    if s.round_count == PLAYER_COUNT:
        return s.seats
    return ROUNDS[s.seats]


@rule
def left_of(s: Record, seat: Int) -> Int:
    """The next seat clockwise."""
    return seat + 1 if seat + 1 < s.seats else 0


@rule
def side_of(s: Record, seat: Int) -> Int:
    """The side that a seat plays for."""
    return seat if seat < s.sides else seat - s.sides


@rule
def receiver_of(s: Record, seat: Int) -> Int:
    """Who gets the cards that a seat passes: the left neighbour, or the partner (section 7.2)."""
    if s.sides == s.seats:
        return left_of(s, seat)
    return seat + s.sides if seat < s.sides else seat - s.sides


@rule
def giver_of(s: Record, seat: Int) -> Int:
    """Who passes to a seat: the right neighbour, or the partner."""
    if s.sides < s.seats:
        return receiver_of(s, seat)
    return seat - 1 if seat > 0 else s.seats - 1


@rule
def first_from_left(s: Record, seats: Int) -> Int:
    """The first seat of a set that is not empty, from the dealer's left."""
    seat = left_of(s, s.dealer)
    while seats & bit(seat) == 0:
        seat = left_of(s, seat)
    return seat


@rule
def set_derived_fields(s: Record) -> None:
    """Fills in what follows from options and seats."""
    s.sides = s.seats // 2 if s.teams == 1 else s.seats
    s.hand_size = PERFECT_HAND_SIZE[s.seats] if s.perfect == 1 else HAND_SIZE
    s.trick_length = 4 if s.seats == 2 else s.seats
