"""Each way to fail has its exception, and no gRPC error gets through."""

import asyncio
import shutil
import socket
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from google.rpc import error_details_pb2

from adamas import (
    AccessDenied,
    AdamasError,
    AsyncClient,
    Cancelled,
    Client,
    ClientClosed,
    DeadlineExceeded,
    InvalidRequest,
    Limit,
    Overloaded,
    ServerError,
    Unavailable,
    VersionMismatch,
    Violation,
)
from adamas.channels import MAX_ATTEMPTS
from adamas.v1.rules_service_pb2 import ListGamesResponse
from tests.clients.fake_server import Code, Failure, FakeServer
from tests.clients.messages import VIEW, recommendation


def bad_request(*violations: tuple[str, str]) -> error_details_pb2.BadRequest:
    return error_details_pb2.BadRequest(
        field_violations=[
            error_details_pb2.BadRequest.FieldViolation(field=field, description=description)
            for field, description in violations
        ]
    )


def free_port() -> int:
    """A port where nobody listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def test_an_invalid_request_names_the_fields(client: Any, server: FakeServer) -> None:
    wrong = [("query.view.dao.row[0].value", "is 7; 0 to 4 is possible"), ("query.seed", "no")]
    server.expect(
        "Recommend", Failure(Code.INVALID_ARGUMENT, "2 fields are wrong", (bad_request(*wrong),))
    )
    with pytest.raises(InvalidRequest) as caught:
        client.recommend(VIEW)
    assert caught.value.violations == tuple(Violation(*pair) for pair in wrong)
    assert caught.value.code is Code.INVALID_ARGUMENT
    assert str(caught.value).splitlines() == [
        "2 fields are wrong",
        "  query.view.dao.row[0].value: is 7; 0 to 4 is possible",
        "  query.seed: no",
    ]


def test_an_invalid_request_says_nothing_twice(client: Any, server: FakeServer) -> None:
    detail = bad_request(("query.seed", "no"), ("query.trees", "is 65"))
    text = "query.seed: no (and 1 more)"
    server.expect("Recommend", Failure(Code.INVALID_ARGUMENT, text, (detail,)))
    with pytest.raises(InvalidRequest) as caught:
        client.recommend(VIEW)
    assert str(caught.value).splitlines() == [
        "the request is invalid",
        "  query.seed: no",
        "  query.trees: is 65",
    ]


def test_a_position_that_is_refused_is_named(client: Any, server: FakeServer) -> None:
    detail = error_details_pb2.PreconditionFailure()
    detail.violations.add(type="QUARANTINED", subject="query.view", description="it crashes")
    text = "query.view: it crashes"
    server.expect("Recommend", Failure(Code.FAILED_PRECONDITION, text, (detail,)))
    with pytest.raises(InvalidRequest) as caught:
        client.recommend(VIEW)
    assert caught.value.violations == (Violation("query.view", "it crashes"),)
    assert caught.value.code is Code.FAILED_PRECONDITION


def test_an_overloaded_server_says_when_to_come_back(client: Any, server: FakeServer) -> None:
    hint = error_details_pb2.RetryInfo(retry_delay=Duration(seconds=1, nanos=500_000_000))
    server.expect("Recommend", Failure(Code.RESOURCE_EXHAUSTED, "busy", (hint,)))
    with pytest.raises(Overloaded, match="busy") as caught:
        client.recommend(VIEW)
    assert caught.value.retry_after == 1.5


def test_an_overloaded_server_that_gives_no_hint(client: Any, server: FakeServer) -> None:
    server.expect("Recommend", Code.RESOURCE_EXHAUSTED)
    with pytest.raises(Overloaded) as caught:
        client.recommend(VIEW)
    assert caught.value.retry_after is None


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (Code.INVALID_ARGUMENT, InvalidRequest),
        (Code.FAILED_PRECONDITION, InvalidRequest),
        (Code.OUT_OF_RANGE, InvalidRequest),
        (Code.NOT_FOUND, InvalidRequest),
        (Code.DEADLINE_EXCEEDED, DeadlineExceeded),
        (Code.UNAUTHENTICATED, AccessDenied),
        (Code.PERMISSION_DENIED, AccessDenied),
        (Code.UNIMPLEMENTED, VersionMismatch),
        (Code.INTERNAL, ServerError),
        (Code.UNKNOWN, ServerError),
        (Code.DATA_LOSS, ServerError),
        (Code.ABORTED, ServerError),
        (Code.ALREADY_EXISTS, ServerError),
    ],
)
def test_every_status_has_its_error(
    client: Any, server: FakeServer, code: grpc.StatusCode, kind: type[AdamasError]
) -> None:
    server.expect("Recommend", Failure(code, "this is why"))
    with pytest.raises(kind) as caught:
        client.recommend(VIEW)
    assert type(caught.value) is kind
    assert caught.value.code is code
    assert "this is why" in str(caught.value) or kind is DeadlineExceeded
    assert isinstance(caught.value, AdamasError)


def test_a_call_that_its_server_cancels_is_tried_again(client: Any, server: FakeServer) -> None:
    for _ in range(MAX_ATTEMPTS):
        server.expect("Recommend", Failure(Code.CANCELLED, "this is why"))
    with pytest.raises(Cancelled, match="this is why"):
        client.recommend(VIEW)


def test_details_that_make_no_sense_are_left_out(client: Any, server: FakeServer) -> None:
    stray = error_details_pb2.DebugInfo(detail="for somebody else")
    server.expect("Recommend", Failure(Code.INVALID_ARGUMENT, "no", (stray,)))
    with pytest.raises(InvalidRequest, match="no") as caught:
        client.recommend(VIEW)
    assert caught.value.violations == ()


def test_a_slow_server_runs_into_the_deadline(client: Any, server: FakeServer) -> None:
    server.expect("Recommend", hold=True)
    begin = time.monotonic()
    with pytest.raises(DeadlineExceeded, match=r"within 0\.3 s.*`grace`") as caught:
        client.recommend(VIEW, Limit(time=0.1), timeout=0.3)
    assert time.monotonic() - begin < 2
    assert isinstance(caught.value, TimeoutError)


def test_a_server_that_is_back_soon_is_tried_again(client: Any, server: FakeServer) -> None:
    server.expect("Recommend", Code.UNAVAILABLE)
    server.expect("Recommend", Code.UNAVAILABLE)
    server.expect("Recommend", recommendation())
    assert client.recommend(VIEW).legal_moves == 2


def test_the_number_of_tries_is_bounded(client: Any, server: FakeServer) -> None:
    for _ in range(4):
        server.expect("Recommend", Code.UNAVAILABLE)
    with pytest.raises(Unavailable):
        client.recommend(VIEW)


@pytest.mark.parametrize("code", [Code.RESOURCE_EXHAUSTED, Code.INTERNAL, Code.ABORTED])
def test_nothing_else_is_tried_again(
    client: Any, server: FakeServer, code: grpc.StatusCode
) -> None:
    server.expect("Recommend", code)  # a second call would be one that the script has not
    with pytest.raises(AdamasError):
        client.recommend(VIEW)


def test_no_server_at_all(make_client: Any) -> None:
    target = f"127.0.0.1:{free_port()}"
    begin = time.monotonic()
    with pytest.raises(Unavailable, match=f"no answer from a server at {target}"):
        make_client(target).recommend(VIEW)
    assert time.monotonic() - begin < 5


def test_waiting_for_a_server_in_vain(make_client: Any) -> None:
    begin = time.monotonic()
    with pytest.raises(Unavailable, match=r"within 0\.4 s"):
        make_client(f"127.0.0.1:{free_port()}").wait_ready(0.4)
    assert time.monotonic() - begin < 2


def test_waiting_for_a_server_that_is_starting(client: Any, server: FakeServer) -> None:
    for _ in range(4):
        server.expect("ListGames", Code.UNAVAILABLE)
    server.expect("ListGames", ListGamesResponse())
    client.wait_ready(5)


def test_a_closed_client(client: Any, server: FakeServer) -> None:
    server.expect("Recommend", recommendation())
    client.recommend(VIEW)
    client.close()
    client.close()
    with pytest.raises(ClientClosed):
        client.recommend(VIEW)
    assert "closed" in repr(client)


def test_an_answer_that_is_too_large(make_client: Any, server: FakeServer) -> None:
    client = make_client(server.target, options=[("grpc.max_receive_message_length", 10)])
    server.expect("Recommend", recommendation())
    with pytest.raises(InvalidRequest, match=r"grpc\.max_receive_message_length"):
        client.recommend(VIEW)


def test_closing_a_client_ends_its_calls(server: FakeServer) -> None:
    exchange = server.expect("Recommend", hold=True)
    client = Client(server.target)
    threading.Timer(0.2, client.close).start()
    with pytest.raises(Cancelled):
        client.recommend(VIEW)
    assert exchange.cancelled.wait(2)


async def test_closing_a_client_for_asyncio_ends_its_calls(server: FakeServer) -> None:
    exchange = server.expect("Recommend", hold=True)
    client = AsyncClient(server.target)
    call = asyncio.create_task(client.recommend(VIEW))
    await asyncio.sleep(0.2)
    await client.close()
    with pytest.raises(Cancelled, match="was closed"):
        await call
    assert await asyncio.to_thread(exchange.cancelled.wait, 2)


async def test_a_cancelled_task_ends_its_call(server: FakeServer) -> None:
    exchange = server.expect("Recommend", hold=True)
    async with AsyncClient(server.target) as client:
        call = asyncio.create_task(client.recommend(VIEW))
        await asyncio.sleep(0.2)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert await asyncio.to_thread(exchange.cancelled.wait, 2)


def test_tls(make_client: Any, tmp_path: Path) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("makes its certificate with openssl, which is not installed")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    new = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"]
    name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    files = ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run([*new, *name, *files], check=True, capture_output=True)
    with FakeServer(tls=(key.read_bytes(), certificate.read_bytes())) as server:
        server.expect("Recommend", recommendation())
        trusted = grpc.ssl_channel_credentials(certificate.read_bytes())
        assert make_client(server.target, credentials=trusted).recommend(VIEW).legal_moves == 2
        with pytest.raises(Unavailable):
            make_client(server.target, credentials=grpc.ssl_channel_credentials()).games()
