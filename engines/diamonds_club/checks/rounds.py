"""What the round and its phase say of boards and strips (sections 2, 3 and 3.2)."""

from __future__ import annotations

from collections.abc import Iterator

from engines.diamonds_club.checks.position import Position
from engines.diamonds_club.rules.options import CYCLE
from engines.diamonds_club.rules.state import (
    ANIMAL,
    ANY_STEP,
    EXCHANGE,
    FOREST_STEP,
    KEEP,
    MARKET,
    MINE,
    RIGHT,
    SHIP,
    STRIPS,
    TILES,
    TRACKS,
)
from engines.violations import Report

SORTS = ((MINE, RIGHT, "mines"), (RIGHT, SHIP, "rights"), (SHIP, TILES, "ships"))


def check_strips(position: Position, table: str, report: Report) -> None:
    """How many strips are out of the piles, if those are drawn through."""
    if position.strip_refresh != CYCLE:
        return
    out = 0
    for _ in range(position.round_number):
        for laid in range(position.seats):
            out = (laid if out == STRIPS else out) + 1
    for shade, field in enumerate(("drawn_dark", "drawn_light")):
        listed = position.drawn[shade].bit_count()
        report.check(
            listed == out,
            f"{table}.{field}",
            f"has {listed} strips; in round {position.round_number} {out} are out of the pile",
        )


def check_sales(position: Position, table: str, report: Report) -> None:
    """What the market has sold this round is with the seats: tiles until they are exchanged, steps
    and animals for good."""
    for name, sold, held in _sales(position):
        report.check(
            all(has >= had for has, had in zip(held, sold, strict=True)),
            f"{table}.players",
            f"have {held} {name}; the market has sold {sold} of them this round",
        )


def _sales(position: Position) -> Iterator[tuple[str, list[int], list[int]]]:
    """What is sold, how many of each kind have been, and how many the seats have."""
    symbols, seats = position.symbols, position.seats
    if position.phase == MARKET:
        for first, end, name in SORTS:
            held = [sum(own[tile] for own in position.tiles[:seats]) for tile in range(first, end)]
            yield f"{name} by kind", [symbols.count(tile) for tile in range(first, end)], held
    steps = [symbols.count(FOREST_STEP + track) for track in range(TRACKS)]
    levels = [sum(column) for column in zip(*position.levels[:seats], strict=True)]
    yield "steps by track", steps, levels
    yield "steps", [sum(steps) + symbols.count(ANY_STEP)], [sum(levels)]
    animals = sum(sum(own) for own in position.animals[:seats])
    yield "animals", [symbols.count(ANIMAL)], [animals]


def check_kept_tiles(position: Position, table: str, report: Report) -> None:
    """After its exchange a seat has few tiles left (section 3.2)."""
    seats, tiles = position.seats, position.tiles
    for seat in range(seats):
        if not has_exchanged(position, seat):
            continue
        numbers = [sum(tiles[seat][first:end]) for first, end, _ in SORTS]
        report.check(
            max(numbers) <= 1 and min(numbers) == 0,
            f"{table}.players[{seat}]",
            f"has {numbers[0]} mines, {numbers[1]} rights and {numbers[2]} ships; after its "
            "exchange a seat keeps one of a sort at most, and of one sort none",
        )


def has_exchanged(position: Position, seat: int) -> bool:
    """Whether a seat has made its exchange of this round."""
    if position.phase in (EXCHANGE, KEEP):
        seats, starter = position.seats, position.starter
        return (seat - starter) % seats < (position.turn - starter) % seats
    return position.phase != MARKET


def check_starter(position: Position, table: str, report: Report) -> None:
    """Who starts the game, if it is no chance (section 2)."""
    if position.round_number == 1:
        report.check(
            bool(position.random_start) or position.starter == 0,
            f"{table}.starter",
            f"is {position.starter}; without random_start seat 0 starts",
        )
