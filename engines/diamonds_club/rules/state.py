"""What a state of Diamonds Club holds. Section numbers are those of docs/rules/diamonds-club.md.

Numbers in use everywhere: seats 0 to 3; gem colours 0 to 3 (blue, yellow, green, red) and 4 for
diamonds; kinds 0 to 3 (fountain, orangery, pavilion, rose garden) and 4 for the forest; charts like
kinds and 5 for the joker; animals 0 to 2 (pond, deer park, aviary); tracks 0 to 2 (forest,
technology, money). A tile is numbered like the symbol that gives it. A cell of the market is
``8 * row + column``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engines.diamonds_club.rules import options, tables
from engines.jit import Int, Ints, rule
from engines.records import record_dtype

SEATS = 4
COLORS = len(tables.COLORS)
GEMS = len(tables.GEMS)
DIAMOND = GEMS - 1
BUILDINGS = len(tables.BUILDINGS)
KINDS = len(tables.KINDS)
FOREST = KINDS - 1
CHARTS = len(tables.CHARTS)
JOKER = CHARTS - 1
ANIMALS = len(tables.ANIMALS)
LEVELS = tables.LEVELS
TOP_LEVEL = LEVELS - 1
FOREST_TRACK, TECHNOLOGY_TRACK, MONEY_TRACK = range(3)
TRACKS = 3
PRINTED = tables.PRINTED_SPACES
ALL_PRINTED = (1 << PRINTED) - 1

ROWS = tables.ROWS
COLUMNS = 2 * SEATS
CELLS = ROWS * COLUMNS
SHADES = len(tables.SHADES)
STRIPS = tables.STRIPS_OF_SHADE
ALL_STRIPS = (1 << STRIPS) - 1

VALUES = len(tables.VALUES)
LOWEST_VALUE = 2
MINE = 0
RIGHT = MINE + COLORS
SHIP = RIGHT + VALUES
TILES = SHIP + VALUES
FOREST_STEP = TILES
ANY_STEP = FOREST_STEP + TRACKS
HATS = ANY_STEP + 1
ANIMAL = HATS + 1
SYMBOLS = ANIMAL + 1
"""Symbols: mines by colour, rights and ships by value, steps by track, a step of choice, hats, an
animal of choice."""

MARKET, EXCHANGE, KEEP, BUILD, PAYMENT, OVER, HORIZON = range(1, 8)
"""Phases, as numbered in the protos; HORIZON is where a determinization ends."""

THREE_OF_A_KIND = 0
ALL_FOUR = THREE_OF_A_KIND + BUILDINGS
FIVE_OF_A_KIND = ALL_FOUR + 2
BONUS_CARDS = FIVE_OF_A_KIND + 2
BONUS_POINTS = (3, 3, 3, 3, 5, 3, 5, 3)
"""Bonus cards (section 1.5): three of each kind, then first and second of all four kinds, then
first and second of five of a kind."""

(
    ROUND_STARTED,
    CELL_BOUGHT,
    OUT,
    DIAMOND_GIVEN,
    SET_EXCHANGED,
    TILES_KEPT,
    BUILT,
    BONUS_TAKEN,
    PARK_FULL,
    GAME_ENDED,
) = range(10)
"""Kinds of log entries. a and b: round; BUY move, coins; phase, 1 if unable; reason; set, gems
packed; KEEP move, number of tiles returned; purchase and space packed, gems packed; card."""

SAVINGS, START_TRACK = 1, 2
"""Why a seat gets a diamond, as numbered in the protos."""

OPTION_FIELDS = [(spec.name, np.int8) for spec in options.OPTIONS]
TABLE_FIELDS = [
    ("strips", np.int8, (SHADES * STRIPS, 2, ROWS)),
    ("hats", np.int8, (SYMBOLS,)),
    ("prices", np.int8, (CHARTS, COLORS + 1)),
    ("forest_points", np.int8, (LEVELS,)),
    ("extra_gems", np.int8, (LEVELS,)),
    ("extra_diamonds", np.int8, (LEVELS,)),
    ("technology_bonus", np.int8, (LEVELS,)),
    ("income", np.int8, (LEVELS,)),
    ("money_bonus", np.int8, (LEVELS,)),
    ("printed", np.int8, (SEATS, PRINTED)),
    ("light_size", np.int8),
    ("dark_size", np.int8),
    ("box_gems", np.int8, (GEMS,)),
    ("box_tiles", np.int8, (TILES,)),
    ("box_landscape", np.int8, (BUILDINGS,)),
    ("box_animals", np.int8, (ANIMALS,)),
]
"""The data sets that the options name, resolved; see engines.diamonds_club.data."""
TABLE_STATE_FIELDS = [
    ("seats", np.int64),
    ("turn", np.int64),
    ("starter", np.int64),
    ("order", np.int64, (SEATS,)),
    ("purchase", np.int64),
    ("phase", np.int8),
    ("round_number", np.int8),
    ("out", np.int8),
    ("last_set", np.int8),
    ("columns", np.int8, (COLUMNS,)),
    ("drawn", np.int8, (SHADES,)),
    ("cells", np.int8, (CELLS,)),
    ("paid", np.int16, (CELLS,)),
    ("positions", np.int16, (SEATS,)),
    ("coins", np.int16, (SEATS,)),
    ("gems", np.int16, (SEATS, GEMS)),
    ("tiles", np.int16, (SEATS, TILES)),
    ("landscape", np.int16, (SEATS, KINDS)),
    ("animals", np.int16, (SEATS, ANIMALS)),
    ("covered", np.int8, (SEATS,)),
    ("light_tiles", np.int8, (SEATS,)),
    ("dark_tiles", np.int8, (SEATS,)),
    ("charts", np.int8, (SEATS,)),
    ("levels", np.int8, (SEATS, TRACKS)),
    ("bonus_owner", np.int8, (BONUS_CARDS,)),
    ("gem_supply", np.int16, (GEMS,)),
    ("tile_supply", np.int16, (TILES,)),
    ("stacks", np.int16, (BUILDINGS,)),
    ("animal_supply", np.int16, (ANIMALS,)),
]
"""What lies on the table.

