"""Certificates that can't be used are found before gRPC sees them, and told plainly."""

from __future__ import annotations

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)

from server.access.tls import Certificates
from server.log import LineWriter, make_logger
from server.settings import Settings
from tests.server.access.conftest import Authority, Files
from tests.server.positions import Memory


def refusal(chain: Path, key: Path, authorities: Path | str = "") -> str:
    settings = Settings(tls_cert=str(chain), tls_key=str(key), tls_client_ca=str(authorities))
    with pytest.raises(OSError, match=r"PEM|key|read|damaged") as caught:
        Certificates(settings, make_logger(LineWriter(Memory()), "json", "info"))
    return str(caught.value)


def test_what_is_wrong_with_files(localhost: Files, authority: Authority, tmp_path: Path) -> None:
    text, missing, damaged = tmp_path / "text", tmp_path / "missing", tmp_path / "damaged.pem"
    text.write_text("no certificate")
    chain, key, other = localhost.certificate, localhost.key, authority.issue("other").key
    damaged.write_bytes(chain.read_bytes()[:400])
    assert f"{text} has no certificate in PEM" in refusal(text, key)
    assert f"{text} has no private key in PEM" in refusal(chain, text)
    assert f"{key} has no certificate in PEM" in refusal(key, chain)
    assert f"the key in {other} is not that of the certificate in {chain}" in refusal(chain, other)
    assert f"{damaged} or {key} is damaged" in refusal(damaged, key)
    assert f"can't read {missing}: No such file" in refusal(missing, key)
    assert f"can't read {missing}: No such file" in refusal(chain, missing)
    assert f"can't read {tmp_path}: Is a directory" in refusal(tmp_path, key)


def test_what_is_wrong_with_authorities(localhost: Files, tmp_path: Path) -> None:
    text, missing, damaged = tmp_path / "text", tmp_path / "missing", tmp_path / "damaged.pem"
    text.write_text("no certificate")
    chain, key = localhost.certificate, localhost.key
    damaged.write_bytes(chain.read_bytes()[:400])
    assert f"{text} has no certificate in PEM" in refusal(chain, key, text)
    assert f"{damaged} is damaged" in refusal(chain, key, damaged)
    assert f"can't read {missing}: No such file" in refusal(chain, key, missing)


def test_a_key_with_a_password_is_refused_without_asking_for_it(
    localhost: Files, tmp_path: Path
) -> None:
    encrypted = tmp_path / "encrypted.key"
    key = load_pem_private_key(localhost.key.read_bytes(), None)
    encrypted.write_bytes(
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"secret"))
    )
    assert "give one without a password" in refusal(localhost.certificate, encrypted)
