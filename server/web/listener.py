"""Takes connections for HTTP, no more than there may be, and none that says nothing.

Hypercorn speaks HTTP/1.1 and HTTP/2 over each. Who may connect, for how long and how many at a time
is decided here.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any

from hypercorn.app_wrappers import ASGIWrapper
from hypercorn.asyncio.tcp_server import TCPServer
from hypercorn.asyncio.worker_context import WorkerContext
from hypercorn.config import Config

from server.log import Logger
from server.settings import Settings
from server.web.arrival import Scope
from server.web.flow import mend

App = Callable[[tuple[str, ...], Scope, Any, Any], Awaitable[bool]]
"""Answers a request over a connection whose client has a certificate with such names; returns
whether the connection is good for another."""
_LARGEST_HEAD = 16 * 1024
_LOST = 0.5
"""What is left to do for a client that has gone may take so long, in seconds."""
_RETRY = 0.25
_BACKLOG = 512


class Listener:
    """Listens on one port from ``open`` to ``stop``."""

    def __init__(
        self,
        app: App,
        settings: Settings,
        tls: Callable[[], ssl.SSLContext] | None,
        logger: Logger,
    ) -> None:
        self._app = app
        self._settings = settings
        self._tls = tls
        self._logger = logger
        mend()
        self._config = _config(settings)
        self._context = WorkerContext(None)
        self._connections: set[asyncio.Task[None]] = set()
        self._from: Counter[str] = Counter()
        self._accepting: asyncio.Task[None] | None = None
        self._socket: socket.socket | None = None
        self.port = 0

    def open(self, host: str, port: int) -> None:
        """Listens; raises OSError if that is not possible."""
        self._socket = _bound(host, port)
        self.port = self._socket.getsockname()[1]
        self._accepting = asyncio.create_task(self._accept(self._socket))

    async def stop(self, grace: float) -> None:
        """Stops listening, and drops the connections that are left after some seconds."""
        if self._accepting is None or self._socket is None:
            return
        self._accepting.cancel()
        await asyncio.gather(self._accepting, return_exceptions=True)
        self._socket.close()
        await self._context.terminated.set()
        if self._connections:
            await asyncio.wait(self._connections, timeout=grace)
        for connection in self._connections:
            connection.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def _accept(self, listening: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                accepted, address = await loop.sock_accept(listening)
            except OSError as error:
                self._logger.error("not accepting", reason=str(error))
                await asyncio.sleep(_RETRY)
                continue
            if not self._has_room(address[0]):
                accepted.close()
                continue
            connection = asyncio.create_task(self._serve(accepted))
            self._connections.add(connection)
            self._from[address[0]] += 1
            connection.add_done_callback(partial(self._ended, address[0]))

    def _has_room(self, address: str) -> bool:
        return (
            len(self._connections) < self._settings.max_connections
            and self._from[address] < self._settings.connections_of_an_address
        )

    def _ended(self, address: str, connection: asyncio.Task[None]) -> None:
        self._connections.discard(connection)
        self._from[address] -= 1
        if not self._from[address]:
            del self._from[address]

    async def _serve(self, accepted: socket.socket) -> None:
        """Serves one connection until it ends."""
        loop = asyncio.get_running_loop()
        patience = self._settings.handshake_timeout
        reader = asyncio.StreamReader()
        protocol = _Protocol(reader, asyncio.current_task())
        try:
            transport, _ = await loop.connect_accepted_socket(
                lambda: protocol,
                accepted,
                ssl=self._tls() if self._tls is not None else None,
                ssl_handshake_timeout=patience if self._tls is not None else None,
            )
        except OSError:  # among them what TLS says about clients
            accepted.close()
            return
        writer = asyncio.StreamWriter(transport, protocol, reader, loop)
        silent = loop.call_later(patience, transport.abort)
        names = _names(transport.get_extra_info("peercert"))

        async def answer(scope: Any, receive: Any, send: Any) -> None:
            silent.cancel()
            good = False
            try:
                good = await self._app(names, scope, receive, send)
            finally:
                if not good:
                    transport.abort()

        app = ASGIWrapper(answer)
        try:
            await TCPServer(app, loop, self._config, self._context, {}, reader, writer)
        except Exception as error:
            # It meets some of what clients should not send with an error of its own.
            self._logger.warning("connection broken off", reason=repr(error))
        finally:
            silent.cancel()
            transport.abort()


class _Protocol(asyncio.StreamReaderProtocol):
    """Ends the task that serves a connection a moment after the connection is lost.

    Left alone, Hypercorn waits without end for data to be sent to a client of HTTP/2 that has gone,
    and as long as for a further request for one that has closed its side.
    """

    def __init__(self, reader: asyncio.StreamReader, serving: asyncio.Task[Any] | None) -> None:
        super().__init__(reader)
        self._serving = serving

    def eof_received(self) -> bool:
        """Closes the connection: a client that has ended its side is gone."""
        super().eof_received()
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        """Tells whoever reads and writes, and ends them if they don't heed it."""
        super().connection_lost(exc)
        if self._serving is not None:
            asyncio.get_running_loop().call_later(_LOST, self._serving.cancel)


def _config(settings: Settings) -> Config:
    """What Hypercorn heeds of one connection."""
    config = Config()
    config.errorlog = None
    config.include_server_header = False
    config.keep_alive_timeout = settings.connection_idle
    # It would end a connection with calls in progress.
    config.keep_alive_max_requests = 1 << 62
    config.h11_max_incomplete_size = _LARGEST_HEAD
    config.h2_max_header_list_size = _LARGEST_HEAD
    config.h2_max_concurrent_streams = settings.max_connection_calls
    return config


def _bound(host: str, port: int) -> socket.socket:
    """A socket that listens; raises OSError."""
    bare = host.strip("[]")
    problem = OSError(f"{host} is no address")
    for family, kind, protocol, _, address in socket.getaddrinfo(
        bare, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    ):
        found = socket.socket(family, kind, protocol)
        try:
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                with suppress(OSError):  # where there is no IPv4, there is nothing to share
                    found.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
            found.bind(address)
            found.listen(_BACKLOG)
            found.setblocking(False)
        except OSError as error:
            found.close()
            problem = error
        else:
            return found
    raise OSError(f"can't listen on {host}:{port}: {problem.strerror or problem}")


def _names(certificate: dict[str, Any] | None) -> tuple[str, ...]:
    """The names in a client's certificate, the common name first."""
    if not certificate:
        return ()
    common = [
        value
        for part in certificate.get("subject", ())
        for key, value in part
        if key == "commonName"
    ]
    return (*common, *(value for _, value in certificate.get("subjectAltName", ())))
