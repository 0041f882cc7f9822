"""Takes the calls that come in over gRPC through what all calls go through.

One interceptor wraps the methods of Adamas's own services. A method that takes a stream of requests
is given a ``RequestStream``. Each request of it is handled like a call of its own, with its own
Call, log line and error.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import aclosing, asynccontextmanager
from functools import partial
from typing import Any, TypeAlias

import grpc
from google.protobuf.message import DecodeError
from grpc import aio

from server import errors
from server.access.origin import Origin
from server.calls.call import Call
from server.calls.handling import Handling
from server.calls.stream import Received
from server.errors import Refused

Context: TypeAlias = "aio.ServicerContext[Any, Any]"
Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"


async def _read(context: Context) -> Received | None:
    found: Received | Any = await context.read()
    return None if found is aio.EOF else found


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
        calls: Handling,
        max_message_bytes: int,
    ) -> None:
        self._services = services
        self._calls = calls
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
                aclosing(self._calls.requests(call, partial(_read, context))) as requests,
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
        """Surrounds a call with all that calls go through, and sends the status it fails with."""
        remaining: float | None = context.time_remaining()
        call = Call(
            method,
            context.peer(),
            started=request.arrived,
            deadline=None if remaining is None else time.monotonic() + remaining,
            size=request.size,
            request_id=getattr(request.message, "request_id", ""),
        )
        try:
            with self._calls.call(call, Origin.of(context)):
                if request.refusal is not None:
                    raise request.refusal
                yield call
        except Refused as refused:
            await refused.abort(context)
