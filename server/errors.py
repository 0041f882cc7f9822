"""What a call can fail with, and how that travels: google.rpc.Status with standard details.

A status travels in the trailers, for which common clients accept 8 KiB. So whatever a request
makes us say is cut to a size that fits.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NoReturn

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import (
    BadRequest,
    ErrorInfo,
    PreconditionFailure,
    QuotaFailure,
    RetryInfo,
)
from google.rpc.status_pb2 import Status
from grpc import aio
from grpc_status.rpc_status import to_status

from engines.violations import InvalidMessage, Violation

DOMAIN = "adamas"
_LONGEST_TEXT = 300
_MOST_VIOLATIONS = 20
_LARGEST_BAD_REQUEST = 3000


class Refused(Exception):
    """A call that is answered with an error on purpose."""

    def __init__(
        self,
        code: grpc.StatusCode,
        reason: str,
        message: str,
        *,
        details: Sequence[Message] = (),
        metadata: dict[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.reason = reason
        self.message = message
        info = ErrorInfo(reason=reason, domain=DOMAIN, metadata=metadata or {})
        self.details: tuple[Message, ...] = (*details, info)

    def status(self) -> Status:
        """The status that the client receives."""
        return Status(
            code=self.code.value[0],
            message=_cut(self.message),
            details=[_pack(detail) for detail in self.details],
        )

    async def abort(self, context: aio.ServicerContext[Any, Any]) -> NoReturn:
        """Ends a call with that status."""
        status = to_status(self.status())
        await context.abort(status.code, status.details, status.trailing_metadata)


def invalid_message(error: InvalidMessage) -> Refused:
    """INVALID_ARGUMENT, with every violation as far as they fit."""
    bad_request = BadRequest()
    for violation in error.violations[:_MOST_VIOLATIONS]:
        bad_request.field_violations.add(
            field=_cut(violation.field), description=_cut(violation.description)
        )
        if bad_request.ByteSize() > _LARGEST_BAD_REQUEST:
            del bad_request.field_violations[-1]
            break
    return Refused(
        grpc.StatusCode.INVALID_ARGUMENT,
        "INVALID_FIELD",
        _in_one_line(error.violations),
        details=[bad_request],
        metadata={"violations": str(len(error.violations))},
    )


def _in_one_line(violations: Sequence[Violation]) -> str:
    """As many violations as fit, at least the start of the first, and how many more there are."""
    told = [f"{violation.field}: {violation.description}" for violation in violations]
    for shown in range(len(told), 0, -1):
        tail = f" (and {len(told) - shown} more)" if shown < len(told) else ""
        line = "; ".join(told[:shown])
        if len(line) + len(tail) <= _LONGEST_TEXT:
            return line + tail
    return _cut(line, _LONGEST_TEXT - len(tail)) + tail


def undecodable(type_name: str, how: str = "in protobuf encoding") -> Refused:
    """The bytes are no message of the type."""
    return Refused(
        grpc.StatusCode.INVALID_ARGUMENT,
        "UNDECODABLE_MESSAGE",
        _cut(f"the request is not a {type_name} {how}"),
    )


def too_large(size: int, limit: int) -> Refused:
    """The request is longer than this server accepts."""
    return Refused(
        grpc.StatusCode.INVALID_ARGUMENT,
        "MESSAGE_TOO_LARGE",
        f"the request has {size} bytes; this server accepts {limit} (its setting "
        "--max-message-bytes)",
    )


def too_slow(seconds: float) -> Refused:
    """The rest of the request is not there in time."""
    return Refused(
        grpc.StatusCode.DEADLINE_EXCEEDED,
        "REQUEST_TOO_SLOW",
        f"the whole request has to be there within {seconds:g} s",
    )


def overloaded(message: str, retry_seconds: float) -> Refused:
    """There is too much to do; trying again later may help."""
    return Refused(
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        "OVERLOADED",
        message,
        details=[_retry_info(retry_seconds)],
    )


def unauthenticated(reason: str, message: str) -> Refused:
    """Nobody knows who calls."""
    return Refused(grpc.StatusCode.UNAUTHENTICATED, reason, message)


def quota_exceeded(
    client: str, quota: str, limit: float, message: str, retry_seconds: float | None
) -> Refused:
    """A client asks for more than it may; None: trying the same again does not help."""
    told = f"the quota of {client} is {limit:g} {quota}; {message}"
    failure = QuotaFailure()
    failure.violations.add(
        subject=f"client:{client}",
        description=_cut(told),
        quota_metric=quota.replace(" ", "_"),
        quota_value=int(limit),
    )
    retry = [] if retry_seconds is None else [_retry_info(retry_seconds)]
    return Refused(
        grpc.StatusCode.RESOURCE_EXHAUSTED, "QUOTA_EXCEEDED", told, details=[failure, *retry]
    )


def starting() -> Refused:
    """The rules are still being loaded."""
    return Refused(
        grpc.StatusCode.UNAVAILABLE,
        "STARTING",
        "the server is starting: compiled rules are being loaded",
        details=[_retry_info(1.0)],
    )


def shutting_down() -> Refused:
    """The server takes no more calls."""
    return Refused(
        grpc.StatusCode.UNAVAILABLE,
        "SHUTTING_DOWN",
        "the server is shutting down",
        details=[_retry_info(1.0)],
    )


def worker_died() -> Refused:
    """The process that had the search has ended. Another one takes the next call."""
    return Refused(
        grpc.StatusCode.UNAVAILABLE,
        "WORKER_DIED",
        "the search was lost, as the process that had it has ended; ask again",
        details=[_retry_info(0.1)],
    )


def quarantined(path: str, fingerprint: str, seconds: float) -> Refused:
    """The search has ended a worker that it had for itself; trying it again does harm."""
    left = math.ceil(seconds)
    told = (
        "the search of this position ended the process that ran it, again when it was tried alone, "
        f"so it is refused for another {left} s; ask about another position, and report this one "
        f"together with the server's log of fingerprint {fingerprint}"
    )
    failure = PreconditionFailure()
    failure.violations.add(type="QUARANTINED", subject=path, description=_cut(told))
    return Refused(
        grpc.StatusCode.FAILED_PRECONDITION,
        "QUARANTINED",
        f"{path}: {told}",
        details=[failure],
        metadata={"fingerprint": fingerprint, "seconds": str(left)},
    )


def cancelled() -> Refused:
    """The client has cancelled the search."""
    return Refused(grpc.StatusCode.CANCELLED, "CANCELLED", "the client cancelled this search")


def internal(incident: str) -> Refused:
    """A fault of the server. What happened is in its log, under the incident."""
    return Refused(
        grpc.StatusCode.INTERNAL,
        "INTERNAL",
        f"the server failed on this request; its log has the details as incident {incident}",
        metadata={"incident": incident},
    )


def _retry_info(seconds: float) -> RetryInfo:
    fraction, whole = math.modf(seconds)
    return RetryInfo(retry_delay=Duration(seconds=int(whole), nanos=int(fraction * 1e9)))


def _pack(message: Message) -> AnyMessage:
    packed = AnyMessage()
    packed.Pack(message)
    return packed


def _cut(text: str, longest: int = _LONGEST_TEXT) -> str:
    return text if len(text) <= longest else text[: longest - 3] + "..."
