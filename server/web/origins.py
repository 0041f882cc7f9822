"""Which pages may call: those of listed origins, and on a loopback address those of this machine.

A browser says which page calls in the header ``origin``, and asks first whether that page may
(CORS). Everybody else sends no such header and is not concerned.
"""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import urlsplit

from server.access.exposure import is_loopback

Headers = list[tuple[bytes, bytes]]
_ANY = "*"
_REQUEST_HEADERS = (
    b"authorization, connect-accept-encoding, connect-content-encoding, connect-protocol-version, "
    b"connect-timeout-ms, content-encoding, content-type, grpc-timeout, traceparent, tracestate, "
    b"x-grpc-web, x-user-agent"
)
_RESPONSE_HEADERS = b"connect-content-encoding, grpc-message, grpc-status, grpc-status-details-bin"
_SECONDS = b"7200"
"""For how long a browser may remember the answer; longer is not heeded."""


class Origins:
    """The pages that may call."""

    def __init__(self, listed: Collection[str], host: str) -> None:
        self._listed = frozenset(listed)
        self._local = is_loopback(host)

    def allow(self, origin: str) -> bool:
        """Whether pages of an origin may call."""
        if _ANY in self._listed or origin in self._listed:
            return True
        return self._local and is_loopback(_host(origin))

    @staticmethod
    def headers(origin: str) -> Headers:
        """What an answer to an allowed page carries."""
        return [
            (b"access-control-allow-origin", origin.encode("latin-1")),
            (b"access-control-expose-headers", _RESPONSE_HEADERS),
            (b"vary", b"Origin"),
        ]

    @staticmethod
    def preflight_headers() -> Headers:
        """What the answer to the question whether a page may call carries besides."""
        return [
            (b"access-control-allow-methods", b"POST"),
            (b"access-control-allow-headers", _REQUEST_HEADERS),
            (b"access-control-max-age", _SECONDS),
        ]


def _host(origin: str) -> str:
    try:
        return urlsplit(origin).hostname or ""
    except ValueError:
        return ""
