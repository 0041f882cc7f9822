"""TLS of the server: certificates are checked before use, and renewed without a restart."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from pathlib import Path

import grpc

from server.access.files import Watched
from server.log import Logger
from server.settings import Settings

_MISMATCHES = {"KEY_VALUES_MISMATCH", "KEY_TYPE_MISMATCH"}


class Certificates:
    """The server's certificate, and with ``tls_client_ca`` those of clients that are let in."""

    def __init__(self, settings: Settings, logger: Logger) -> None:
        """Raises OSError, with a plain sentence, if the files can't be used."""
        self._logger = logger
        self._chain, self._key = Path(settings.tls_cert), Path(settings.tls_key)
        self._authorities = Path(settings.tls_client_ca) if settings.tls_client_ca else None
        files = (self._chain, self._key, self._authorities)
        self._watched = Watched([file for file in files if file is not None])
        self._first = self._read()

    def credentials(self) -> grpc.ServerCredentials:
        """For a secure port. New connections get what is in the files at their time."""
        return grpc.dynamic_ssl_server_credentials(
            self._first,
            self._renewed,  # type: ignore[arg-type]  # the stubs leave out that None is an answer
            require_client_authentication=self._authorities is not None,
        )

    def contexts(self) -> Callable[[], ssl.SSLContext]:
        """For HTTP: gives what new connections get, which is what is in the files at their time."""
        context = self._check()

        def current() -> ssl.SSLContext:
            nonlocal context
            if self._watched.changed():
                try:
                    context = self._check()
                except OSError as error:
                    self._logger.error("certificates not renewed", reason=str(error))
                else:
                    self._logger.info("certificates renewed")
            return context

        return current

    def _renewed(self) -> grpc.ServerCertificateConfiguration | None:
        """The certificates if they have changed; called by gRPC's threads at each handshake."""
        if not self._watched.changed():
            return None
        try:
            found = self._read()
        except OSError as error:
            self._logger.error("certificates not renewed", reason=str(error))
            return None
        self._logger.info("certificates renewed")
        return found

    def _read(self) -> grpc.ServerCertificateConfiguration:
        self._check()
        return grpc.ssl_server_certificate_configuration(
            [(self._key.read_bytes(), self._chain.read_bytes())],
            root_certificates=self._authorities.read_bytes() if self._authorities else None,
        )

    def _check(self) -> ssl.SSLContext:
        """Raises OSError if the files are missing or don't belong together; gRPC says less."""
        _check_has("certificate", self._chain)
        _check_has("private key", self._key)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.set_alpn_protocols(["h2", "http/1.1"])
        try:
            context.load_cert_chain(self._chain, self._key, password=_no_password)
        except ssl.SSLError as error:
            if error.reason in _MISMATCHES:
                why = f"the key in {self._key} is not that of the certificate in {self._chain}"
            else:
                why = f"{self._chain} or {self._key} is damaged{_because(error)}"
            raise OSError(why) from None
        except OSError as error:
            raise OSError(f"can't use {self._key}: {error.strerror}") from None
        if self._authorities is None:
            return context
        _check_has("certificate", self._authorities)
        try:
            context.load_verify_locations(self._authorities)
        except ssl.SSLError as error:
            raise OSError(f"{self._authorities} is damaged{_because(error)}") from None
        context.verify_mode = ssl.CERT_REQUIRED
        return context


def _check_has(what: str, file: Path) -> None:
    """Raises OSError if a file can't be read, or has no PEM of some kind at all."""
    try:
        found = file.read_bytes()
    except OSError as error:
        raise OSError(f"can't read {file}: {error.strerror}") from None
    if f"{what.upper()}-----".encode() not in found:
        raise OSError(f"{file} has no {what} in PEM")


def _because(error: ssl.SSLError) -> str:
    """What OpenSSL says, which often is nothing."""
    return f": {error.reason}" if error.reason else ""


def _no_password() -> str:
    """Stands in for asking on the terminal, which a server can't do."""
    raise OSError(0, "the key is encrypted; give one without a password")
