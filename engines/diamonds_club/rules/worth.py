"""What things are worth to a seat, in points: a player's rules of thumb.

They guide playouts. The numbers have been tuned by games of the playout policy against itself.
"""

from __future__ import annotations

from engines.diamonds_club.rules import building
from engines.diamonds_club.rules.exchange import count_tiles
from engines.diamonds_club.rules.market import open_animals, open_tracks
from engines.diamonds_club.rules.park import NO_SPACE, open_printed_space
from engines.diamonds_club.rules.scoring import BUILDING_POINTS
from engines.diamonds_club.rules.state import (
    ALL_FOUR,
    ANIMAL,
    ANIMALS,
    ANY_STEP,
    FOREST,
    FOREST_STEP,
    FOREST_TRACK,
    HATS,
    LOWEST_VALUE,
    MINE,
    MONEY_TRACK,
    PRINTED,
    RIGHT,
    SHIP,
    SYMBOLS,
    THREE_OF_A_KIND,
    TILES,
    TRACKS,
)
from engines.jit import Floats, Int, Ints, Record, rule

COIN = 0.8
GEM = 1.0
DIAMOND_GEM = 1.3
SETS_A_ROUND = 2.3
"""Sets that a seat exchanges in a usual round."""
TILES_A_ROUND = 3
"""Park tiles that a seat places in a usual round."""
FORESTS_TO_COME = 2
KEPT_GEM = 0.9
"""A gem that is kept for a later round."""
MISSING_TILE, EVEN_TILE, SURPLUS_TILE = 0.65, 0.35, 0.05
"""A tile, for each gem of its value, by whether its sort holds up the next set."""
TYPICAL_YIELD = 3.5
"""Gems that a mine gives with a usual right and ship."""
ANIMAL_COMPLETES, ANIMAL_FITS, ANIMAL_STARTS, ANIMAL_SURPLUS = 9.0, 4.5, 3.5, 1.2
LEAD, HAT = 1.5, 0.25
"""Getting to the front of the start-player track, and each step on it."""
PRINTED_SPACE = 8.0
"""Covering a printed space, beside the building's own points."""
ALL_FOUR_STEP, SECOND_OF_A_KIND, THIRD_OF_A_KIND = 1.0, 0.7, 3.0


