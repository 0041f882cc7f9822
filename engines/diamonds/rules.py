"""The rules of Diamonds, compiled. Section numbers are those of docs/rules/diamonds.md.

A card is a number ``15 * suit + rank - 1`` (suit 0 to 3: diamonds, hearts, spades, clubs), a set of
cards an int64 bit mask. A *side* is what owns a vault and a showroom: a seat, or in a partnership
a team; team t is seats t and t + sides.
"""

from __future__ import annotations

import math

import numpy as np
from numba import types

from engines import contract
from engines.contract import GAME_OVER, MAX_SEATS, SCORE, UTILITY, WIN_SHARE, record_dtype
from engines.diamonds import gains, options
from engines.events import emit
from engines.jit import (
    LOG,
    ROW,
    Floats,
    Int,
    Ints,
    Log,
    Record,
    Row,
    count,
    entry,
    inlined_rule,
    lowest,
    rule,
)
from engines.rng import below, mix
from engines.utility import best_other, blend

SUITS = 4
RANKS = 15
CARDS = 60
DIAMONDS, HEARTS, SPADES, CLUBS = np.arange(SUITS)

ROUNDS = (0, 0, 4, 6, 4, 5, 6)
"""Rounds by the number of seats (section 1.1)."""
HAND_SIZE = 10
PERFECT_RANKS = (0, 0, 8, 9, 13, 15)
PERFECT_HAND_SIZE = (0, 0, 16, 12, 13, 12)
"""Ranks kept and cards dealt by the number of seats (section 7.3)."""
FIRST_SHOWROOM = 3
MIN_PASS, MAX_PASS = 1, 3
NO_TRICK_ACTIONS = 2

PASS_COUNT, PASS, PLAY, VICTIM, BONUS, OVER = np.arange(1, 7)
"""Phases, as DiamondsPhase numbers them (section 3). OVER is also the phase of a sample that has
reached its horizon."""
OFF_SUIT, TRICK, MAJORITY, NO_TRICK = np.arange(1, 5)
"""Reasons of a suit action, as DiamondsActionReason numbers them."""
EXCHANGED, DEALT = 1, 2
"""What ``outcome`` says of the last move: cards were passed on, or a round was dealt."""

MAX_MOVES = 560
"""3 of 16 cards to pass, in Perfect Diamonds with 2 seats."""
MAX_GAME_MOVES = options.MAX_ROUNDS * (1 + 6 + 2 * 60 + 12 + 6 + 2 * 12)
"""A round asks for one pass count, a pass of each seat, the cards and, for each card, trick,
majority and bonus action, a victim; bonus actions also for their suit."""
MARGIN_SCALE = 10.0
"""Score margin, in points, of a clear win."""

FIXED, PLAYER_COUNT, ANY = options.FIXED, options.PLAYER_COUNT, options.ANY
NOBODY, TWO_ANY = options.NOBODY, options.TWO_ANY
SIX, PER_TEAM = options.SIX, options.PER_TEAM

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
) = np.arange(9)
"""Kinds of log entries. seat, a and b: dealer, round, -; seat, count, -; seat, receiver, count;
seat, card, -; seat, suit and reason, effect and thief (see ``log_action``); seat, winning card, -;
mask of the seats that act, suit, captured cards in 4 bits a side; -, round, -; -, -, -."""
NONE = np.int64(0)
"""Where a log entry has nothing to tell."""
NO_EFFECT, MOVED, STOLEN = np.arange(3)
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
]
"""What everybody knows. ``trick`` to ``best_seat`` tell the current trick: its cards, how many they
are, the led suit, the highest card of it and who played that. ``captured`` are the cards of the
tricks each seat has won this round, ``plays`` the cards of this round in order. ``pending`` is the
mask of seats that still have an action to do at the end of the round, after the one that does its
own. ``sides``, ``hand_size`` (cards dealt to a seat) and ``trick_length`` (cards of a full trick)
follow from options and seats."""

