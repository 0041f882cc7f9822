"""Playouts of Diamonds Club: random, or with a player's rules of thumb (see worth)."""

from __future__ import annotations

import numpy as np

from engines import contract
from engines.contract import RANDOM
from engines.diamonds_club.rules import building, exchange, market
from engines.diamonds_club.rules.kernels import MAX_MOVES, PASS, is_over, list_moves, play
from engines.diamonds_club.rules.state import (
    BUILD,
    COLORS,
    COLUMNS,
    EXCHANGE,
    KEEP,
    MARKET,
    MINE,
    RIGHT,
    ROWS,
    SHIP,
    STATE,
    SYMBOLS,
    TILES,
)
from engines.diamonds_club.rules.worth import purchase_worth, rate_symbols, rounds_to_come
from engines.jit import Floats, Int, Ints, Record, Rng, Row, entry, rule
from engines.rng import below, uniform

EXPLORE = 40
"""One informed decision in this many is random, so that no line is ruled out."""
COIN = 1.0
"""What a coin is worth to buy something else with, in points."""
WHIM = 0.3
"""Worths are told apart only when they differ by about this much."""


@rule
def market_move(s: Record, rng: Rng, worths: Floats, picks: Ints) -> Int:
    """Buys what is worth most beyond its cost; passes if nothing is worth anything."""
    seat = s.turn
    coins = s.coins[seat]
    rate_symbols(s, seat, worths, picks)
    best = PASS
    best_margin = -1e9
    for row in range(ROWS):
        for column in range(2 * s.seats):
            cell = row * COLUMNS + column
            if s.paid[cell] > 0 or picks[s.cells[cell]] < 0:
                continue
            cost = market.cost_at(s, row, column)
            if cost <= coins:
                margin = worths[s.cells[cell]] - COIN * cost + WHIM * uniform(rng)
                if margin > best_margin:
                    best = market.buy_move(cell, picks[s.cells[cell]])
                    best_margin = margin
    return best


@rule
def is_equal_rank(s: Record, seat: Int, right: Int, ship: Int) -> bool:
    """Whether a right and a ship have the same place when both sorts are lined up by value.

    Pairing equal places yields the most gems (section 3.2).
    """
    higher_rights = exchange.count_tiles(s, seat, RIGHT + right + 1, SHIP)
    higher_ships = exchange.count_tiles(s, seat, SHIP + ship + 1, TILES)
    return (
        higher_rights < higher_ships + s.tiles[seat, SHIP + ship]
        and higher_ships < higher_rights + s.tiles[seat, RIGHT + right]
    )


@rule
def exchange_move(s: Record, rng: Rng) -> Int:
    """Pairs rights and ships of equal rank, the higher ones for the scarcer colours."""
    seat = s.turn
    best = -1
    best_worth = -1e9
    formed = exchange.next_set(s, seat, 0)
    while formed < exchange.SETS:
        right = exchange.right_of(formed)
        ship = exchange.ship_of(formed)
        scarcity = 1.0 / (1.0 + s.gems[seat, exchange.color_of(formed)])
        worth = (min(right, ship) + 1.0) * scarcity + 0.1 * uniform(rng)
        if is_equal_rank(s, seat, right, ship):
            worth += 10.0
        if worth > best_worth:
            best = formed
            best_worth = worth
        formed = exchange.next_set(s, seat, formed + 1)
    return best


@rule
def highest_tile(s: Record, seat: Int, first: Int, end: Int) -> Int:
    """The digit of a KEEP move for the highest tile of a sort; 0 if there is none."""
    digit = end - first
    while digit > 0 and s.tiles[seat, first + digit - 1] == 0:
        digit -= 1
    return digit


@rule
def scarcest_mine(s: Record, seat: Int) -> Int:
    """The digit of a KEEP move for the mine whose gems the seat has fewest of; 0 without mines."""
    best = 0
    for color in range(COLORS):
        if s.tiles[seat, MINE + color] > 0:
            if best == 0 or s.gems[seat, color] < s.gems[seat, best - 1]:
                best = color + 1
    return best


@rule
def keep_move(s: Record) -> Int:
    """Keeps as much as possible: the highest right and ship, the scarcest mine."""
    seat = s.turn
    right = highest_tile(s, seat, RIGHT, SHIP)
    ship = highest_tile(s, seat, SHIP, TILES)
    return exchange.keep_of(scarcest_mine(s, seat), right, ship)


@rule
def build_move(s: Record, rng: Rng) -> Int:
    """Builds what is worth most beyond its gems; passes if they are worth more later."""
    best = PASS
    best_worth = 0.0
    rounds = rounds_to_come(s)
    for purchase in range(1, building.BUILD_MOVES):
        if building.can_build(s, s.turn, purchase):
            worth = purchase_worth(s, s.turn, purchase, rounds) + WHIM * uniform(rng)
            if worth > best_worth:
                best = purchase
                best_worth = worth
    return best


@rule
def payment_move(s: Record) -> Int:
    """Pays with as few diamonds as possible, and the free part with the most frequent gems."""
    gems = s.gems[s.turn]
    chart = building.chart_of(s.purchase)
    left = building.price(s, chart)
    paid = np.zeros(COLORS, dtype=np.int64)
    diamonds = np.int64(0)
    for color in range(COLORS):
        asked = s.prices[chart, color]
        paid[color] = min(asked, gems[color])
        diamonds += asked - paid[color]
        left -= asked
    for _ in range(left):
        most = 0
        for color in range(1, COLORS):
            if gems[color] - paid[color] > gems[most] - paid[most]:
                most = color
        if gems[most] > paid[most]:
            paid[most] += 1
        else:
            diamonds += 1
    return building.pack_payment(paid[0], paid[1], paid[2], paid[3], diamonds)


@rule
def random_move(s: Record, rng: Rng) -> Int:
    """A uniformly random legal move."""
    moves = np.empty(MAX_MOVES, dtype=np.int64)
    return moves[below(rng, list_moves(s, moves))]


@rule
def informed_move(s: Record, rng: Rng, worths: Floats, picks: Ints) -> Int:
    """A move by the rules of thumb; now and then a random one."""
    if below(rng, EXPLORE) == 0:
        return random_move(s, rng)
    if s.phase == MARKET:
        return market_move(s, rng, worths, picks)
    if s.phase == EXCHANGE:
        return exchange_move(s, rng)
    if s.phase == KEEP:
        return keep_move(s)
    if s.phase == BUILD:
        return build_move(s, rng)
    return payment_move(s)


@entry(contract.POLICY_MOVE)
def policy_move(row: Row, rng: Rng) -> Int:
    """A legal move by the informed policy."""
    worths = np.empty(SYMBOLS)
    picks = np.empty(SYMBOLS, dtype=np.int64)
    return informed_move(row.view(STATE)[0], rng, worths, picks)


@entry(contract.PLAYOUT)
def playout(row: Row, rng: Rng, policy: Int) -> Int:
    """Plays to the end (or horizon) in place; returns the number of moves."""
    s = row.view(STATE)[0]
    worths = np.empty(SYMBOLS)
    picks = np.empty(SYMBOLS, dtype=np.int64)
    moves = 0
    while not is_over(s):
        if policy == RANDOM:
            move = random_move(s, rng)
        else:
            move = informed_move(s, rng, worths, picks)
        play(s, move, None)
        moves += 1
    return moves
