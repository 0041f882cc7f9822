"""The first round: what seats have is what they began with and what this market has sold."""

from __future__ import annotations

from engines.diamonds_club.checks.position import Position
from engines.diamonds_club.checks.rounds import has_exchanged
from engines.diamonds_club.rules.options import START_GEMS
from engines.diamonds_club.rules.state import (
    ANIMAL,
    COLORS,
    DIAMOND,
    EXCHANGE,
    FOREST_STEP,
    HATS,
    KEEP,
    LOWEST_VALUE,
    MARKET,
    MINE,
    OVER,
    TILES,
    VALUES,
)
from engines.violations import Report

DIAMONDS_GIVEN = 2
"""Most diamonds that the end of a market gives a seat: for savings and for the start track."""


def check_first_round(position: Position, table: str, report: Report) -> None:
    """Nothing is there that nobody has bought, and nobody has anything without having paid."""
    if position.round_number > 1 or position.phase == OVER:
        return
    _check_payments(position, table, report)
    _check_bought(position, table, report)
    _check_gems(position, table, report)


def _check_payments(position: Position, table: str, report: Report) -> None:
    """Coins and steps on the start-player track."""
    seats = position.seats
    paid, spent = sum(position.bought.values()), sum(position.spent)
    report.check(
        spent == paid,
        f"{table}.market",
        f"has {paid} coins on it, but the seats have spent {spent}",
    )
    hats = sum(position.hats[symbol] for symbol in position.symbols)
    moved = sum(position.positions[:seats]) - sum(range(seats))
    report.check(
        moved == hats,
        f"{table}.start_track",
        f"has markers that moved by {moved} spaces together; the cells sold have {hats} hats",
    )
    for seat in range(seats):
        start = (seat - position.starter) % seats
        report.check(
            position.spent[seat] > 0 or position.positions[seat] == start,
            f"{table}.start_track",
            f"has the marker of seat {seat} at {position.positions[seat]}; it began at {start}, "
            "and the seat has spent no coins",
        )


def _check_bought(position: Position, table: str, report: Report) -> None:
    seats, symbols = position.seats, position.symbols
    for tile in range(TILES):
        held, sold = sum(own[tile] for own in position.tiles[:seats]), symbols.count(tile)
        report.check(
            held <= sold,
            f"{table}.players",
            f"have {held} tiles of a sort of which the first market has sold {sold}",
        )
    steps = sum(FOREST_STEP <= symbol < HATS for symbol in symbols)
    for name, held, sold in (
        ("steps", sum(sum(own) for own in position.levels[:seats]), steps),
        ("animals", sum(sum(own) for own in position.animals[:seats]), symbols.count(ANIMAL)),
    ):
        report.check(
            held <= sold,
            f"{table}.players",
            f"have {held} {name}; in the first round they are those that the market has sold, "
            f"{sold}",
        )
    for seat in range(seats):
        own = position.tiles[seat], position.levels[seat], position.animals[seat]
        report.check(
            position.spent[seat] > 0 or not any(map(any, own)),
            f"{table}.players[{seat}]",
            "has what the market sells, but has spent no coins in the first round",
        )


def _check_gems(position: Position, table: str, report: Report) -> None:
    seats = position.seats
    start = [int(getattr(position, name)) for name in START_GEMS]
    for seat in range(seats):
        gems = position.gems[seat]
        exchanges = position.phase in (EXCHANGE, KEEP) and seat == position.turn
        if exchanges or has_exchanged(position, seat):
            continue
        given = 0 if position.phase == MARKET else DIAMONDS_GIVEN
        report.check(
            gems[:COLORS] == start[:COLORS] and 0 <= gems[DIAMOND] - start[DIAMOND] <= given,
            f"{table}.players[{seat}].gems",
            f"are {gems}; before its first exchange a seat has {start}"
            + (f" and up to {given} diamonds more" if given else ""),
        )
    best = LOWEST_VALUE + VALUES - 1 + max(position.extra_gems)
    for color in range(COLORS):
        held = sum(own[color] for own in position.gems[:seats])
        most = seats * start[color] + best * position.symbols.count(MINE + color)
        report.check(
            held <= most,
            f"{table}.players",
            f"have {held} gems of colour {color + 1}; in the first round they can have {most}",
        )
