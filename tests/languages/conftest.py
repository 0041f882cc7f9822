"""A real server for the clients in other languages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from server.embedded import embedded_server
from server.settings import Settings


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Where it listens."""
    with embedded_server(Settings(port=0, max_time=60.0, log_level="warning")) as found:
        yield found
