"""An authority, and certificates that it has issued."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
import trustme


@dataclass(frozen=True)
class Files:
    """PEM files of one certificate."""

    certificate: Path
    key: Path


class Authority:
    """Issues certificates into a folder."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self._folder = folder
        self._authority = trustme.CA()
        self.root = folder / "authority.pem"
        self._authority.cert_pem.write_to_path(self.root)

    def issue(self, name: str) -> Files:
        """A certificate for a host or, by its common name, for a client."""
        issued = self._authority.issue_cert(name, common_name=name)
        files = Files(self._folder / f"{name}.pem", self._folder / f"{name}.key")
        files.certificate.write_bytes(b"".join(pem.bytes() for pem in issued.cert_chain_pems))
        issued.private_key_pem.write_to_path(files.key)
        return files


@pytest.fixture(scope="session")
def make_authority(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Authority]:
    """Makes an authority, each unknown to the others."""
    return lambda: Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="session")
def authority(make_authority: Callable[[], Authority]) -> Authority:
    """The authority that servers and their clients trust."""
    return make_authority()


@pytest.fixture(scope="session")
def localhost(authority: Authority) -> Files:
    """The server's certificate."""
    return authority.issue("localhost")