STATE = record_dtype(
    [
        ("random", np.uint64, (1,)),
        ("hands", np.int64, (MAX_SEATS,)),
        ("passed", np.int64, (MAX_SEATS,)),
        *PUBLIC_FIELDS,
        *OPTION_FIELDS,
        ("horizon", np.int8),
        ("outcome", np.int8),
    ]
)
"""The full state. ``passed`` are the cards each seat passes or has passed on this round; until all
have chosen they are still in its hand. ``random`` is the generator of the deals to come. A sample
ends after round ``horizon``; 0 in the state of a table."""
TRANSIENT_FIELDS = ("horizon", "outcome")


# ------------------------------------------------------------------------------ cards and seats


@rule
def bit(index: Int) -> Int:
    """The set of one card, seat or side."""
    return np.int64(1) << np.int64(index)


@rule
def suit_of(card: Int) -> Int:
    """The suit of a card, 0 to 3."""
    return (np.int64(card) * 137) >> 11


@rule
def rank_of(card: Int) -> Int:
    """The rank of a card, 1 to 15."""
    return card % RANKS + 1


@rule
def suit_cards(suit: Int) -> Int:
    """All cards of a suit."""
    return (bit(RANKS) - 1) << np.int64(suit * RANKS)


@rule
def deck_ranks(s: Record) -> Int:
    """The highest rank of the deck (sections 1 and 7.3)."""
    return PERFECT_RANKS[s.seats] if s.perfect else RANKS


@rule
def cards_of_round(s: Record) -> Int:
    """How many cards are dealt, and played, in a round."""
    return np.int64(s.hand_size) * s.seats


@rule
def rounds(s: Record) -> Int:
    """Rounds of the game (section 1.1)."""
    if s.round_count == FIXED:
        return np.int64(s.fixed_rounds)
    if s.round_count == PLAYER_COUNT:
        return np.int64(s.seats)
    return np.int64(ROUNDS[s.seats])


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
def first_from_left(s: Record, seats: Int) -> Int:
    """The first seat of a set that is not empty, from the dealer's left."""
    seat = left_of(s, np.int64(s.dealer))
    while seats & bit(seat) == 0:
        seat = left_of(s, seat)
    return seat


# --------------------------------------------------------------------------------- suit actions


@rule
def take_from_supply(s: Record) -> bool:
    """Takes a crystal from the supply, unless that is limited and empty (section 1.2)."""
    if s.supply == 0:
        return True
    if s.supply_left == 0:
        return False
    s.supply_left -= 1
    return True


@rule
def diamonds_action(s: Record, side: Int) -> bool:
    """Supply to vault."""
    if not take_from_supply(s):
        return False
    s.vaults[side] += 1
    return True


@rule
def hearts_action(s: Record, side: Int) -> bool:
    """Supply to showroom."""
    if not take_from_supply(s):
        return False
    s.showrooms[side] += 1
    return True


@rule
def spades_action(s: Record, side: Int) -> bool:
    """Showroom to vault; nothing if the showroom is empty."""
    if s.showrooms[side] == 0:
        return False
    s.showrooms[side] -= 1
    s.vaults[side] += 1
    return True


@rule
def possible_victims(s: Record, side: Int) -> Int:
    """The other sides that have a crystal in the showroom."""
    victims = np.int64(0)
    for other in range(MAX_SEATS):
        victims |= np.int64(s.showrooms[other] > 0) << other
    return victims & ~bit(side)


@rule
def log_action(s: Record, seat: Int, suit: Int, reason: Int, effect: Int, log: Log | None) -> None:
    """Logs a suit action, packed in two numbers: suit and reason, effect and who has the token."""
    if log is not None:
        emit(log, SUIT_ACTION, seat, 8 * suit + reason, 8 * np.int64(s.thief) + effect)


@rule
def steal(s: Record, seat: Int, victim: Int, reason: Int, log: Log | None) -> None:
    """A clubs action with its victim: showroom to showroom."""
    s.showrooms[victim] -= 1
    s.showrooms[side_of(s, seat)] += 1
    log_action(s, seat, CLUBS, reason, STOLEN + victim, log)


