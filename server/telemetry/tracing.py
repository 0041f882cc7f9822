"""One span a call, in the caller's trace. Imported only when traces are switched on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any

import grpc
from grpc import aio
from opentelemetry.instrumentation.grpc import aio_server_interceptor
from opentelemetry.semconv._incubating.attributes.rpc_attributes import RPC_GRPC_STATUS_CODE
from opentelemetry.trace import (
    Status,
    StatusCode,
    TracerProvider,
    format_span_id,
    format_trace_id,
    get_current_span,
)
from structlog.typing import EventDict, WrappedLogger

_OWN_SERVICES = "/adamas."
_SERVER_FAULTS = {
    grpc.StatusCode.UNKNOWN,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.UNIMPLEMENTED,
    grpc.StatusCode.INTERNAL,
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.DATA_LOSS,
}
"""What the conventions for gRPC call an error of the server."""


def interceptors(provider: TracerProvider) -> tuple[aio.ServerInterceptor, ...]:
    """The interceptors that make a span of each call of Adamas's own services."""
    return (
        aio_server_interceptor(  # type: ignore[no-untyped-call]
            provider, lambda details: bool(details.method.startswith(_OWN_SERVICES))
        ),
        _GeneratorInterceptor(),
    )


class _GeneratorInterceptor(aio.ServerInterceptor):
    """Makes generators of handlers that write their responses themselves.

    OpenTelemetry's interceptor expects that a method which streams responses yields them.
    """

    async def intercept_service(
        self,
        continuation: Callable[
            [grpc.HandlerCallDetails], Awaitable[grpc.RpcMethodHandler[Any, Any] | None]
        ],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> grpc.RpcMethodHandler[Any, Any] | None:
        """The method as a generator, if it streams responses."""
        handler = await continuation(handler_call_details)
        if (
            handler is None
            or not handler.response_streaming
            or not handler_call_details.method.startswith(_OWN_SERVICES)
        ):
            return handler
        behavior: Any = handler.stream_stream if handler.request_streaming else handler.unary_stream

        async def generate(request: Any, context: Any) -> AsyncIterator[Any]:
            yielded = await behavior(request, context)
            for response in yielded or ():  # there are none: the handler has written them all
                yield response

        make = (
            grpc.stream_stream_rpc_method_handler
            if handler.request_streaming
            else grpc.unary_stream_rpc_method_handler
        )
        return make(generate, handler.request_deserializer, handler.response_serializer)


def describe_call(fields: Mapping[str, Any], code: grpc.StatusCode) -> None:
    """Adds a call's outcome to its span: its status, and the fields of its log line."""
    span = get_current_span()
    if not span.is_recording():
        return
    span.set_attribute(RPC_GRPC_STATUS_CODE, code.value[0])
    for key, value in fields.items():
        span.set_attribute(f"adamas.{key}", value)
    if code in _SERVER_FAULTS:
        span.set_status(Status(StatusCode.ERROR, code.name))


def add_trace_ids(_logger: WrappedLogger, _name: str, event: EventDict) -> EventDict:
    """Says in a log line which trace and span it belongs to; a processor of structlog."""
    context = get_current_span().get_span_context()
    if context.is_valid:
        event["trace_id"] = format_trace_id(context.trace_id)
        event["span_id"] = format_span_id(context.span_id)
    return event
