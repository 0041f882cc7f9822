"""What hostile or broken clients send to the port for browsers."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import Any

import h2.events
import pytest

from adamas.v1 import advisor_service_pb2 as pb
from server.web import application, body, encoding
from server.web.endpoints import Offer
from tests.server.positions import eventually
from tests.server.web.conftest import Web
from tests.server.web.front import ADVISOR, EMPTY, front_alone
from tests.server.web.http2 import Http2

LIST = "/adamas.v1.RulesService/ListGames"
RECOMMEND = "/adamas.v1.AdvisorService/Recommend"
UPGRADE = b"GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\n"
WEBSOCKET = b"sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-version: 13\r\n"
ANALYZE = "/adamas.v1.AdvisorService/Analyze"


@contextmanager
def connected(web: Web) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", web.port), timeout=30) as found:
        yield found


def head(path: str, **headers: Any) -> bytes:
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    named = {"host": "x", "content-type": "application/json", **given}
    lines = [f"{name}: {value}" for name, value in named.items()]
    return "\r\n".join([f"POST {path} HTTP/1.1", *lines, "", ""]).encode()


def received(connection: socket.socket) -> bytes:
    """Everything until the server closes."""
    found = b""
    try:
        while data := connection.recv(65536):
            found += data
    except ConnectionResetError:
        pass
    return found


def sends_until_closed(
    connection: socket.socket, data: bytes, most: int, pause: float = 0.0
) -> int:
    """Sends some data over and over; returns how often until the server has closed."""
    for sent in range(most):
        try:
            connection.sendall(data)
        except OSError:
            return sent
        time.sleep(pause)
    return most


def still_answers(web: Web) -> None:
    assert web.post(LIST, {}).status == 200


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    with front_alone() as found:
        yield found


@pytest.fixture(scope="module")
def hasty() -> Iterator[Web]:
    """A server that waits for nobody for long, and takes few connections."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(body, "_SECONDS", 0.5)
        with front_alone(connection_idle=1, handshake_timeout=1, max_message_bytes=2000) as found:
            yield found


@pytest.mark.parametrize(
    ("path", "what"),
    [
        ("/nothing", "there is nothing at /nothing"),
        ("/adamas.v1.RulesService/Cheat", "has no method Cheat; it has ListGames"),
        ("/adamas.v2.RulesService/ListGames", "there is nothing at /adamas.v2.RulesService"),
        ("/../../etc/passwd", "there is nothing"),
        ("//adamas.v1.RulesService/ListGames", "there is nothing"),
        ("/adamas.v1.RulesService/ListGames/", "has no method"),
    ],
)
def test_unknown_paths_are_told_what_there_is(web: Web, path: str, what: str) -> None:
    answer = web.post(path, {})
    assert answer.status == 404
    assert answer.json["code"] == "unimplemented"
    assert what in answer.json["message"]


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_methods_are_called_with_post_only(web: Web, method: str) -> None:
    answer = web.send(method, LIST)
    assert answer.status == 405
    assert answer.headers["allow"] == "POST"


@pytest.mark.parametrize(
    ("path", "content"),
    [
        (LIST, "text/plain"),
        (LIST, "multipart/form-data; boundary=x"),
        (LIST, "application/xml"),
        (LIST, ""),
        (LIST, "application/connect+json"),
        (LIST, "application/grpc-web-text"),
        (LIST, "application/grpc"),
        (ANALYZE, "application/json"),
        (ANALYZE, "application/proto"),
    ],
)
def test_contents_of_other_types_are_refused(web: Web, path: str, content: str) -> None:
    answer = web.send("POST", path, "{}", content_type=content)
    assert answer.status == 415
    assert "application/grpc-web+proto" in answer.headers["accept-post"]
    assert b"gRPC-Web" in answer.body
    if content == "application/xml":
        assert answer.json["message"].startswith(f"{path} takes no application/xml; send ")


