"""The list of clients: what it may say, and how a client is found in it."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from server.access.clients import Client, Clients, InvalidClients, digest, read_clients

SHORT, ABC = "short", "abc"
TOKENS = [f"token-of-client-number-{i}-0123456789" for i in range(5)]


def entry(name: str = "bot", **fields: object) -> str:
    lines = [f"{key} = {value!r}" for key, value in fields.items()]
    return "\n".join(["[[client]]", f"name = {name!r}", *lines, ""])


def hashed(token: str) -> str:
    return digest(token).hex()


@pytest.fixture
def clients() -> Clients:
    entries = [entry(f"bot-{i}", token_sha256=hashed(token)) for i, token in enumerate(TOKENS)]
    return read_clients("\n".join(entries), "tokens")


def test_a_token_finds_its_client(clients: Clients) -> None:
    found = [clients.with_token(token) for token in TOKENS]
    assert [client.name for client in found if client] == [f"bot-{i}" for i in range(5)]


@pytest.mark.parametrize(
    "token", ["", " ", TOKENS[0][:-1], TOKENS[0] + "x", TOKENS[0].upper(), "\udcff", "ü"]
)
def test_anything_else_finds_none(clients: Clients, token: str) -> None:
    assert clients.with_token(token) is None


def test_a_token_may_be_given_itself() -> None:
    clients = read_clients(entry(token=TOKENS[0]), "tokens")
    assert clients.with_token(TOKENS[0]) is not None
    assert clients.with_token(hashed(TOKENS[0])) is None


@pytest.mark.parametrize("token", [TOKENS[0], TOKENS[2], TOKENS[-1], "unknown"])
def test_every_token_is_compared_in_constant_time_and_none_is_skipped(
    clients: Clients, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[tuple[bytes, bytes]] = []
    compare: Callable[[bytes, bytes], bool] = hmac.compare_digest

    def record(known: bytes, shown: bytes) -> bool:
        compared.append((known, shown))
        return compare(known, shown)

    monkeypatch.setattr(hmac, "compare_digest", record)
    clients.with_token(token)
    assert compared == [(digest(known), digest(token)) for known in TOKENS]


def test_a_certificate_finds_its_client() -> None:
    clients = read_clients(entry("host", certificate="bot.example"), "tokens")
    assert clients.with_certificate(["other", "bot.example"]) is clients.named("host")
    assert clients.with_certificate(["other"]) is None
    assert clients.with_token("") is None


def test_a_client_expires() -> None:
    text = entry(token=TOKENS[0]) + "expires = 2030-01-01T00:00:00Z\n"
    client = read_clients(text, "tokens").named("bot")
    assert client is not None
    assert not client.expired(datetime(2029, 12, 31, tzinfo=UTC))
    assert client.expired(datetime(2030, 1, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "client: Field required"),
        ("client = []", "client: List should have at least 1 item"),
        ("[[client]", "tokens is no TOML"),
        (entry() + "calls_at_once = " + "9" * 5000, "tokens is no TOML"),
        ("client = " + "[" * 5000, "tokens has brackets nested too deeply"),
        ("client = " + "{client = " * 5000, "tokens has brackets nested too deeply"),
        (entry(), "client[0]: give a token_sha256, a token or a certificate"),
        (entry(token=SHORT), "client[0]: the token needs at least 24 printable ASCII"),
        (entry(token="ü" * 30), "client[0]: the token needs at least 24 printable ASCII"),
        (entry(token_sha256=ABC), "client[0]: token_sha256 needs 64 hexadecimal digits"),
        (entry(token_sha256="z" * 64), "client[0]: token_sha256 needs 64 hexadecimal digits"),
        (entry(token=TOKENS[0], token_sha256="a" * 64), "give one of them"),
        (entry("a b", token=TOKENS[0]), "client[0].name"),
        (entry("", token=TOKENS[0]), "client[0].name"),
        (entry(token=TOKENS[0], calls_per_minute=0), "client[0].calls_per_minute"),
        (entry(token=TOKENS[0], calls_per_minute=0.5), "client[0].calls_per_minute"),
        (entry(token=TOKENS[0], search_seconds_per_minute=-1), "search_seconds_per_minute"),
        (entry(token=TOKENS[0], calls_at_once=0), "client[0].calls_at_once"),
        (entry(token=TOKENS[0], quota=3), "client[0].quota"),
        (entry(token=TOKENS[0]) + "expires = 2030-01-01T00:00:00", "client[0].expires"),
        (entry(token=TOKENS[0]) + entry(token=TOKENS[1]), "two clients have the name bot"),
        (
            entry(token=TOKENS[0]) + entry("other", token_sha256=hashed(TOKENS[0])),
            "two clients have the same token",
        ),
        (
            entry("a", certificate="x") + entry("b", certificate="x"),
            "two clients have the certificate x",
        ),
    ],
)
def test_mistakes_are_told_without_any_secret(text: str, told: str) -> None:
    with pytest.raises(InvalidClients) as caught:
        read_clients(text, "tokens")
    said = str(caught.value)
    assert told in said
    for secret in ("short", "abc", "zzz", "üüü", *TOKENS, *map(hashed, TOKENS)):
        assert secret not in said.removeprefix("tokens")


def test_no_representation_shows_a_secret() -> None:
    client = Client.model_validate({"name": "bot", "token": TOKENS[0]})
    other = Client.model_validate({"name": "bot", "token_sha256": hashed(TOKENS[0])})
    for shown in (repr(client), str(client), client.model_dump_json(), repr(other), str(other)):
        assert TOKENS[0] not in shown
        assert hashed(TOKENS[0]) not in shown
