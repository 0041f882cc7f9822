"""One span a call, in the caller's trace. Imported only when traces are switched on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import AbstractContextManager
from typing import Any

import grpc
from grpc import aio
from opentelemetry.instrumentation.grpc import aio_server_interceptor
from opentelemetry.propagate import extract
from opentelemetry.semconv._incubating.attributes.rpc_attributes import (
    RPC_GRPC_STATUS_CODE,
    RPC_METHOD,
    RPC_SERVICE,
    RPC_SYSTEM,
    RpcSystemValues,
)
from opentelemetry.trace import (
    Span,
    SpanKind,
    Status,
    StatusCode,
    TracerProvider,
    format_span_id,
    format_trace_id,
    get_current_span,
)
from structlog.typing import EventDict, WrappedLogger

from server.handlers import Handler, WrappingInterceptor, behavior_of, like

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


class _GeneratorInterceptor(WrappingInterceptor):
    """Makes generators of handlers that write their responses themselves.

    OpenTelemetry's interceptor expects that a method which streams responses yields them.
    """

    def concerns(self, method: str, handler: Handler) -> bool:
        """Whether it is a method of ours that streams responses."""
        return bool(handler.response_streaming) and method.startswith(_OWN_SERVICES)

    def wrap(self, method: str, handler: Handler) -> Handler:
        """The method as a generator."""
        behavior = behavior_of(handler)

        async def generate(request: Any, context: Any) -> AsyncIterator[Any]:
            yielded = await behavior(request, context)
            for response in yielded or ():  # there are none: the handler has written them all
                yield response

        return like(handler, generate)


def web_span(
    provider: TracerProvider, method: str, headers: Iterable[tuple[bytes, bytes]]
) -> AbstractContextManager[Span]:
    """The span of a call over HTTP, in the trace that its headers name."""
    service, _, name = method.lstrip("/").rpartition("/")
    return provider.get_tracer(__name__).start_as_current_span(
        method,
        context=extract({key.decode("latin-1"): value.decode("latin-1") for key, value in headers}),
        kind=SpanKind.SERVER,
        attributes={
            RPC_SYSTEM: RpcSystemValues.CONNECT_RPC.value,
            RPC_SERVICE: service,
            RPC_METHOD: name,
        },
        record_exception=False,  # what a call fails with is no fault of the server, mostly
        set_status_on_exception=False,
    )


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
