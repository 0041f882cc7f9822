"""The exchange phase: sets of mine, right and ship for gems, and the tiles kept (section 3.2).

A set is ``16 * colour + 4 * right + ship`` (right and ship less 2). A seat forms its sets one at a
time in ascending order, so that each combination is reached once.
"""

from __future__ import annotations

import numpy as np

from engines.diamonds_club.rules.state import (
    COLORS,
    DIAMOND,
    EXCHANGE,
    GEMS,
    LOWEST_VALUE,
    MINE,
    RIGHT,
    SET_EXCHANGED,
    SHIP,
    TECHNOLOGY_TRACK,
    TILES,
    TILES_KEPT,
    VALUES,
)
from engines.events import emit
from engines.jit import Int, Ints, Log, Record, rule

SETS = COLORS * VALUES * VALUES
GEM_BITS = 5
"""Gems are packed five bits each, blue highest and diamonds lowest."""
KEEP_BASE = 5
"""A KEEP move is a number of three digits in this base: mine, right and ship, each 0 for none or
one more than its place in its sort."""
KEEP_MOVES = KEEP_BASE**3
KEEP_DIGITS = (KEEP_BASE**2, KEEP_BASE, 1)


@rule
def set_of(color: Int, right: Int, ship: Int) -> Int:
    """A set from the places of its tiles in their sorts."""
    return (color * VALUES + right) * VALUES + ship


@rule
def color_of(formed: Int) -> Int:
    """The colour of a set's mine."""
    return formed // (VALUES * VALUES)


@rule
def right_of(formed: Int) -> Int:
    """The place of a set's right among the rights, 0 for the lowest value."""
    return formed // VALUES % VALUES


@rule
def ship_of(formed: Int) -> Int:
    """The place of a set's ship among the ships."""
    return formed % VALUES


@rule
def keep_of(mine: Int, right: Int, ship: Int) -> Int:
    """A KEEP move from its digits."""
    return (mine * KEEP_BASE + right) * KEEP_BASE + ship


@rule
def kept_digit(kept: Int, sort: Int) -> Int:
    """A digit of a KEEP move: sort 0 for the mine, 1 for the right, 2 for the ship."""
    return kept // KEEP_DIGITS[sort] % KEEP_BASE


@rule
def count_tiles(s: Record, seat: Int, first: Int, end: Int) -> Int:
    """How many of the tiles numbered first to end - 1 the seat has."""
    tiles = 0
    for tile in range(first, end):
        tiles += s.tiles[seat, tile]
    return tiles


@rule
def sets_to_form(s: Record, seat: Int) -> Int:
    """How many sets the seat must still form: as many as it can."""
    mines = count_tiles(s, seat, MINE, RIGHT)
    rights = count_tiles(s, seat, RIGHT, SHIP)
    ships = count_tiles(s, seat, SHIP, TILES)
    return min(mines, rights, ships)


@rule
def leaves_enough(s: Record, seat: Int, color: Int, right: Int, ship: Int) -> bool:
    """Whether after this set all the others can still be formed in ascending order.

    Mines of later colours go with any tiles. What they can't do must be done by sets of the same
    colour: with a higher right and any ship, or an equal right and a ship that is not lower.
    """
    later_mines = count_tiles(s, seat, MINE + color + 1, RIGHT)
    same_color = sets_to_form(s, seat) - 1 - later_mines
    if same_color <= 0:
        return True
    higher_rights = count_tiles(s, seat, RIGHT + right + 1, SHIP)
    equal_rights = s.tiles[seat, RIGHT + right] - 1
    fitting_ships = count_tiles(s, seat, SHIP + ship, TILES) - 1
    ships = count_tiles(s, seat, SHIP, TILES) - 1
    return (
        same_color <= s.tiles[seat, MINE + color] - 1
        and same_color <= higher_rights + min(equal_rights, fitting_ships)
        and same_color <= ships
    )


@rule
def may_form(s: Record, seat: Int, formed: Int) -> bool:
    """Whether the seat has the tiles of a set and may form it next."""
    color = color_of(formed)
    right = right_of(formed)
    ship = ship_of(formed)
    return (
        formed + 1 >= s.last_set
        and s.tiles[seat, MINE + color] > 0
        and s.tiles[seat, RIGHT + right] > 0
        and s.tiles[seat, SHIP + ship] > 0
        and leaves_enough(s, seat, color, right, ship)
    )