@rule
def steal_by_token(s: Record, seat: Int, reason: Int, log: Log | None) -> None:
    """Clubs with the thief token: its holder is the victim, then it moves left (section 7.4)."""
    holder = side_of(s, np.int64(s.thief))
    s.thief = left_of(s, np.int64(s.thief))
    if holder != side_of(s, seat) and s.showrooms[holder] > 0:
        steal(s, seat, holder, reason, log)
    else:
        log_action(s, seat, CLUBS, reason, NO_EFFECT, log)


@rule
def clubs_action(s: Record, seat: Int, reason: Int, log: Log | None) -> bool:
    """An opponent's showroom to the own; False if the seat has to choose the victim first."""
    if s.thief_token == 1:
        steal_by_token(s, seat, reason, log)
        return True
    victims = possible_victims(s, side_of(s, seat))
    if victims == 0:
        log_action(s, seat, CLUBS, reason, NO_EFFECT, log)
        return True
    if victims & (victims - 1) == 0:
        steal(s, seat, lowest(victims), reason, log)
        return True
    s.phase = VICTIM
    s.victim_reason = reason
    s.turn = seat
    return False


@rule
def act(s: Record, seat: Int, suit: Int, reason: Int, log: Log | None) -> bool:
    """Does a suit action at once (section 1.2). False if it waits for the choice of a victim."""
    if suit == CLUBS:
        return clubs_action(s, seat, reason, log)
    side = side_of(s, seat)
    if suit == DIAMONDS:
        moved = diamonds_action(s, side)
    elif suit == HEARTS:
        moved = hearts_action(s, side)
    else:
        moved = spades_action(s, side)
    log_action(s, seat, suit, reason, MOVED if moved else NO_EFFECT, log)
    return True


# -------------------------------------------------------------------------- dealing and passing


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
        hand = np.int64(0)
        for _ in range(s.hand_size):
            drawn = dealt + below(s.random, size - dealt)
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
    emit(log, ROUND_STARTED, np.int64(s.dealer), np.int64(s.round_number), NONE)


@rule
def choose_pass_count(s: Record, cards: Int, log: Log | None) -> None:
    """The dealer says how many cards are passed."""
    emit(log, PASS_COUNT_CHOSEN, np.int64(s.turn), cards, NONE)
    s.pass_count = cards
    s.phase = PASS
    s.turn = left_of(s, np.int64(s.dealer))


@rule
def seats_to_pass(s: Record) -> Int:
    """The seats that have not chosen yet which cards they pass."""
    waiting = np.int64(0)
    for seat in range(s.seats):
        if s.passed[seat] == 0:
            waiting |= bit(seat)
    return waiting


@rule
def exchange(s: Record, log: Log | None) -> None:
    """All chosen cards change hands at the same time; the dealer's left neighbour leads."""
    for seat in range(s.seats):
        s.hands[seat] ^= s.passed[seat]
    seat = left_of(s, np.int64(s.dealer))
    s.turn = seat
    s.phase = PLAY
    s.outcome = EXCHANGED
    for _ in range(s.seats):
        receiver = receiver_of(s, seat)
        s.hands[receiver] |= s.passed[seat]
        emit(log, CARDS_PASSED, seat, receiver, np.int64(s.pass_count))
        seat = left_of(s, seat)


@rule
def choose_pass(s: Record, cards: Int, log: Log | None) -> None:
    """A seat chooses the cards that it passes; nobody sees that before all have chosen."""
    s.passed[s.turn] = cards
    waiting = seats_to_pass(s)
    if waiting != 0:
        s.turn = first_from_left(s, waiting)
    else:
        exchange(s, log)


# ------------------------------------------------------------------------------- end of a round


@rule
def captured_by(s: Record, side: Int, suit: Int) -> Int:
    """How many cards of a suit a side has captured this round; partners add up (section 7.2)."""
    cards = s.captured[side]
    if s.sides < s.seats:
        cards |= s.captured[side + s.sides]
    return count(cards & suit_cards(suit))


