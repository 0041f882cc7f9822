"""Refuses undecodable requests of methods that are not Adamas's own: health and reflection.

Left alone, gRPC answers UNKNOWN to them and logs a traceback, whoever sends them.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from google.protobuf.message import DecodeError

from server import errors
from server.handlers import Handler, WrappingInterceptor, behavior_of, like

_STANDARD = ("/grpc.health.", "/grpc.reflection.")


class DecodingInterceptor(WrappingInterceptor):
    """Answers INVALID_ARGUMENT to bytes that are no message. Belongs behind all others."""

    def concerns(self, method: str, handler: Handler) -> bool:
        """Whether it is a method of the standard services."""
        return method.startswith(_STANDARD)

    def wrap(self, method: str, handler: Handler) -> Handler:
        """The method, with requests that are decoded or refused."""
        parse: Any = handler.request_deserializer
        behavior = behavior_of(handler)
        refused = errors.undecodable(method.lstrip("/") + " request")

        def decode(data: bytes) -> Any:
            try:
                return parse(data)
            except DecodeError:
                return refused

        async def checked(requests: Any, context: Any) -> AsyncIterator[Any]:
            async for request in requests:
                if request is refused:
                    await refused.abort(context)
                yield request

        async def unary(request: Any, context: Any) -> Any:
            if request is refused:
                await refused.abort(context)
            return await behavior(request, context)

        async def stream(requests: Any, context: Any) -> AsyncIterator[Any]:
            async for response in behavior(checked(requests, context), context):
                yield response

        return like(handler, stream if handler.request_streaming else unary, decode)
