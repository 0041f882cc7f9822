"""Servers for all tests of one process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.fuzz.service import InProcess, OverGrpc, grpc_service, in_process_service


@pytest.fixture(scope="session")
def service() -> Iterator[InProcess]:
    """A server without sockets."""
    with in_process_service() as found:
        yield found


@pytest.fixture(scope="session")
def wire() -> Iterator[OverGrpc]:
    """A server behind real gRPC."""
    with grpc_service() as found:
        yield found