@rule
def majority_sides(s: Record, suit: Int) -> Int:
    """The sides that act for the most captured cards of a suit (section 4)."""
    most = 0
    sides = np.int64(0)
    for side in range(s.sides):
        cards = captured_by(s, side, suit)
        if cards > most:
            most = cards
            sides = bit(side)
        elif cards == most and cards > 0:
            sides |= bit(side)
    tied = sides & (sides - 1) != 0
    return np.int64(0) if tied and s.end_of_round_tie == NOBODY else sides


@rule
def first_partners(s: Record, sides: Int) -> Int:
    """The seats that act for sides: of two partners the first from the dealer's left."""
    if s.sides == s.seats:
        return sides
    seats = np.int64(0)
    for side in range(s.sides):
        if sides & bit(side) != 0:
            seats |= bit(first_from_left(s, bit(side) | bit(side + s.sides)))
    return seats


@rule
def log_majority(s: Record, suit: Int, log: Log | None) -> None:
    """Logs who acts for the most captured cards of a suit, and everybody's number of them."""
    if log is not None:
        counts = 0
        for side in range(s.sides):
            counts |= captured_by(s, side, suit) << (4 * side)
        emit(log, MAJORITY_COMPARED, np.int64(s.pending), suit, counts)


@rule
def next_pending(s: Record) -> Int:
    """Removes the next seat from those with an action to do; from the dealer's left."""
    seat = first_from_left(s, np.int64(s.pending))
    s.pending ^= bit(seat)
    return seat


@rule
def act_for_majority(s: Record, suit: Int, log: Log | None) -> bool:
    """Every pending seat does the suit's action; False if one has to choose a victim first."""
    while s.pending != 0:
        if not act(s, next_pending(s), suit, MAJORITY, log):
            return False
    return True


@rule
def end_round(s: Record, log: Log | None) -> None:
    """Compares the captured cards: diamonds, hearts, spades, clubs; then the bonus (section 4)."""
    for suit in range(SUITS):
        s.pending = first_partners(s, majority_sides(s, suit))
        log_majority(s, suit, log)
        if not act_for_majority(s, suit, log):
            return
    award_bonus(s, log)


@rule
def trickless_seats(s: Record) -> Int:
    """The seats that get the bonus for no tricks; of two trickless partners the first from the
    dealer's left, or both with ``per_partner`` (sections 4 and 7.2)."""
    seats = np.int64(0)
    sides = np.int64(0)
    for seat in range(s.seats):
        if s.captured[seat] == 0:
            seats |= bit(seat)
            sides |= bit(side_of(s, seat))
    if s.sides == s.seats or s.team_no_trick_actions != PER_TEAM:
        return seats
    for side in range(s.sides):
        partners = bit(side) | bit(side + s.sides)
        if seats & partners == partners:
            seats ^= partners ^ bit(first_from_left(s, partners))
    return seats


@rule
def award_bonus(s: Record, log: Log | None) -> None:
    """Every seat without a trick gets its bonus, from the dealer's left."""
    s.pending = trickless_seats(s)
    next_bonus(s, log)


@rule
def next_bonus(s: Record, log: Log | None) -> None:
    """Two diamonds actions for the next seat without a trick, or its choice of two actions."""
    while s.pending != 0:
        seat = next_pending(s)
        if s.no_trick_bonus == TWO_ANY:
            s.phase = BONUS
            s.turn = seat
            s.bonus_left = NO_TRICK_ACTIONS
            return
        for _ in range(NO_TRICK_ACTIONS):
            act(s, seat, DIAMONDS, NO_TRICK, log)
    finish_round(s, log)


@rule
def end_bonus_action(s: Record, log: Log | None) -> None:
    """One of two bonus actions is done."""
    s.bonus_left -= 1
    if s.bonus_left > 0:
        s.phase = BONUS
    else:
        next_bonus(s, log)


@rule
def choose_bonus(s: Record, suit: Int, log: Log | None) -> None:
    """A seat without a trick does an action of its choice (section 10.3)."""
    if act(s, np.int64(s.turn), suit, NO_TRICK, log):
        end_bonus_action(s, log)


