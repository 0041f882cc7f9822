"""Running servers: who gets in over TLS, with tokens and with certificates."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2
from grpc_health.v1.health_pb2_grpc import HealthStub
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from adamas import AccessDenied, Client, Limit, Overloaded, Tls, Unavailable
from adamas.v1 import dao_pb2
from server.access.clients import digest
from server.embedded import embedded_server
from server.log import LineWriter
from server.settings import Settings
from tests.server.access.conftest import Authority, Files
from tests.server.positions import Memory, eventually

PLAIN = "plain-token-kept-in-the-file-012"
HASHED = "hashed-token-not-in-the-file-345"
EXPIRED = "expired-token-of-long-ago-678901"
BUSY = "token-with-quotas-012345678901234"
WRONG = "wrong-token-that-nobody-was-given"
SECRETS = (PLAIN, HASHED, EXPIRED, BUSY, WRONG, digest(HASHED).hex())
LIST = f"""
[[client]]
name = "plain"
token = "{PLAIN}"

[[client]]
name = "hashed"
token_sha256 = "{digest(HASHED).hex()}"

[[client]]
name = "expired"
token = "{EXPIRED}"
expires = 2020-01-01T00:00:00Z

[[client]]
name = "busy"
token = "{BUSY}"
search_seconds_per_minute = 5

