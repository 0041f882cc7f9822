"""All checks of a position, each of fields that have been read without a violation."""

from __future__ import annotations

from typing import Any

from engines.diamonds_club.checks.bonuses import check_bonuses
from engines.diamonds_club.checks.first_round import check_first_round
from engines.diamonds_club.checks.market import check_coins, check_market, check_start_track
from engines.diamonds_club.checks.parks import check_end, check_purchases, check_spaces
from engines.diamonds_club.checks.position import Position
from engines.diamonds_club.checks.rounds import (
    check_kept_tiles,
    check_sales,
    check_starter,
    check_strips,
)
from engines.diamonds_club.checks.turns import check_builder, check_buyer
from engines.violations import Report


def check_position(record: Any, path: str, report: Report) -> None:
    """Notes what no game of these options leads to; ``path`` is that of the state or view."""
    table = f"{path}.table"
    fields = ("round", "starter", "phase", "turn")

    def sound(*names: str) -> bool:
        return report.sound(*(f"{table}.{name}" for name in names))

    if not report.sound(f"{path}.options", f"{path}.seats") or not sound(*fields):
        return
    position = Position(record)
    if sound("market"):
        check_market(position, table, report)
    if sound("market", "start_track"):
        check_start_track(position, table, report)
    if sound("drawn_dark", "drawn_light", "market"):
        check_strips(position, table, report)
    if sound("players"):
        for seat in range(position.seats):
            check_purchases(position, seat, f"{table}.players[{seat}]", report)
            check_spaces(position, seat, f"{table}.players[{seat}]", report)
        if sound("bonuses", "players"):
            check_bonuses(position, table, report)
    check_starter(position, table, report)
    if sound("players", "market"):
        check_coins(position, table, report)
        check_sales(position, table, report)
        check_buyer(position, table, report)
        check_end(position, table, report)
    if sound("players"):
        check_kept_tiles(position, table, report)
    if sound("players", "start_track"):
        check_builder(position, table, report)
    if sound("players", "market", "start_track"):
        check_first_round(position, table, report)
