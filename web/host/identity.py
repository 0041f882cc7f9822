"""Which browser asks: a secret in a cookie, of which the host keeps a hash only."""

from __future__ import annotations

import hashlib
import secrets
from http.cookies import CookieError, SimpleCookie
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "adamas"
_BYTES = 32
_LENGTH = len(secrets.token_urlsafe(_BYTES))
_YEAR = 365 * 24 * 3600


class Identity:
    """Tells who asks, in ``request.state.browser``, and gives whoever has none a cookie."""

    def __init__(self, app: ASGIApp, *, secure: bool) -> None:
        """``secure``: the cookie is sent over HTTPS only."""
        self._app = app
        self._secure = secure

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        secret = _secret_in(Headers(scope=scope))
        known = secret is not None
        secret = secret or secrets.token_urlsafe(_BYTES)
        scope.setdefault("state", {})["browser"] = browser_of(secret)

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start" and not known:
                MutableHeaders(scope=message).append("set-cookie", self._cookie(secret))
            await send(message)

        await self._app(scope, receive, send_with_cookie)

    def _cookie(self, secret: str) -> str:
        attributes = f"Path=/; Max-Age={_YEAR}; HttpOnly; SameSite=Strict"
        return f"{COOKIE}={secret}; {attributes}" + ("; Secure" if self._secure else "")


def browser_of(secret: str) -> str:
    """What the host keeps of a browser's secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _secret_in(headers: Headers) -> str | None:
    """The secret of a request's cookie, if it is one that this host may have given."""
    cookie: SimpleCookie = SimpleCookie()
    try:
        cookie.load(headers.get("cookie", ""))
    except CookieError:
        return None
    morsel: Any = cookie.get(COOKIE)
    if morsel is None or len(morsel.value) != _LENGTH or not morsel.value.isascii():
        return None
    return str(morsel.value)
