"""Whose turn it can be in the market and in the building phase (sections 3, 3.1 and 3.3)."""

from __future__ import annotations

from collections.abc import Sequence

from engines.diamonds_club.checks.position import Position
from engines.diamonds_club.rules.options import ALL_AT_ONCE
from engines.diamonds_club.rules.state import BUILD, MARKET, PAYMENT
from engines.violations import Report


def check_buyer(position: Position, table: str, report: Report) -> None:
    """Seats buy one cell a turn, clockwise from the start player, until they are out."""
    if position.phase != MARKET:
        return
    seats = position.seats
    clockwise = [(position.starter + place) % seats for place in range(seats)]
    sold = len(position.bought)
    if any(_can_have_bought(position, clockwise, laps, sold) for laps in range(sold + 1)):
        return
    report.add(
        f"{table}.turn",
        f"is {position.turn}; {sold} cells have been sold, one a turn, clockwise from starter "
        f"{position.starter} and each for a coin or more, so with these coins and seats that are "
        "out it can't be that seat's turn",
    )


def _can_have_bought(position: Position, order: Sequence[int], laps: int, sold: int) -> bool:
    """Whether all cells can have been sold if it is the turn of the seat to move after so many
    laps. A seat has paid at least 1 for each cell."""
    least = most = 0
    before = True
    for seat in order:
        before &= seat != position.turn
        spent, turns = position.spent[seat], laps + before
        if position.out >> seat & 1:
            fewest, greatest = 0, min(spent, max(turns - 1, 0))
        else:
            fewest = greatest = turns
        if not fewest <= greatest <= spent:
            return False
        least, most = least + fewest, most + greatest
    return least <= sold <= most


def check_builder(position: Position, table: str, report: Report) -> None:
    """Seats build in the order of the start-player track, one tile a turn or all at once, until
    they are out. Their markers in the charts tell how many tiles."""
    if position.phase not in (BUILD, PAYMENT):
        return
    order = position.order[: position.seats]
    built = {seat: position.charts[seat].bit_count() for seat in order}
    at_once = position.build_order == ALL_AT_ONCE
    laps, before = built[position.turn], True
    for seat in order:
        before &= seat != position.turn
        out = bool(position.out >> seat & 1)
        if seat == position.turn:
            continue
        turns = laps + before
        if at_once:
            fits = out if before else not out and built[seat] == 0
        else:
            fits = built[seat] < turns if out else built[seat] == turns
        report.check(
            fits,
            f"{table}.turn",
            f"is {position.turn}, which has {laps} charts, but seat {seat} has {built[seat]} and "
            f"is {'' if out else 'not '}out; seats build in the order of start_track, "
            + ("each until it is out" if at_once else "one tile a turn"),
        )
