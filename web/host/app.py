"""The application: paths, and what surrounds them."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import structlog
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from web.host import refusals
from web.host.api import games, play, records, stream, tables
from web.host.guard import Guard, refused
from web.host.house import House
from web.host.identity import Identity
from web.host.refusals import Refusal
from web.host.settings import Settings

PAGE = Path(__file__).parent.parent / "page"
_LOOPBACK = ["localhost", "127.0.0.1"]


class _Files(StaticFiles):
    """The page's files, which browsers ask for anew each time: a release shows at once."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = "no-cache"
        return response


async def _index(_: Request) -> FileResponse:
    return FileResponse(PAGE / "index.html", headers={"cache-control": "no-cache"})


async def _refuse(request: Request, error: Any) -> Response:
    return refused(request, error)


async def _no_such_path(request: Request, error: Any) -> Response:
    return refused(request, Refusal(error.status_code, "NOT_FOUND", "no_page", {}))


async def _fail(request: Request, error: Exception) -> Response:
    structlog.get_logger().error("request failed", path=request.url.path, exc_info=error)
    return refused(request, refusals.failed())


def application(house: House, settings: Settings) -> Starlette:
    """The application of a house that is open."""
    url = urlsplit(settings.url)
    hosts = [*_LOOPBACK, *([url.hostname] if url.hostname else [])]
    app = Starlette(
        routes=[
            Route("/", _index),
            Mount("/page", _Files(directory=PAGE)),
            *games.ROUTES,
            *tables.ROUTES,
            *play.ROUTES,
            *records.ROUTES,
            *stream.ROUTES,
        ],
        middleware=[
            Middleware(TrustedHostMiddleware, allowed_hosts=hosts, www_redirect=False),
            Middleware(Guard, limits=house.limits),
            Middleware(Identity, secure=url.scheme == "https"),
        ],
        exception_handlers={Refusal: _refuse, HTTPException: _no_such_path, Exception: _fail},
    )
    app.state.house = house
    return app