@rule
def next_set(s: Record, seat: Int, first: Int) -> Int:
    """The lowest set from ``first`` on that the seat may form next; SETS if there is none."""
    formed = max(first, s.last_set - 1)
    while formed < SETS:
        if s.tiles[seat, MINE + color_of(formed)] == 0:
            formed = set_of(color_of(formed) + 1, 0, 0)
        elif s.tiles[seat, RIGHT + right_of(formed)] == 0:
            formed += VALUES - ship_of(formed)
        elif may_form(s, seat, formed):
            break
        else:
            formed += 1
    return formed


@rule
def list_sets(s: Record, seat: Int, out: Ints) -> Int:
    """Lists the sets that the seat may form next; returns their number."""
    n = 0
    formed = next_set(s, seat, 0)
    while formed < SETS:
        out[n] = formed
        n += 1
        formed = next_set(s, seat, formed + 1)
    return n


@rule
def only_set(s: Record, seat: Int) -> Int:
    """The set that the seat must form next if it has no choice, else -1."""
    only = next_set(s, seat, 0)
    return only if only < SETS and next_set(s, seat, only + 1) == SETS else -1


@rule
def take_gems(s: Record, seat: Int, gem: Int, wanted: Int) -> Int:
    """Takes gems from the supply as far as it goes; returns them packed."""
    taken = min(wanted, s.gem_supply[gem])
    s.gem_supply[gem] -= taken
    s.gems[seat, gem] += taken
    return np.int64(taken) << (GEM_BITS * (GEMS - 1 - gem))


@rule
def return_tile(s: Record, seat: Int, tile: Int) -> None:
    """Puts one of a seat's tiles back into the supply."""
    s.tiles[seat, tile] -= 1
    s.tile_supply[tile] += 1


@rule
def form_set(s: Record, formed: Int, log: Log | None) -> None:
    """Exchanges a set: as many gems as the lower of right and ship, and what technology adds."""
    seat = s.turn
    color = color_of(formed)
    right = right_of(formed)
    ship = ship_of(formed)
    return_tile(s, seat, MINE + color)
    return_tile(s, seat, RIGHT + right)
    return_tile(s, seat, SHIP + ship)
    level = s.levels[seat, TECHNOLOGY_TRACK]
    gems = take_gems(s, seat, color, min(right, ship) + LOWEST_VALUE + s.extra_gems[level])
    gems += take_gems(s, seat, DIAMOND, s.extra_diamonds[level])
    s.last_set = formed + 1
    emit(log, SET_EXCHANGED, seat, formed, gems)


@rule
def may_keep(s: Record, seat: Int, first: Int, end: Int, kept: Int) -> bool:
    """Whether digit ``kept`` of a KEEP move is legal for the sort of tiles first to end - 1."""
    return kept == 0 or (first + kept <= end and s.tiles[seat, first + kept - 1] > 0)


@rule
def list_kept(s: Record, seat: Int, out: Ints) -> Int:
    """Lists every choice of at most one leftover tile of each sort; returns their number."""
    n = 0
    for mine in range(KEEP_BASE):
        for right in range(KEEP_BASE):
            for ship in range(KEEP_BASE):
                if (
                    may_keep(s, seat, MINE, RIGHT, mine)
                    and may_keep(s, seat, RIGHT, SHIP, right)
                    and may_keep(s, seat, SHIP, TILES, ship)
                ):
                    out[n] = keep_of(mine, right, ship)
                    n += 1
    return n


@rule
def keep(s: Record, kept: Int, log: Log | None) -> None:
    """KEEP: returns all leftover tiles but the kept ones."""
    seat = s.turn
    mine = kept_digit(kept, 0)
    right = kept_digit(kept, 1)
    ship = kept_digit(kept, 2)
    returned = 0
    for tile in range(TILES):
        stays = (
            (tile == MINE + mine - 1 and mine > 0)
            or (tile == RIGHT + right - 1 and right > 0)
            or (tile == SHIP + ship - 1 and ship > 0)
        )
        while s.tiles[seat, tile] > (1 if stays else 0):
            return_tile(s, seat, tile)
            returned += 1
    emit(log, TILES_KEPT, seat, kept, returned)


@rule
def begin_exchange(s: Record, seat: Int) -> None:
    """It is the seat's turn to form its sets."""
    s.phase = EXCHANGE
    s.turn = seat
    s.last_set = 0
