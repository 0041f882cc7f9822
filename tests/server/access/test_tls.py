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
    with pytest.raises(OSError, match=r"pem|key|missing|text") as caught:
        Certificates(settings, make_logger(LineWriter(Memory()), "json", "info"))
    return str(caught.value)


def test_what_is_wrong_with_files(localhost: Files, authority: Authority, tmp_path: Path) -> None:
    text, missing = tmp_path / "text", tmp_path / "missing"
    text.write_text("no certificate")
    chain, key = localhost.certificate, localhost.key
    assert "are no certificate with its key" in refusal(text, key)
    assert "are no certificate with its key" in refusal(chain, authority.issue("other").key)
    assert f"can't read {missing}" in refusal(missing, key)
    assert f"{text} has no certificates" in refusal(chain, key, text)
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
