"""The rules of Diam's as the contract asks for them; each chapter is a module of its own."""

from __future__ import annotations

import numpy as np

from engines import contract
from engines.contract import GAME_OVER, RESULT_ROWS, SCORE, UTILITY, WIN_SHARE
from engines.diams.rules.dealing import deal_round
from engines.diams.rules.deposits import deposit, list_deposits
from engines.diams.rules.moves import (
    DEPOSIT,
    DRAW_HAND,
    DRAW_MARKET,
    DRAW_MOVE,
    DRILL,
    MODES,
    NAME_CARD,
    NO_PLAY,
    OFFER_CARD,
    SALE,
    SET_MASK,
    SHOPLIFT,
    SPECIAL_DEPOSIT,
    TAKE_CARD,
    VISIT,
    argument_of,
    sort_of,
)
from engines.diams.rules.notes import (
    DEPOSITED,
    NOTES_PER_TURN,
    NOTHING_PLAYED,
    SPECIAL_DEPOSITED,
    tell,
)
from engines.diams.rules.specials import (
    drill,
    forced_sale,
    list_specials,
    play_special,
    shoplift,
    start_drill,
    start_sale,
)
from engines.diams.rules.state import (
    DIAMONDS,
    DRAW,
    LIMIT,
    MAX_SEATS,
    NAME,
    OFFER,
    OVER,
    PLAY,
    ROUNDS,
    STATE,
    TAKE,
    X2,
    rounds_of,
    size_of,
)
from engines.diams.rules.turns import draw, end_play, give_up, list_give_ups
from engines.diams.rules.victory import (
    expect_victory,
    finished_rounds,
    margin_of,
    score_of,
    share_victory,
)
from engines.diams.rules.visits import list_takes, list_visits, take_for_sum, visit
from engines.jit import Floats, Int, Ints, Log, Record, Row, entry, rule
from engines.rng import below, mix
from engines.utility import blend

MAX_MOVES = 1024
"""9 cards have at most 512 sets to deposit; visits and special cards add at most 400."""
MAX_GAME_MOVES = ROUNDS * 46 * (NOTES_PER_TURN - 1)
MARGIN_SCALE = 10.0
"""Margin in points of a round that counts as a clear win."""


@rule
def no_play(s: Record, log: Log | None) -> None:
    """None of the three is possible (section 3)."""
    others_empty = True
    for seat in range(s.seats):
        others_empty &= seat == s.turn or size_of(s.safes[seat]) == 0
    market_empty = size_of(s.market) == 0
    tell(s, log, NOTHING_PLAYED + 2 * market_empty + others_empty)
    end_play(s, log)


@entry(contract.APPLY_MOVE)
def start_game(row: Row, seats: Int, log: Log) -> None:
    """Deals the first round into a row that has its options, tables and generator."""
    s = row.view(STATE)[0]
    s.seats = seats
    s.round_number = 1
    s.starter = below(s.random_state, seats)
    deal_round(s, log)
    s.turned = 0


@entry(contract.SEAT_TO_MOVE)
def seat_to_move(row: Row) -> Int:
    """The seat that decides, or GAME_OVER."""
    s = row.view(STATE)[0]
    return np.int64(GAME_OVER) if s.phase == OVER else np.int64(s.turn)


@entry(contract.SEATS_TO_MOVE)
def seats_to_move(row: Row) -> Int:
    """Bit mask of the seats that may decide: one at a time."""
    s = row.view(STATE)[0]
    return np.int64(0) if s.phase == OVER else np.int64(1) << s.turn


@entry(contract.CLAIM_TURN)
def claim_turn(row: Row, seat: Int) -> Int:
    """Whether the seat is the one to move."""
    s = row.view(STATE)[0]
    return np.int64(1) if s.phase != OVER and s.turn == seat else np.int64(0)


@rule
def list_plays(s: Record, out: Ints) -> Int:
    """Visits, deposits and specials; NO_PLAY only if there are none (section 3)."""
    n = list_visits(s, out, np.int64(0))
    n = list_deposits(s, out, n)
    n = list_specials(s, out, n)
    if n == 0:
        out[0] = NO_PLAY
        n = 1
    return n


@rule
def list_cards(cards: Row, base: Int, out: Ints) -> Int:
    """A move for each diamond that is there."""
    n = np.int64(0)
    for card in range(DIAMONDS):
        if cards[card] > 0:
            out[n] = base + card
            n += 1
    return n


