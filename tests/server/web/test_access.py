"""Who gets in at the port for browsers: the same as over gRPC, by token and by certificate."""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPSConnection
from pathlib import Path

import pytest

from tests.server.access.conftest import Authority, Files
from tests.server.positions import eventually
from tests.server.web.conftest import Web
from tests.server.web.front import front_alone

LIST, TOKEN = "/adamas.v1.RulesService/ListGames", "the-token-of-the-page-0123456789"
CLIENTS = f"""
[[client]]
name = "page"
token = "{TOKEN}"
calls_per_minute = 3

[[client]]
name = "host"
certificate = "host.example"
"""


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def localhost(authority: Authority) -> Files:
    return authority.issue("localhost")


def test_a_token_is_asked_for() -> None:
    with front_alone(tokens=CLIENTS) as web:
        answer = web.post(LIST, {})
        assert answer.status == 401
        assert answer.json["code"] == "unauthenticated"
        assert "authorization: Bearer" in answer.json["message"]
        assert web.post(LIST, {}, authorization="Bearer wrong").status == 401
        for _ in range(3):
            assert web.post(LIST, {}, authorization=f"Bearer {TOKEN}").status == 200
        exceeded = web.post(LIST, {}, authorization=f"Bearer {TOKEN}")
        assert exceeded.status == 429
        kinds = [detail["type"] for detail in exceeded.json["details"]]
        assert kinds[:2] == ["google.rpc.QuotaFailure", "google.rpc.RetryInfo"]
        eventually(lambda: web.log.lines(client="page", code="OK"))
        assert TOKEN not in web.log.getvalue()


def test_the_message_of_a_stranger_is_not_waited_for() -> None:
    head = f"POST {LIST} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
    with (
        front_alone(tokens=CLIENTS) as web,
        socket.create_connection(("127.0.0.1", web.port), timeout=10) as connection,
    ):
        connection.sendall(f"{head}content-length: 100000\r\n\r\n".encode())
        assert b" 401 " in connection.recv(65536).splitlines()[0]
        assert eventually(lambda: web.log.lines(method=LIST, code="UNAUTHENTICATED"))


@contextmanager
def over_tls(web: Web, authority: Authority, own: Files | None = None) -> Iterator[HTTPSConnection]:
    context = ssl.create_default_context(cafile=str(authority.root))
    if own is not None:
        context.load_cert_chain(own.certificate, own.key)
    connection = HTTPSConnection("localhost", web.port, timeout=30, context=context)
    try:
        yield connection
    finally:
        connection.close()


def lists(connection: HTTPSConnection) -> int:
    connection.request("POST", LIST, "{}", {"content-type": "application/json"})
    response = connection.getresponse()
    response.read()
    return response.status


def test_a_certificate_says_who_calls(authority: Authority, localhost: Files) -> None:
    with front_alone(
        tokens=CLIENTS,
        tls_cert=str(localhost.certificate),
        tls_key=str(localhost.key),
        tls_client_ca=str(authority.root),
    ) as web:
        with over_tls(web, authority, authority.issue("host.example")) as connection:
            assert lists(connection) == 200
        with over_tls(web, authority, authority.issue("other.example")) as connection:
            assert lists(connection) == 401
        with over_tls(web, authority) as connection, pytest.raises((OSError, ssl.SSLError)):
            lists(connection)
        (line,) = eventually(lambda: web.log.lines(client="host"))
        assert line["code"] == "OK"


def test_http2_is_offered_and_nobody_is_answered_without_tls(
    authority: Authority, localhost: Files
) -> None:
    with front_alone(tls_cert=str(localhost.certificate), tls_key=str(localhost.key)) as web:
        context = ssl.create_default_context(cafile=str(authority.root))
        context.set_alpn_protocols(["h2", "http/1.1"])
        with (
            socket.create_connection(("127.0.0.1", web.port), timeout=30) as plain,
            context.wrap_socket(plain, server_hostname="localhost") as connection,
        ):
            assert connection.selected_alpn_protocol() == "h2"
        with socket.create_connection(("127.0.0.1", web.port), timeout=30) as connection:
            connection.sendall(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
            with suppress(ConnectionResetError):
                assert b"HTTP" not in connection.recv(1000)


def test_a_renewed_certificate_is_used_without_a_restart(tmp_path: Path) -> None:
    old, new = Authority(tmp_path / "old"), Authority(tmp_path / "new")
    files = old.issue("localhost")
    with front_alone(tls_cert=str(files.certificate), tls_key=str(files.key)) as web:
        with over_tls(web, old) as connection:
            assert lists(connection) == 200
        renewed = new.issue("localhost")
        renewed.certificate.replace(files.certificate)
        renewed.key.replace(files.key)
        time.sleep(1.1)  # it looks once a second

        def trusted() -> bool:
            with over_tls(web, new) as connection:
                try:
                    return lists(connection) == 200
                except OSError:
                    return False

        eventually(trusted)
