"""What a client shows to be let in, and how it knows the server."""

import ipaddress
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import grpc

TOKEN_VARIABLE = "ADAMAS_CLIENT_TOKEN"  # noqa: S105  (a name)
TLS_VARIABLES = ("ADAMAS_CLIENT_TLS_ROOT", "ADAMAS_CLIENT_TLS_CERT", "ADAMAS_CLIENT_TLS_KEY")


@dataclass(frozen=True, slots=True)
class Tls:
    """TLS by PEM files. Without any, the server needs a certificate that this machine trusts.

    Attributes:
        root: Certificates of the authorities to trust; None: those that gRPC brings along.
        certificate: This client's own certificate chain, for servers that ask for one.
        key: The private key of `certificate`.
    """

    root: str | Path | None = None
    certificate: str | Path | None = None
    key: str | Path | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Check that certificate and key come together; raises ValueError."""
        if (self.certificate is None) != (self.key is None):
            raise ValueError("certificate and key go together: give both or neither")

    def credentials(self) -> grpc.ChannelCredentials:
        """Read the files, for a channel; raises OSError if one can't be read."""
        root, certificate, key = (
            None if path is None else Path(path).read_bytes()
            for path in (self.root, self.certificate, self.key)
        )
        return grpc.ssl_channel_credentials(root, key, certificate)


def channel_credentials(
    tls: Tls | bool | None,
    credentials: grpc.ChannelCredentials | None,
    environment: Mapping[str, str] = os.environ,
) -> grpc.ChannelCredentials | None:
    """The credentials of a channel; None: no TLS.

    Args:
        tls: What the caller said; None: as the environment says.
        credentials: gRPC's own credentials, given instead.
        environment: Where the files may be named.
    """
    if credentials is not None:
        if tls:
            raise ValueError("tls and credentials say the same: give one of them")
        return credentials
    if tls is None:
        root, certificate, key = (environment.get(name) or None for name in TLS_VARIABLES)
        tls = Tls(root, certificate, key) if root or certificate else False
    if tls is True:
        tls = Tls()
    return tls.credentials() if tls else None


def token_metadata(
    token: str | None,
    target: str,
    *,
    encrypted: bool,
    plaintext: bool,
    environment: Mapping[str, str] = os.environ,
) -> tuple[tuple[str, str], ...]:
    """The metadata entry that carries a token.

    Args:
        token: The token; None: the environment's, if it has one; "": none.
        target: Where it would be sent.
        encrypted: Whether the channel has TLS.
        plaintext: Whether the caller lets it be sent without.
        environment: Where a token may be found.

    Raises:
        ValueError: If others could read the token on its way.
    """
    if token is None:
        token = environment.get(TOKEN_VARIABLE, "")
    if not token:
        return ()
    if not encrypted and not plaintext and not is_loopback(target):
        raise ValueError(
            f"without TLS, others could read the token on its way to {target}; set tls, or "
            "plaintext_token=True where the way is safe"
        )
    return (("authorization", f"Bearer {token}"),)


def is_loopback(target: str) -> bool:
    """Whether what is sent to a target stays on this machine."""
    if target.startswith(("unix:", "unix-abstract:")):
        return True
    target = target.removeprefix("ipv4:").removeprefix("ipv6:")
    host = target.rpartition(":")[0].rpartition("/")[2].strip("[]") or target
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
