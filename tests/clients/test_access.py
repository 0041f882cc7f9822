"""What the client shows to be let in, and that it shows it to nobody else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import grpc
import pytest
import trustme

from adamas import Tls
from adamas.access import TLS_VARIABLES, TOKEN_VARIABLE, channel_credentials, token_metadata
from adamas.channels import proxy_options
from tests.clients.fake_server import FakeServer
from tests.clients.messages import VIEW, recommendation

TOKEN = "token-of-a-client-0123456789"  # noqa: S105


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (TOKEN_VARIABLE, *TLS_VARIABLES):
        monkeypatch.delenv(name, raising=False)


def test_the_token_goes_with_every_call(make_client: Any, server: FakeServer) -> None:
    client = make_client(server.target, token=TOKEN, metadata=[("x-more", "yes")])
    for _ in range(2):
        seen = server.expect("Recommend", recommendation())
        client.recommend(VIEW)
        assert seen.metadata["authorization"] == f"Bearer {TOKEN}"
        assert seen.metadata["x-more"] == "yes"
    assert TOKEN not in repr(client)


def test_no_proxy_stands_before_this_machine(
    make_client: Any, server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    server.expect("Recommend", recommendation())
    assert make_client(server.target).recommend(VIEW)
    assert proxy_options("localhost:50051")
    assert not proxy_options("bots.example:50051")


def test_the_token_may_come_from_the_environment(
    make_client: Any, server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, TOKEN)
    seen = server.expect("Recommend", recommendation())
    make_client(server.target).recommend(VIEW)
    assert seen.metadata["authorization"] == f"Bearer {TOKEN}"
    unseen = server.expect("Recommend", recommendation())
    make_client(server.target, token="").recommend(VIEW)
    assert "authorization" not in unseen.metadata


@pytest.mark.parametrize(
    ("target", "safe"),
    [
        ("localhost:50051", True),
        ("LOCALHOST:50051", True),
        ("127.0.0.1:50051", True),
        ("[::1]:50051", True),
        ("ipv4:127.0.0.1:50051", True),
        ("ipv6:[::1]:50051", True),
        ("ipv4:10.0.0.1:50051", False),
        ("dns:///localhost:50051", True),
        ("unix:/run/adamas.sock", True),
        ("games.example.org:50051", False),
        ("192.168.1.2:50051", False),
        ("localhost.example.org:50051", False),
        ("dns:///games.example.org:50051", False),
    ],
)
def test_a_token_does_not_leave_the_machine_in_plain_text(target: str, safe: bool) -> None:
    sent = (("authorization", f"Bearer {TOKEN}"),)
    assert token_metadata(TOKEN, target, encrypted=True, plaintext=False) == sent
    assert token_metadata(TOKEN, target, encrypted=False, plaintext=True) == sent
    if safe:
        assert token_metadata(TOKEN, target, encrypted=False, plaintext=False) == sent
    else:
        with pytest.raises(ValueError, match="others could read the token") as caught:
            token_metadata(TOKEN, target, encrypted=False, plaintext=False)
        assert TOKEN not in str(caught.value)


def test_a_client_says_so_before_it_connects(make_client: Any) -> None:
    with pytest.raises(ValueError, match="plaintext_token=True"):
        make_client("games.example.org:50051", token=TOKEN)


def test_tls_with_files(make_client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    authority = trustme.CA()
    issued = authority.issue_cert("localhost")
    root = tmp_path / "root.pem"
    authority.cert_pem.write_to_path(root)
    chain = b"".join(pem.bytes() for pem in issued.cert_chain_pems)
    with FakeServer((issued.private_key_pem.bytes(), chain)) as server:
        server.expect("Recommend", recommendation())
        make_client(server.target, tls=Tls(root)).recommend(VIEW)
        monkeypatch.setenv(TLS_VARIABLES[0], str(root))
        server.expect("Recommend", recommendation())
        make_client(server.target).recommend(VIEW)


def test_which_credentials_a_channel_gets() -> None:
    own = grpc.ssl_channel_credentials()
    assert channel_credentials(None, None, {}) is None
    assert channel_credentials(False, None, {TLS_VARIABLES[0]: "missing.pem"}) is None
    assert channel_credentials(None, own, {TLS_VARIABLES[0]: "missing.pem"}) is own
    assert channel_credentials(True, None, {}) is not None
    with pytest.raises(ValueError, match="give one of them"):
        channel_credentials(True, own, {})
    with pytest.raises(FileNotFoundError):
        channel_credentials(None, None, {TLS_VARIABLES[0]: "missing.pem"})
    with pytest.raises(ValueError, match="give both or neither"):
        Tls(certificate="chain.pem")
