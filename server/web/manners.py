"""What is wrong with the head of a request, in words that help whoever sent it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from connectrpc.method import StreamType

from server.web.arrival import Scope, header

_LARGEST_HEAD = 16 * 1024
"""Bytes of all headers together, as over gRPC."""
_FORM = "application/x-www-form-urlencoded"
_JSON = "application/json"
_UNARY = frozenset({_JSON, "application/proto"})
_STREAM = frozenset({"application/connect+json", "application/connect+proto"})
_GRPC_WEB = frozenset(
    {"application/grpc-web", "application/grpc-web+proto", "application/grpc-web+json"}
)
_GRPC = frozenset({"application/grpc", "application/grpc+proto", "application/grpc+json"})
_ANY, _GRPC_PREFIX = "application/", "application/grpc"
_TRAILERS = "http.response.trailers"


@dataclass(frozen=True)
class Problem:
    """Why a request is answered without looking at its body."""

    status: int
    code: str
    """Connect's name of the error, the one that its clients conclude from the status."""
    message: str
    headers: tuple[tuple[bytes, bytes], ...] = ()

    def told(self, scope: Scope) -> tuple[bytes, list[tuple[bytes, bytes]]]:
        """The body and the headers that say so: JSON for whoever may speak Connect, else text."""
        content = _content_type(scope)
        if content and (content.startswith(_GRPC_PREFIX) or not content.startswith(_ANY)):
            body, kind = self.message, b"text/plain; charset=utf-8"
        else:
            error = {"code": self.code, "message": self.message}
            body, kind = json.dumps(error, ensure_ascii=False), b"application/json"
        return f"{body}\n".encode(), [(b"content-type", kind), *self.headers]


def problem(scope: Scope, endpoints: Mapping[str, Any]) -> Problem | None:
    """What is wrong, if something is."""
    if sum(len(key) + len(value) for key, value in scope["headers"]) > _LARGEST_HEAD:
        return Problem(431, "invalid_argument", f"the headers have more than {_LARGEST_HEAD} bytes")
    if not all(_is_text(key) and _is_text(value) for key, value in scope["headers"]):
        return Problem(400, "invalid_argument", "a header is not in UTF-8")
    endpoint = endpoints.get(scope["path"])
    if endpoint is None:
        return Problem(404, "unimplemented", _unknown(scope["path"], endpoints))
    if scope["method"] != "POST":
        message = f"{scope['path']} is called with POST, not {scope['method']}"
        return Problem(405, "unknown", message, ((b"allow", b"POST"),))
    return _content_problem(scope, streams=endpoint.method.stream_type is not StreamType.UNARY)


def as_json(scope: Scope) -> Scope:
    """The request with JSON for the content type that ``curl -d`` names by itself.

    A page can't use that to call without being asked for its origin: its origin is looked at first.
    """
    if _content_type(scope) != _FORM:
        return scope
    others = [entry for entry in scope["headers"] if entry[0] != b"content-type"]
    return {**scope, "headers": [*others, (b"content-type", _JSON.encode())]}


def _content_problem(scope: Scope, *, streams: bool) -> Problem | None:
    content = _content_type(scope)
    if content in _GRPC_WEB or (not streams and content in _UNARY):
        return None
    if streams and content in _STREAM:
        return None
    if content in _GRPC:
        if _TRAILERS in scope["extensions"]:
            return None
        message = "gRPC needs HTTP/2; call over it, or use gRPC-Web or Connect"
    else:
        usual = sorted(_STREAM if streams else _UNARY)
        message = (
            f"{scope['path']} takes no {content or 'body without a content-type'}; send "
            f"{' or '.join(usual)} (Connect), or application/grpc-web+proto (gRPC-Web)"
        )
    accepted = ", ".join(sorted(_GRPC_WEB | (_STREAM if streams else _UNARY)))
    return Problem(415, "unknown", message, ((b"accept-post", accepted.encode()),))


def _content_type(scope: Scope) -> str:
    return next(iter(header(scope, b"content-type")), "").partition(";")[0].strip().lower()


def _unknown(path: str, endpoints: Mapping[str, Any]) -> str:
    """What is said about a path that leads nowhere."""
    service, _, method = path.removeprefix("/").partition("/")
    known = [name.split("/")[2] for name in endpoints if name.split("/")[1] == service]
    if known:
        return f"{service} has no method {method[:100]}; it has {', '.join(known)}"
    services = sorted({name.split("/")[1] for name in endpoints})
    return (
        f"there is nothing at {path[:100]}; methods are at /SERVICE/METHOD of {', '.join(services)}"
    )


def _is_text(value: bytes) -> bool:
    try:
        value.decode()
    except UnicodeDecodeError:
        return False
    return True
