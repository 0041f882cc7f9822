"""Protobuf messages of Diamonds Club as records and moves, with everything checked.

A table that is read without a violation is one on which every rule function is safe to call.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from adamas.v1 import diamonds_club_pb2 as pb
from engines.diamonds_club.rules import building, exchange, kernels, market
from engines.diamonds_club.rules.options import CYCLE, OPTIONS
from engines.diamonds_club.rules.state import (
    ANIMAL,
    ANIMALS,
    ANY_STEP,
    BONUS_CARDS,
    BUILD,
    BUILDINGS,
    CHARTS,
    COLORS,
    COLUMNS,
    EXCHANGE,
    FOREST,
    GEMS,
    JOKER,
    KEEP,
    KINDS,
    LOWEST_VALUE,
    MARKET,
    MINE,
    OVER,
    PAYMENT,
    PRINTED,
    RIGHT,
    ROWS,
    SEATS,
    SHADES,
    SHIP,
    STRIPS,
    TILES,
    TOP_LEVEL,
    TRACKS,
    VALUES,
    total,
)
from engines.diamonds_club.rules.tables import fill_tables
from engines.options import copy_options, read_options
from engines.violations import Report

MIN_SEATS = 2
MAX_COINS = 99
MAX_POSITION = 999
HIGHEST_VALUE = LOWEST_VALUE + VALUES - 1
GEM_NAMES = ("blue gems", "yellow gems", "green gems", "red gems", "diamonds")
TILE_NAMES = (
    *(f"{color} mines" for color in ("blue", "yellow", "green", "red")),
    *(f"rights of {value}" for value in range(LOWEST_VALUE, HIGHEST_VALUE + 1)),
    *(f"ships of {value}" for value in range(LOWEST_VALUE, HIGHEST_VALUE + 1)),
)
ANIMAL_NAMES = ("ponds", "deer parks", "aviaries")
PHASES_WITH_OUT = (MARKET, BUILD, PAYMENT)
PHASES_WITH_CHARTS = (BUILD, PAYMENT)


class Field:
    """One field of a message: its value, and where it is for violations.

    There are hundreds in a position, and hardly ever a violation: a path is made when one is asked
    for.
    """

    __slots__ = ("_above", "_step", "report", "value")

    def __init__(
        self, value: Any, step: str | int, report: Report, above: Field | None = None
    ) -> None:
        """``step`` leads here from the field above: a name or an index; without one, all of the
        path."""
        self.value = value
        self.report = report
        self._step = step
        self._above = above

    def __getattr__(self, name: str) -> Field:
        """A field of this message."""
        return Field(getattr(self.value, name), name, self.report, self)

    def __getitem__(self, index: int) -> Field:
        """An entry of this repeated field."""
        return Field(self.value[index], index, self.report, self)

    @property
    def path(self) -> str:
        """Where it is."""
        if self._above is None:
            return str(self._step)
        step = f"[{self._step}]" if isinstance(self._step, int) else f".{self._step}"
        return self._above.path + step

    def wrong(self, problem: str) -> None:
        """Notes a violation of this field."""
        self.report.add(self.path, problem)

    @property
    def sound(self) -> bool:
        """Whether nothing was noted of this field or below it."""
        return not self.report.violations or self.report.sound(self.path)

    def number(self, low: int, high: int) -> int:
        """A number in a range; its lower bound after a violation."""
        if low <= self.value <= high:
            return int(self.value)
        self.wrong(f"is {self.value}; use {low} to {high}")
        return low

    def choice(self, enum: Any, count: int) -> int:
        """An enum's number less 1, of ``count`` that may be used; 0 after a violation."""
        if 1 <= self.value <= count:
            return int(self.value) - 1
        self.wrong(f"is {self.value}; use {enum.Name(1)} (1) to {enum.Name(count)} ({count})")
        return 0

    def entries(self, low: int, high: int, what: str) -> list[Field]:
        """The entries of a repeated field of limited length; none after a violation."""
        length = len(self.value)
        if low <= length <= high:
            return [Field(entry, i, self.report, self) for i, entry in enumerate(self.value)]
        allowed = str(low) if low == high else f"{low} to {high}"
        self.wrong(f"has {length} entries; give {allowed}, {what}")
        return []