@rule
def list_moves(s: Record, out: Ints) -> Int:
    """The legal moves of the phase, ascending."""
    if s.phase == DRAW:
        out[0] = DRAW_MOVE + DRAW_HAND
        out[1] = DRAW_MOVE + DRAW_MARKET
        return np.int64(2)
    if s.phase == PLAY:
        return list_plays(s, out)
    if s.phase == TAKE:
        return list_takes(s, out, np.int64(0))
    if s.phase == OFFER:
        return list_cards(s.hands[s.turn], OFFER_CARD, out)
    if s.phase == NAME:
        for card in range(DIAMONDS):
            out[card] = NAME_CARD + card
        return np.int64(DIAMONDS)
    if s.phase == LIMIT:
        return list_give_ups(s, out, np.int64(0))
    return np.int64(0)


@entry(contract.LEGAL_MOVES)
def legal_moves(row: Row, out: Ints) -> Int:
    """The legal moves of the phase, ascending."""
    return list_moves(row.view(STATE)[0], out)


@rule
def play(s: Record, move: Int, log: Log | None) -> None:
    """Plays a legal move."""
    s.turned = 0
    s.drawn = 0
    s.drawer = 0
    sort = sort_of(move)
    argument = argument_of(move)
    if sort == DRAW_MOVE:
        draw(s, argument, log)
    elif sort == NO_PLAY:
        no_play(s, log)
    elif sort == VISIT:
        visit(s, argument // MODES, argument % MODES, log)
    elif sort == DEPOSIT:
        deposit(s, move, DEPOSITED, log)
    elif sort == SALE:
        start_sale(s, argument // MAX_SEATS, argument % MAX_SEATS, log)
    elif sort == DRILL:
        start_drill(s, argument, log)
    elif sort == SPECIAL_DEPOSIT:
        play_special(s, X2)
        deposit(s, move, SPECIAL_DEPOSITED, log)
    elif sort == SHOPLIFT:
        shoplift(s, argument, log)
    elif sort == TAKE_CARD:
        take_for_sum(s, argument, log)
    elif sort == OFFER_CARD:
        forced_sale(s, argument, log)
    elif sort == NAME_CARD:
        drill(s, argument, log)
    else:
        give_up(s, argument, log)


@entry(contract.APPLY_MOVE)
def apply_move(row: Row, move: Int, log: Log) -> None:
    """Plays a legal move in place."""
    play(row.view(STATE)[0], move, log)


@entry(contract.MOVE_KEY)
def move_key(row: Row, move: Int, observer: Int) -> Int:
    """Everything is done in the open, but for which diamonds others put into a closed safe."""
    s = row.view(STATE)[0]
    sort = sort_of(move)
    if (sort in (DEPOSIT, SPECIAL_DEPOSIT)) and observer != s.turn and not s.open_safes:
        return move & ~SET_MASK
    return move


@entry(contract.OUTCOME_KEY)
def outcome_key(row: Row, observer: Int) -> Int:
    """Cards turned, sold and drilled are seen by all; a card drawn to the hand by its owner."""
    s = row.view(STATE)[0]
    if s.drawn > 0 and s.drawer == observer:
        return mix(s.turned, s.drawn)
    return np.int64(s.turned)


@rule
def value_result(s: Record, out: Floats) -> None:
    """Scores, shares of the victory and utilities with the points as they are."""
    for seat in range(s.seats):
        out[SCORE, seat] = score_of(s, seat)
    rounds_left = rounds_of(s) - finished_rounds(s)
    if s.phase == OVER and rounds_left > 0:
        expect_victory(s, rounds_left, out)
    else:
        share_victory(s, out)
    for seat in range(s.seats):
        out[UTILITY, seat] = blend(out[WIN_SHARE, seat], margin_of(s, seat), MARGIN_SCALE)


@entry(contract.EVALUATE)
def evaluate(row: Row, out: Floats) -> None:
    """Scores, shares of the victory and utilities; expected ones at a horizon."""
    s = row.view(STATE)[0]
    if s.drawn_outcomes == 0:
        value_result(s, out)
        return
    total = np.zeros((RESULT_ROWS, s.seats))
    for i in range(s.drawn_outcomes):
        for seat in range(s.seats):
            s.points[s.round_number - 1, seat] = s.outcomes[i, seat]
        value_result(s, out)
        for result in range(RESULT_ROWS):
            for seat in range(s.seats):
                total[result, seat] += out[result, seat]
    for result in range(RESULT_ROWS):
        for seat in range(s.seats):
            out[result, seat] = total[result, seat] / s.drawn_outcomes
