"""Records of games: kept, brought back, reviewed, and those of a tournament."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from adamas.records import read_records
from web.host import refusals
from web.host.api.asking import browser_of, house_of, table_of, told
from web.host.guard import address_of, body_of, language_of
from web.host.journal import Journal
from web.host.opening import MOST_GAMES

LARGEST_RECORD = 4 * 1024 * 1024


async def record(request: Request) -> JSONResponse:
    """The record of a game that is over."""
    table = await table_of(request)
    if not (table.position.over or table.imported):
        raise refusals.impossible("not_over")
    return JSONResponse(table.record().values())


async def bring(request: Request) -> JSONResponse:
    """Opens the games of a record."""
    house, browser = house_of(request), browser_of(request)
    values = await body_of(request, LARGEST_RECORD)
    try:
        records = await asyncio.to_thread(read_records, values)
    except (ValueError, RecursionError) as error:
        raise refusals.invalid("the record", str(error)) from None
    if not 0 < len(records) <= MOST_GAMES:
        raise refusals.invalid("games", f"use 1 to {MOST_GAMES}")
    found = []
    for each in records.values():
        house.limits.table(address_of(request))
        found.append(await house.opening.of_record(each, browser, []))
    for table in found:
        await house.tables.add(table)
    return JSONResponse({"tables": [house.told.summary(table, browser) for table in found]}, 201)


async def review(request: Request) -> JSONResponse:
    """The review of a game that is over, as far as it is."""
    table = await table_of(request)
    if not (table.position.over or table.imported):
        raise refusals.impossible("not_over")
    found = house_of(request).reviews.get(table, language_of(request))
    return JSONResponse(found.told(), 202)


async def journal(request: Request) -> JSONResponse:
    """The games of the tournament."""
    return JSONResponse({"games": await asyncio.to_thread(_journal_of(request).games)})


async def journal_game(request: Request) -> JSONResponse:
    """Opens a game of the tournament."""
    house = house_of(request)
    await body_of(request)
    found = await asyncio.to_thread(_journal_of(request).game, request.path_params["game"])
    if found is None:
        raise refusals.not_found("no_page")
    house.limits.table(address_of(request))
    table = await house.opening.of_record(found.record, browser_of(request), found.players)
    await house.tables.add(table)
    return await told(request, table, 201)


def _journal_of(request: Request) -> Journal:
    found = house_of(request).journal
    if found is None:
        raise refusals.not_found("no_journal")
    return found


ROUTES = [
    Route("/api/tables/{key}/record", record),
    Route("/api/tables/{key}/review", review, methods=["POST"]),
    Route("/api/records", bring, methods=["POST"]),
    Route("/api/journal", journal),
    Route("/api/journal/{game}", journal_game, methods=["POST"]),
]