@rule
def rounds_to_come(s: Record) -> Int:
    """About how many rounds follow this one: until the fullest park is full."""
    free = s.light_size
    for seat in range(s.seats):
        covered = s.light_tiles[seat]
        for space in range(PRINTED):
            covered += s.covered[seat] >> space & 1
        free = min(free, s.light_size - covered)
    return min((free - 1) // TILES_A_ROUND, s.max_rounds - s.round_number) if free > 0 else 0


@rule
def tile_worth(own: Int, others: Int, gems: float) -> float:
    """A mine, right or ship: ``own`` of its sort, at most ``others`` of the two other sorts."""
    if own < others:
        return MISSING_TILE * gems
    return (EVEN_TILE if own == others else SURPLUS_TILE) * gems


@rule
def animal_worth(s: Record, seat: Int, animal: Int) -> float:
    """An animal, by the set it belongs to."""
    own = s.animals[seat, animal]
    fewer = 0
    more = 0
    for other in range(ANIMALS):
        fewer += s.animals[seat, other] < own
        more += s.animals[seat, other] > own
    if fewer > 0:
        return ANIMAL_SURPLUS
    if more == ANIMALS - 1:
        return ANIMAL_COMPLETES
    return ANIMAL_FITS if more > 0 else ANIMAL_STARTS


@rule
def step_worth(s: Record, seat: Int, track: Int, rounds: Int) -> float:
    """A step on a development track, with so many rounds after this one."""
    level = s.levels[seat, track]
    if track == FOREST_TRACK:
        more = s.forest_points[level + 1] - s.forest_points[level]
        return more * (s.landscape[seat, FOREST] + min(rounds, FORESTS_TO_COME) * 1.0)
    if track == MONEY_TRACK:
        coins = s.income[level + 1] - s.income[level]
        bonus = s.money_bonus[level + 1] - s.money_bonus[level]
        return coins * COIN * (rounds + 1) + bonus
    gems = s.extra_gems[level + 1] - s.extra_gems[level]
    diamonds = s.extra_diamonds[level + 1] - s.extra_diamonds[level]
    bonus = s.technology_bonus[level + 1] - s.technology_bonus[level]
    return (gems * GEM + diamonds * DIAMOND_GEM) * SETS_A_ROUND * (rounds + 1) + bonus


@rule
def hats_worth(s: Record, seat: Int, steps: Int) -> float:
    """One step or more on the start-player track."""
    front = s.positions[s.order[0]]
    takes_lead = s.order[0] != seat and s.positions[seat] + steps >= front
    return HAT * steps + (LEAD if takes_lead else 0.0)


@rule
def rate(symbol: Int, choice: Int, worth: float, worths: Floats, picks: Ints) -> None:
    """Notes a choice that a symbol gives, if it is the first or better than those before."""
    if picks[symbol] < 0 or worth > worths[symbol]:
        worths[symbol] = worth
        picks[symbol] = choice


@rule
def rate_tiles(s: Record, seat: Int, worths: Floats, picks: Ints) -> None:
    """Mines, rights and ships, by what the seat has of each sort."""
    mines = count_tiles(s, seat, MINE, RIGHT)
    rights = count_tiles(s, seat, RIGHT, SHIP)
    ships = count_tiles(s, seat, SHIP, TILES)
    for tile in range(TILES):
        if s.tile_supply[tile] > 0:
            if tile < RIGHT:
                worth = tile_worth(mines, max(rights, ships), TYPICAL_YIELD)
            elif tile < SHIP:
                worth = tile_worth(rights, max(mines, ships), LOWEST_VALUE + tile - RIGHT)
            else:
                worth = tile_worth(ships, max(mines, rights), LOWEST_VALUE + tile - SHIP)
            rate(tile, 0, worth, worths, picks)


@rule
def rate_steps(s: Record, seat: Int, worths: Floats, picks: Ints) -> None:
    """Steps on each development track, and one of choice."""
    rounds = rounds_to_come(s)
    tracks = open_tracks(s, seat)
    for track in range(TRACKS):
        if tracks >> track & 1:
            worth = step_worth(s, seat, track, rounds)
            rate(FOREST_STEP + track, 0, worth, worths, picks)
            rate(ANY_STEP, track, worth, worths, picks)


@rule
def rate_symbols(s: Record, seat: Int, worths: Floats, picks: Ints) -> None:
    """The worth of every symbol to the seat and its best choice there; -1 if it is of no use."""
    picks[:] = -1
    rate_tiles(s, seat, worths, picks)
    rate_steps(s, seat, worths, picks)
    rate(HATS, 0, 0.0, worths, picks)
    animals = open_animals(s, seat)
    for animal in range(ANIMALS):
        if animals >> animal & 1:
            rate(ANIMAL, animal, animal_worth(s, seat, animal), worths, picks)
    for symbol in range(SYMBOLS):
        if s.hats[symbol] > 0:
            worths[symbol] += hats_worth(s, seat, s.hats[symbol])


@rule
def building_worth(s: Record, seat: Int, kind: Int) -> float:
    """A building: its points, the picture that it covers, and the bonus cards that come nearer."""
    worth = BUILDING_POINTS * 1.0
    if open_printed_space(s, seat, kind) != NO_SPACE:
        worth += PRINTED_SPACE
    own = s.landscape[seat, kind]
    if own == 0 and s.bonus_owner[ALL_FOUR + 1] == 0:
        worth += ALL_FOUR_STEP
    if s.bonus_owner[THREE_OF_A_KIND + kind] == 0:
        worth += SECOND_OF_A_KIND if own == 1 else 0.0
        worth += THIRD_OF_A_KIND if own == 2 else 0.0
    return worth


@rule
def purchase_worth(s: Record, seat: Int, purchase: Int, rounds: Int) -> float:
    """What a BUILD move gives less what its gems are worth later, with so many rounds to come."""
    kind = building.kind_of(purchase)
    spent = 0.0
    if rounds > 0:
        spent = building.price(s, building.chart_of(purchase)) * KEPT_GEM
    if kind == FOREST:
        return s.forest_points[s.levels[seat, FOREST_TRACK]] - spent
    return building_worth(s, seat, kind) - spent
