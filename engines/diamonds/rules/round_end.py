"""The end of a round of Diamonds: majorities, bonus, next round (section 4)."""

from __future__ import annotations

from engines.bits import count
from engines.diamonds.rules.actions import act
from engines.diamonds.rules.dealing import start_round
from engines.diamonds.rules.options import ANY, NOBODY, PER_TEAM, TWO_ANY
from engines.diamonds.rules.state import (
    BONUS,
    DIAMONDS,
    GAME_ENDED,
    MAJORITY,
    MAJORITY_COMPARED,
    NO_TRICK,
    NO_TRICK_ACTIONS,
    OVER,
    ROUND_SCORED,
    SUITS,
    bit,
    first_from_left,
    left_of,
    rounds,
    side_of,
    suit_cards,
)
from engines.events import emit
from engines.jit import Int, Log, Record, rule
from engines.rng import below


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
    sides = 0
    for side in range(s.sides):
        cards = captured_by(s, side, suit)
        if cards > most:
            most = cards
            sides = bit(side)
        elif cards == most and cards > 0:
            sides |= bit(side)
    tied = sides & (sides - 1) != 0
    return 0 if tied and s.end_of_round_tie == NOBODY else sides


@rule
def first_partners(s: Record, sides: Int) -> Int:
    """The seats that act for sides: of two partners the first from the dealer's left."""
    if s.sides == s.seats:
        return sides
    seats = 0
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
        emit(log, MAJORITY_COMPARED, s.pending, suit, counts)


@rule
def next_pending(s: Record) -> Int:
    """Removes the next seat from those with an action to do; from the dealer's left."""
    seat = first_from_left(s, s.pending)
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
    seats = 0
    sides = 0
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
    if act(s, s.turn, suit, NO_TRICK, log):
        end_bonus_action(s, log)


@rule
def finish_round(s: Record, log: Log | None) -> None:
    """Ends the game, or the sample at its horizon, or starts the next round."""
    emit(log, ROUND_SCORED, 0, s.round_number, 0)
    if s.round_number == rounds(s):
        emit(log, GAME_ENDED, 0, 0, 0)
        s.phase = OVER
        s.turn = 0
    elif s.round_number == s.horizon:
        s.phase = OVER
        s.turn = 0
    else:
        if s.dealer_rotation == ANY:
            s.dealer = below(s.random_state, s.seats)
        else:
            s.dealer = left_of(s, s.dealer)
        s.round_number += 1
        start_round(s, log)
