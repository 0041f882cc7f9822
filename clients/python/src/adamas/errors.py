"""Everything that can go wrong, as exceptions. No call ever raises a bare `grpc.RpcError`."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import DecodeError, Message
from google.rpc import error_details_pb2, status_pb2

from adamas.v1 import advisor_service_pb2 as pb

Trailers: TypeAlias = Iterable[tuple[str, str | bytes]]

_CODES = {code.value[0]: code for code in grpc.StatusCode}

DetailT = TypeVar("DetailT", bound=Message)


class AdamasError(Exception):
    """The base of all errors of this package.

    Attributes:
        code: The gRPC status code, or None if the error arose on this side.
    """

    code: grpc.StatusCode | None = None


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing that is wrong with a request.

    Attributes:
        field: Path of the field, such as "view.diamonds.hand[3]".
        description: What is wrong and what would be right.
    """

    field: str
    description: str

    def __str__(self) -> str:
        return f"{self.field}: {self.description}"


class InvalidRequest(AdamasError):
    """The server won't do what was asked, however often: a field is wrong or a move illegal.

    Or it refuses a position whose search has crashed twice; `code` is FAILED_PRECONDITION then.

    Attributes:
        violations: What is wrong, field by field; may be empty if the message says it all.
    """

    def __init__(self, message: str, violations: Sequence[Violation] = ()) -> None:
        self.violations = tuple(violations)
        lines = [message, *(f"  {violation}" for violation in self.violations)]
        super().__init__("\n".join(lines))


class Unavailable(AdamasError):
    """No server answers, or the connection broke. Was retried already."""


class Overloaded(AdamasError):
    """The server has too much to do.

    Attributes:
        retry_after: Seconds after which the server suggests to try again, or None.
    """

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        self.retry_after = retry_after
        super().__init__(message)


class DeadlineExceeded(AdamasError, TimeoutError):
    """No answer within the time limit and the grace on top of it."""


class Cancelled(AdamasError):
    """The call was cancelled before its result was there."""


class AccessDenied(AdamasError):
    """The server does not let this client in."""


class VersionMismatch(AdamasError):
    """Client and server are of versions that do not fit."""


class ServerError(AdamasError):
    """The server failed in a way that is not this client's fault."""


class ClientClosed(AdamasError):
    """The client has been closed."""


def from_rpc_error(error: grpc.RpcError, target: str, timeout: float) -> AdamasError:
    """The exception for a call that failed.

    Args:
        error: What gRPC raised.
        target: The server's address, for the message.
        timeout: The deadline that was set, in seconds, for the message.
    """
    call: Any = error  # every RpcError of a call is a grpc.Call too, which its type does not say
    code: grpc.StatusCode = call.code()
    text = call.details() or "no reason given"
    return _from_status(code, text, _details(call.trailing_metadata()), target, timeout)


def from_search_error(error: pb.SearchError, target: str) -> AdamasError:
    """The exception for a search of a batch that failed; the same as for a call.

    Args:
        error: What the server answered.
        target: The server's address, for the message.
    """
    code = _CODES.get(error.code, grpc.StatusCode.UNKNOWN)
    return _from_status(code, error.message, error.details, target, math.inf)


def _from_status(
    code: grpc.StatusCode,
    text: str,
    details: Iterable[AnyMessage],
    target: str,
    timeout: float,
) -> AdamasError:
    translated = _translate(code, text, details, target, timeout)
    translated.code = code
    return translated


def _translate(
    code: grpc.StatusCode,
    text: str,
    details: Iterable[AnyMessage],
    target: str,
    timeout: float,
) -> AdamasError:
    match code:
        case (
            grpc.StatusCode.INVALID_ARGUMENT
            | grpc.StatusCode.FAILED_PRECONDITION
            | grpc.StatusCode.OUT_OF_RANGE
            | grpc.StatusCode.NOT_FOUND
        ):
            violations = _violations(details)
            if violations and text.startswith(f"{violations[0].field}:"):
                text = "the request is invalid"  # what follows says all that the text says
            return InvalidRequest(text, violations)
        case grpc.StatusCode.UNAVAILABLE:
            return Unavailable(f"no answer from a server at {target}: {text}")
        case grpc.StatusCode.RESOURCE_EXHAUSTED if "larger than max" in text:
            return InvalidRequest(
                f"{text}; messages from the server are limited by the channel option "
                "grpc.max_receive_message_length, messages to it by the server's settings"
            )
        case grpc.StatusCode.RESOURCE_EXHAUSTED:
            hint = _detail(details, error_details_pb2.RetryInfo())
            told = hint.HasField("retry_delay")
            return Overloaded(text, hint.retry_delay.ToNanoseconds() / 1e9 if told else None)
        case grpc.StatusCode.DEADLINE_EXCEEDED:
            return DeadlineExceeded(
                f"no answer from {target} within {timeout:g} s; a longer wait is set with "
                "`timeout` for one call or `grace` for the client"
            )
        case grpc.StatusCode.CANCELLED:
            return Cancelled(text)
        case grpc.StatusCode.UNAUTHENTICATED | grpc.StatusCode.PERMISSION_DENIED:
            return AccessDenied(text)
        case grpc.StatusCode.UNIMPLEMENTED:
            return VersionMismatch(
                f"the server at {target} does not offer this call, so it is older than this "
                f"client or no Adamas server ({text})"
            )
        case _:
            return ServerError(f"{code.name}: {text}")


def _violations(details: Iterable[AnyMessage]) -> list[Violation]:
    """What is wrong with a request, or what stands against doing what it asks for."""
    wrong = _detail(details, error_details_pb2.BadRequest()).field_violations
    against = _detail(details, error_details_pb2.PreconditionFailure()).violations
    return [
        *(Violation(violation.field, violation.description) for violation in wrong),
        *(Violation(violation.subject, violation.description) for violation in against),
    ]


def _details(trailers: Trailers | None) -> Sequence[AnyMessage]:
    """The details of the status in the trailers."""
    for key, value in trailers or ():
        if key == "grpc-status-details-bin" and isinstance(value, bytes):
            try:
                details: Sequence[AnyMessage] = status_pb2.Status.FromString(value).details
                return details
            except DecodeError:
                pass  # the plain status says enough
    return ()


def _detail(details: Iterable[AnyMessage], detail: DetailT) -> DetailT:
    """Fill `detail` from the details that came; it stays empty if there is none of its type."""
    for packed in details:
        try:
            if packed.Unpack(detail):
                break
        except DecodeError:
            detail.Clear()
    return detail
