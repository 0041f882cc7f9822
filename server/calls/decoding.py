"""Refuses undecodable requests of methods that are not Adamas's own: health and reflection.

Left alone, gRPC answers UNKNOWN to them and logs a traceback, whoever sends them.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import grpc
from google.protobuf.message import DecodeError
from grpc import aio

from server import errors

_STANDARD = ("/grpc.health.", "/grpc.reflection.")


class DecodingInterceptor(aio.ServerInterceptor):
    """Answers INVALID_ARGUMENT to bytes that are no message. Belongs behind all others."""

    async def intercept_service(
        self,
        continuation: Callable[
            [grpc.HandlerCallDetails], Awaitable[grpc.RpcMethodHandler[Any, Any] | None]
        ],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> grpc.RpcMethodHandler[Any, Any] | None:
        """The method, with requests that are decoded or refused."""
        handler = await continuation(handler_call_details)
        if handler is None or not handler_call_details.method.startswith(_STANDARD):
            return handler
        parse: Any = handler.request_deserializer
        serialize = handler.response_serializer
        refused = errors.undecodable(handler_call_details.method.lstrip("/") + " request")

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

        behavior: Any = handler.stream_stream or handler.unary_stream or handler.unary_unary

        async def unary(request: Any, context: Any) -> Any:
            if request is refused:
                await refused.abort(context)
            return await behavior(request, context)

        async def stream(requests: Any, context: Any) -> AsyncIterator[Any]:
            async for response in behavior(checked(requests, context), context):
                yield response

        if handler.request_streaming:
            return grpc.stream_stream_rpc_method_handler(stream, decode, serialize)
        if handler.response_streaming:
            return grpc.unary_stream_rpc_method_handler(unary, decode, serialize)
        return grpc.unary_unary_rpc_method_handler(unary, decode, serialize)
