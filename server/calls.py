"""What surrounds every call: its log line, its errors, and the gate that refuses it.

One interceptor wraps the methods of Adamas's own services. A method runs with a Call as context
variable, raises ``Refused`` or ``InvalidMessage`` for what it will not answer, and anything else it
raises is a fault of the server: logged with a traceback, told to the client as an incident only.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import aclosing, asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import grpc
from google.protobuf.message import DecodeError
from grpc import aio
from grpc_status.rpc_status import to_status

from engines.violations import InvalidMessage
from server import errors
from server.errors import Refused
from server.log import Logger

Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"
Context: TypeAlias = "aio.ServicerContext[Any, Any]"


@dataclass
class Call:
    """One call: when it began, when it has to end, and what its log line says."""

    method: str
    started: float
    deadline: float | None
    fields: dict[str, Any] = field(default_factory=dict)
    client: str = ""
    """Who is calling; all calls of a client together get a fair share."""

    def note(self, **fields: Any) -> None:
        """Adds fields to the call's log line. Nothing hidden from a seat belongs there."""
        self.fields.update(fields)


_current: ContextVar[Call] = ContextVar("call")


def current_call() -> Call:
    """The call that is being handled."""
    return _current.get()


def client_address(peer: str) -> str:
    """The address of a peer without its port, which is another one for each connection."""
    kind, _, address = peer.partition(":")
    return address.rpartition(":")[0] if kind in ("ipv4", "ipv6") else peer


@dataclass
class Gate:
    """Whether calls are let in, and how many are inside."""

    max_calls: int
    refusal: Callable[[], Refused] | None = errors.starting
    """Why all calls are refused now; None lets them in."""
    active: int = 0
    _left: asyncio.Event = field(default_factory=asyncio.Event)

    def enter(self) -> None:
        """Counts a call in; raises Refused if no further call may come in."""
        if self.refusal is not None:
            raise self.refusal()
        if self.active >= self.max_calls:
            raise errors.overloaded(f"{self.active} calls are being handled already", 0.5)
        self.active += 1

    def leave(self) -> None:
        """Counts a call out."""
        self.active -= 1
        self._left.set()

    async def emptied(self) -> None:
        """Waits until no call is inside."""
        while self.active:
            self._left.clear()
            await self._left.wait()


@dataclass(frozen=True)
class _Request:
    """What arrived: a message, or why it is none."""

    message: Any
    arrived: float
    size: int
    refusal: Refused | None = None


async def _write(context: Context, response: Any) -> None:
    try:
        await context.write(response)
    except Exception as error:
        # A write fails only if the client is gone; the cancellation itself may come later.
        raise asyncio.CancelledError from error


class CallInterceptor(aio.ServerInterceptor):
    """Wraps the methods of the given services; leaves all others (health, reflection) alone."""

    def __init__(
        self, services: Collection[str], gate: Gate, logger: Logger, max_message_bytes: int
    ) -> None:
        self._services = services
        self._gate = gate
        self._logger = logger
        self._max_message_bytes = max_message_bytes
        self._wrapped: dict[str, Handler] = {}

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler | None:
        """The wrapped method."""
        method = handler_call_details.method
        if (wrapped := self._wrapped.get(method)) is not None:
            return wrapped
        handler = await continuation(handler_call_details)
        if handler is None or method.rpartition("/")[0].lstrip("/") not in self._services:
            return handler
        self._wrapped[method] = wrapped = self._wrap(method, handler)
        return wrapped

    def _wrap(self, method: str, handler: Handler) -> Handler:
        behavior: Any = handler.unary_stream if handler.response_streaming else handler.unary_unary

        async def unary(request: _Request, context: Context) -> Any:
            async with self._handling(method, request, context):
                return await behavior(request.message, context)

        async def stream(request: _Request, context: Context) -> None:
            async with (
                self._handling(method, request, context),
                aclosing(behavior(request.message, context)) as responses,
            ):
                async for response in responses:
                    await _write(context, response)

        deserialize = self._deserializer(method, handler.request_deserializer)
        if handler.response_streaming:
            return grpc.unary_stream_rpc_method_handler(
                stream, deserialize, handler.response_serializer
            )
        return grpc.unary_unary_rpc_method_handler(unary, deserialize, handler.response_serializer)

    def _deserializer(self, method: str, parse: Any) -> Callable[[bytes], _Request]:
        request_type = method.rpartition("/")[2] + "Request"

        def deserialize(data: bytes) -> _Request:
            arrived = time.monotonic()
            size, limit = len(data), self._max_message_bytes
            if size > limit:
                return _Request(None, arrived, size, errors.too_large(size, limit))
            try:
                return _Request(parse(data), arrived, size)
            except DecodeError:
                return _Request(None, arrived, size, errors.undecodable(request_type))

        return deserialize

    @asynccontextmanager
    async def _handling(
        self, method: str, request: _Request, context: Context
    ) -> AsyncIterator[None]:
        remaining: float | None = context.time_remaining()
        deadline = None if remaining is None else time.monotonic() + remaining
        call = Call(method, request.arrived, deadline, client=client_address(context.peer()))
        token = _current.set(call)
        code = grpc.StatusCode.OK
        entered = False
        try:
            self._gate.enter()
            entered = True
            if request.refusal is not None:
                raise request.refusal
            yield
        except asyncio.CancelledError:
            past = deadline is not None and time.monotonic() >= deadline
            code = grpc.StatusCode.DEADLINE_EXCEEDED if past else grpc.StatusCode.CANCELLED
            raise
        except Exception as error:
            refused = self._refused(error, call)
            code = refused.code
            status = to_status(refused.status())
            await context.abort(status.code, status.details, status.trailing_metadata)
        finally:
            if entered:
                self._gate.leave()
            _current.reset(token)
            self._log(call, request, code, context)

    def _refused(self, error: Exception, call: Call) -> Refused:
        if isinstance(error, Refused):
            call.note(reason=error.message)
            return error
        if isinstance(error, InvalidMessage):
            refused = errors.invalid_message(error)
            call.note(field=error.violations[0].field, violations=len(error.violations))
            return refused
        incident = secrets.token_hex(6)
        call.note(incident=incident)
        self._logger.error("incident", incident=incident, method=call.method, exc_info=error)
        return errors.internal(incident)

    def _log(self, call: Call, request: _Request, code: grpc.StatusCode, context: Context) -> None:
        elapsed = time.monotonic() - call.started
        request_id = getattr(request.message, "request_id", "")
        if request_id:
            call.fields.setdefault("request_id", request_id[:128])
        self._logger.info(
            "call",
            method=call.method,
            code=code.name,
            elapsed_ms=round(1000 * elapsed, 3),
            peer=context.peer(),
            bytes=request.size,
            **call.fields,
        )
