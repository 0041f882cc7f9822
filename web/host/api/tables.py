"""Tables and their seats."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from web.host import refusals
from web.host.api.asking import (
    browser_of,
    house_of,
    number_of,
    owned,
    seat_of,
    table_of,
    text_in,
    told,
)
from web.host.bots import STAND_IN_LEVEL
from web.host.guard import address_of, body_of, language_of
from web.host.opening import read_name, read_seat
from web.host.seats import Kind


async def tables(request: Request) -> JSONResponse:
    """The browser's tables."""
    return JSONResponse(await summaries(request))


async def summaries(request: Request) -> dict[str, list[dict[str, object]]]:
    """The browser's tables, each as a `Summary`."""
    house, browser = house_of(request), browser_of(request)
    found = await house.tables.of(browser)
    return {"tables": [house.told.summary(table, browser) for table in found]}


async def open_table(request: Request) -> JSONResponse:
    """Opens a table."""
    house = house_of(request)
    values = await body_of(request)
    table = await house.opening.new(values, browser_of(request))
    house.limits.table(address_of(request))
    await house.tables.add(table)
    return await told(request, table, 201)


async def table(request: Request) -> JSONResponse:
    """A table as the browser may see it."""
    found = await table_of(request)
    return JSONResponse(
        await house_of(request).told.table(
            found,
            browser_of(request),
            language_of(request),
            seat=number_of(request, "seat"),
            ply=number_of(request, "ply"),
        )
    )


async def remove(request: Request) -> Response:
    """Forgets a table."""
    await house_of(request).tables.remove(owned(request, await table_of(request)))
    return Response(status_code=204)


async def join(request: Request) -> JSONResponse:
    """Takes a seat by its invitation."""
    house, browser = house_of(request), browser_of(request)
    values = await body_of(request)
    invitation = text_in(values, "invitation")
    name = read_name(values.get("name", ""), "name")
    found = await house.tables.invited(request.path_params["key"], invitation)
    await house.tables.sit(found, browser, invitation, name)
    return await told(request, found)


async def leave(request: Request) -> JSONResponse:
    """Lets a bot play on."""
    found = await table_of(request)
    await house_of(request).tables.leave(found, seat_of(request, found), STAND_IN_LEVEL)
    return await told(request, found)


async def come_back(request: Request) -> JSONResponse:
    """Takes the own seat back."""
    found = await table_of(request)
    await house_of(request).tables.give_back(found, seat_of(request, found))
    return await told(request, found)


async def fill(request: Request) -> JSONResponse:
    """Gives a seat to a bot, or to whoever is invited."""
    found = owned(request, await table_of(request))
    values = await body_of(request)
    number = request.path_params["seat"]
    if number >= len(found.seats):
        raise refusals.invalid("the seat", f"use 0 to {len(found.seats) - 1}")
    seat = read_seat(values, browser_of(request), "the seat")
    if seat.kind is Kind.PERSON:
        raise refusals.invalid("kind", "use bot or open")
    await house_of(request).tables.fill(found, number, seat)
    return await told(request, found)


ROUTES = [
    Route("/api/tables", tables),
    Route("/api/tables", open_table, methods=["POST"]),
    Route("/api/tables/{key}", table),
    Route("/api/tables/{key}", remove, methods=["DELETE"]),
    Route("/api/tables/{key}/join", join, methods=["POST"]),
    Route("/api/tables/{key}/leave", leave, methods=["POST"]),
    Route("/api/tables/{key}/return", come_back, methods=["POST"]),
    Route("/api/tables/{key}/seats/{seat:int}", fill, methods=["POST"]),
]