def test_a_page_of_another_origin_is_refused_before_anything_is_done(web: Web) -> None:
    before = len(web.log.lines(method=LIST))
    for form in ("application/json", "application/x-www-form-urlencoded", "text/plain"):
        answer = web.send("POST", LIST, "{}", content_type=form, origin="https://evil.example")
        assert answer.status == 403
        assert "access-control-allow-origin" not in answer.headers
    assert len(web.log.lines(method=LIST)) == before


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"5",
        b'"x"',
        b"[1]",
        b"{",
        b"\xff\xfe",
        b'{"query": 5}',
        b'{"query": {"candidates": 1e400}}',
        b'{"query": {"candidates": "many"}}',
        b'{"query": {"seed": ' + b"9" * 5000 + b"}}",
        b'{"query": {"limits": {"time": "x"}}}',
        b'{"query": {"limits": {"time": {}}}}',
        b'{"query": {"view": {"dao": {"seat": null, "seat": 1}}, "view": 1}}',
        b'{"requestId": "\\ud800"}',
        b'{"a":' * 5000 + b"1" + b"}" * 5000,
        b"[" * 10000 + b"]" * 10000,
        b'{"query": {"view": {"diams": {"history": [' + b"{}," * 60000 + b"{}]}}}}",
    ],
    ids=lambda data: repr(data[:24]),
)
def test_what_is_no_message_in_json_is_refused(web: Web, data: bytes) -> None:
    began = time.monotonic()
    answer = web.send("POST", RECOMMEND, data, content_type="application/json")
    assert answer.status == 400
    assert answer.json["code"] == "invalid_argument"
    assert len(answer.json["message"]) <= 300
    assert time.monotonic() - began < 10
    still_answers(web)


def test_json_of_very_many_values_is_refused_unread(web: Web) -> None:
    data = (
        b'{"query": {"view": {"diams": {"history": [' + b"{}," * encoding.MOST_VALUES + b"{}]}}}}"
    )
    answer = web.send("POST", RECOMMEND, data, content_type="application/json")
    assert "values" in answer.json["message"]
    (line,) = eventually(lambda: web.log.lines(method=RECOMMEND, bytes=len(data)))
    assert line["elapsed_ms"] < 1000


def test_a_body_that_is_too_long_says_where_the_limit_is(web: Web) -> None:
    answer = web.send("POST", LIST, b" " * 300_000, content_type="application/json")
    assert answer.status == 400
    assert "this server accepts 262144" in answer.json["message"]
    assert eventually(lambda: web.log.lines(method=LIST, code="INVALID_ARGUMENT"))


def test_a_body_without_end_is_cut_off(hasty: Web) -> None:
    chunk = b"10000\r\n" + b" " * 65536 + b"\r\n"
    with connected(hasty) as connection:
        connection.sendall(head(LIST, transfer_encoding="chunked"))
        assert sends_until_closed(connection, chunk, 1 << 12) < 1 << 9
    still_answers(hasty)


def test_very_many_small_chunks_hold_up_nobody(hasty: Web) -> None:
    with connected(hasty) as connection:
        connection.sendall(head("/nothing", transfer_encoding="chunked") + b"1\r\nx\r\n" * 5000)
        connection.sendall(b"0\r\n\r\n")
        assert b"404" in connection.recv(65536)
    still_answers(hasty)


def test_compressed_bodies_are_bounded(hasty: Web) -> None:
    import gzip

    bomb = gzip.compress(b" " * (1 << 26))[:1900]
    for data in (bomb, gzip.compress(b" " * 500_000)):
        answer = hasty.send(
            "POST", LIST, data, content_type="application/json", content_encoding="gzip"
        )
        assert answer.status in {400, 429}
    answer = hasty.send("POST", LIST, b"{}", content_type="application/json", content_encoding="x")
    assert answer.status == 501


def test_a_slow_body_is_given_up(hasty: Web) -> None:
    with connected(hasty) as connection:
        connection.sendall(head(LIST, content_length=1000) + b"{")
        answer = received(connection)
    assert b"504" in answer.splitlines()[0]
    assert b"within 0.5 s" in answer
    eventually(lambda: hasty.log.lines(method=LIST, code="DEADLINE_EXCEEDED"))


class Talkative:
    async def Analyze(self, request: Any, context: Any) -> Any:
        while True:
            yield pb.AnalyzeResponse(request_id="x" * 100_000)