def read_table(message: Any, target: Any, path: str, report: Report) -> None:
    """Options, seats and table of a state or view message -> record.

    Each field is read by itself, whatever is wrong with others; if it is options or seats, by the
    default options or for the most seats. How the fields fit together is for ``checks``.
    """
    root = Field(message, path, report)
    seats = root.seats.number(MIN_SEATS, SEATS)
    known = root.seats.sound
    values = read_options(
        OPTIONS, message.options, seats if known else None, f"{path}.options", report
    )
    if not root.options.sound:
        values = {spec.name: spec.default(None) for spec in OPTIONS}
    copy_options(values, target)
    fill_tables(target)
    target.seats = seats if known else SEATS
    fewest = seats if known else MIN_SEATS
    _read_round(root.table, target)
    _read_market(root.table, target, fewest)
    _read_start_track(root.table.start_track, target, fewest)
    players = root.table.players.entries(fewest, target.seats, "one a seat")
    for seat, player in enumerate(players):
        _read_player(player, target, seat)
    _read_bonuses(root.table.bonuses, target)
    _read_drawn(root.table, target)
    if root.seats.sound and root.options.sound and root.table.players.sound:
        _fill_supplies(root.table, target)
        _read_stacks(root.table.stacks, target)
    if root.sound:
        _read_decision(root.table, target)


def _read_round(table: Field, target: Any) -> None:
    target.round_number = table.round.number(1, int(target.max_rounds))
    target.starter = table.starter.number(0, target.seats - 1)
    target.phase = table.phase.choice(pb.DiamondsClubPhase, OVER) + 1
    if target.phase != OVER:
        target.turn = table.turn.number(0, target.seats - 1)


def _read_market(table: Field, target: Any, fewest: int) -> None:
    seats = int(target.seats)
    columns = table.market.entries(SHADES * fewest, SHADES * seats, "two columns a seat")
    if len(columns) != SHADES * seats:
        return
    for column, field in enumerate(columns):
        shade = column // seats
        strip = shade * STRIPS + field.strip.number(1, STRIPS) - 1
        target.columns[column] = 2 * strip + field.side_b.value
        if strip in target.columns[shade * seats : column] // 2:
            field.strip.wrong("lies in another column already; each column of a shade has its own")
        _read_cells(field, target, column)


def _read_cells(field: Field, target: Any, column: int) -> None:
    strip, side = divmod(int(target.columns[column]), 2)
    symbols, cells, paid = target.strips[strip, side], target.cells, target.paid
    for row, coins in enumerate(field.coins.entries(ROWS, ROWS, "one a cell")):
        cell = row * COLUMNS + column
        cells[cell] = symbols[row]
        paid[cell] = coins.number(0, MAX_COINS)
    if len(field.symbols.value) > 0:
        for row, symbol in enumerate(field.symbols.entries(ROWS, ROWS, "one a cell, or none")):
            expected = pb.DiamondsClubSymbol.ValueType(int(symbols[row]) + 1)
            if symbol.value != expected:
                name = pb.DiamondsClubSymbol.Name(expected)
                symbol.wrong(f"is {symbol.value}; this side of the strip shows {name}")


def _read_start_track(track: Field, target: Any, fewest: int) -> None:
    seats = int(target.seats)
    markers = track.entries(fewest, seats, "one a seat")
    for place, marker in enumerate(markers):
        seat = marker.seat.number(0, seats - 1)
        if seat in target.order[:place]:
            marker.seat.wrong("has another marker on the track already; give one a seat")
        target.order[place] = seat
        target.positions[seat] = marker.position.number(0, MAX_POSITION)
        if place > 0 and marker.position.value > markers[place - 1].position.value:
            marker.position.wrong("is farther than the marker before it; give the farthest first")


