"""A server with a port for browsers, and the means to call it as they do."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import Any

import grpc
import pytest

from adamas.v1.rules_service_pb2_grpc import RulesServiceStub
from server.embedded import embedded_server
from server.log import LineWriter
from server.settings import Settings
from tests.server.positions import Memory, eventually


@dataclass
class Answer:
    """What came back over HTTP."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Web:
    """A running server with both ports."""

    port: int
    address: str
    log: Memory

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def send(self, method: str, path: str, body: bytes | str = b"", **headers: str) -> Answer:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, named)
            found = connection.getresponse()
            received = {name.lower(): value for name, value in found.getheaders()}
            return Answer(found.status, received, found.read())
        finally:
            connection.close()

    def post(self, path: str, message: Any, **headers: str) -> Answer:
        """Calls a method with JSON."""
        return self.send(
            "POST", path, json.dumps(message), **{"content_type": "application/json", **headers}
        )


@contextmanager
def web_server(**settings: Any) -> Iterator[Web]:
    """A server with a port for browsers."""
    log = Memory()
    chosen = Settings(**{"port": 0, "web_port": 0, "threads": 2, **settings})
    with embedded_server(chosen, LineWriter(log)) as address:
        (listening,) = eventually(lambda: log.lines(event="listening"))
        yield Web(listening["web_port"], address, log)


@pytest.fixture(scope="package")
def web() -> Iterator[Web]:
    # A wide margin, as tests run on busy machines.
    with web_server(max_time=20.0, deadline_margin_ms=100) as found:
        yield found


@pytest.fixture(scope="package")
def web_rules(web: Web) -> Iterator[RulesServiceStub]:
    """The same server's referee, over gRPC."""
    with grpc.insecure_channel(web.address) as channel:
        yield RulesServiceStub(channel)
