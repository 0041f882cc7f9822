"""The gRPC server itself, which is replaced if it crashes.

grpc.aio ends serving for good when its own loop fails, and a client can make it fail: a request
whose path is not UTF-8 does (grpcio 1.85). The calls that run then go on to their end, but no new
connection is accepted. So a new server takes over the port.
"""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Callable, Sequence
from typing import Any

from grpc import aio

from server.access.tls import Certificates
from server.calls.crowding import Crowding
from server.log import Logger
from server.settings import TRANSPORT_LIMIT, Settings

_LOOK_INTERVAL = 0.25
_LARGEST_METADATA = 8 * 1024
"""Bytes of a call's metadata that are surely accepted; from twice as much on none are."""


def _options(settings: Settings) -> list[tuple[str, int]]:
    """Limits of the transport, as gRPC calls them."""
    options = {
        "grpc.so_reuseport": 0,
        "grpc.max_receive_message_length": TRANSPORT_LIMIT,
        "grpc.max_metadata_size": _LARGEST_METADATA,
        "grpc.absolute_max_metadata_size": 2 * _LARGEST_METADATA,
        "grpc.max_concurrent_streams": settings.max_connection_calls,
        "grpc.max_allowed_incoming_connections": settings.max_connections,
        "grpc.server_handshake_timeout_ms": round(1000 * settings.handshake_timeout),
        "grpc.max_connection_idle_ms": round(1000 * settings.connection_idle),
        # Dead clients are noticed, and clients may ask for signs of life as often as this.
        "grpc.keepalive_time_ms": 60_000,
        "grpc.keepalive_timeout_ms": 20_000,
        "grpc.http2.min_ping_interval_without_data_ms": 10_000,
    }
    if settings.connection_age:
        options["grpc.max_connection_age_ms"] = round(1000 * settings.connection_age)
    return list(options.items())


class Transport:
    """Listens on one port from ``open`` to ``stop``."""

    def __init__(
        self,
        settings: Settings,
        interceptors: Sequence[aio.ServerInterceptor],
        register: Callable[[aio.Server], None],
        logger: Logger,
    ) -> None:
        self._settings = settings
        self._interceptors = interceptors
        self._register = register
        self._logger = logger
        self._certificates = Certificates(settings, logger) if settings.tls_cert else None
        self._servers: list[aio.Server] = []
        self._tasks: tuple[asyncio.Task[None], ...] = ()
        self.port = settings.port

    @property
    def address(self) -> str:
        """Where clients connect to."""
        host = self._settings.host
        return f"[{host}]:{self.port}" if ":" in host else f"{host}:{self.port}"

    async def open(self) -> None:
        """Listens; raises OSError if that is not possible."""
        await self._serve()
        most = self._settings.connections_of_an_address
        crowding = Crowding(self.port, most, self._logger)
        self._tasks = tuple(map(asyncio.create_task, (self._supervise(), crowding.watch())))

    async def stop(self, grace: float) -> None:
        """Stops listening, and cancels the calls that are left after some seconds."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*(server.stop(grace) for server in self._servers))

    async def _serve(self) -> None:
        await self._check_that_all_is_free()
        server = aio.server(interceptors=self._interceptors, options=_options(self._settings))
        self._register(server)
        try:
            if self._certificates is not None:
                self.port = server.add_secure_port(self.address, self._certificates.credentials())
            else:
                self.port = server.add_insecure_port(self.address)
        except RuntimeError as error:
            raise OSError(f"can't listen on {self.address}: {error}") from error
        await server.start()
        self._servers.append(server)

    async def _check_that_all_is_free(self) -> None:
        """Raises OSError if somebody else has the port at one of the addresses of the host.

        gRPC is content with any one of them, and clients would reach whom they come upon first.
        """
        if self.port == 0:
            return
        host = self._settings.host.strip("[]")
        loop = asyncio.get_running_loop()
        try:
            found = await loop.getaddrinfo(host, self.port, type=socket.SOCK_STREAM)
        except OSError as error:
            raise OSError(f"can't listen on {self.address}: {error.strerror}") from error
        for family, kind, protocol, _, address in found:
            if _is_taken(family, kind, protocol, address):
                raise OSError(f"can't listen on {self.address}: port in use at {address[0]}")

    async def _supervise(self) -> None:
        while True:
            try:
                await self._servers[-1].wait_for_termination(_LOOK_INTERVAL)
            except Exception as error:
                self._logger.error("transport crashed, starting anew", exc_info=error)
                await self._serve_again()

    async def _serve_again(self) -> None:
        while True:
            try:
                await self._serve()
            except OSError as error:
                self._logger.error("not listening", reason=str(error))
                await asyncio.sleep(_LOOK_INTERVAL)
            else:
                return


def _is_taken(family: int, kind: int, protocol: int, address: Any) -> bool:
    """Whether somebody listens at an address; not if this machine has no such address."""
    try:
        with socket.socket(family, kind, protocol) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(address)
    except OSError as error:
        return error.errno == errno.EADDRINUSE
    return False
