"""The rules of Diamonds Club, compiled: a round from phase to phase.

Section numbers are those of docs/rules/diamonds-club.md. The phases have modules of their own:
market, exchange, building; beside them park (where tiles lie) and scoring.

Decisions that are not asked, because a person would not be: a seat that can't buy or build anything
is out; the only set that can be formed is formed; a payment that can be made in one way only is
made; nothing is asked about tiles to keep when there are none; tiles find their spaces by
themselves. The start player is always asked first in a new market.
"""

from __future__ import annotations

import numpy as np

from engines import contract
from engines.contract import GAME_OVER, SCORE, UTILITY, WIN_SHARE
from engines.diamonds_club.rules import building, exchange, market, tables
from engines.diamonds_club.rules.estimate import estimate
from engines.diamonds_club.rules.options import ALL_AT_ONCE, MAX_ROUNDS
from engines.diamonds_club.rules.park import is_full
from engines.diamonds_club.rules.scoring import gems_left, score
from engines.diamonds_club.rules.state import (
    BUILD,
    CELLS,
    CHARTS,
    COLORS,
    EXCHANGE,
    GAME_ENDED,
    HORIZON,
    KEEP,
    MARKET,
    MONEY_TRACK,
    OUT,
    OVER,
    PAYMENT,
    ROUND_STARTED,
    SEATS,
    STATE,
    TILES,
)
from engines.events import emit
from engines.jit import Floats, Int, Ints, Log, Record, Row, entry, rule
from engines.utility import best_other, blend

PASS = market.PASS
MAX_MOVES = max(
    market.MAX_PURCHASES,
    exchange.SETS,
    exchange.KEEP_MOVES,
    building.BUILD_MOVES,
    building.MAX_PAYMENTS,
)
MOVES_A_ROUND = (CELLS + SEATS) + (COLORS * tables.MAX_MINES + SEATS) + (2 * CHARTS + 1) * SEATS
MAX_GAME_MOVES = MAX_ROUNDS * MOVES_A_ROUND
"""Each round at most: every cell and a pass of each seat; every mine in a set and a KEEP of each
seat; a BUILD and a payment for every chart and a pass of each seat."""
MARGIN_SCALE = 15.0
"""Score margin, in points, of a clear win."""


@rule
def start_round(s: Record, log: Log | None) -> None:
    """Refills the coins, lays a new market, and asks the start player (section 3)."""
    for seat in range(s.seats):
        s.coins[seat] = s.income[s.levels[seat, MONEY_TRACK]]
    market.lay_market(s)
    s.phase = MARKET
    s.turn = s.starter
    emit(log, ROUND_STARTED, s.starter, s.round_number, 0)


@rule
def line_up(s: Record) -> None:
    """Sets the start-track markers to 0, 1, 2, 3 clockwise from the start player."""
    for i in range(s.seats):
        seat = (s.starter + i) % s.seats
        s.positions[seat] = i
        s.order[s.seats - 1 - i] = seat


@rule
def is_out(s: Record, seat: Int) -> bool:
    """Whether the seat is out of the current phase."""
    return s.out >> seat & 1 == 1


@rule
def go_out(s: Record, seat: Int, unable: Int, log: Log | None) -> None:
    """The seat is out for the rest of the phase."""
    s.out |= 1 << seat
    emit(log, OUT, seat, s.phase, unable)


@rule
def next_buyer(s: Record, log: Log | None) -> None:
    """Passes the turn clockwise to a seat that can buy; without any, the market phase ends."""
    for i in range(1, s.seats + 1):
        seat = (s.turn + i) % s.seats
        if is_out(s, seat):
            continue
        if market.can_buy(s, seat):
            s.turn = seat
            return
        go_out(s, seat, 1, log)
    s.out = 0
    market.give_diamonds(s, log)
    exchange.begin_exchange(s, s.starter)
    go_on_exchanging(s, log)


@rule
def form_sets(s: Record, log: Log | None) -> bool:
    """Forms the sets that leave no choice. False if the seat has to choose."""
    while exchange.sets_to_form(s, s.turn) > 0:
        only = exchange.only_set(s, s.turn)
        if only < 0:
            return False
        exchange.form_set(s, only, log)
    return True


@rule
def go_on_exchanging(s: Record, log: Log | None) -> None:
    """From seat to seat, until one has to choose a set or what it keeps; then building begins."""
    while s.phase == EXCHANGE:
        if not form_sets(s, log):
            return
        s.last_set = 0
        if exchange.count_tiles(s, s.turn, 0, TILES) > 0:
            s.phase = KEEP
            return
        next_exchanger(s)
    if s.phase == BUILD:
        next_builder(s, 0, log)


@rule
def next_exchanger(s: Record) -> None:
    """The next seat clockwise exchanges; after the last one building begins."""
    seat = (s.turn + 1) % s.seats
    if seat == s.starter:
        s.phase = BUILD
    else:
        exchange.begin_exchange(s, seat)


@rule
def turn_in_order(s: Record) -> Int:
    """The place of the seat to move in the order of the start-player track."""
    place = 0
    while s.order[place] != s.turn:
        place += 1
    return place


@rule
def next_builder(s: Record, first: Int, log: Log | None) -> None:
    """Passes the turn, from place ``first`` of the order on, to a seat that can build.

    Without any the round ends (section 3.3).
    """
    s.phase = BUILD
    for i in range(s.seats):
        seat = s.order[(first + i) % s.seats]
        if is_out(s, seat):
            continue
        if building.can_build_any(s, seat):
            s.turn = seat
            return
        go_out(s, seat, 1, log)
    end_round(s, log)


