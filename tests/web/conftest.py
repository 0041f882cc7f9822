"""A server and a host for all tests of one process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engines.registry import game_ids
from server.embedded import embedded_server
from server.settings import Settings as ServerSettings
from tests.web.hosting import hosted
from tests.web.visitor import Visitor
from web.host.settings import Settings


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """Where an Adamas server listens."""
    settings = ServerSettings(port=0, threads=2, log_level="error", deadline_margin_ms=100)
    with embedded_server(settings) as address:
        yield address


@pytest.fixture(scope="session")
def port(server: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Where a host listens that all tests share."""
    tables = tmp_path_factory.mktemp("host") / "tables.sqlite"
    with hosted(
        Settings(server=server, tables=tables, review_iterations=100, requests_per_second=1000)
    ) as found:
        yield found


@pytest.fixture
def ann(port: int) -> Visitor:
    """A browser that nobody knows yet."""
    return Visitor(port)


@pytest.fixture
def ben(port: int) -> Visitor:
    """Another one."""
    return Visitor(port)


@pytest.fixture(params=game_ids())
def game_id(request: pytest.FixtureRequest) -> str:
    """Each game in turn."""
    found: str = request.param
    return found
