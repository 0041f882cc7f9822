"""A casual player of Diamonds Club.

It buys what its next set lacks, the more valuable the better, animals of the kinds it does not
have, and early steps on the money and technology tracks. With its gems it covers its pictures
first, then builds what is cheap and what brings it nearer to a bonus card.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from engines.diamonds_club.hidden import VIEW
from engines.diamonds_club.rules.building import GEM_MASK
from engines.diamonds_club.rules.exchange import GEM_BITS, KEEP_DIGITS
from engines.diamonds_club.rules.market import CHOICES, PASS
from engines.diamonds_club.rules.state import (
    ANIMAL,
    ANY_STEP,
    BUILD,
    COLORS,
    COLUMNS,
    DIAMOND,
    EXCHANGE,
    FOREST,
    FOREST_STEP,
    FOREST_TRACK,
    GEMS,
    JOKER,
    KEEP,
    LOWEST_VALUE,
    MARKET,
    MINE,
    MONEY_TRACK,
    PAYMENT,
    PRINTED,
    RIGHT,
    ROWS,
    SHIP,
    TILES,
    VALUES,
)
from engines.jit import Record, Row

Rating: TypeAlias = float | tuple[float, float]
"""How good a move is; of pairs the second number decides between equal first ones."""

TILES_A_ROUND = 3
"""Park tiles that a player usually places in a round."""
COIN = 0.8
"""Points that a coin is worth: what it could buy elsewhere."""
GEM = 0.6
"""Points that a gem is worth if it is kept for the next round."""
MINE_VALUE = 3
"""A mine counts like a right or a ship of this value."""
POOR_BARGAIN = -1.0
"""Coins that are left are lost, so it takes a cell that is worth a little less than its coins."""
NEW_ANIMAL = (3.0, 4.0, 8.0)
"""Points for an animal of a kind that the set at hand lacks, by how many of the set are there."""
SPARE_ANIMAL = 1.0
PICTURE = 8
"""Points for covering a picture, beside the building's own: without it nothing counts."""


def casual_move(view: Row, moves: Sequence[int]) -> int:
    """What the rules of thumb of the phase say."""
    v = view.view(VIEW)[0]
    if len(moves) == 1:
        return moves[0]
    player = Player(v)
    ratings: dict[int, Callable[[int], Rating]] = {
        MARKET: player.purchase,
        EXCHANGE: player.exchange,
        KEEP: player.keeping,
        BUILD: player.building,
        PAYMENT: player.payment,
    }
    return max(moves, key=ratings[int(v.phase)])


