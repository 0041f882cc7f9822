"""Records, moves and log entries of Diamonds Club as protobuf messages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from adamas.v1 import diamonds_club_pb2 as pb
from engines.contract import MAX_SEATS, RESULT_ROWS, SCORE, WIN_SHARE
from engines.diamonds_club.rules import building, exchange, kernels, market, park
from engines.diamonds_club.rules.options import CYCLE
from engines.diamonds_club.rules.state import (
    ANIMAL,
    ANY_STEP,
    BONUS_CARDS,
    BONUS_TAKEN,
    BUILD,
    BUILDINGS,
    BUILT,
    CELL_BOUGHT,
    CHARTS,
    COLORS,
    COLUMNS,
    DIAMOND_GIVEN,
    EXCHANGE,
    FOREST,
    FOREST_STEP,
    GAME_ENDED,
    GEMS,
    KEEP,
    LOWEST_VALUE,
    MARKET,
    MINE,
    OUT,
    PARK_FULL,
    PAYMENT,
    PRINTED,
    RIGHT,
    ROUND_STARTED,
    ROWS,
    SET_EXCHANGED,
    SHADES,
    SHIP,
    STATE,
    STRIPS,
    TILES,
    TILES_KEPT,
)
from engines.events import entries
from engines.jit import Log, Row

_SPACES = {
    **dict.fromkeys(range(PRINTED), pb.DIAMONDS_CLUB_SPACE_PRINTED),
    park.LIGHT: pb.DIAMONDS_CLUB_SPACE_LIGHT,
    park.DARK: pb.DIAMONDS_CLUB_SPACE_DARK,
}


def write_gems(gems: Iterable[Any]) -> pb.DiamondsClubGems:
    """Numbers of gems by sort -> message."""
    blue, yellow, green, red, diamonds = (int(n) for n in gems)
    return pb.DiamondsClubGems(blue=blue, yellow=yellow, green=green, red=red, diamonds=diamonds)


def write_packed_gems(packed: int) -> pb.DiamondsClubGems:
    """Packed gems -> message."""
    return write_gems(building.gems_in(packed, gem) for gem in range(GEMS))


def write_buildings(numbers: Iterable[Any]) -> pb.DiamondsClubBuildings:
    """Numbers of buildings by kind -> message."""
    fountains, orangeries, pavilions, rose_gardens = (int(n) for n in numbers)
    return pb.DiamondsClubBuildings(
        fountains=fountains,
        orangeries=orangeries,
        pavilions=pavilions,
        rose_gardens=rose_gardens,
    )


def write_set(formed: int) -> pb.DiamondsClubSet:
    """A set -> message."""
    return pb.DiamondsClubSet(
        mine=pb.DiamondsClubColor.ValueType(exchange.color_of(formed) + 1),
        right=exchange.right_of(formed) + LOWEST_VALUE,
        ship=exchange.ship_of(formed) + LOWEST_VALUE,
    )


def write_keep(kept: int) -> pb.DiamondsClubKeep:
    """A KEEP move -> message."""
    mine, right, ship = (exchange.kept_digit(kept, sort) for sort in range(3))
    return pb.DiamondsClubKeep(
        mine=pb.DiamondsClubColor.ValueType(mine),
        right=right - 1 + LOWEST_VALUE if right else 0,
        ship=ship - 1 + LOWEST_VALUE if ship else 0,
    )


def write_build(purchase: int) -> pb.DiamondsClubBuild:
    """A BUILD move -> message."""
    return pb.DiamondsClubBuild(
        chart=pb.DiamondsClubChart.ValueType(building.chart_of(purchase) + 1),
        kind=pb.DiamondsClubKind.ValueType(building.kind_of(purchase) + 1),
    )


def write_table(record: Any) -> pb.DiamondsClubTable:
    """What lies on the table."""
    table = pb.DiamondsClubTable(
        round=int(record.round_number),
        starter=int(record.starter),
        phase=pb.DiamondsClubPhase.ValueType(int(record.phase)),
        turn=int(record.turn),
        players=[_write_player(record, seat) for seat in range(record.seats)],
        market=write_market(record),
        start_track=[
            pb.DiamondsClubMarker(seat=int(seat), position=int(record.positions[seat]))
            for seat in record.order[: record.seats]
        ],
        stacks=write_buildings(record.stacks),
        bonuses=[
            pb.DiamondsClubBonus(
                card=pb.DiamondsClubBonusCard.ValueType(card + 1),
                seat=int(record.bonus_owner[card]) - 1,
            )
            for card in range(BONUS_CARDS)
            if record.bonus_owner[card] > 0
        ],
    )
    if record.last_set > 0:
        table.last_set.CopyFrom(write_set(int(record.last_set) - 1))
    if record.purchase > 0:
        table.purchase.CopyFrom(write_build(int(record.purchase)))
    if record.strip_refresh == CYCLE:
        table.drawn_dark.extend(_numbers(record.drawn[0], STRIPS))
        table.drawn_light.extend(_numbers(record.drawn[1], STRIPS))
    return table


def _numbers(mask: Any, length: int) -> list[int]:
    """The set bits of a mask, counted from 1."""
    return [bit + 1 for bit in range(length) if int(mask) >> bit & 1]


def _write_player(record: Any, seat: int) -> pb.DiamondsClubPlayer:
    tiles = record.tiles[seat]
    ponds, deer_parks, aviaries = (int(n) for n in record.animals[seat])
    forest, technology, money = (int(level) for level in record.levels[seat])
    return pb.DiamondsClubPlayer(
        coins=int(record.coins[seat]),
        gems=write_gems(record.gems[seat]),
        mines=[
            pb.DiamondsClubColor.ValueType(color + 1)
            for color in range(COLORS)
            for _ in range(int(tiles[MINE + color]))
        ],
        rights=_values(tiles[RIGHT:SHIP]),
        ships=_values(tiles[SHIP:TILES]),
        buildings=write_buildings(record.landscape[seat, :BUILDINGS]),
        forests=int(record.landscape[seat, FOREST]),
        animals=pb.DiamondsClubAnimals(ponds=ponds, deer_parks=deer_parks, aviaries=aviaries),
        printed_covered=[bool(record.covered[seat] >> space & 1) for space in range(PRINTED)],
        dark_tiles=int(record.dark_tiles[seat]),
        tracks=pb.DiamondsClubTracks(forest=forest, technology=technology, money=money),
        out=bool(record.out >> seat & 1),
        charts=[
            pb.DiamondsClubChart.ValueType(number)
            for number in _numbers(record.charts[seat], CHARTS)
        ],
    )


def _values(tiles: Any) -> list[int]:
    return [LOWEST_VALUE + i for i, n in enumerate(tiles) for _ in range(int(n))]


def write_market(record: Any) -> list[pb.DiamondsClubColumn]:
    """The columns of the market, left to right."""
    return [_write_column(record, column) for column in range(SHADES * record.seats)]


def _write_column(record: Any, column: int) -> pb.DiamondsClubColumn:
    cells = [row * COLUMNS + column for row in range(ROWS)]
    strip, side = divmod(int(record.columns[column]), 2)
    return pb.DiamondsClubColumn(
        strip=strip % STRIPS + 1,
        side_b=bool(side),
        coins=[int(record.paid[cell]) for cell in cells],
        symbols=[pb.DiamondsClubSymbol.ValueType(int(record.cells[cell]) + 1) for cell in cells],
    )


def write_move(record: Any, move: int) -> pb.DiamondsClubMove:
    """A move of the phase that the record is in."""
    if record.phase == MARKET and move != kernels.PASS:
        return pb.DiamondsClubMove(buy=_write_purchase(record, move))
    if record.phase == EXCHANGE:
        return pb.DiamondsClubMove(exchange=write_set(move))
    if record.phase == KEEP:
        return pb.DiamondsClubMove(keep=write_keep(move))
    if record.phase == BUILD and move != kernels.PASS:
        return pb.DiamondsClubMove(build=write_build(move))
    if record.phase == PAYMENT:
        return pb.DiamondsClubMove(pay=write_packed_gems(move))
    return pb.DiamondsClubMove(pass_turn=pb.DiamondsClubPass())


def _write_purchase(record: Any, move: int) -> pb.DiamondsClubPurchase:
    cell, choice = market.cell_of(move), market.choice_of(move)
    purchase = pb.DiamondsClubPurchase(row=cell // COLUMNS, column=cell % COLUMNS)
    if record.cells[cell] == ANY_STEP:
        purchase.track = pb.DiamondsClubTrack.ValueType(choice + 1)
    elif record.cells[cell] == ANIMAL:
        purchase.animal = pb.DiamondsClubAnimal.ValueType(choice + 1)
    return purchase


def write_events(before: Row, after: Row, log: Log) -> list[pb.DiamondsClubEvent]:
    """Log entries of one move -> event messages."""
    writers = {
        ROUND_STARTED: _write_round_started,
        CELL_BOUGHT: _write_cell_bought,
        OUT: _write_out,
        DIAMOND_GIVEN: _write_diamond_given,
        SET_EXCHANGED: _write_set_exchanged,
        TILES_KEPT: _write_tiles_kept,
        BUILT: _write_built,
        BONUS_TAKEN: _write_bonus_taken,
        PARK_FULL: _write_park_full,
        GAME_ENDED: _write_game_over,
    }
    return [writers[kind](before, after, seat, a, b) for kind, seat, a, b in entries(log)]


def _write_round_started(
    _: Row, after: Row, seat: int, round_number: int, __: int
) -> pb.DiamondsClubEvent:
    return pb.DiamondsClubEvent(
        round_started=pb.DiamondsClubRoundStarted(
            round=round_number, starter=seat, market=write_market(after.view(STATE)[0])
        )
    )


def _write_cell_bought(
    before: Row, _: Row, seat: int, move: int, coins: int
) -> pb.DiamondsClubEvent:
    cell = market.cell_of(move)
    symbol = int(before.view(STATE)[0].cells[cell])
    bought = pb.DiamondsClubCellBought(
        seat=seat,
        row=cell // COLUMNS,
        column=cell % COLUMNS,
        symbol=pb.DiamondsClubSymbol.ValueType(symbol + 1),
        coins=coins,
    )
    choice = market.choice_of(move)
    if FOREST_STEP <= symbol <= ANY_STEP:
        track = choice if symbol == ANY_STEP else symbol - FOREST_STEP
        bought.track = pb.DiamondsClubTrack.ValueType(track + 1)
    elif symbol == ANIMAL:
        bought.animal = pb.DiamondsClubAnimal.ValueType(choice + 1)
    return pb.DiamondsClubEvent(cell_bought=bought)


def _write_out(_: Row, __: Row, seat: int, phase: int, unable: int) -> pb.DiamondsClubEvent:
    return pb.DiamondsClubEvent(
        out=pb.DiamondsClubOut(
            seat=seat, phase=pb.DiamondsClubPhase.ValueType(phase), unable=bool(unable)
        )
    )


def _write_diamond_given(_: Row, __: Row, seat: int, reason: int, ___: int) -> pb.DiamondsClubEvent:
    return pb.DiamondsClubEvent(
        diamond_given=pb.DiamondsClubDiamondGiven(
            seat=seat, reason=pb.DiamondsClubDiamondReason.ValueType(reason)
        )
    )


def _write_set_exchanged(
    _: Row, __: Row, seat: int, formed: int, gems: int
) -> pb.DiamondsClubEvent:
    return pb.DiamondsClubEvent(
        set_exchanged=pb.DiamondsClubSetExchanged(
            seat=seat, set=write_set(formed), gems=write_packed_gems(gems)
        )
    )


def _write_tiles_kept(_: Row, __: Row, seat: int, kept: int, returned: int) -> pb.DiamondsClubEvent:
    return pb.DiamondsClubEvent(
        tiles_kept=pb.DiamondsClubTilesKept(seat=seat, kept=write_keep(kept), returned=returned)
    )


def _write_built(_: Row, __: Row, seat: int, packed: int, payment: int) -> pb.DiamondsClubEvent:
    purchase, space = divmod(packed, building.PACK_SPACE)
    build = write_build(purchase)
    return pb.DiamondsClubEvent(
        built=pb.DiamondsClubBuilt(
            seat=seat,
            chart=build.chart,
            kind=build.kind,
            payment=write_packed_gems(payment),
            space=_SPACES[space],
        )
    )


def _write_bonus_taken(_: Row, __: Row, seat: int, card: int, ___: int) -> pb.DiamondsClubEvent:
    return pb.DiamondsClubEvent(
        bonus_taken=pb.DiamondsClubBonus(
            card=pb.DiamondsClubBonusCard.ValueType(card + 1), seat=seat
        )
    )


def _write_park_full(_: Row, __: Row, seat: int, ___: int, ____: int) -> pb.DiamondsClubEvent:
    return pb.DiamondsClubEvent(park_full=pb.DiamondsClubParkFull(seat=seat))


def _write_game_over(_: Row, after: Row, __: int, ___: int, ____: int) -> pb.DiamondsClubEvent:
    seats = int(after.view(STATE)[0].seats)
    results = np.zeros((RESULT_ROWS, MAX_SEATS))
    kernels.evaluate(after, results)
    return pb.DiamondsClubEvent(
        game_over=pb.DiamondsClubGameOver(
            scores=[int(results[SCORE, seat]) for seat in range(seats)],
            winners=[seat for seat in range(seats) if results[WIN_SHARE, seat] > 0],
        )
    )
