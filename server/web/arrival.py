"""What is known of a request before its body is read."""

from __future__ import annotations

import time
from collections.abc import Collection
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from server.access.origin import Origin
from server.calls.call import Call

Scope = dict[str, Any]


@dataclass(frozen=True)
class Arrival:
    """The head of a request, and where it comes from."""

    path: str
    origin: Origin
    arrived: float = field(default_factory=time.monotonic)

    def call(self, size: int = 0, seconds: float | None = None) -> Call:
        """The call that the request makes; ``seconds`` are left until its deadline."""
        deadline = None if seconds is None else time.monotonic() + seconds
        return Call(self.path, self.origin.peer, self.arrived, deadline, size)


current_arrival: ContextVar[Arrival] = ContextVar("arrival")


def arrival(scope: Scope, certificate: tuple[str, ...]) -> Arrival:
    """That of a request, over a connection whose client has a certificate with such names."""
    return Arrival(
        scope["path"],
        Origin(_peer(scope["client"]), tuple(header(scope, b"authorization")), certificate),
    )


def header(scope: Scope, name: bytes) -> Collection[str]:
    """The values of a header."""
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


def _peer(client: tuple[str, int] | None) -> str:
    """An address in gRPC's form."""
    if client is None:
        return "unknown:"
    host, port = client[:2]
    return f"ipv6:[{host}]:{port}" if ":" in host else f"ipv4:{host}:{port}"
