"""The gRPC server itself, which is replaced if it crashes.

grpc.aio ends serving for good when its own loop fails, and a client can make it fail: a request
whose path is not UTF-8 does (grpcio 1.85). The calls that run then go on to their end, but no new
connection is accepted. So a new server takes over the port.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import grpc
from grpc import aio

from server.log import Logger
from server.settings import TRANSPORT_LIMIT, Settings

_LOOK_INTERVAL = 0.25
_OPTIONS = (
    ("grpc.so_reuseport", 0),
    ("grpc.max_receive_message_length", TRANSPORT_LIMIT),
    # Dead clients are noticed, and clients may ask for signs of life as often as this.
    ("grpc.keepalive_time_ms", 60_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
)


class Transport:
    """Listens on one port from ``open`` to ``stop``."""

    def __init__(
        self,
        settings: Settings,
        interceptor: aio.ServerInterceptor,
        register: Callable[[aio.Server], None],
        logger: Logger,
    ) -> None:
        self._settings = settings
        self._interceptor = interceptor
        self._register = register
        self._logger = logger
        self._servers: list[aio.Server] = []
        self._supervisor: asyncio.Task[None] | None = None
        self.port = settings.port

    @property
    def address(self) -> str:
        """Where clients connect to."""
        host = self._settings.host
        return f"[{host}]:{self.port}" if ":" in host else f"{host}:{self.port}"

    async def open(self) -> None:
        """Listens; raises OSError if that is not possible."""
        await self._serve()
        self._supervisor = asyncio.create_task(self._supervise())

    async def stop(self, grace: float) -> None:
        """Stops listening, and cancels the calls that are left after some seconds."""
        if self._supervisor is not None:
            self._supervisor.cancel()
        await asyncio.gather(*(server.stop(grace) for server in self._servers))

    async def _serve(self) -> None:
        server = aio.server(interceptors=[self._interceptor], options=_OPTIONS)
        self._register(server)
        try:
            if self._settings.tls_cert:
                self.port = server.add_secure_port(self.address, _credentials(self._settings))
            else:
                self.port = server.add_insecure_port(self.address)
        except RuntimeError as error:
            raise OSError(f"can't listen on {self.address}: {error}") from error
        await server.start()
        self._servers.append(server)

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


def _credentials(settings: Settings) -> grpc.ServerCredentials:
    key = Path(settings.tls_key).read_bytes()
    chain = Path(settings.tls_cert).read_bytes()
    return grpc.ssl_server_credentials([(key, chain)])
