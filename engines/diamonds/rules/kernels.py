"""The rules of Diamonds as the contract asks for them; each chapter is a module of its own."""

from __future__ import annotations

from numba import types

from engines import contract
from engines.bits import lowest
from engines.contract import GAME_OVER, SCORE, UTILITY, WIN_SHARE
from engines.diamonds.rules import options
from engines.diamonds.rules.actions import possible_victims, steal
from engines.diamonds.rules.dealing import (
    choose_pass,
    choose_pass_count,
    seats_to_pass,
    start_round,
)
from engines.diamonds.rules.options import SIX
from engines.diamonds.rules.round_end import (
    act_for_majority,
    award_bonus,
    choose_bonus,
    end_bonus_action,
)
from engines.diamonds.rules.scoring import expect_victory, share_victory
from engines.diamonds.rules.state import (
    BONUS,
    CLUBS,
    DEALT,
    EXCHANGED,
    FIRST_SHOWROOM,
    MAJORITY,
    MAX_PASS,
    MIN_PASS,
    OFF_SUIT,
    OVER,
    PASS,
    PASS_COUNT,
    PLAY,
    STATE,
    SUITS,
    TRICK,
    VICTIM,
    bit,
    giver_of,
    rounds,
    set_derived_fields,
    side_of,
)
from engines.diamonds.rules.tricks import end_play, end_trick_action, play_card, playable_cards
from engines.jit import LOG, ROW, Floats, Int, Ints, Log, Record, Row, entry, inlined_rule, rule
from engines.rng import below, mix
from engines.utility import best_other, blend

MAX_MOVES = 560
"""3 of 16 cards to pass, in Perfect Diamonds with 2 seats."""
MAX_GAME_MOVES = options.MAX_ROUNDS * (1 + 6 + 2 * 60 + 12 + 6 + 2 * 12)
"""A round asks for one pass count, a pass of each seat, the cards and, for each card, trick,
majority and bonus action, a victim; bonus actions also for their suit."""
MARGIN_SCALE = 10.0
"""Score margin, in points, of a clear win."""


@rule
def choose_victim(s: Record, victim: Int, log: Log | None) -> None:
    """A clubs action is done, and what it interrupted goes on."""
    reason = s.victim_reason
    s.victim_reason = 0
    s.phase = PLAY
    steal(s, s.turn, victim, reason, log)
    if reason == OFF_SUIT:
        end_play(s, log)
    elif reason == TRICK:
        end_trick_action(s, log)
    elif reason == MAJORITY:
        if act_for_majority(s, CLUBS, log):
            award_bonus(s, log)
    else:
        end_bonus_action(s, log)


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
    s.dealer = below(s.random_state, s.seats)
    s.thief = s.dealer if s.thief_token == 1 else 0
    s.round_number = 1
    start_round(s, log)
    s.outcome = 0


@entry(contract.SEAT_TO_MOVE)
def seat_to_move(row: Row) -> Int:
    """The seat that decides, or GAME_OVER."""
    s = row.view(STATE)[0]
    return GAME_OVER if s.phase == OVER else s.turn


@rule
def deciding_seats(s: Record) -> Int:
    """The seats that may decide: while passing all that have not chosen."""
    if s.phase == OVER:
        return 0
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
        return 0
    s.turn = seat
    return 1


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
        return list_members(possible_victims(s, side_of(s, s.turn)), out)
    if s.phase == BONUS:
        return list_members(bit(SUITS) - 1, out)
    if s.phase == PASS_COUNT:
        return list_members(bit(MAX_PASS + 1) - bit(MIN_PASS), out)
    return 0


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
    return 0 if hidden else move


@entry(contract.OUTCOME_KEY)
def outcome_key(row: Row, observer: Int) -> Int:
    """After an exchange a seat sees what it was passed, after a deal its hand and the dealer."""
    s = row.view(STATE)[0]
    if s.outcome == EXCHANGED:
        return s.passed[giver_of(s, observer)]
    if s.outcome == DEALT:
        return mix(s.hands[observer], s.dealer)
    return 0


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