@rule
def finish_round(s: Record, log: Log | None) -> None:
    """Ends the game, or the sample at its horizon, or starts the next round."""
    emit(log, ROUND_SCORED, NONE, np.int64(s.round_number), NONE)
    if s.round_number == rounds(s):
        emit(log, GAME_ENDED, NONE, NONE, NONE)
        s.phase = OVER
        s.turn = 0
    elif s.round_number == s.horizon:
        s.phase = OVER
        s.turn = 0
    else:
        if s.dealer_rotation == ANY:
            s.dealer = below(s.random, np.int64(s.seats))
        else:
            s.dealer = left_of(s, np.int64(s.dealer))
        s.round_number += 1
        start_round(s, log)


# --------------------------------------------------------------------------------- playing cards


@inlined_rule
def play_card(s: Record, card: Int, log: Log | None) -> None:
    """A card to the trick; off the led suit it earns an action of its own suit (section 3)."""
    seat = np.int64(s.turn)
    suit = suit_of(card)
    s.hands[seat] ^= bit(card)
    s.trick |= bit(card)
    s.plays[s.played] = card
    s.played += 1
    s.trick_size += 1
    emit(log, CARD_PLAYED, seat, card, NONE)
    if s.trick_size == 1:
        s.led = suit
        s.best = card
        s.best_seat = seat
    elif suit == s.led:
        if card > s.best:
            s.best = card
            s.best_seat = seat
    elif not act(s, seat, suit, OFF_SUIT, log):
        return
    end_play(s, log)


@rule
def end_play(s: Record, log: Log | None) -> None:
    """A card and its action are done: the next seat's turn, or the end of the trick."""
    if s.trick_size < s.trick_length:
        s.turn = left_of(s, np.int64(s.turn))
    else:
        end_trick(s, log)


@rule
def end_trick(s: Record, log: Log | None) -> None:
    """The highest card of the led suit wins; its player does an action of that suit (section 3)."""
    winner = np.int64(s.best_seat)
    suit = np.int64(s.led)
    emit(log, TRICK_WON, winner, np.int64(s.best), NONE)
    s.captured[winner] |= s.trick
    s.turn = winner
    s.trick = 0
    s.trick_size = 0
    s.led = 0
    s.best = 0
    s.best_seat = 0
    if act(s, winner, suit, TRICK, log):
        end_trick_action(s, log)


@rule
def end_trick_action(s: Record, log: Log | None) -> None:
    """The winner's action is done: it leads, or the round ends."""
    if s.played == cards_of_round(s):
        end_round(s, log)


@rule
def choose_victim(s: Record, victim: Int, log: Log | None) -> None:
    """A clubs action is done, and what it interrupted goes on."""
    reason = np.int64(s.victim_reason)
    s.victim_reason = 0
    s.phase = PLAY
    steal(s, np.int64(s.turn), victim, reason, log)
    if reason == OFF_SUIT:
        end_play(s, log)
    elif reason == TRICK:
        end_trick_action(s, log)
    elif reason == MAJORITY:
        if act_for_majority(s, CLUBS, log):
            award_bonus(s, log)
    else:
        end_bonus_action(s, log)


@rule
def playable_cards(s: Record) -> Int:
    """The cards that the seat to move may play: it must follow suit if it can (section 3)."""
    hand = s.hands[s.turn]
    if s.trick_size > 0:
        following = hand & suit_cards(s.led)
        if following != 0:
            return following
    return hand


# --------------------------------------------------------------------------------- the contract


@inlined_rule
def decide(s: Record, move: Int, log: Log | None) -> None:
    """Plays a legal move of any phase but PLAY: a set of cards in PASS, else a number, a side or a
    suit."""
    if s.phase == VICTIM:
        choose_victim(s, move, log)
    elif s.phase == PASS:
        choose_pass(s, move, log)
    elif s.phase == PASS_COUNT:
        choose_pass_count(s, move, log)
    else:
        choose_bonus(s, move, log)


@rule
def set_derived_fields(s: Record) -> None:
    """Fills in what follows from options and seats."""
    s.sides = s.seats // 2 if s.teams == 1 else s.seats
    s.hand_size = PERFECT_HAND_SIZE[s.seats] if s.perfect == 1 else HAND_SIZE
    s.trick_length = 4 if s.seats == 2 else s.seats


