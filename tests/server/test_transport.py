"""What reaches the server below the level of messages."""

from __future__ import annotations

import shutil
import socket
import struct
import subprocess
from functools import partial
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2
from grpc_health.v1.health_pb2_grpc import HealthStub

from adamas.v1 import advisor_service_pb2 as pb
from adamas.v1 import rules_service_pb2 as rules_pb
from adamas.v1.advisor_service_pb2_grpc import AdvisorServiceStub
from adamas.v1.rules_service_pb2_grpc import RulesServiceStub
from server.embedded import embedded_server
from server.log import LineWriter
from server.settings import Settings
from tests.server.positions import Memory, eventually, limits, query

HEADERS, DATA, SETTINGS = 1, 0, 4
CRASHED = {"event": "transport crashed, starting anew"}
END_STREAM, END_HEADERS = 1, 4


def frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return (
        struct.pack(">I", len(payload))[1:]
        + bytes([kind, flags])
        + struct.pack(">I", stream)
        + payload
    )


def call_path(address: str, path: bytes) -> None:
    """Calls a method whose path is any bytes; no gRPC client would do that."""

    def text(value: bytes) -> bytes:
        return bytes([len(value)]) + value

    headers = (
        b"\x83\x86"  # POST, http
         b"\x04" + text(path)
        + b"\x01" + text(b"localhost")
        + b"\x00" + text(b"content-type") + text(b"application/grpc")
        + b"\x00" + text(b"te") + text(b"trailers")
    )  # fmt: skip
    host, port = address.rsplit(":", 1)
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.sendall(
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
            + frame(SETTINGS, 0, 0, b"")
            + frame(HEADERS, END_HEADERS, 1, headers)
            + frame(DATA, END_STREAM, 1, b"\0\0\0\0\0")
        )
        connection.recv(1)


def crashed(log: Memory, times: int) -> bool:
    return len(log.lines(**CRASHED)) == times


def serves(channel: grpc.Channel) -> bool:
    request = health_pb2.HealthCheckRequest()
    status = HealthStub(channel).Check(request, timeout=30, wait_for_ready=True).status
    return bool(status == health_pb2.HealthCheckResponse.SERVING)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_crash_of_the_transport_loses_no_call_and_is_made_good() -> None:
    log = Memory()
    with (
        embedded_server(Settings(port=0, threads=1), LineWriter(log)) as address,
        grpc.insecure_channel(address) as channel,
    ):
        asked = query(RulesServiceStub(channel), "dao", limits=limits(time=1.5))
        call = AdvisorServiceStub(channel).Recommend.future(pb.RecommendRequest(query=asked))
        for crash in (1, 2):
            assert serves(channel)
            call_path(address, b"/\xff\xfe")
            eventually(partial(crashed, log, crash))
            with grpc.insecure_channel(address) as later:
                assert serves(later)
        assert call.result().advice.candidates


def test_unknown_methods_and_services(channel: grpc.Channel) -> None:
    for path in ("/adamas.v1.RulesService/Cheat", "/nothing", "/adamas.v2.RulesService/ListGames"):
        call = channel.unary_unary(path).future(b"")  # type: ignore[arg-type, var-annotated]
        assert call.code() == grpc.StatusCode.UNIMPLEMENTED


def test_tls(tmp_path: Path) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("makes its certificate with openssl, which is not installed")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    new = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"]
    name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    files = ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run([*new, *name, *files], check=True, capture_output=True)
    settings = Settings(port=0, threads=1, tls_cert=str(certificate), tls_key=str(key))
    request = rules_pb.ListGamesRequest()
    with embedded_server(settings, LineWriter(Memory())) as address:
        port = address.rsplit(":", 1)[1]
        credentials = grpc.ssl_channel_credentials(certificate.read_bytes())
        with grpc.secure_channel(f"localhost:{port}", credentials) as channel:
            assert RulesServiceStub(channel).ListGames(request, timeout=10).games
        with grpc.insecure_channel(f"localhost:{port}") as channel:
            call = RulesServiceStub(channel).ListGames.future(
                rules_pb.ListGamesRequest(), timeout=5
            )
            assert call.code() == grpc.StatusCode.UNAVAILABLE