@pytest.mark.parametrize("version", [1, 2])
def test_an_answer_that_nobody_reads_is_given_up(
    version: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(application, "_WRITE_SECONDS", 0.5)
    message = struct.pack(">BI", 0, 2) + b"{}"
    content = {"content-type": "application/connect+json"}
    offers = [Offer(ADVISOR, Talkative(), ("Analyze",))]
    with front_alone(offers) as web, connected(web) as connection:
        if version == 1:
            connection.sendall(head(ANALYZE, content_length=7, **content) + message)
        else:
            client = Http2(connection)
            stream = client.ask(ANALYZE, headers=content)
            client.h2.send_data(stream, message, end_stream=True)
            client.flush()
        (line,) = eventually(partial(web.log.lines, event="call"))
        assert line["code"] == "CANCELLED"
        eventually(lambda: dropped(connection))


def dropped(connection: socket.socket) -> bool:
    """Whether the server has closed a connection that something is written to."""
    try:
        connection.sendall(b"x")
    except OSError:
        return True
    return False


@pytest.mark.parametrize("sent", [b"", b"POST ", head(LIST)[:-2]], ids=["nothing", "line", "head"])
def test_a_slow_head_is_given_up(hasty: Web, sent: bytes) -> None:
    began = time.monotonic()
    with connected(hasty) as connection:
        connection.sendall(sent)
        assert received(connection) == b""
    assert time.monotonic() - began < 10


def test_a_trickling_head_is_given_up(hasty: Web) -> None:
    began = time.monotonic()
    with connected(hasty) as connection:
        assert sends_until_closed(connection, b"P", 300, pause=0.1) < 100
    assert time.monotonic() - began < 20


def test_a_connection_without_calls_is_closed(hasty: Web) -> None:
    with connected(hasty) as connection:
        connection.sendall(head(LIST, content_length=2) + b"{}")
        assert b"200" in received(connection).splitlines()[0]


@pytest.mark.parametrize("bound", ["max_connections", "max_address_connections"])
def test_connections_are_bounded(bound: str) -> None:
    with front_alone(EMPTY, **{bound: 3}) as web:
        with ExitStack() as held:
            for _ in range(3):
                held.enter_context(connected(web))
            with connected(web) as further:
                assert received(further) == b""
        eventually(lambda: answers(web))


def test_a_client_that_has_gone_leaves_its_place() -> None:
    with front_alone(max_connections=1, handshake_timeout=60) as web:
        for _ in range(3):
            with connected(web):
                pass
            eventually(partial(answers, web), 10)


def answers(web: Web) -> bool:
    try:
        return web.post(LIST, {}).status == 200
    except OSError:
        return False


def test_headers_are_bounded(web: Web) -> None:
    for length in (17_000, 200_000):
        with connected(web) as connection:
            connection.sendall(
                head(LIST, x="x" * length, connection="close", content_length=2) + b"{}"
            )
            assert received(connection).split(b" ")[1] in {b"400", b"413", b"431"}
    still_answers(web)


def test_a_header_in_no_script_is_refused(web: Web) -> None:
    with connected(web) as connection:
        connection.sendall(
            b"POST " + LIST.encode() + b" HTTP/1.1\r\nhost: x\r\nconnection: close\r\n"
            b"content-type: application/json\r\nx: \xff\r\ncontent-length: 2\r\n\r\n{}"
        )
        assert b" 400 " in received(connection).splitlines()[0]


@pytest.mark.parametrize(
    "data",
    [
        b"\x00" * 100,
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 200,
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /\xff\xfe HTTP/1.1\r\nhost: x\r\n\r\n",
        b"GET /%ff%fe HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\xff" * 100,
        b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}",
        b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n{}",
        b"POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        UPGRADE + b"upgrade: h2c\r\nhttp2-settings: !!\r\n\r\n",
        UPGRADE + b"upgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAAP__\r\n\r\n",
        UPGRADE + b"upgrade: websocket\r\n" + WEBSOCKET + b"\r\nx",
        UPGRADE + b"upgrade: websocket\r\n" + WEBSOCKET + b"\r\n",
        b"CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n",
    ],
    ids=lambda data: repr(data[:20]),
)
def test_what_is_no_http_ends_only_its_own_connection(hasty: Web, data: bytes) -> None:
    with connected(hasty) as connection:
        connection.sendall(data)
        received(connection)
    eventually(lambda: answers(hasty))


def test_a_request_hidden_in_another_is_not_answered(hasty: Web) -> None:
    hidden = head(LIST, content_length=2) + b"{}"
    with connected(hasty) as connection:
        connection.sendall(
            head("/nothing", transfer_encoding="chunked", content_length=len(hidden)) + hidden
        )
        assert received(connection).count(b"HTTP/1.1") <= 1


def status(event: Any) -> bool:
    return isinstance(event, h2.events.ResponseReceived)


def test_slow_and_long_bodies_over_http2(hasty: Web) -> None:
    with connected(hasty) as connection:
        client = Http2(connection)
        client.ask(LIST)
        found = client.events(status)
        assert dict(found.headers)[b":status"] == b"504"
    with connected(hasty) as connection:
        client = Http2(connection)
        stream = client.ask(LIST)
        client.h2.send_data(stream, b" " * 16_000, end_stream=True)
        client.flush()
        found = client.events(status)
        assert dict(found.headers)[b":status"] == b"400"
    still_answers(hasty)


