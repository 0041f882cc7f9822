"""Asks for access where Adamas's own services don't: at server reflection."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import grpc
from grpc import aio

from server.access.guard import Guard
from server.access.origin import Origin
from server.errors import Refused

_REFLECTION = "/grpc.reflection."


class ReflectionGuard(aio.ServerInterceptor):
    """Lets only callers that the guard knows list the services."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard

    async def intercept_service(
        self,
        continuation: Callable[
            [grpc.HandlerCallDetails], Awaitable[grpc.RpcMethodHandler[Any, Any] | None]
        ],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> grpc.RpcMethodHandler[Any, Any] | None:
        """The method, guarded if it is reflection's."""
        handler = await continuation(handler_call_details)
        if handler is None or not handler_call_details.method.startswith(_REFLECTION):
            return handler
        answer: Any = handler.stream_stream

        async def guarded(requests: Any, context: Any) -> AsyncIterator[Any]:
            try:
                with self._guard.identify(Origin.of(context)).account.calling():
                    async for response in answer(requests, context):
                        yield response
            except Refused as refused:
                await refused.abort(context)

        return grpc.stream_stream_rpc_method_handler(
            guarded, handler.request_deserializer, handler.response_serializer
        )
