"""Takes the calls that come in over gRPC through what all calls go through.

One interceptor wraps the methods of Adamas's own services. A method that takes a stream of requests
is given a ``RequestStream``. Each request of it is handled like a call of its own, with its own
Call, log line and error.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import aclosing, asynccontextmanager
from functools import partial
from typing import Any, TypeAlias

from google.protobuf.message import DecodeError
from grpc import aio

from server import errors
from server.access.origin import Origin
from server.calls.call import Call
from server.calls.handling import Handling
from server.calls.stream import Received
from server.errors import Refused
from server.handlers import Handler, WrappingInterceptor, behavior_of, like

Context: TypeAlias = "aio.ServicerContext[Any, Any]"


async def _read(context: Context) -> Received | None:
    found: Received | Any = await context.read()
    return None if found is aio.EOF else found


async def _write(context: Context, response: Any) -> None:
    try:
        await context.write(response)
    except Exception as error:
        # A write fails only if the client is gone; the cancellation itself may come later.
        raise asyncio.CancelledError from error


class CallInterceptor(WrappingInterceptor):
    """Wraps the methods of the given services; leaves all others (health, reflection) alone."""

    def __init__(
        self,
        services: Collection[str],
        calls: Handling,
        max_message_bytes: int,
    ) -> None:
        super().__init__()
        self._services = services
        self._calls = calls
        self._max_message_bytes = max_message_bytes

    def concerns(self, method: str, handler: Handler) -> bool:
        """Whether it is a method of those services."""
        return method.rpartition("/")[0].lstrip("/") in self._services

    def wrap(self, method: str, handler: Handler) -> Handler:
        """The method, which gives its calls to those that handle them."""
        behavior = behavior_of(handler)

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

        wrapped = (
            both_stream
            if handler.request_streaming
            else (stream if handler.response_streaming else unary)
        )
        return like(handler, wrapped, self._deserializer(method, handler.request_deserializer))

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
        origin = Origin.of(context)
        call = Call(
            method,
            origin.peer,
            started=request.arrived,
            deadline=None if remaining is None else time.monotonic() + remaining,
            size=request.size,
            request_id=getattr(request.message, "request_id", ""),
        )
        try:
            with self._calls.call(call, origin):
                if request.refusal is not None:
                    raise request.refusal
                yield call
        except Refused as refused:
            await refused.abort(context)
