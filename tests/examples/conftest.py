"""Every worked example runs through the engine and through gRPC."""

from __future__ import annotations

from collections.abc import Iterator

import grpc
import pytest

from tests.examples.referee import EngineReferee, GrpcReferee, Referee


@pytest.fixture(scope="session")
def service() -> Iterator[GrpcReferee]:
    """A RulesService of an embedded server."""
    from adamas.v1 import rules_service_pb2_grpc
    from server.embedded import embedded_server

    with embedded_server() as address, grpc.insecure_channel(address) as channel:
        yield GrpcReferee(rules_service_pb2_grpc.RulesServiceStub(channel))


@pytest.fixture(params=["engine", "grpc"])
def referee(request: pytest.FixtureRequest) -> Referee:
    """The engine directly, or the service."""
    if request.param == "engine":
        return EngineReferee()
    found: Referee = request.getfixturevalue("service")
    return found