def _read_player(player: Field, target: Any, seat: int) -> None:
    target.coins[seat] = player.coins.number(0, MAX_COINS)
    target.gems[seat] = _read_gems(player.gems, target.box_gems)
    _read_tiles(player, target, seat)
    buildings = player.buildings
    for kind, field in enumerate(
        (buildings.fountains, buildings.orangeries, buildings.pavilions, buildings.rose_gardens)
    ):
        target.landscape[seat, kind] = field.number(0, int(target.box_landscape[kind]))
    target.landscape[seat, FOREST] = player.forests.number(0, int(total(target.box_landscape)))
    animals = player.animals
    for animal, field in enumerate((animals.ponds, animals.deer_parks, animals.aviaries)):
        target.animals[seat, animal] = field.number(0, int(target.box_animals[animal]))
    tracks = player.tracks
    for track, field in enumerate((tracks.forest, tracks.technology, tracks.money)):
        target.levels[seat, track] = field.number(0, TOP_LEVEL)
    _read_park(player, target, seat)
    if target.phase in PHASES_WITH_OUT:
        target.out |= int(player.out.value) << seat
    charts = player.charts.entries(0, CHARTS, "each chart once")
    if target.phase in PHASES_WITH_CHARTS:
        for chart in charts:
            bit = 1 << chart.choice(pb.DiamondsClubChart, CHARTS)
            if target.charts[seat] & bit:
                chart.wrong("is listed already; list each chart once")
            target.charts[seat] |= bit


def _read_gems(gems: Field, limits: Sequence[Any]) -> list[int]:
    fields = (gems.blue, gems.yellow, gems.green, gems.red, gems.diamonds)
    return [field.number(0, int(limit)) for field, limit in zip(fields, limits, strict=True)]


def _read_tiles(player: Field, target: Any, seat: int) -> None:
    box = target.box_tiles
    mines, rights, ships = (
        int(total(box[first:end])) for first, end in ((MINE, RIGHT), (RIGHT, SHIP), (SHIP, TILES))
    )
    for mine in player.mines.entries(0, mines, "one a tile"):
        target.tiles[seat, MINE + mine.choice(pb.DiamondsClubColor, COLORS)] += 1
    for right in player.rights.entries(0, rights, "one a tile"):
        target.tiles[seat, RIGHT + right.number(LOWEST_VALUE, HIGHEST_VALUE) - LOWEST_VALUE] += 1
    for ship in player.ships.entries(0, ships, "one a tile"):
        target.tiles[seat, SHIP + ship.number(LOWEST_VALUE, HIGHEST_VALUE) - LOWEST_VALUE] += 1


def _read_park(player: Field, target: Any, seat: int) -> None:
    """Where the tiles lie: on printed and dark spaces as told, all others on light ones."""
    for space, covered in enumerate(player.printed_covered.entries(PRINTED, PRINTED, "one each")):
        target.covered[seat] |= int(covered.value) << space
    dark = player.dark_tiles.number(0, int(target.dark_size))
    if not player.sound:
        return
    printed = [space for space in range(PRINTED) if target.covered[seat] >> space & 1]
    buildings = target.landscape[seat, :BUILDINGS]
    if target.printed_any_building:
        possible = len(printed) <= total(buildings)
    else:
        shown = [int(target.printed[seat, space]) for space in printed]
        possible = all(shown.count(kind) <= buildings[kind] for kind in shown)
    if not possible:
        player.printed_covered.wrong(
            "covers a space for which the park has no fitting building; cover only as many spaces "
            "as it has buildings for"
        )
    tiles = int(total(target.landscape[seat]) + total(target.animals[seat]))
    light = tiles - len(printed) - dark
    room = int(target.light_size) - PRINTED
    if not 0 <= light <= room:
        player.wrong(
            f"has {tiles} tiles in the park, {len(printed)} of them on printed and {dark} on dark "
            f"spaces; the {light} others can't lie on the {room} light spaces"
        )
        return
    target.dark_tiles[seat] = dark
    target.light_tiles[seat] = light


