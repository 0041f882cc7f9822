"""Playing: moves, what is taken back, hints, and how fast bots play."""

from __future__ import annotations

from google.protobuf import json_format
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from adamas import AdamasError
from adamas.v1.game_pb2 import Move
from web.host import refusals, wording
from web.host.api.asking import (
    browser_of,
    house_of,
    number_of,
    owned,
    playing_seat_of,
    seat_of,
    table_of,
    text_in,
    told,
)
from web.host.bots import NO_WAIT
from web.host.guard import body_of, language_of
from web.host.referee import as_refusals

LONGEST_HINT = 30.0
SAMPLES = 500


async def move(request: Request) -> JSONResponse:
    """Plays a move."""
    table = await table_of(request)
    seat = seat_of(request, table)
    values = await body_of(request)
    turn = text_in(values, "turn")
    try:
        wanted = json_format.ParseDict(values["move"], Move())
    except (json_format.ParseError, KeyError, AttributeError, TypeError, RecursionError):
        raise refusals.invalid("move", "use one of the moves of the table") from None
    if table.imported or table.seats[seat].stand_in is not None:
        raise refusals.late()
    await house_of(request).tables.play(table, seat, turn, wanted)
    return await told(request, table)


async def undo(request: Request) -> JSONResponse:
    """Takes back, asks for it, or agrees."""
    table = await table_of(request)
    await house_of(request).tables.undo(table, seat_of(request, table))
    return await told(request, table)


async def refuse_undo(request: Request) -> JSONResponse:
    """Refuses what was asked, or asks no longer."""
    table = await table_of(request)
    seat_of(request, table)
    await house_of(request).tables.refuse_undo(table)
    return await told(request, table)


async def hint(request: Request) -> JSONResponse:
    """Begins to search for the browser's seat."""
    table = await table_of(request)
    seat = playing_seat_of(request, table)
    values = await body_of(request)
    if not table.hints:
        raise refusals.impossible("no_hints")
    if text_in(values, "turn") != table.turn_of(seat):
        raise refusals.late()
    seconds = values.get("seconds", 5)
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        raise refusals.invalid("seconds", "use a number")
    if not 0 < seconds <= LONGEST_HINT:
        raise refusals.invalid("seconds", f"use more than 0 and at most {LONGEST_HINT:g}")
    await house_of(request).hints.start(
        table, seat, browser_of(request), float(seconds), language_of(request)
    )
    return JSONResponse({}, 202)


async def end_hint(request: Request) -> Response:
    """Ends the search."""
    await table_of(request)
    await house_of(request).hints.stop(browser_of(request))
    return Response(status_code=204)


async def beliefs(request: Request) -> JSONResponse:
    """Where the search holds which hidden card possible."""
    house = house_of(request)
    table = await table_of(request)
    seat = house.told.seat_for(table, browser_of(request), number_of(request, "seat"))
    ply = house.told.ply_for(table, number_of(request, "ply"))
    if seat is None:
        raise refusals.forbidden("not_yours")
    if not table.hints:
        raise refusals.impossible("no_hints")
    with as_refusals():
        view = await house.client.view(table.steps[ply].position.state, seat)
        # The seed of a position, so that asking twice shows the same.
        found = await house.client.sample_worlds(
            view, samples=SAMPLES, seed=ply, language=language_of(request)
        )
    return JSONResponse(wording.worlds(found))


async def pace(request: Request) -> JSONResponse:
    """Says how fast bots play among themselves, or has them play one move."""
    house = house_of(request)
    table = owned(request, await table_of(request))
    if not table.bots_alone:
        raise refusals.impossible("no_watching")
    values = await body_of(request)
    if values.get("step") is True:
        try:
            await house.bots.step(table)
        except AdamasError:
            raise refusals.unavailable() from None
        return await told(request, table)
    speed = values.get("speed")
    if isinstance(speed, bool) or not isinstance(speed, int | float) or not 0 <= speed <= NO_WAIT:
        raise refusals.invalid("speed", f"use 0 to {NO_WAIT:g}")
    async with house.tables.changing(table):
        table.speed = float(speed)
    return await told(request, table)


ROUTES = [
    Route("/api/tables/{key}/moves", move, methods=["POST"]),
    Route("/api/tables/{key}/undo", undo, methods=["POST"]),
    Route("/api/tables/{key}/undo", refuse_undo, methods=["DELETE"]),
    Route("/api/tables/{key}/hint", hint, methods=["POST"]),
    Route("/api/tables/{key}/hint", end_hint, methods=["DELETE"]),
    Route("/api/tables/{key}/beliefs", beliefs),
    Route("/api/tables/{key}/pace", pace, methods=["POST"]),
]
