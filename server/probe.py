"""Asks a server on this machine whether it serves: ``python -m server.probe``.

For health checks of containers. Ends with exit code 0 if it does, and with 1 and a line that says
why if it does not.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import grpc
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_health.v1.health_pb2_grpc import HealthStub

_SERVING = HealthCheckResponse.SERVING
_OPTIONS = (("grpc.enable_http_proxy", 0),)
"""No way to this machine leads through the proxy that the environment may name."""


def main() -> None:
    """Asks once."""
    parser = argparse.ArgumentParser(prog="python -m server.probe", description=__doc__)
    port = os.environ.get("ADAMAS_PORT", "50051")
    parser.add_argument("target", nargs="?", default=f"localhost:{port}", help="host:port")
    parser.add_argument("--service", default="", help="a service's full name; default: the server")
    parser.add_argument("--tls-ca", default="", help="PEM file of the authority; asks over TLS")
    parser.add_argument("--timeout", type=float, default=3.0, help="seconds")
    arguments = parser.parse_args()
    if problem := probe(
        arguments.target, arguments.service, arguments.timeout, tls_ca=arguments.tls_ca
    ):
        sys.exit(f"{arguments.target}: {problem}")


def probe(target: str, service: str = "", timeout: float = 3.0, *, tls_ca: str = "") -> str:
    """What keeps a server from serving; empty if it serves.

    Args:
        target: Where it is, "host:port".
        service: A service's full name; empty: the whole server.
        timeout: Seconds to wait for the answer.
        tls_ca: PEM file of the authority that signed its certificate; empty: no TLS.
    """
    if tls_ca:
        channel = grpc.secure_channel(
            target, grpc.ssl_channel_credentials(Path(tls_ca).read_bytes()), _OPTIONS
        )
    else:
        channel = grpc.insecure_channel(target, _OPTIONS)
    with channel:
        try:
            answer = HealthStub(channel).Check(HealthCheckRequest(service=service), timeout=timeout)
        except grpc.RpcError as error:
            return f"{error.code().name}: {error.details()}"
    if answer.status == _SERVING:
        return ""
    return str(HealthCheckResponse.ServingStatus.Name(answer.status))


if __name__ == "__main__":
    main()
