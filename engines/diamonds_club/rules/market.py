"""The market phase: strips, costs, and what the cells give (sections 3 and 3.1)."""

from __future__ import annotations

import numpy as np

from engines.diamonds_club.rules.options import CYCLE
from engines.diamonds_club.rules.park import NO_BUILDING, NO_SPACE, place, space_for
from engines.diamonds_club.rules.state import (
    ALL_STRIPS,
    ANIMAL,
    ANIMALS,
    ANY_STEP,
    CELL_BOUGHT,
    CELLS,
    COLUMNS,
    DIAMOND,
    DIAMOND_GIVEN,
    FOREST_STEP,
    HATS,
    MONEY_TRACK,
    ROWS,
    SAVINGS,
    SHADES,
    START_TRACK,
    STRIPS,
    TILES,
    TOP_LEVEL,
    TRACKS,
)
from engines.events import emit
from engines.jit import Int, Ints, Log, Record, rule
from engines.rng import below, mix

PASS = 0
CHOICES = 3
"""A BUY move is ``1 + 3 * cell + choice``; the choice is a track or an animal, else 0."""
MAX_PURCHASES = 1 + CELLS * CHOICES


@rule
def buy_move(cell: Int, choice: Int) -> Int:
    """The move that buys a cell."""
    return 1 + CHOICES * cell + choice


@rule
def cell_of(move: Int) -> Int:
    """The cell that a BUY move buys."""
    return (move - 1) // CHOICES


@rule
def choice_of(move: Int) -> Int:
    """The choice of a BUY move."""
    return (move - 1) % CHOICES


@rule
def draw_strip(s: Record, drawn: Int) -> Int:
    """A random strip of those that are not in the bit mask ``drawn``."""
    left = 0
    for strip in range(STRIPS):
        left += 1 - (drawn >> strip & 1)
    skip = below(s.random_state, left)
    for strip in range(STRIPS):
        if drawn >> strip & 1 == 0:
            if skip == 0:
                return strip
            skip -= 1
    return 0


@rule
def lay_column(s: Record, column: Int, strip: Int) -> None:
    """Lays a strip of the box (0 to 5 dark, 6 to 11 light) with a random side up."""
    side = below(s.random_state, 2)
    s.columns[column] = 2 * strip + side
    for row in range(ROWS):
        s.cells[row * COLUMNS + column] = s.strips[strip, side, row]
    s.dealt = mix(s.dealt, s.columns[column])


@rule
def lay_market(s: Record) -> None:
    """MARKET_SETUP: as many dark strips on the left and light ones on the right as seats.

    With ``cycle`` the rest of the pile comes first; then all strips but those are shuffled again.
    """
    for shade in range(SHADES):
        drawn = np.int64(s.drawn[shade])
        laid = np.int64(0)
        for i in range(s.seats):
            if drawn == ALL_STRIPS:
                drawn = laid
            strip = draw_strip(s, drawn)
            drawn |= 1 << strip
            laid |= 1 << strip
            lay_column(s, shade * s.seats + i, shade * STRIPS + strip)
        s.drawn[shade] = drawn if s.strip_refresh == CYCLE else 0


@rule
def cost_at(s: Record, row: Int, column: Int) -> Int:
    """1 + the coins on the orthogonally adjacent cells (section 3.1)."""
    cell = row * COLUMNS + column
    cost = 1
    if row > 0:
        cost += s.paid[cell - COLUMNS]
    if row < ROWS - 1:
        cost += s.paid[cell + COLUMNS]
    if column > 0:
        cost += s.paid[cell - 1]
    if column < COLUMNS - 1:
        cost += s.paid[cell + 1]
    return cost


