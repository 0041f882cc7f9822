"""Where a call comes from, and what it shows to say who makes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

_CERTIFICATE_NAMES = ("x509_common_name", "x509_subject_alternative_name")


@dataclass(frozen=True)
class Origin:
    """What the guard looks at, whichever way a call came in."""

    peer: str
    """The address in gRPC's form, such as ``ipv4:10.0.0.1:999`` or ``unix:``."""
    authorization: tuple[str, ...] = ()
    """The values of all ``authorization`` entries."""
    certificate: tuple[str, ...] = ()
    """The names in the client's certificate, the common name first."""

    @classmethod
    def of(cls, context: Any) -> Self:
        """That of a ``grpc.aio.ServicerContext``."""
        certificate = context.auth_context() or {}
        return cls(
            peer=context.peer(),
            authorization=tuple(
                value if isinstance(value, str) else value.decode("ascii", "replace")
                for key, value in context.invocation_metadata() or ()
                if key == "authorization"
            ),
            certificate=tuple(
                name.decode("utf-8", "replace")
                for key in _CERTIFICATE_NAMES
                for name in certificate.get(key, ())
                if name
            ),
        )
