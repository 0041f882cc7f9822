"""The standard health service, with the method that the library leaves out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grpc_health.v1 import health, health_pb2


class Health(health.aio.HealthServicer):  # type: ignore[misc]  # the library has no types
    """Tells how the server as a whole (an empty name) and each of its services is."""

    def __init__(self, services: Sequence[str]) -> None:
        super().__init__()
        self._names = ("", *services)

    async def announce(self, status: health_pb2.HealthCheckResponse.ServingStatus) -> None:
        """Sets the status of all; has no effect any more once the server shuts down."""
        for name in self._names:
            await self.set(name, status)

    async def List(  # noqa: N802  (the method's name in the protocol)
        self, request: health_pb2.HealthListRequest, context: Any
    ) -> health_pb2.HealthListResponse:
        """The status of all."""
        return health_pb2.HealthListResponse(
            statuses={
                name: await self.Check(health_pb2.HealthCheckRequest(service=name), context)
                for name in self._names
            }
        )
