"""What all paths have in common: who asks, about which table."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse

from web.host import refusals
from web.host.guard import language_of
from web.host.house import House
from web.host.table import Table


def house_of(request: Request) -> House:
    """The house that is asked."""
    house: House = request.app.state.house
    return house


def browser_of(request: Request) -> str:
    """The browser that asks."""
    browser: str = request.state.browser
    return browser


async def table_of(request: Request) -> Table:
    """The table that is asked about; raises Refusal if it does not concern the browser."""
    return await house_of(request).tables.get(request.path_params["key"], browser_of(request))


def seat_of(request: Request, table: Table) -> int:
    """The browser's own seat; raises Refusal if it has none."""
    seat = table.seat_of(browser_of(request))
    if seat is None:
        raise refusals.forbidden("not_yours")
    return seat


def playing_seat_of(request: Request, table: Table) -> int:
    """The browser's own seat, if it is to move; raises Refusal."""
    seat = seat_of(request, table)
    if table.imported or seat not in table.position.seats_to_move:
        raise refusals.impossible("not_your_turn")
    return seat


def owned(request: Request, table: Table) -> Table:
    """The table, if the browser opened it; raises Refusal."""
    if browser_of(request) != table.owner:
        raise refusals.forbidden("owner_only")
    return table


def number_of(request: Request, name: str) -> int | None:
    """A number in the query; None if it is not there; raises Refusal if it is none."""
    text = request.query_params.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= 6):
        raise refusals.invalid(name, "use a whole number")
    return int(text)


def text_in(values: Any, name: str) -> str:
    """A text of a body; raises Refusal if it is none."""
    value = values.get(name)
    if not isinstance(value, str):
        raise refusals.invalid(name, "use text")
    return value


async def told(request: Request, table: Table, status: int = 200) -> JSONResponse:
    """The table as the browser may see it."""
    found = await house_of(request).told.table(table, browser_of(request), language_of(request))
    return JSONResponse(found, status)