``out``: bit mask of the seats that are out of the market or the building phase. ``last_set``: one
more than the set that the seat to move formed last, 0 for none. ``purchase``: the BUILD move that
is to be paid, 0 for none. ``columns``: twice the strip plus the side. ``drawn``: bit masks of the
strips that are out of the pile, with strip_refresh = cycle. ``order``: the seats by their markers
on the start-player track, farthest first, upper first. ``paid``: coins on the cells. ``covered``:
bit masks of covered printed spaces. ``light_tiles``: tiles on light spaces without a picture.
``charts``: bit masks of the charts that hold a seat's marker. ``bonus_owner``: one more than the
seat that took the card, 0 for an open card.
"""
OPEN_FIELDS = [*TABLE_STATE_FIELDS, *OPTION_FIELDS, *TABLE_FIELDS]
"""What everybody knows: all but the generator."""


def offset_of(dtype: np.dtype[Any], field: str) -> int:
    """Where a field begins in a record, in bytes."""
    fields: Any = dtype.fields
    return int(fields[field][1])


STATE = record_dtype(
    [
        ("random_state", np.uint64, (1,)),
        ("dealt", np.int64),
        ("horizon", np.int64),
        *OPEN_FIELDS,
    ]
)
"""The full state. ``dealt``: hash of the market that the last move uncovered, 0 if it uncovered
none. ``horizon``: the round after which a determinization ends, 0 for the end of the game."""
TRANSIENT_FIELDS = ("dealt", "horizon")
OPEN_START = offset_of(STATE, "seats")
"""Where the open fields begin in a state."""


@rule
def total(numbers: Ints) -> Int:
    """The sum of a field's numbers."""
    found = 0
    for i in range(len(numbers)):
        found += numbers[i]
    return found


@rule
def fewest(numbers: Ints) -> Int:
    """The least of a field's numbers."""
    found = numbers[0]
    for i in range(1, len(numbers)):
        found = min(found, numbers[i])
    return found
