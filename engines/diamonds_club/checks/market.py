"""The market: what its coins say of the purchases of the round (sections 3 and 3.1)."""

from __future__ import annotations

from collections.abc import Iterator

from engines.diamonds_club.checks.position import Position
from engines.diamonds_club.rules.state import OVER, ROWS
from engines.violations import Report


def check_market(position: Position, table: str, report: Report) -> None:
    """A cell costs 1 and the coins on the cells beside it that were bought before: of two cells
    side by side the cheaper one, as the other's price includes its coins."""
    cells = position.bought
    if position.phase == OVER:
        report.check(
            not cells, f"{table}.market", "has coins; at the end they have returned to the bank"
        )
        return
    for (row, column), coins in cells.items():
        beside = [cells[place] for place in _beside(row, column) if place in cells]
        cost = 1 + sum(other for other in beside if other < coins)
        report.check(
            coins == cost and coins not in beside,
            f"{table}.market[{column}].coins[{row}]",
            f"is {coins}; a cell costs 1 and what lies beside it, which is {beside or 'nothing'}",
        )


def _beside(row: int, column: int) -> Iterator[tuple[int, int]]:
    if row > 0:
        yield row - 1, column
    if row < ROWS - 1:
        yield row + 1, column
    if column > 0:
        yield row, column - 1
    yield row, column + 1


def check_start_track(position: Position, table: str, report: Report) -> None:
    """Markers begin at 0, 1, 2, 3 from the start player, and move by the hats that were bought."""
    if position.phase == OVER:
        return
    seats = position.seats
    starts = {(position.starter + place) % seats: place for place in range(seats)}
    path, positions = f"{table}.start_track", position.positions[:seats]
    hats = sum(position.hats[symbol] for symbol in position.symbols)
    moved = sum(positions) - sum(range(seats))
    report.check(
        moved >= hats,
        path,
        f"has markers that moved by {moved} spaces together; the cells sold have {hats} hats",
    )
    order = position.order[:seats]
    for place, seat in enumerate(order):
        start = starts[seat]
        report.check(
            positions[seat] >= start,
            f"{path}[{place}].position",
            f"is {positions[seat]}; seat {seat} began the round at {start}",
        )
        if place + 1 < seats and positions[seat] == start:
            below = order[place + 1]
            report.check(
                positions[below] < positions[seat],
                f"{path}[{place}]",
                f"stands above seat {below}'s marker but has not moved; who arrives later is above",
            )


def check_coins(position: Position, table: str, report: Report) -> None:
    """The coins on the market are those that seats have paid this round."""
    if position.phase == OVER:
        return
    for seat, spent in enumerate(position.spent):
        report.check(
            spent >= 0,
            f"{table}.players[{seat}].coins",
            f"is {position.coins[seat]}, more than the money track gives in a round",
        )
    paid, spent = sum(position.bought.values()), sum(position.spent)
    report.check(
        spent >= paid,
        f"{table}.market",
        f"has {paid} coins on it; of what their money tracks gave the seats have spent {spent}",
    )