def _read_bonuses(bonuses: Field, target: Any) -> None:
    for bonus in bonuses.entries(0, BONUS_CARDS, "each card at most once"):
        card = bonus.card.choice(pb.DiamondsClubBonusCard, BONUS_CARDS)
        if target.bonus_owner[card] > 0:
            bonus.card.wrong("is in another entry already; list each card once")
        target.bonus_owner[card] = bonus.seat.number(0, target.seats - 1) + 1


def _read_drawn(table: Field, target: Any) -> None:
    """The strips out of the piles; they matter only if the piles are drawn through."""
    seats = int(target.seats)
    for shade, field in enumerate((table.drawn_dark, table.drawn_light)):
        strips = field.entries(0, STRIPS, "each strip at most once")
        if target.strip_refresh != CYCLE:
            continue
        for strip in strips:
            target.drawn[shade] |= 1 << (strip.number(1, STRIPS) - 1)
        if not table.market.sound:
            continue
        for column in range(shade * seats, (shade + 1) * seats):
            strip_number = int(target.columns[column]) // 2 % STRIPS
            if not target.drawn[shade] >> strip_number & 1:
                field.wrong(f"lacks strip {strip_number + 1}; list those in the market as well")


def _fill_supplies(table: Field, target: Any) -> None:
    """What is left in the box: all that nobody has."""
    for supply, box, held, names in (
        (target.gem_supply, target.box_gems, target.gems, GEM_NAMES),
        (target.tile_supply, target.box_tiles, target.tiles, TILE_NAMES),
        (target.animal_supply, target.box_animals, target.animals, ANIMAL_NAMES),
    ):
        supply[:] = box - held.sum(axis=0)
        for kind, left in enumerate(supply):
            if left < 0:
                most = int(box[kind])
                table.players.wrong(
                    f"have {most - int(left)} {names[kind]} together; the box holds {most}"
                )


def _read_stacks(stacks: Field, target: Any) -> None:
    fields = (stacks.fountains, stacks.orangeries, stacks.pavilions, stacks.rose_gardens)
    for kind, field in enumerate(fields):
        built = int(target.landscape[:, kind].sum())
        most = int(target.box_landscape[kind]) - built
        if most < 0:
            field.wrong(f"can't be right: the parks hold {built}, the box {most + built}")
            return
        target.stacks[kind] = field.number(0, most)
    left = int(total(target.box_landscape)) - int(target.landscape.sum())
    if total(target.stacks) != left:
        stacks.wrong(f"hold {int(total(target.stacks))} tiles; the parks leave {left}")


def _read_decision(table: Field, target: Any) -> None:
    """Whether the seat to move has something to decide in this phase."""
    seat = int(target.turn)
    if target.out >> seat & 1 and target.phase != OVER:
        table.players[seat].out.wrong("is true, but the seat is to move")
    if target.phase == EXCHANGE:
        _read_exchange(table, target, seat)
    elif target.phase == KEEP:
        _check_keep(table, target, seat)
    elif target.phase == PAYMENT:
        _read_purchase(table, target, seat)


def _read_exchange(table: Field, target: Any, seat: int) -> None:
    if table.value.HasField("last_set"):
        target.last_set = _read_set(table.last_set) + 1
    sets = np.zeros(exchange.SETS, dtype=np.int64)
    if exchange.list_sets(target, seat, sets) == 0:
        table.phase.wrong(f"is EXCHANGE, but seat {seat} can form no set, or none after last_set")


def _check_keep(table: Field, target: Any, seat: int) -> None:
    if exchange.sets_to_form(target, seat) > 0:
        table.phase.wrong(f"is KEEP, but seat {seat} can still form a set")
    if total(target.tiles[seat]) == 0:
        table.phase.wrong(f"is KEEP, but seat {seat} has no tile left")


