"""A server for all tests of one process, and positions of every game to ask it about."""

from __future__ import annotations

from collections.abc import Iterator

import grpc
import pytest

from adamas.v1.advisor_service_pb2_grpc import AdvisorServiceStub
from adamas.v1.rules_service_pb2_grpc import RulesServiceStub
from engines.registry import game_ids
from server.embedded import embedded_server
from server.log import LineWriter
from server.settings import Settings
from tests.server.positions import Memory


@pytest.fixture(scope="session")
def log() -> Memory:
    """What the shared server logs."""
    return Memory()


@pytest.fixture(scope="session")
def address(log: Memory) -> Iterator[str]:
    """Where the shared server listens."""
    # A wide margin, as tests run on busy machines.
    settings = Settings(port=0, threads=2, max_time=20.0, deadline_margin_ms=100)
    with embedded_server(settings, LineWriter(log)) as found:
        yield found


@pytest.fixture(scope="session")
def channel(address: str) -> Iterator[grpc.Channel]:
    """A channel to the shared server."""
    with grpc.insecure_channel(address) as found:
        yield found


@pytest.fixture(scope="session")
def advisor(channel: grpc.Channel) -> AdvisorServiceStub:
    """The shared server's advisor."""
    return AdvisorServiceStub(channel)


@pytest.fixture(scope="session")
def rules(channel: grpc.Channel) -> RulesServiceStub:
    """The shared server's referee."""
    return RulesServiceStub(channel)


@pytest.fixture(params=game_ids())
def game_id(request: pytest.FixtureRequest) -> str:
    """Each game in turn."""
    found: str = request.param
    return found