class Player:
    """What the player has, and how it rates the moves of each phase."""

    def __init__(self, v: Record) -> None:
        seat = v.seat
        self.v = v
        self.seat = int(seat)
        self.tiles = [int(n) for n in v.tiles[seat]]
        self.gems = [int(n) for n in v.gems[seat]]
        self.animals = [int(n) for n in v.animals[seat]]
        self.landscape = [int(n) for n in v.landscape[seat]]
        self.levels = [int(n) for n in v.levels[seat]]
        self.rounds = rounds_to_come(v)

    # ------------------------------------------------------------------------------ market

    def purchase(self, move: int) -> float:
        """What a cell gives, less its coins."""
        if move == PASS:
            return POOR_BARGAIN
        cell, choice = divmod(move - 1, CHOICES)
        return self.symbol(int(self.v.cells[cell]), choice) - COIN * cell_cost(self.v, cell)

    def symbol(self, symbol: int, choice: int) -> float:
        """What a cell with this symbol gives, in points."""
        hats = self.hats(int(self.v.hats[symbol]))
        if symbol < TILES:
            return self.tile(symbol) + hats
        if symbol < ANY_STEP:
            return self.step(symbol - FOREST_STEP) + hats
        if symbol == ANY_STEP:
            return self.step(choice) + hats
        if symbol == ANIMAL:
            return self.animal(choice) + hats
        return hats

    def tile(self, tile: int) -> float:
        """A mine, right or ship: much if the next set lacks one, little if there are enough."""
        sorts = [
            sum(self.tiles[MINE:RIGHT]),
            sum(self.tiles[RIGHT:SHIP]),
            sum(self.tiles[SHIP:TILES]),
        ]
        sort = (tile >= RIGHT) + (tile >= SHIP)
        value = MINE_VALUE
        if sort > 0:
            value = LOWEST_VALUE + (tile - RIGHT) % VALUES
        own = sorts.pop(sort)
        if own < max(sorts):
            return 0.7 * value
        return (0.4 if own == max(sorts) else 0.1) * value

    def step(self, track: int) -> float:
        """A step on a track: what it brings in the rounds to come."""
        level = self.levels[track]
        if track == FOREST_TRACK:
            return 0.5 + self.landscape[FOREST]
        if track == MONEY_TRACK:
            return 0.8 * (self.rounds + 1)
        return 1.5 * (self.rounds + 1) if level < 2 else 2.0 * (self.rounds + 1)

    def animal(self, animal: int) -> float:
        """An animal: the last one of a set is worth most, one too many next to nothing."""
        own = self.animals[animal]
        if own > min(self.animals):
            return SPARE_ANIMAL
        return NEW_ANIMAL[sum(number > own for number in self.animals)]

    def hats(self, steps: int) -> float:
        """Steps on the start-player track: a little, more if they lead to the front."""
        if steps == 0:
            return 0.0
        ahead = max(int(self.v.positions[seat]) for seat in range(self.v.seats))
        own = int(self.v.positions[self.seat])
        return 1.5 if own < ahead <= own + steps else 0.3

    # ---------------------------------------------------------------------------- exchange

    def exchange(self, move: int) -> tuple[float, float]:
        """The set with the most gems, of the colour that there is least of."""
        color, rest = divmod(move, VALUES * VALUES)
        return min(rest // VALUES, rest % VALUES), -self.gems[color]

    def keeping(self, move: int) -> int:
        """As many tiles as may stay, the higher the better."""
        digits = [move // place % (COLORS + 1) for place in KEEP_DIGITS]
        return sum(10 * (digit > 0) for digit in digits) + digits[1] + digits[2]

    # ---------------------------------------------------------------------------- building

    def building(self, move: int) -> float:
        """What a purchase brings, less what its gems would be worth later."""
        if move == PASS:
            return 0.0
        chart = min(move - 1, JOKER)
        kind = move - 1 if move <= JOKER else move - 1 - JOKER
        gems = price(self.v, chart)
        spent = GEM * gems if self.rounds > 0 else 0.01 * gems
        if kind == FOREST:
            return int(self.v.forest_points[self.levels[FOREST_TRACK]]) - spent
        return self.building_points(kind) - spent

    def building_points(self, kind: int) -> float:
        """A building: 4 points, its picture, and a step towards the bonus cards."""
        points = 4.0
        if self.open_picture(kind):
            points += PICTURE
        if self.landscape[kind] == 0:
            points += 1
        return points + (2 if self.landscape[kind] == 2 else 0)

    def open_picture(self, kind: int) -> bool:
        """Whether a picture waits for this kind."""
        for space in range(PRINTED):
            wanted = self.v.printed_any_building or self.v.printed[self.seat][space] == kind
            if wanted and not int(self.v.covered[self.seat]) >> space & 1:
                return True
        return False

    def payment(self, move: int) -> tuple[float, float]:
        """As few diamonds as possible, and then so that the gems left are of all colours."""
        paid = [move >> (GEM_BITS * (GEMS - 1 - gem)) & GEM_MASK for gem in range(GEMS)]
        left = [self.gems[color] - paid[color] for color in range(COLORS)]
        return -paid[DIAMOND], -sum(number * number for number in left)


def cell_cost(v: Record, cell: int) -> int:
    """1 and the coins on the cells beside it."""
    row, column = divmod(cell, COLUMNS)
    cost = 1
    for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
        if 0 <= r < ROWS and 0 <= c < COLUMNS:
            cost += int(v.paid[r * COLUMNS + c])
    return cost


def price(v: Record, chart: int) -> int:
    """The gems that a chart asks for, with the surcharge for its markers."""
    markers = sum(int(v.charts[seat]) >> chart & 1 for seat in range(v.seats))
    return sum(int(n) for n in v.prices[chart]) + markers * int(v.surcharge_per_marker)


def rounds_to_come(v: Record) -> int:
    """About how many rounds follow this one, by the fullest park."""
    covered = max(
        int(v.light_tiles[seat]) + int(v.covered[seat]).bit_count() for seat in range(v.seats)
    )
    by_parks = max(0, int(v.light_size) - covered - 1) // TILES_A_ROUND
    return min(by_parks, int(v.max_rounds) - int(v.round_number))