@entry(types.void(ROW, LOG))
def start_game(row: Row, log: Log) -> None:
    """Sets up and deals the first round (section 2), given options, seats and generator."""
    s = row.view(STATE)[0]
    set_derived_fields(s)
    first = FIRST_SHOWROOM
    if s.sides < s.seats and s.team_start_gems == SIX:
        first = 2 * FIRST_SHOWROOM
    for side in range(s.sides):
        s.showrooms[side] = first
    if s.supply > 0:
        s.supply_left = s.supply - first * s.sides
    s.dealer = below(s.random, np.int64(s.seats))
    s.thief = s.dealer if s.thief_token == 1 else 0
    s.round_number = 1
    start_round(s, log)
    s.outcome = 0


@entry(contract.SEAT_TO_MOVE)
def seat_to_move(row: Row) -> Int:
    """The seat that decides, or GAME_OVER."""
    s = row.view(STATE)[0]
    return np.int64(GAME_OVER) if s.phase == OVER else np.int64(s.turn)


@rule
def deciding_seats(s: Record) -> Int:
    """The seats that may decide: while passing all that have not chosen."""
    if s.phase == OVER:
        return np.int64(0)
    return seats_to_pass(s) if s.phase == PASS else bit(s.turn)


@entry(contract.SEATS_TO_MOVE)
def seats_to_move(row: Row) -> Int:
    """Bit mask of the seats that may decide."""
    return deciding_seats(row.view(STATE)[0])


@entry(contract.CLAIM_TURN)
def claim_turn(row: Row, seat: Int) -> Int:
    """Makes a seat the next to decide, if it may."""
    s = row.view(STATE)[0]
    if deciding_seats(s) & bit(seat) == 0:
        return np.int64(0)
    s.turn = seat
    return np.int64(1)


@rule
def list_members(members: Int, out: Ints) -> Int:
    """Writes the members of a set in ascending order; returns their number."""
    n = 0
    while members != 0:
        out[n] = lowest(members)
        members &= members - 1
        n += 1
    return n


@rule
def list_passes(hand: Int, size: Int, out: Ints) -> Int:
    """Writes all sets of ``size`` (1 to 3) cards of a hand in ascending order; returns their
    number. The highest card of a set weighs most, so it is the outermost loop."""
    n = 0
    high_left = hand
    while high_left != 0:
        high = high_left & -high_left
        high_left ^= high
        if size == 1:
            out[n] = high
            n += 1
            continue
        middle_left = hand & (high - 1)
        while middle_left != 0:
            middle = middle_left & -middle_left
            middle_left ^= middle
            if size == 2:
                out[n] = high | middle
                n += 1
                continue
            low_left = hand & (middle - 1)
            while low_left != 0:
                low = low_left & -low_left
                low_left ^= low
                out[n] = high | middle | low
                n += 1
    return n


@entry(contract.LEGAL_MOVES)
def legal_moves(row: Row, out: Ints) -> Int:
    """The legal moves of the seat to move, ascending (section 3)."""
    s = row.view(STATE)[0]
    if s.phase == PLAY:
        return list_members(playable_cards(s), out)
    if s.phase == PASS:
        return list_passes(s.hands[s.turn], s.pass_count, out)
    if s.phase == VICTIM:
        return list_members(possible_victims(s, side_of(s, np.int64(s.turn))), out)
    if s.phase == BONUS:
        return list_members(bit(SUITS) - 1, out)
    if s.phase == PASS_COUNT:
        return list_members(bit(MAX_PASS + 1) - bit(MIN_PASS), out)
    return np.int64(0)


@entry(contract.APPLY_MOVE)
def apply_move(row: Row, move: Int, log: Log) -> None:
    """Plays a legal move in place."""
    s = row.view(STATE)[0]
    s.outcome = 0
    if s.phase == PLAY:
        play_card(s, move, log)
    else:
        decide(s, move, log)