@rule
def cell_cost(s: Record, cell: Int) -> Int:
    """What a cell costs."""
    return cost_at(s, cell // COLUMNS, cell % COLUMNS)


@rule
def unsold_neighbours(s: Record, cell: Int) -> Int:
    """How many orthogonally adjacent cells nobody has bought; buying the cell makes them dearer."""
    row = cell // COLUMNS
    column = cell % COLUMNS
    unsold = 0
    for next_row, next_column in (
        (row - 1, column),
        (row + 1, column),
        (row, column - 1),
        (row, column + 1),
    ):
        if 0 <= next_row < ROWS and 0 <= next_column < 2 * s.seats:
            unsold += s.paid[next_row * COLUMNS + next_column] == 0
    return unsold


@rule
def is_for_sale(s: Record, seat: Int, cell: Int) -> bool:
    """Whether nobody has bought the cell yet and the seat can pay for it."""
    return s.paid[cell] == 0 and cell_cost(s, cell) <= s.coins[seat]


@rule
def open_tracks(s: Record, seat: Int) -> Int:
    """Bit mask of the tracks on which the seat's marker can still move."""
    mask = 0
    for track in range(TRACKS):
        if s.levels[seat, track] < TOP_LEVEL:
            mask |= 1 << track
    return mask


@rule
def open_animals(s: Record, seat: Int) -> Int:
    """Bit mask of the animals that the seat can take and place."""
    mask = 0
    if space_for(s, seat, NO_BUILDING) == NO_SPACE:
        return mask
    for animal in range(ANIMALS):
        if s.animal_supply[animal] > 0:
            mask |= 1 << animal
    return mask


@rule
def choices(s: Record, seat: Int, symbol: Int) -> Int:
    """Bit mask of the choices that a symbol gives the seat; 0 if it is of no use (section 3.1)."""
    if symbol < TILES:
        return 1 if s.tile_supply[symbol] > 0 else 0
    if symbol < ANY_STEP:
        return open_tracks(s, seat) >> (symbol - FOREST_STEP) & 1
    if symbol == ANY_STEP:
        return open_tracks(s, seat)
    if symbol == HATS:
        return 1
    return open_animals(s, seat)


@rule
def can_buy(s: Record, seat: Int) -> bool:
    """Whether the seat can pay for any cell that is of use to it (section 10.1)."""
    if s.coins[seat] == 0:
        return False
    for row in range(ROWS):
        for column in range(2 * s.seats):
            cell = row * COLUMNS + column
            if is_for_sale(s, seat, cell) and choices(s, seat, s.cells[cell]) != 0:
                return True
    return False


@rule
def list_purchases(s: Record, seat: Int, out: Ints) -> Int:
    """Lists PASS and every BUY of the seat; returns their number."""
    out[0] = PASS
    n = 1
    for row in range(ROWS):
        for column in range(2 * s.seats):
            cell = row * COLUMNS + column
            if is_for_sale(s, seat, cell):
                mask = choices(s, seat, s.cells[cell])
                for choice in range(CHOICES):
                    if mask >> choice & 1:
                        out[n] = buy_move(cell, choice)
                        n += 1
    return n


@rule
def move_marker(s: Record, seat: Int, steps: Int) -> None:
    """Moves a marker on the start-player track; it comes to lie on top of any marker there."""
    s.positions[seat] += steps
    place_of = 0
    while s.order[place_of] != seat:
        place_of += 1
    while place_of > 0 and s.positions[s.order[place_of - 1]] <= s.positions[seat]:
        s.order[place_of] = s.order[place_of - 1]
        place_of -= 1
    s.order[place_of] = seat


@rule
def advance(s: Record, seat: Int, track: Int) -> None:
    """One step on a development track; a money step pays its coin at once."""
    s.levels[seat, track] += 1
    if track == MONEY_TRACK:
        level = s.levels[seat, track]
        s.coins[seat] += s.income[level] - s.income[level - 1]


@rule
def gain(s: Record, seat: Int, symbol: Int, choice: Int, log: Log | None) -> None:
    """What a symbol gives at once (section 3.1)."""
    if symbol < TILES:
        s.tile_supply[symbol] -= 1
        s.tiles[seat, symbol] += 1
    elif symbol < ANY_STEP:
        advance(s, seat, symbol - FOREST_STEP)
    elif symbol == ANY_STEP:
        advance(s, seat, choice)
    elif symbol == ANIMAL:
        s.animal_supply[choice] -= 1
        s.animals[seat, choice] += 1
        place(s, seat, NO_BUILDING, log)
    if s.hats[symbol] > 0:
        move_marker(s, seat, s.hats[symbol])


@rule
def buy(s: Record, move: Int, log: Log | None) -> None:
    """BUY: pays, then gains; all coins paid lie on the cell."""
    seat = s.turn
    cell = cell_of(move)
    cost = cell_cost(s, cell)
    s.coins[seat] -= cost
    s.paid[cell] = cost
    emit(log, CELL_BOUGHT, seat, move, cost)
    gain(s, seat, s.cells[cell], choice_of(move), log)


@rule
def give_diamond(s: Record, seat: Int, reason: Int, log: Log | None) -> None:
    """Gives a diamond, if the supply has one."""
    if s.gem_supply[DIAMOND] > 0:
        s.gem_supply[DIAMOND] -= 1
        s.gems[seat, DIAMOND] += 1
        emit(log, DIAMOND_GIVEN, seat, reason, 0)


@rule
def give_diamonds(s: Record, log: Log | None) -> None:
    """DIAMONDS: to all with the most coins left, then to all farthest on the start track.

    Each from the start player clockwise, as far as the supply goes (section 10.6).
    """
    most = 0
    for seat in range(s.seats):
        most = max(most, s.coins[seat])
    farthest = s.positions[s.order[0]]
    for i in range(s.seats):
        seat = (s.starter + i) % s.seats
        if s.coins[seat] == most and most >= s.savings_diamond_min_coins:
            give_diamond(s, seat, SAVINGS, log)
    for i in range(s.seats):
        seat = (s.starter + i) % s.seats
        if s.positions[seat] == farthest:
            give_diamond(s, seat, START_TRACK, log)


@rule
def clear_market(s: Record) -> None:
    """The coins on the market return to the bank."""
    for cell in range(CELLS):
        s.paid[cell] = 0
