"""What reaches the server below the level of messages."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator
from functools import partial

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
from server.settings import TRANSPORT_LIMIT, Settings
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


@pytest.fixture(scope="module")
def narrow() -> Iterator[str]:
    """A server that takes two connections, and drops them after a second without calls."""
    settings = Settings(port=0, threads=1, max_connections=2, connection_idle=1.0)
    with embedded_server(settings, LineWriter(Memory())) as address:
        yield address


def greeted(address: str, connections: list[socket.socket]) -> bool:
    """Connects, and says whether the server speaks HTTP/2 over the connection."""
    host, port = address.rsplit(":", 1)
    connection = socket.create_connection((host, int(port)), timeout=10)
    connections.append(connection)
    try:
        connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(SETTINGS, 0, 0, b""))
        return connection.recv(9)[3:4] == bytes([SETTINGS])
    except ConnectionError:
        return False


def test_connections_are_limited_and_idle_ones_are_dropped(narrow: str) -> None:
    connections: list[socket.socket] = []
    try:
        assert greeted(narrow, connections)
        assert greeted(narrow, connections)
        assert not greeted(narrow, connections)
        # Idle ones make room by themselves.
        eventually(lambda: greeted(narrow, connections), 20)
    finally:
        for connection in connections:
            connection.close()


def test_metadata_is_limited(channel: grpc.Channel) -> None:
    rules = RulesServiceStub(channel)
    request = rules_pb.ListGamesRequest()
    assert rules.ListGames(request, metadata=(("x-padding", "x" * 4000),)).games
    with pytest.raises(grpc.RpcError) as caught:
        rules.ListGames(request, metadata=(("x-padding", "x" * 17_000),))
    assert caught.value.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
    assert not caught.value.trailing_metadata()


@pytest.mark.parametrize(
    ("size", "code", "has_details"),
    [
        (TRANSPORT_LIMIT, grpc.StatusCode.INVALID_ARGUMENT, True),
        (TRANSPORT_LIMIT + 1, grpc.StatusCode.RESOURCE_EXHAUSTED, False),
    ],
)
def test_messages_beyond_the_limit_of_the_transport_are_refused_without_details(
    channel: grpc.Channel, size: int, code: grpc.StatusCode, has_details: bool
) -> None:
    call = channel.unary_unary("/adamas.v1.RulesService/ListGames", bytes, bytes)
    with pytest.raises(grpc.RpcError) as caught:
        call(bytes(size), timeout=60)
    assert caught.value.code() == code
    trailers = [entry.key for entry in caught.value.trailing_metadata() or ()]
    assert ("grpc-status-details-bin" in trailers) == has_details


def test_a_message_beyond_the_limit_of_the_transport_ends_a_batch(channel: grpc.Channel) -> None:
    call = channel.stream_stream("/adamas.v1.AdvisorService/RecommendBatch", bytes, bytes)
    with pytest.raises(grpc.RpcError) as caught:
        list(call(iter([bytes(TRANSPORT_LIMIT + 1)]), timeout=60))
    assert caught.value.code() == grpc.StatusCode.RESOURCE_EXHAUSTED


def test_the_health_of_all_services_is_listed(channel: grpc.Channel) -> None:
    statuses = HealthStub(channel).List(health_pb2.HealthListRequest(), timeout=20).statuses
    assert {name: answer.status for name, answer in statuses.items()} == dict.fromkeys(
        ("", "adamas.v1.AdvisorService", "adamas.v1.RulesService"),
        health_pb2.HealthCheckResponse.SERVING,
    )


@pytest.mark.parametrize(
    "method",
    [
        "grpc.health.v1.Health/List",
        "grpc.health.v1.Health/Check",
        "grpc.health.v1.Health/Watch",
        "grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
    ],
)
def test_undecodable_requests_of_health_and_reflection_are_refused(
    channel: grpc.Channel, method: str
) -> None:
    call = channel.stream_stream(f"/{method}", lambda data: data, lambda data: data)
    with pytest.raises(grpc.RpcError) as caught:
        list(call(iter([b"\xff"]), timeout=20))
    assert caught.value.code() == grpc.StatusCode.INVALID_ARGUMENT