def test_resets_without_end_hold_up_nobody(hasty: Web) -> None:
    with connected(hasty) as connection:
        client = Http2(connection)
        for _ in range(300):
            stream = client.ask(LIST)
            client.h2.reset_stream(stream)
            client.flush()
        still_answers(hasty)
    eventually(lambda: answers(hasty))


class Slow:
    async def Analyze(self, request: Any, context: Any) -> Any:
        for _ in range(10):
            yield pb.AnalyzeResponse(request_id=request.request_id)
            await asyncio.sleep(0.1)


@pytest.mark.parametrize("answered", [False, True], ids=["before the answer", "amid the answer"])
def test_a_call_that_is_ended_leaves_others_of_its_connection_alone(answered: bool) -> None:
    content = {"content-type": "application/connect+json", "connect-timeout-ms": "5000"}
    message = struct.pack(">BI", 0, 2) + b"{}"
    offers = [Offer(ADVISOR, Slow(), ("Analyze",))]
    with front_alone(offers) as web, connected(web) as connection:
        client = Http2(connection)
        ended, other = (client.ask(ANALYZE, headers=content) for _ in range(2))
        for stream in (ended, other):
            client.h2.send_data(stream, message, end_stream=True)
        client.flush()
        if answered:
            client.events(lambda event: isinstance(event, h2.events.DataReceived))
        client.h2.reset_stream(ended)
        client.flush()
        found = client.events(
            lambda event: isinstance(event, h2.events.StreamEnded) and event.stream_id == other
        )
        assert found is not None
        eventually(lambda: len(web.log.lines(event="call")) == 2)
        codes = sorted(line["code"] for line in web.log.lines(event="call"))
        assert codes == ["CANCELLED", "OK"]


def test_large_headers_over_http2(hasty: Web) -> None:
    for length in (17_000, 80_000):
        with connected(hasty) as connection:
            client = Http2(connection)
            with suppress(OSError):  # it is closed before all has been sent
                client.ask(LIST, end=True, headers={"x": "x" * length})
                found = client.events(
                    lambda event: status(event) or isinstance(event, h2.events.ConnectionTerminated)
                )
                assert found is None or not status(found) or found.headers[0][1] == b"431"
    still_answers(hasty)


def test_envelopes_that_lie_about_their_length(hasty: Web) -> None:
    content = "application/connect+json"
    for data in (
        b"\x00",
        struct.pack(">BI", 0, 100) + b"{}",
        struct.pack(">BI", 0, 0xFFFFFFFF) + b"{}",
        struct.pack(">BI", 0xFF, 2) + b"{}",
        struct.pack(">BI", 1, 2) + b"{}",
        2 * (struct.pack(">BI", 0, 2) + b"{}"),
    ):
        answer = hasty.send("POST", ANALYZE, data, content_type=content)
        assert answer.status == 200
        (length,) = struct.unpack(">I", answer.body[1:5])
        assert json.loads(answer.body[5 : 5 + length])["error"]["code"]


def test_the_root_says_what_this_is(web: Web) -> None:
    plain = web.send("GET", "/")
    assert plain.status == 200
    assert f"{web.url}{LIST}" in plain.body.decode()
    html = web.send("GET", "/", accept="text/html,*/*;q=0.8", host="<script>.example")
    assert html.headers["content-type"].startswith("text/html")
    assert b"<script>" not in html.body
    assert b"&lt;script&gt;" in html.body
    assert web.send("HEAD", "/").body == b""


def test_pages_of_this_machine_may_call_a_loopback_server(web: Web) -> None:
    for origin in ("http://localhost:5173", "http://127.0.0.1:3000", "http://[::1]:8000"):
        asked = web.send("OPTIONS", LIST, origin=origin, access_control_request_method="POST")
        assert asked.status == 204
        assert asked.headers["access-control-allow-origin"] == origin
        assert "connect-protocol-version" in asked.headers["access-control-allow-headers"]
        answer = web.post(LIST, {}, origin=origin)
        assert answer.status == 200
        assert answer.headers["access-control-allow-origin"] == origin
        assert "Origin" in answer.headers["vary"]
    for origin in (
        "null",
        "http://localhost.evil.example",
        "http://127.0.0.1.nip.io",
        "file://",
        "x",
    ):
        assert web.post(LIST, {}, origin=origin).status == 403


def test_listed_pages_may_call() -> None:
    with front_alone(web_origins="https://play.example, https://other.example:8443") as web:
        for origin in ("https://play.example", "https://other.example:8443"):
            assert web.post(LIST, {}, origin=origin).status == 200
        for origin in ("http://play.example", "https://other.example", "https://x.play.example"):
            assert web.post(LIST, {}, origin=origin).status == 403
