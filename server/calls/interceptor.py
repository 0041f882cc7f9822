"""Surrounds every call with its log line, its errors, and the gate that refuses it.

One interceptor wraps the methods of Adamas's own services. A method runs with a Call as context
variable, raises ``Refused`` or ``InvalidMessage`` for what it will not answer, and anything else it
raises is a fault of the server: logged with a traceback, told to the client as an incident only.

A method that takes a stream of requests is given a ``RequestStream``. Each request of it is handled
like a call of its own, with its own Call, log line and error.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator
from contextlib import aclosing, asynccontextmanager, contextmanager
from typing import Any, TypeAlias

import grpc
from google.protobuf.message import DecodeError
from grpc import aio

from engines.violations import InvalidMessage
from server import errors
from server.access.guard import Guard
from server.calls.call import Call, current
from server.calls.gate import Gate
from server.calls.stream import Context, Received, RequestStream
from server.errors import Refused
from server.log import Logger
from server.telemetry.telemetry import Telemetry

Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"


async def _write(context: Context, response: Any) -> None:
    try:
        await context.write(response)
    except Exception as error:
        # A write fails only if the client is gone; the cancellation itself may come later.
        raise asyncio.CancelledError from error


class CallInterceptor(aio.ServerInterceptor):
    """Wraps the methods of the given services; leaves all others (health, reflection) alone."""

    def __init__(
        self,
        services: Collection[str],
        gate: Gate,
        guard: Guard,
        logger: Logger,
        telemetry: Telemetry,
        max_message_bytes: int,
    ) -> None:
        self._services = services
        self._gate = gate
        self._guard = guard
        self._logger = logger
        self._telemetry = telemetry
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
        behavior: Any = (
            handler.stream_stream or handler.unary_stream or handler.unary_unary
        )  # the only kinds that there are here

        async def unary(request: Received, context: Context) -> Any:
            async with self._handling(method, request, context):
                return await behavior(request.message, context)

        async def stream(request: Received, context: Context) -> None:
            async with (
                self._handling(method, request, context),
                aclosing(behavior(request.message, context)) as responses,
            ):
                async for response in responses:
                    await _write(context, response)

        async def both_stream(_: Any, context: Context) -> None:
            async with (
                self._handling(method, Received(None, time.monotonic(), 0), context) as call,
                aclosing(RequestStream(call, context, self._gate, self._record)) as requests,
                aclosing(behavior(requests, context)) as responses,
            ):
                async for response in responses:
                    await _write(context, response)

        deserialize = self._deserializer(method, handler.request_deserializer)
        serialize = handler.response_serializer
        if handler.request_streaming:
            return grpc.stream_stream_rpc_method_handler(both_stream, deserialize, serialize)
        if handler.response_streaming:
            return grpc.unary_stream_rpc_method_handler(stream, deserialize, serialize)
        return grpc.unary_unary_rpc_method_handler(unary, deserialize, serialize)

    def _deserializer(self, method: str, parse: Any) -> Callable[[bytes], Received]:
        request_type = method.rpartition("/")[2] + "Request"

        def deserialize(data: bytes) -> Received:
            arrived = time.monotonic()
            size, limit = len(data), self._max_message_bytes
            if size > limit:
                return Received(None, arrived, size, errors.too_large(size, limit))
            try:
                return Received(parse(data), arrived, size)
            except DecodeError:
                return Received(None, arrived, size, errors.undecodable(request_type))

        return deserialize

    @asynccontextmanager
    async def _handling(
        self, method: str, request: Received, context: Context
    ) -> AsyncIterator[Call]:
        """Surrounds a call with the gate, its log line and the status that it fails with."""
        remaining: float | None = context.time_remaining()
        deadline = None if remaining is None else time.monotonic() + remaining
        call = Call(method, context.peer(), request.arrived, deadline, request.size)
        entered = False
        try:
            with self._record("call", call, request.message):
                call.caller = self._guard.identify(context)
                self._gate.enter()
                entered = True
                with call.caller.account.calling():
                    if request.refusal is not None:
                        raise request.refusal
                    yield call
        except Refused as refused:
            await refused.abort(context)
        finally:
            if entered:
                self._gate.leave()

    @contextmanager
    def _record(self, event: str, call: Call, message: Any) -> Iterator[None]:
        token = current.set(call)
        code = grpc.StatusCode.OK
        try:
            yield
        except asyncio.CancelledError:
            past = call.deadline is not None and time.monotonic() >= call.deadline
            code = grpc.StatusCode.DEADLINE_EXCEEDED if past else grpc.StatusCode.CANCELLED
            raise
        except Exception as error:
            refused = self._refused(error, call)
            code = refused.code
            raise refused from None
        finally:
            current.reset(token)
            self._log(event, call, message, code)

    def _refused(self, error: Exception, call: Call) -> Refused:
        if isinstance(error, Refused):
            call.note(reason=error.message)
            self._telemetry.metrics.call_refused(error.reason)
            return error
        if isinstance(error, InvalidMessage):
            refused = errors.invalid_message(error)
            call.note(field=error.violations[0].field, violations=len(error.violations))
            self._telemetry.metrics.call_refused(refused.reason)
            return refused
        incident = secrets.token_hex(6)
        call.note(incident=incident)
        self._logger.error("incident", incident=incident, method=call.method, exc_info=error)
        return errors.internal(incident)

    def _log(self, event: str, call: Call, message: Any, code: grpc.StatusCode) -> None:
        elapsed = time.monotonic() - call.started
        request_id = getattr(message, "request_id", "")
        if request_id:
            call.fields.setdefault("request_id", request_id[:128])
        if call.client:
            call.note(client=call.client)
        self._logger.info(
            event,
            method=call.method,
            code=code.name,
            elapsed_ms=round(1000 * elapsed, 3),
            peer=call.peer,
            bytes=call.size,
            **call.fields,
        )
        if event == "call":
            self._telemetry.call_ended(call.method, code, elapsed, call.fields)
