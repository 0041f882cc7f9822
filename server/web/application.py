"""What is done with one request over HTTP, up to where connectrpc takes over."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from connectrpc.method import StreamType
from connectrpc.server import ConnectASGIApplication

from server.calls.handling import Handling
from server.errors import Refused
from server.log import Logger
from server.settings import TRANSPORT_LIMIT, Settings
from server.web.arrival import Arrival, Scope, arrival, current_arrival, header
from server.web.body import Body, Event, Receive
from server.web.encoding import ENCODINGS
from server.web.manners import as_json, problem
from server.web.origins import Headers, Origins
from server.web.page import page
from server.web.refusals import told

Send = Callable[[Event], Awaitable[None]]
_WRITE_SECONDS = 30.0
"""For how long a client may leave an answer unread."""


class _Connect(ConnectASGIApplication[None]):
    """All services as one application."""

    path = "/"


class Application:
    """Answers requests. One for all connections."""

    def __init__(
        self, endpoints: Mapping[str, Any], calls: Handling, settings: Settings, logger: Logger
    ) -> None:
        self._endpoints = endpoints
        self._calls = calls
        self._logger = logger
        self._most = settings.max_message_bytes
        self._origins = Origins(settings.web_origins, settings.host)
        self._connect = _Connect(
            service=None,
            endpoints=lambda _: endpoints,
            read_max_bytes=TRANSPORT_LIMIT,
            codecs=ENCODINGS,
        )

    async def __call__(
        self, certificate: tuple[str, ...], scope: Scope, receive: Receive, send: Send
    ) -> bool:
        """Answers a request; returns whether its connection is still good for another."""
        if scope["type"] != "http":
            await send({"type": "websocket.close"})
            return False
        exchange = _Exchange(Body(receive, self._most), send)
        origin = next(iter(header(scope, b"origin")), None)
        if origin is not None:
            if not self._origins.allow(origin):
                await exchange.answer(403, _FORBIDDEN)
                return exchange.clean
            exchange.headers = self._origins.headers(origin)
            if scope["method"] == "OPTIONS":
                await exchange.answer(204, b"", self._origins.preflight_headers())
                return exchange.clean
        else:
            scope = as_json(scope)
        if scope["path"] == "/" and scope["method"] in {"GET", "HEAD"}:
            await exchange.answer(200, *page(scope, self._endpoints))
        elif (found := problem(scope, self._endpoints)) is not None:
            await exchange.answer(found.status, *found.told(scope))
        else:
            await self._call(scope, exchange, arrival(scope, certificate))
        return exchange.clean

    async def _call(self, scope: Scope, exchange: _Exchange, arrived: Arrival) -> None:
        """Has a method called."""
        endpoint = self._endpoints[scope["path"]]
        exchange.whole = endpoint.method.stream_type is not StreamType.BIDI_STREAM

        async def receive() -> Event:
            with told():
                if not exchange.begun:
                    self._calls.refuse_strangers(arrived.call(), arrived.origin)
                try:
                    return await exchange.receive()
                except Refused as refused:
                    with self._calls.record("call", arrived.call()):
                        raise refused from None

        current_arrival.set(arrived)
        try:
            with self._calls.web_call(arrived.path, scope["headers"]):
                await self._connect(scope, receive, exchange.send)
        except Exception as error:
            self._logger.warning("call broken off", method=arrived.path, reason=repr(error))
            exchange.clean = False


class _Exchange:
    """One request and its answer, which ends once the request has been read."""

    def __init__(self, body: Body, send: Send) -> None:
        self._body = body
        self._send = send
        self.headers: Headers = []
        """What every answer carries."""
        self.whole = True
        """Whether the answer comes after the whole request."""
        self.clean = True
        """Whether the connection can go on."""
        self._writing: asyncio.Future[None] | None = None
        self._status: int | None = None
        self.begun = False
        """Whether the body has been asked for."""

    async def receive(self) -> Event:
        """Part of the request; raises Refused."""
        self.begun = True
        if self.whole:
            return await self._body.receive()
        return await self._body.receive_at_leisure()

    async def send(self, event: Event) -> None:
        """Sends part of the answer; raises TimeoutError if the client does not read."""
        if event["type"] == "http.response.start":
            if self._status is not None:
                # connectrpc does not know of it if its deadline came while it was written.
                if event["status"] != self._status:
                    raise ConnectionError("the answer has begun as another one")
                return
            self._status = event["status"]
            event = {**event, "headers": [*event.get("headers", ()), *self.headers]}
        elif not event.get("more_body", False):
            await self._end(event)
            return
        await self._write(event)

    async def _end(self, event: Event) -> None:
        """Sends the last part of the answer."""
        if self.whole:
            self.clean = await self._body.skip_rest()
        dropping = asyncio.ensure_future(self._body.drop_rest())
        try:
            await self._write(event)
        finally:
            dropping.cancel()

    async def _write(self, event: Event) -> None:
        await self._written()
        self._writing = asyncio.ensure_future(self._send(event))
        self._writing.add_done_callback(_look_at)
        await self._written()

    async def _written(self) -> None:
        """Waits until what is being written has been taken; raises TimeoutError if it is not.

        A deadline that cancels the wait cuts no frame in two: writing goes on, and what comes
        next waits for it.
        """
        if self._writing is None:
            return
        done, _ = await asyncio.wait((self._writing,), timeout=_WRITE_SECONDS)
        if not done:
            self._writing.cancel()
            raise TimeoutError
        await self._writing

    async def answer(self, status: int, body: bytes, headers: Headers | None = None) -> None:
        """Sends a whole answer."""
        length = (b"content-length", str(len(body)).encode())
        await self.send(
            {
                "type": "http.response.start",
                "status": status,
                "headers": [*(headers or _TEXT), *([length] if status != 204 else [])],
            }
        )
        await self.send({"type": "http.response.body", "body": body})


def _look_at(writing: asyncio.Future[None]) -> None:
    """Takes note of an error that nobody waits for any more."""
    if not writing.cancelled():
        writing.exception()


_TEXT: Headers = [(b"content-type", b"text/plain; charset=utf-8")]
_FORBIDDEN = b"pages of this origin may not call; the setting --web-origins says which may\n"
