"""What games there are."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from web.host import refusals, wording
from web.host.api.asking import house_of, number_of
from web.host.guard import language_of
from web.host.referee import as_refusals


async def games(request: Request) -> JSONResponse:
    """All games, with all that opening a table takes."""
    client, language = house_of(request).client, language_of(request)
    with as_refusals():
        found = await client.games(language=language)
        described = await asyncio.gather(
            *(client.game(each.game_id, language=language) for each in found)
        )
    return JSONResponse({"games": [wording.game(each) for each in described]})


async def game(request: Request) -> JSONResponse:
    """One game, with the defaults for a number of seats."""
    name = request.path_params["game"]
    client, language = house_of(request).client, language_of(request)
    with as_refusals():
        known = [each.game_id for each in await client.games(language=language)]
    if name not in known:
        raise refusals.not_found("no_page")
    with as_refusals("seats"):
        found = await client.game(name, seats=number_of(request, "seats"), language=language)
    return JSONResponse(wording.game(found))


ROUTES = [Route("/api/games", games), Route("/api/games/{game}", game)]
