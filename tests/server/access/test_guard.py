"""Who makes a call: tokens, certificates, addresses, and a list that changes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from server.access.files import Watched
from server.access.guard import Guard
from server.access.origin import Origin
from server.errors import Refused
from server.log import LineWriter, make_logger
from server.settings import Settings
from tests.server.positions import Memory

TOKEN, OTHER = "the-token-of-the-bot-0123456789", "another-token-altogether-0123456"
LIST = f'[[client]]\nname = "bot"\ntoken = "{TOKEN}"\ncalls_per_minute = 2\n'
TLS: dict[str, Any] = {"tls_cert": "chain.pem", "tls_key": "key.pem"}


def origin(
    *authorization: str, names: tuple[str, ...] = (), peer: str = "ipv4:10.0.0.1:999"
) -> Origin:
    return Origin(peer, authorization, names)


def bearer(token: str = TOKEN) -> Origin:
    return origin(f"Bearer {token}")


def guard(log: Memory | None = None, **settings: Any) -> Guard:
    logger = make_logger(LineWriter(log or Memory()), "json", "info")
    return Guard(Settings(**settings), logger)


def reason(guard: Guard, of: Origin) -> str:
    with pytest.raises(Refused) as caught:
        guard.identify(of)
    assert caught.value.code.name == "UNAUTHENTICATED"
    return caught.value.reason


def test_a_token_says_who_calls() -> None:
    found = guard(tokens=LIST)
    assert found.identify(bearer()).name == "bot"
    assert found.identify(origin(f"bearer  {TOKEN} ")).name == "bot"


@pytest.mark.parametrize(
    ("of", "expected"),
    [
        (origin(), "TOKEN_MISSING"),
        (origin("Basic dXNlcjpwYXNz"), "TOKEN_MALFORMED"),
        (origin(TOKEN), "TOKEN_MALFORMED"),
        (origin("Bearer"), "TOKEN_UNKNOWN"),
        (origin(f"Bearer {OTHER}"), "TOKEN_UNKNOWN"),
        (origin(f"Bearer {TOKEN}x"), "TOKEN_UNKNOWN"),
        (origin(f"Bearer {OTHER}", f"Bearer {TOKEN}"), "TOKEN_UNKNOWN"),
    ],
)
def test_who_is_not_known_is_refused(of: Origin, expected: str) -> None:
    assert reason(guard(tokens=LIST), of) == expected


def test_an_expired_token_is_refused() -> None:
    text = f"{LIST}expires = 2020-01-01T00:00:00Z\n"
    assert reason(guard(tokens=text), bearer()) == "ACCESS_EXPIRED"


def test_certificates_count_only_where_the_server_asks_for_them() -> None:
    text = '[[client]]\nname = "host"\ncertificate = "host.example"\n'
    host = origin(names=("host.example",))
    assert reason(guard(tokens=text), host) == "TOKEN_MISSING"
    asking = guard(tokens=text, tls_client_ca="ca.pem", **TLS)
    assert asking.identify(host).name == "host"
    assert reason(asking, origin(names=("other.example",))) == "TOKEN_MISSING"
    assert reason(asking, origin()) == "TOKEN_MISSING"


def test_a_wrong_token_is_not_made_good_by_a_certificate() -> None:
    text = '[[client]]\nname = "host"\ncertificate = "host.example"\n'
    asking = guard(tokens=text, tls_client_ca="ca.pem", **TLS)
    wrong = origin("Bearer wrong", names=("host.example",))
    assert reason(asking, wrong) == "TOKEN_UNKNOWN"


@pytest.mark.parametrize(
    ("peer", "name"),
    [
        ("ipv4:10.0.0.1:999", "10.0.0.1"),
        ("ipv6:[::1]:5", "::1"),
        ("ipv6:%5Bfe80::1%25eth0%5D:5", "fe80::1%eth0"),
        ("unix:", "unix"),
    ],
)
def test_without_a_list_a_client_is_an_address(peer: str, name: str) -> None:
    assert guard().identify(origin(peer=peer)).name == name


def test_with_mutual_tls_alone_a_client_is_its_certificate() -> None:
    asking = guard(tls_client_ca="ca.pem", **TLS)
    assert asking.identify(origin(names=("bot", "bot.example"))).name == "bot"


def test_an_address_has_a_limit_of_its_own() -> None:
    found = guard(max_client_calls=1)
    first = found.identify(origin())
    with first.account.calling():
        with pytest.raises(Refused), found.identify(origin()).account.calling():
            pass
        with found.identify(origin(peer="ipv4:10.0.0.2:1")).account.calling():
            pass
    with found.identify(origin()).account.calling():
        pass


def test_the_quota_of_a_token_holds_over_connections() -> None:
    found = guard(tokens=LIST)
    for _ in range(2):
        with found.identify(bearer()).account.calling():
            pass
    caller = found.identify(bearer())
    with pytest.raises(Refused, match="2 calls per minute"), caller.account.calling():
        pass


class TestReload:
    """A list that changes while the server runs."""

    @pytest.fixture
    def file(self, tmp_path: Path) -> Path:
        path = tmp_path / "tokens.toml"
        path.write_text(LIST)
        return path

    @pytest.fixture
    def log(self) -> Memory:
        return Memory()

    @pytest.fixture
    def found(self, file: Path, log: Memory) -> Guard:
        return guard(log, tokens_file=str(file))

    def test_a_byte_order_mark_is_no_mistake(self, file: Path, found: Guard) -> None:
        file.write_text(LIST.replace(TOKEN, OTHER), encoding="utf-8-sig")
        found.reload()
        assert found.identify(bearer(OTHER)).name == "bot"

    def test_a_token_can_be_revoked_and_added(self, file: Path, found: Guard) -> None:
        caller = found.identify(bearer())
        file.write_text(LIST.replace(TOKEN, OTHER))
        found.reload()
        assert reason(found, bearer()) == "TOKEN_UNKNOWN"
        assert found.identify(bearer(OTHER)).name == "bot"
        # A long call that came with the old token gets no further search.
        with pytest.raises(Refused) as caught, caller.thinking(1):
            pass
        assert caught.value.reason == "ACCESS_REVOKED"

    def test_quotas_change_for_callers_that_are_there(self, file: Path, found: Guard) -> None:
        caller = found.identify(bearer())
        file.write_text(LIST + "search_seconds_per_minute = 1\n")
        found.reload()
        with pytest.raises(Refused, match="1 search seconds per minute"), caller.thinking(2):
            pass

    def test_a_list_that_can_not_be_used_changes_nothing(
        self, file: Path, found: Guard, log: Memory
    ) -> None:
        file.write_text(LIST + f'token_sha265 = "{OTHER}"\n')
        found.reload()
        assert found.identify(bearer()).name == "bot"
        file.write_text(LIST + "nested = " + "[" * 5000)
        found.reload()
        assert found.identify(bearer()).name == "bot"
        file.unlink()
        found.reload()
        assert found.identify(bearer()).name == "bot"
        found._logger.info("end")
        while "end" not in log.getvalue():
            pass
        lines = [json.loads(line) for line in log.getvalue().splitlines()]
        assert [line["event"] for line in lines[:3]] == ["clients not reloaded"] * 3
        assert "token_sha265" in lines[0]["reason"]
        assert "nested too deeply" in lines[1]["reason"]
        assert TOKEN not in log.getvalue()
        assert OTHER not in log.getvalue()


def test_a_file_is_looked_at_once_a_second(tmp_path: Path) -> None:
    now = 0.0
    path = tmp_path / "file"
    path.write_text("one")
    watched = Watched([path], lambda: now)
    path.write_text("other")
    assert not watched.changed()
    now = 1.0
    assert watched.changed()
    now = 2.0
    assert not watched.changed()
    path.unlink()
    now = 3.0
    assert watched.changed()
