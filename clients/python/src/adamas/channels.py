"""How channels are set up, for both clients."""

import json
from collections.abc import Sequence
from typing import Any

from adamas.access import is_loopback

MAX_ATTEMPTS = 4
"""How often a call is tried while no server can be reached, the first time included."""

SERVICE_CONFIG: dict[str, Any] = {
    "loadBalancingConfig": [{"round_robin": {}}],
    "methodConfig": [
        # No retries by gRPC: when it replays a stream, a message written meanwhile can be lost
        # (grpcio 1.85). A batch begins anew by itself.
        {"name": [{"service": "adamas.v1.AdvisorService", "method": "RecommendBatch"}]},
        {
            "name": [{}],
            "retryPolicy": {
                "maxAttempts": MAX_ATTEMPTS,
                "initialBackoff": "0.1s",
                "maxBackoff": "1s",
                "backoffMultiplier": 2,
                # A server that ends cancels a call that comes in that very moment. One that its own
                # client cancels is not repeated.
                "retryableStatusCodes": ["UNAVAILABLE", "CANCELLED"],
            },
        },
    ],
}
"""Calls take turns at all servers that a name stands for, and are repeated while none can be had.

In other languages: `deploy/service-config.json` of the server's repository.
"""

_DEFAULTS: tuple[tuple[str, Any], ...] = (
    ("grpc.service_config", json.dumps(SERVICE_CONFIG)),
    # Find a server soon after it has started.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2000),
)


_NO_PROXY = ("grpc.enable_http_proxy", 0)


def channel_options(target: str, options: Sequence[tuple[str, Any]] = ()) -> list[tuple[str, Any]]:
    """The defaults for a server with the caller's options laid over them."""
    return list((dict(_DEFAULTS) | dict(proxy_options(target)) | dict(options)).items())


def proxy_options(target: str) -> tuple[tuple[str, Any], ...]:
    """What keeps calls to this machine from a proxy that the environment names for others."""
    return (_NO_PROXY,) if is_loopback(target) else ()
