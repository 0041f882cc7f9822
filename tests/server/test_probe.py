"""The health probe of containers."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest
from grpc_health.v1 import health, health_pb2
from grpc_health.v1.health_pb2_grpc import add_HealthServicer_to_server

from server.probe import probe


@pytest.fixture
def stopping() -> Iterator[str]:
    """A server that does not serve any more."""
    server = grpc.server(ThreadPoolExecutor(2))
    servicer = health.HealthServicer()
    servicer.set("", health_pb2.HealthCheckResponse.NOT_SERVING)
    add_HealthServicer_to_server(servicer, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield f"127.0.0.1:{port}"
    server.stop(None)


def test_a_serving_server_has_no_problem(address: str) -> None:
    assert probe(address) == ""
    assert probe(address, "adamas.v1.AdvisorService") == ""


def test_no_proxy_stands_before_this_machine(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    assert probe(address) == ""


def test_a_stopping_server_is_told(stopping: str) -> None:
    assert probe(stopping) == "NOT_SERVING"


def test_an_unknown_service_is_told(address: str) -> None:
    assert probe(address, "adamas.v1.NoSuchService").startswith("NOT_FOUND")


def test_nobody_listening_is_told() -> None:
    assert probe("127.0.0.1:1", timeout=2.0).startswith(("UNAVAILABLE", "DEADLINE_EXCEEDED"))


def test_the_exit_code_says_it(address: str, stopping: str) -> None:
    command = [sys.executable, "-m", "server.probe"]
    assert subprocess.run([*command, address], check=False).returncode == 0
    done = subprocess.run([*command, stopping], check=False, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr == f"{stopping}: NOT_SERVING\n"
