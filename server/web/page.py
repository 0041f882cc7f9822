"""What a browser is shown that comes to see what is here."""

from __future__ import annotations

from collections.abc import Collection
from html import escape

from server.web.arrival import Scope, header
from server.web.origins import Headers

_CURL = "curl -H 'Content-Type: application/json' -d '{}' "
_LIST_GAMES = "adamas.v1.RulesService/ListGames"
_HEADERS: Headers = [
    (b"content-security-policy", b"default-src 'none'; style-src 'unsafe-inline'"),
    (b"x-content-type-options", b"nosniff"),
    (b"cache-control", b"no-store"),
]


def page(scope: Scope, paths: Collection[str]) -> tuple[bytes, Headers]:
    """A short page: what this is, and how it is called. As text for whoever asks for no HTML."""
    host = next(iter(header(scope, b"host")), "")
    address = f"{scope['scheme']}://{host or 'localhost'}"
    told = _text(address, paths)
    if "text/html" not in ",".join(header(scope, b"accept")):
        return told.encode(), [(b"content-type", b"text/plain; charset=utf-8"), *_HEADERS]
    html = (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Adamas</title>'
        "<style>body{font:16px/1.5 system-ui;margin:3rem auto;max-width:60rem;padding:0 1rem}"
        f"pre{{white-space:pre-wrap}}</style><pre>{escape(told)}</pre></html>\n"
    )
    return html.encode(), [(b"content-type", b"text/html; charset=utf-8"), *_HEADERS]


def _text(address: str, paths: Collection[str]) -> str:
    methods = "\n".join(f"  {address}{path}" for path in paths)
    return (
        "Adamas: an AI opponent for card and board games with hidden information.\n\n"
        "This port answers Connect and gRPC-Web, for browsers and curl. Each method is called\n"
        "with POST; requests and answers may be JSON:\n\n"
        f"  {_CURL}{address}/{_LIST_GAMES}\n\n"
        f"Methods:\n\n{methods}\n\n"
        "docs/api.md describes them, and the clients that there are.\n"
    )
