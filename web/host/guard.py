"""What surrounds every request: headers of every answer, who may send what, and how much."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from web.host import refusals
from web.host.limits import Limits
from web.host.refusals import LANGUAGES, Refusal

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
LARGEST_BODY = 64 * 1024
_LONGEST_ARRIVAL = 15.0
"""Seconds in which a body has to be there."""


class Guard:
    """Refuses what other sites have sent and what is too much; sets the headers of all answers."""

    def __init__(self, app: ASGIApp, *, limits: Limits) -> None:
        self._app = app
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("cache-control", "no-store")
            await send(message)

        request = Request(scope)
        try:
            if request.url.path.startswith("/api/"):  # a page is some forty small files
                self._limits.request(address_of(request))
            if scope["path"].startswith("/api/"):
                check_site(scope["method"], request.headers)
        except Refusal as refusal:
            await refused(request, refusal)(scope, receive, send_with_headers)
            return
        await self._app(scope, receive, send_with_headers)


def check_site(method: str, headers: Headers) -> None:
    """Raises Refusal if another site has sent a request.

    Browsers say so: in ``Sec-Fetch-Site``, older ones in ``Origin`` of whatever changes something.
    """
    site = headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        raise refusals.forbidden("other_site")
    if method in ("GET", "HEAD"):
        return
    origin = headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != headers.get("host"):
        raise refusals.forbidden("other_site")
    if site == "none":
        raise refusals.forbidden("other_site")
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise refusals.invalid("Content-Type", "use application/json")


async def body_of(request: Request, most: int = LARGEST_BODY) -> Mapping[str, Any]:
    """The JSON object of a request; raises Refusal."""
    try:
        async with asyncio.timeout(_LONGEST_ARRIVAL):
            data = await _read(request, most)
    except TimeoutError:
        raise refusals.too_slow() from None
    try:
        values = await asyncio.to_thread(json.loads, data or b"{}")
    except (ValueError, RecursionError):
        raise refusals.invalid("the body", "it is no JSON") from None
    if not isinstance(values, dict):
        raise refusals.invalid("the body", "use a JSON object")
    return values


async def _read(request: Request, most: int) -> bytes:
    length = request.headers.get("content-length", "0")
    if length.isdecimal() and int(length) > most:
        raise refusals.too_large(most)
    data = bytearray()
    try:
        async for chunk in request.stream():
            data += chunk
            if len(data) > most:
                raise refusals.too_large(most)
    except ClientDisconnect:
        raise refusals.too_slow() from None
    return bytes(data)


def language_of(request: Request) -> str:
    """The language that a request asks for; English if it asks for none that there is."""
    language = request.query_params.get("language", "")
    return language if language in LANGUAGES else LANGUAGES[0]


def address_of(request: Request) -> str:
    """The address that a request comes from."""
    return request.client.host if request.client else ""


def refused(request: Request, refusal: Refusal) -> JSONResponse:
    """The answer to a request that is refused."""
    body = {"error": {"reason": refusal.reason, "words": refusal.words(language_of(request))}}
    headers = {"retry-after": str(refusal.retry_after)} if refusal.retry_after else None
    return JSONResponse(body, refusal.status, headers)