@rule
def end_round(s: Record, log: Log | None) -> None:
    """CLEANUP: the game ends, or the first of the build order starts the next round."""
    s.out = 0
    market.clear_market(s)
    last = s.round_number == s.max_rounds
    for seat in range(s.seats):
        s.charts[seat] = 0
        last = last or is_full(s, seat)
    if last or s.round_number == s.horizon:
        s.turn = 0
        s.phase = OVER if last else HORIZON
        if last:
            emit(log, GAME_ENDED, 0, 0, 0)
        return
    s.starter = s.order[0]
    line_up(s)
    s.round_number += 1
    start_round(s, log)


@rule
def pay(s: Record, payment: Int, log: Log | None) -> None:
    """Pays for the purchase, and passes the turn in the order of the start-player track."""
    purchase = s.purchase
    s.purchase = 0
    building.build(s, purchase, payment, log)
    place = turn_in_order(s)
    next_builder(s, place if s.build_order == ALL_AT_ONCE else place + 1, log)


@rule
def choose_purchase(s: Record, purchase: Int, log: Log | None) -> None:
    """BUILD: asks for the payment, or pays in the only way there is."""
    s.purchase = purchase
    only = building.only_payment(s, s.turn, building.chart_of(purchase))
    if only >= 0:
        pay(s, only, log)
    else:
        s.phase = PAYMENT


@rule
def play(s: Record, move: Int, log: Log | None) -> None:
    """Plays a legal move."""
    s.dealt = 0
    if s.phase == MARKET:
        if move == PASS:
            go_out(s, s.turn, 0, log)
        else:
            market.buy(s, move, log)
        next_buyer(s, log)
    elif s.phase == EXCHANGE:
        exchange.form_set(s, move, log)
        go_on_exchanging(s, log)
    elif s.phase == KEEP:
        exchange.keep(s, move, log)
        next_exchanger(s)
        go_on_exchanging(s, log)
    elif s.phase == PAYMENT:
        pay(s, move, log)
    elif move == PASS:
        go_out(s, s.turn, 0, log)
        next_builder(s, turn_in_order(s) + 1, log)
    else:
        choose_purchase(s, move, log)


@rule
def is_over(s: Record) -> bool:
    """Whether nobody is to move."""
    return s.phase >= OVER


@rule
def list_moves(s: Record, out: Ints) -> Int:
    """Lists the legal moves of the seat to move; returns their number."""
    if s.phase == MARKET:
        return market.list_purchases(s, s.turn, out)
    if s.phase == EXCHANGE:
        return exchange.list_sets(s, s.turn, out)
    if s.phase == KEEP:
        return exchange.list_kept(s, s.turn, out)
    if s.phase == BUILD:
        return building.list_builds(s, s.turn, out)
    chart = building.chart_of(s.purchase)
    return building.list_payments(s, s.turn, chart, out, len(out))


@entry(contract.SEAT_TO_MOVE)
def seat_to_move(row: Row) -> Int:
    """The seat that decides, or GAME_OVER."""
    s = row.view(STATE)[0]
    return np.int64(GAME_OVER) if is_over(s) else np.int64(s.turn)


@entry(contract.SEATS_TO_MOVE)
def seats_to_move(row: Row) -> Int:
    """Bit mask of the seats that may decide: one at a time."""
    s = row.view(STATE)[0]
    return np.int64(0) if is_over(s) else np.int64(1) << s.turn


@entry(contract.CLAIM_TURN)
def claim_turn(row: Row, seat: Int) -> Int:
    """Whether the seat is the one to move."""
    s = row.view(STATE)[0]
    return np.int64(1) if not is_over(s) and s.turn == seat else np.int64(0)


@entry(contract.LEGAL_MOVES)
def legal_moves(row: Row, out: Ints) -> Int:
    """The legal moves, as the phase has them."""
    s = row.view(STATE)[0]
    return 0 if is_over(s) else list_moves(s, out)


@entry(contract.APPLY_MOVE)
def apply_move(row: Row, move: Int, log: Log) -> None:
    """Plays a legal move in place."""
    play(row.view(STATE)[0], move, log)


@entry(contract.MOVE_KEY)
def move_key(row: Row, move: Int, observer: Int) -> Int:
    """All moves are made in the open."""
    return move


@entry(contract.OUTCOME_KEY)
def outcome_key(row: Row, observer: Int) -> Int:
    """Everybody sees a new market."""
    return row.view(STATE)[0].dealt


@rule
def is_ahead(s: Record, seat: Int, other: Int) -> bool:
    """Whether a seat beats another one: by points, then by gems left (section 5)."""
    points = score(s, seat) - score(s, other)
    return points > 0 or (points == 0 and gems_left(s, seat) > gems_left(s, other))


@rule
def is_winner(s: Record, seat: Int) -> bool:
    """Whether nobody is ahead of the seat."""
    for other in range(s.seats):
        if is_ahead(s, other, seat):
            return False
    return True


@rule
def score_all(s: Record, out: Floats) -> None:
    """Final scores and shares of the victory."""
    winners = 0.0
    for seat in range(s.seats):
        out[SCORE, seat] = score(s, seat)
        out[WIN_SHARE, seat] = 1.0 if is_winner(s, seat) else 0.0
        winners += out[WIN_SHARE, seat]
    for seat in range(s.seats):
        out[WIN_SHARE, seat] /= winners


@entry(contract.EVALUATE)
def evaluate(row: Row, out: Floats) -> None:
    """Scores, shares of the victory and utilities; estimates of them at a horizon."""
    s = row.view(STATE)[0]
    if s.phase == HORIZON:
        estimate(s, out)
    else:
        score_all(s, out)
    for seat in range(s.seats):
        margin = out[SCORE, seat] - best_other(out, SCORE, seat, s.seats, 0)
        out[UTILITY, seat] = blend(out[WIN_SHARE, seat], margin, MARGIN_SCALE)