[[client]]
name = "host"
certificate = "host.example"
"""


@dataclass
class Running:
    """A server, and what it logs."""

    target: str
    log: Memory
    tokens: Path

    def client(self, **settings: Any) -> Client:
        return Client(self.target, grace=20, **settings)


@contextmanager
def running(tokens: Path, localhost: Files, **settings: Any) -> Iterator[Running]:
    log = Memory()
    tls: dict[str, Any] = {"tls_cert": str(localhost.certificate), "tls_key": str(localhost.key)}
    chosen = Settings(port=0, threads=1, **tls, **settings)
    with embedded_server(chosen, LineWriter(log)) as address:
        yield Running(f"localhost:{address.rpartition(':')[2]}", log, tokens)


@pytest.fixture(scope="module")
def tokens(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tokens") / "tokens.toml"
    path.write_text(LIST)
    return path


@pytest.fixture(scope="module")
def by_token(tokens: Path, localhost: Files) -> Iterator[Running]:
    """A server that asks for tokens over TLS."""
    with running(tokens, localhost, tokens_file=str(tokens), log_level="debug") as found:
        yield found


@pytest.fixture(scope="module")
def by_both(tokens: Path, localhost: Files, authority: Authority) -> Iterator[Running]:
    """A server that asks for certificates, and tells clients by token or certificate."""
    ca = str(authority.root)
    with running(tokens, localhost, tokens_file=str(tokens), tls_client_ca=ca) as found:
        yield found


@pytest.fixture(scope="module")
def by_certificate(tokens: Path, localhost: Files, authority: Authority) -> Iterator[Running]:
    """A server that lets in whoever has a certificate of the authority."""
    with running(tokens, localhost, tls_client_ca=str(authority.root)) as found:
        yield found


@pytest.fixture
def tls(authority: Authority) -> Tls:
    """TLS of a client without a certificate."""
    return Tls(authority.root)


@pytest.fixture
def with_certificate(authority: Authority) -> Callable[[str], Tls]:
    """TLS of a client with a certificate of some name."""

    def make(name: str) -> Tls:
        files = authority.issue(name)
        return Tls(authority.root, files.certificate, files.key)

    return make


@pytest.mark.parametrize(("token", "name"), [(PLAIN, "plain"), (HASHED, "hashed")])
def test_a_token_lets_in_and_names_the_client(
    by_token: Running, tls: Tls, token: str, name: str
) -> None:
    with by_token.client(token=token, tls=tls) as client:
        assert client.games()
    eventually(lambda: by_token.log.lines(event="call", client=name, code="OK"))


@pytest.mark.parametrize(
    ("token", "told"),
    [("", "authorization: Bearer"), (WRONG, "no such token"), (EXPIRED, "ended at 2020")],
)
def test_an_absent_wrong_or_expired_token_does_not(
    by_token: Running, tls: Tls, token: str, told: str
) -> None:
    with by_token.client(token=token, tls=tls) as client, pytest.raises(AccessDenied) as caught:
        client.games()
    assert told in str(caught.value)
    assert caught.value.code == grpc.StatusCode.UNAUTHENTICATED
    assert WRONG not in str(caught.value)
    eventually(lambda: by_token.log.lines(event="call", code="UNAUTHENTICATED"))


def test_streams_are_guarded_too(by_token: Running, tls: Tls) -> None:
    with by_token.client(token=WRONG, tls=tls) as client:
        analysis = client.analyze(dao_pb2.DaoView(), Limit(time=0.1))
        with pytest.raises(AccessDenied):
            list(analysis)


def test_without_tls_nobody_gets_in(by_token: Running) -> None:
    with by_token.client(token=PLAIN) as client, pytest.raises(Unavailable):
        client.games()


def test_a_server_of_another_authority_is_not_trusted(
    by_token: Running, make_authority: Callable[[], Authority]
) -> None:
    stranger = Tls(make_authority().root)
    with by_token.client(token=PLAIN, tls=stranger) as client, pytest.raises(Unavailable):
        client.games()


def test_search_seconds_are_given_out_by_the_minute(by_token: Running, tls: Tls) -> None:
    with by_token.client(token=BUSY, tls=tls) as client:
        position = client.start(dao_pb2.DaoOptions(), 2, seed=3)
        seat = position.seats_to_move[0]
        with pytest.raises(Overloaded, match="5 search seconds per minute") as caught:
            client.recommend(position.state, Limit(time=6), seat=seat)
        assert caught.value.retry_after is None
        # Iterations come long before the time that is reserved for them, which then comes back.
        for _ in range(3):
            client.recommend(position.state, Limit(iterations=10, time=4), seat=seat)
        client.recommend(position.state, Limit(time=1.5), seat=seat)
        with pytest.raises(Overloaded, match="are left") as refused:
            client.recommend(position.state, Limit(time=5), seat=seat)
        assert refused.value.retry_after is not None
        assert 0 < refused.value.retry_after <= 60
    assert eventually(lambda: by_token.log.lines(client="busy", code="RESOURCE_EXHAUSTED"))


def test_health_checks_need_no_token(by_token: Running, authority: Authority) -> None:
    with secure_channel(by_token, authority) as channel:
        answer = HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=20)
    assert answer.status == health_pb2.HealthCheckResponse.SERVING


def test_reflection_needs_a_token(by_token: Running, authority: Authority) -> None:
    def services(*metadata: tuple[str, str]) -> set[str]:
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        (answer,) = reflection_pb2_grpc.ServerReflectionStub(channel).ServerReflectionInfo(
            iter([request]), metadata=metadata, timeout=20
        )
        return {service.name for service in answer.list_services_response.service}

    with secure_channel(by_token, authority) as channel:
        assert "adamas.v1.RulesService" in services(("authorization", f"Bearer {PLAIN}"))
        with pytest.raises(grpc.RpcError) as caught:
            services()
    assert caught.value.code() == grpc.StatusCode.UNAUTHENTICATED


def test_a_token_is_revoked_while_the_server_runs(by_token: Running, tls: Tls) -> None:
    with by_token.client(token=PLAIN, tls=tls) as client:
        assert client.games()
        by_token.tokens.write_text(LIST.replace(PLAIN, WRONG))
        try:
            eventually(lambda: denied(client))
        finally:
            by_token.tokens.write_text(LIST)
        eventually(lambda: not denied(client))


def denied(client: Client) -> bool:
    try:
        client.games()
    except AccessDenied:
        return True
    return False


def test_a_certificate_is_asked_for(
    by_certificate: Running,
    tls: Tls,
    with_certificate: Callable[[str], Tls],
    make_authority: Callable[[], Authority],
    authority: Authority,
) -> None:
    with by_certificate.client(tls=with_certificate("bot.example")) as client:
        assert client.games()
    eventually(lambda: by_certificate.log.lines(event="call", client="bot.example", code="OK"))
    foreign = make_authority().issue("bot.example")
    for refused in (tls, Tls(authority.root, foreign.certificate, foreign.key)):
        with by_certificate.client(tls=refused) as client, pytest.raises(Unavailable):
            client.games()


def test_certificates_and_tokens_together(
    by_both: Running, tls: Tls, with_certificate: Callable[[str], Tls]
) -> None:
    with by_both.client(tls=with_certificate("host.example")) as client:
        assert client.games()
    eventually(lambda: by_both.log.lines(event="call", client="host", code="OK"))
    stranger = with_certificate("stranger.example")
    with by_both.client(tls=stranger) as client, pytest.raises(AccessDenied):
        client.games()
    with by_both.client(tls=stranger, token=HASHED) as client:
        assert client.games()
    with by_both.client(tls=tls, token=HASHED) as client, pytest.raises(Unavailable):
        client.games()


def test_a_renewed_certificate_is_used_without_a_restart(
    tmp_path: Path, make_authority: Callable[[], Authority], tokens: Path
) -> None:
    old, new = make_authority(), make_authority()
    files = old.issue("localhost")
    with running(tokens, files) as found:
        with found.client(tls=Tls(old.root)) as client:
            assert client.games()
        files.certificate.write_text("half written")
        time.sleep(1.1)
        with found.client(tls=Tls(old.root)) as client:
            assert client.games(), "the old certificate stays until there is a better one"
        renewed = new.issue("localhost")
        files.key.write_bytes(renewed.key.read_bytes())
        files.certificate.write_bytes(renewed.certificate.read_bytes())
        time.sleep(1.1)
        with found.client(tls=Tls(new.root)) as client:
            assert client.games()
    eventually(lambda: found.log.lines(event="certificates renewed"))
    eventually(lambda: found.log.lines(event="certificates not renewed"))


def test_no_secret_is_ever_logged(by_token: Running, tls: Tls, localhost: Files) -> None:
    for token in (PLAIN, HASHED, EXPIRED, WRONG):
        with by_token.client(token=token, tls=tls) as client:
            denied(client)
    with by_token.client(metadata=[("authorization", PLAIN)], tls=tls) as client:
        assert denied(client)
    with by_token.client(token=HASHED, tls=tls) as client:
        for spoilt in (f'tokn = "{WRONG}"\n', f"token = {WRONG}\n"):
            by_token.tokens.write_text(LIST + spoilt)
            eventually(partial(not_reloaded, client, by_token.log, spoilt[:4]))
    by_token.tokens.write_text(LIST)
    text = by_token.log.getvalue()
    key = localhost.key.read_text().splitlines()[1]
    for secret in (*SECRETS, key):
        assert secret not in text


def not_reloaded(client: Client, log: Memory, mistake: str) -> bool:
    """Whether a list with a mistake has been seen; calls make the server look."""
    client.games()
    told = {"tokn": "client[4].tokn", "toke": "is no TOML"}[mistake]
    return any(told in line["reason"] for line in log.lines(event="clients not reloaded"))


def secure_channel(server: Running, authority: Authority) -> grpc.Channel:
    credentials = grpc.ssl_channel_credentials(authority.root.read_bytes())
    return grpc.secure_channel(server.target, credentials)