@entry(contract.MOVE_KEY)
def move_key(row: Row, move: Int, observer: Int) -> Int:
    """Everything is open but the cards that others pass."""
    s = row.view(STATE)[0]
    hidden = s.phase == PASS and s.turn != observer
    return np.int64(0) if hidden else move


@rule
def giver_of(s: Record, seat: Int) -> Int:
    """Who passes to a seat: the right neighbour, or the partner."""
    if s.sides < s.seats:
        return receiver_of(s, seat)
    return seat - 1 if seat > 0 else s.seats - 1


@entry(contract.OUTCOME_KEY)
def outcome_key(row: Row, observer: Int) -> Int:
    """After an exchange a seat sees what it was passed, after a deal its hand and the dealer."""
    s = row.view(STATE)[0]
    if s.outcome == EXCHANGED:
        return s.passed[giver_of(s, observer)]
    if s.outcome == DEALT:
        return mix(s.hands[observer], s.dealer)
    return np.int64(0)


# -------------------------------------------------------------------------------------- scoring


@rule
def score_of(s: Record, side: Int) -> Int:
    """Two points for each crystal in the vault, one in the showroom (section 5)."""
    return 2 * np.int64(s.vaults[side]) + s.showrooms[side]


@rule
def beats(s: Record, side: Int, other: Int) -> bool:
    """Whether a side is ahead: by score, then by vault (section 5)."""
    if score_of(s, side) != score_of(s, other):
        return score_of(s, side) > score_of(s, other)
    return s.vaults[side] > s.vaults[other]


@rule
def share_victory(s: Record, out: Floats) -> None:
    """Final scores and shares of the victory of all sides."""
    leader = 0
    for side in range(1, s.sides):
        if beats(s, side, leader):
            leader = side
    winners = 0
    for side in range(s.sides):
        out[SCORE, side] = score_of(s, side)
        winners += not beats(s, leader, side)
    for side in range(s.sides):
        out[WIN_SHARE, side] = 0.0 if beats(s, leader, side) else 1.0 / winners


@rule
def average_score(s: Record) -> float:
    """The mean of the scores of all sides."""
    total = 0.0
    for side in range(s.sides):
        total += score_of(s, side)
    return total / s.sides


@rule
def expect_victory(s: Record, rounds_left: Int, out: Floats) -> None:
    """Expected final scores and shares of the victory, some rounds before the end.

    Every round adds the measured mean to each side and wears down leads, while chance adds up. With
    the chance taken as Gumbel noise, the shares are the softmax of the expected scores.
    """
    mean = gains.MEAN[s.perfect, s.teams, s.seats]
    kept_a_round = gains.KEPT[s.perfect, s.teams, s.seats]
    sd = gains.SD[s.perfect, s.teams, s.seats]
    kept = 1.0
    variance = 0.0
    for _ in range(rounds_left):
        variance += (kept * sd) ** 2
        kept *= kept_a_round
    average = average_score(s)
    temperature = math.sqrt(6.0 * variance) / math.pi
    total = 0.0
    for side in range(s.sides):
        lead = kept * (score_of(s, side) - average)
        out[SCORE, side] = average + rounds_left * mean + lead
        out[WIN_SHARE, side] = math.exp(lead / temperature)
        total += out[WIN_SHARE, side]
    for side in range(s.sides):
        out[WIN_SHARE, side] /= total


@entry(contract.EVALUATE)
def evaluate(row: Row, out: Floats) -> None:
    """Scores, shares of the victory and utilities; expected ones at a horizon."""
    s = row.view(STATE)[0]
    rounds_left = rounds(s) - s.round_number if s.phase == OVER else 0
    if rounds_left > 0:
        expect_victory(s, rounds_left, out)
    else:
        share_victory(s, out)
    for side in range(s.sides):
        margin = out[SCORE, side] - best_other(out, SCORE, side, s.sides, 0)
        out[UTILITY, side] = blend(out[WIN_SHARE, side], margin, MARGIN_SCALE)
    for seat in range(s.sides, s.seats):
        for figure in range(contract.RESULT_ROWS):
            out[figure, seat] = out[figure, seat - s.sides]
