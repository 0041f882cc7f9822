"""`adamas doctor`."""

from pathlib import Path

import pytest
import trustme

from adamas.v1 import rules_service_pb2 as rules
from tests.clients.command.scripts import SUMMARY, Run
from tests.clients.fake_server import Code, Failure, FakeServer


def test_a_doctor_who_finds_nothing(run: Run, server: FakeServer) -> None:
    for _ in range(2):
        server.expect("ListGames", rules.ListGamesResponse(games=[SUMMARY], server_version="1.2"))
    assert run("doctor") == 0
    assert "ok  server: 1.2, answers within" in run.out
    assert "plays dao" in run.out


def test_a_doctor_without_a_server(run: Run) -> None:
    assert run("doctor", "--server", "127.0.0.1:1") == 1
    assert "no  connection: Connection refused; nothing listens there" in run.out


def test_a_doctor_at_a_name_that_is_none(run: Run) -> None:
    assert run("doctor", "--server", "no-such-host.invalid:1", "--json") == 1
    assert run.values[0][-1]["what"] == "address"


def test_a_doctor_who_is_not_let_in(run: Run, server: FakeServer) -> None:
    server.expect("ListGames", Failure(Code.UNAUTHENTICATED, "no token"))
    assert run("doctor") == 1
    assert "no  server: no token; a token goes into ADAMAS_CLIENT_TOKEN" in run.out


def test_a_doctor_of_another_time(run: Run, server: FakeServer) -> None:
    new = rules.GameSummary(game_id="go", name="Go", min_seats=2, max_seats=2)
    for _ in range(2):
        server.expect("ListGames", rules.ListGamesResponse(games=[new]))
    assert run("doctor") == 0
    assert "ok  server: too old to say which version, answers within" in run.out
    assert "hm  games: this client is too old to know go" in run.out


@pytest.fixture
def authority() -> trustme.CA:
    return trustme.CA()


def test_a_doctor_and_tls(
    run: Run, authority: trustme.CA, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = authority.issue_cert("localhost")
    key = certificate.private_key_pem.bytes()
    chain = b"".join(blob.bytes() for blob in certificate.cert_chain_pems)
    root = tmp_path / "authority.pem"
    root.write_bytes(authority.cert_pem.bytes())
    with FakeServer((key, chain)) as server:
        target = server.target.replace("127.0.0.1", "localhost")
        for _ in range(2):
            server.expect("ListGames", rules.ListGamesResponse(games=[SUMMARY]))
        monkeypatch.setenv("ADAMAS_CLIENT_TLS_ROOT", str(root))
        assert run("doctor", "--server", target) == 0
        assert "the certificate is trusted, and valid for" in run.out
    with FakeServer((key, chain)) as server:
        target = server.target.replace("127.0.0.1", "localhost")
        monkeypatch.delenv("ADAMAS_CLIENT_TLS_ROOT")
        assert run("doctor", "--server", target, "--tls") == 1
        assert "no  TLS: unable to get local issuer certificate; by the clock here" in run.out
