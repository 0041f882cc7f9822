"""Wrapping the methods of a gRPC server, of whatever kind they are."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import grpc
from grpc import aio

Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"


def behavior_of(handler: Handler) -> Any:
    """The function that answers; none of our methods takes a stream and answers once."""
    return handler.stream_stream or handler.unary_stream or handler.unary_unary


def like(handler: Handler, behavior: Any, deserialize: Any = None) -> Handler:
    """A handler of the same kind that answers otherwise, and may read requests otherwise."""
    make: Any = grpc.unary_unary_rpc_method_handler
    if handler.request_streaming:
        make = grpc.stream_stream_rpc_method_handler
    elif handler.response_streaming:
        make = grpc.unary_stream_rpc_method_handler
    wrapped: Handler = make(
        behavior, deserialize or handler.request_deserializer, handler.response_serializer
    )
    return wrapped


class WrappingInterceptor(aio.ServerInterceptor):
    """Wraps each method that it is meant for, once, and leaves the others alone."""

    def __init__(self) -> None:
        self._wrapped: dict[str, Handler] = {}

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler | None:
        """The method, wrapped if it is one of those."""
        method = handler_call_details.method
        if (wrapped := self._wrapped.get(method)) is not None:
            return wrapped
        handler = await continuation(handler_call_details)
        if handler is None or not self.concerns(method, handler):
            return handler
        self._wrapped[method] = wrapped = self.wrap(method, handler)
        return wrapped

    @abstractmethod
    def concerns(self, method: str, handler: Handler) -> bool:
        """Whether to wrap a method, named "/package.Service/Method"."""

    @abstractmethod
    def wrap(self, method: str, handler: Handler) -> Handler:
        """The method as it shall be."""