def _read_purchase(table: Field, target: Any, seat: int) -> None:
    if not table.value.HasField("purchase"):
        table.purchase.wrong("is missing; the phase is PAYMENT")
        return
    purchase = _read_build(table.purchase)
    if not building.can_build(target, seat, purchase):
        table.purchase.wrong(
            f"can't be bought by seat {seat}; it needs the chart's gems, a free marker and a place"
        )
    target.purchase = purchase


def _read_set(field: Field) -> int:
    color = field.mine.choice(pb.DiamondsClubColor, COLORS)
    right = field.right.number(LOWEST_VALUE, HIGHEST_VALUE)
    ship = field.ship.number(LOWEST_VALUE, HIGHEST_VALUE)
    return int(exchange.set_of(color, right - LOWEST_VALUE, ship - LOWEST_VALUE))


def _read_build(field: Field) -> int:
    """A BUILD move. The kind may be left out where the chart says it all."""
    chart = field.chart.choice(pb.DiamondsClubChart, CHARTS)
    if chart == JOKER:
        return 1 + JOKER + field.kind.choice(pb.DiamondsClubKind, KINDS)
    if field.kind.value not in (0, chart + 1):
        field.kind.wrong(f"is {field.kind.value}; this chart sells {chart + 1} only")
    return 1 + chart


def _read_kept_value(field: Field) -> int:
    """The digit of a KEEP move for a right or a ship."""
    return 0 if field.value == 0 else field.number(LOWEST_VALUE, HIGHEST_VALUE) - LOWEST_VALUE + 1


def _read_keep(field: Field) -> int:
    mine = 0 if field.mine.value == 0 else field.mine.choice(pb.DiamondsClubColor, COLORS) + 1
    return int(exchange.keep_of(mine, _read_kept_value(field.right), _read_kept_value(field.ship)))


def _read_buy(field: Field, record: Any) -> int:
    row = field.row.number(0, ROWS - 1)
    column = field.column.number(0, SHADES * record.seats - 1)
    cell = row * COLUMNS + column
    choice = 0
    asked = {ANY_STEP: "track", ANIMAL: "animal"}.get(int(record.cells[cell]))
    given = field.value.WhichOneof("choice")
    if given != asked:
        field.wrong(f"must have {asked or 'neither track nor animal'}: the cell leaves that choice")
    elif asked == "track":
        choice = field.track.choice(pb.DiamondsClubTrack, TRACKS)
    elif asked == "animal":
        choice = field.animal.choice(pb.DiamondsClubAnimal, ANIMALS)
    return int(market.buy_move(cell, choice))


def _read_payment(field: Field) -> int:
    gems = _read_gems(field, (building.GEM_MASK,) * GEMS)
    return int(building.pack_payment(*gems))


DECISIONS = {
    MARKET: ("buy", "pass_turn"),
    EXCHANGE: ("exchange",),
    KEEP: ("keep",),
    BUILD: ("build", "pass_turn"),
    PAYMENT: ("pay",),
}
"""Phase -> the decisions that it asks for."""


def read_move(record: Any, message: pb.DiamondsClubMove, path: str, report: Report) -> int:
    """A move message -> a move of the phase that the record is in."""
    move = Field(message, path, report)
    given = message.WhichOneof("move")
    allowed = DECISIONS.get(int(record.phase), ())
    if given not in allowed:
        move.wrong(f"is {given or 'empty'}; use {' or '.join(allowed) or 'none, the game is over'}")
        return kernels.PASS
    if given == "buy":
        return _read_buy(move.buy, record)
    if given == "exchange":
        return _read_set(move.exchange)
    if given == "keep":
        return _read_keep(move.keep)
    if given == "build":
        return _read_build(move.build)
    if given == "pay":
        return _read_payment(move.pay)
    return kernels.PASS
