"""Servers to send bytes to: one in this process without sockets, and one behind real gRPC.

Without sockets the transport is the one part that is replaced, so requests take the way of real
ones: bytes, deserializer, interceptor, handler, status with details. Calls run one after the other,
and their time is that of the server alone.
"""

from __future__ import annotations

import asyncio
import io
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol
from unittest import mock

import grpc
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.descriptor_pool import Default
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo
from google.rpc.status_pb2 import Status
from grpc import aio

from adamas.v1 import advisor_service_pb2 as advisor_pb
from server import app
from server.embedded import embedded_server
from server.log import LineWriter
from server.settings import Settings

SETTINGS = Settings(
    port=0, threads=1, max_time=20.0, reflection=False, log_level="error", search_memory_mib=32
)


_CODES = {code.value[0]: code for code in grpc.StatusCode}
_PATIENCE = 60.0
"""No call takes this long, in seconds."""


def request_type(method: str) -> type[Message]:
    """The request's message class of a method such as ``/adamas.v1.RulesService/GetGame``."""
    return GetMessageClass(_method(method).input_type)


def response_type(method: str) -> type[Message]:
    """The response's message class of a method."""
    return GetMessageClass(_method(method).output_type)


def _method(method: str) -> MethodDescriptor:
    service, _, name = method.lstrip("/").partition("/")
    return Default().FindMethodByName(f"{service}.{name}")


@dataclass(frozen=True)
class Outcome:
    """How a call ended."""

    code: grpc.StatusCode
    text: str = ""
    info: ErrorInfo = field(default_factory=ErrorInfo)
    bad_request: BadRequest = field(default_factory=BadRequest)
    responses: tuple[Message, ...] = ()
    seconds: float = 0.0
    busy: float = 0.0
    """Seconds of processor time that this process took."""


def outcome_of_status(
    code: grpc.StatusCode, text: str, trailers: Any, seconds: float = 0.0, busy: float = 0.0
) -> Outcome:
    """The outcome of a refused call, with its standard details."""
    packed = Status()
    for key, value in trailers or ():
        if key == "grpc-status-details-bin":
            packed.ParseFromString(value)
    return _refusal(code, text, packed.details, seconds, busy)


def _refusal(
    code: grpc.StatusCode, text: str, details: Iterable[Any], seconds: float, busy: float
) -> Outcome:
    info, bad_request = ErrorInfo(), BadRequest()
    for detail in details:
        for message in (info, bad_request):
            detail.Unpack(message)
    return Outcome(code, text, info, bad_request, seconds=seconds, busy=busy)


def outcome_of_responses(responses: Sequence[Any], seconds: float, busy: float = 0.0) -> Outcome:
    """The outcome of an answered call. In a batch every search has a code of its own."""
    last = responses[-1] if responses else None
    if isinstance(last, advisor_pb.RecommendBatchResponse) and last.HasField("error"):
        code = _CODES[last.error.code]
        return _refusal(code, last.error.message, last.error.details, seconds, busy)
    return Outcome(grpc.StatusCode.OK, responses=tuple(responses), seconds=seconds, busy=busy)


class LastLines(io.StringIO):
    """A log of which only the last lines are kept."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: deque[str] = deque(maxlen=20)

    def write(self, text: str) -> int:
        """Keeps a piece of text."""
        self._lines.append(text)
        return len(text)

    def text(self) -> str:
        """What was written last."""
        return "".join(self._lines)


class _Aborted(Exception):
    """What a handler's ``context.abort`` raises here."""


class _Context:
    """What a handler sees of a call."""

    def __init__(self) -> None:
        self.waiting: list[Any] = []
        """Requests of a stream that have not been read."""
        self.written: list[Any] = []
        self.refusal: tuple[grpc.StatusCode, str, Any] | None = None

    def time_remaining(self) -> float | None:
        """No deadline."""
        return None

    def peer(self) -> str:
        """Nobody in particular."""
        return "in-process"

    def invocation_metadata(self) -> tuple[()]:
        """No metadata."""
        return ()

    def auth_context(self) -> dict[str, Any]:
        """No certificate."""
        return {}

    async def read(self) -> Any:
        """The next request of a stream."""
        return self.waiting.pop(0) if self.waiting else aio.EOF

    async def write(self, response: Any) -> None:
        """One response of a stream."""
        self.written.append(response)

    async def abort(self, code: grpc.StatusCode, details: str = "", trailing: Any = ()) -> None:
        """The end of a refused call."""
        self.refusal = (code, details, trailing)
        raise _Aborted


class _Handlers:
    """In place of server.calls.transport.Transport: keeps the handlers instead of listening."""

    def __init__(
        self,
        settings: Settings,
        interceptors: Sequence[aio.ServerInterceptor],
        register: Callable[[Any], None],
        *_: Any,
    ) -> None:
        self.port = settings.port
        self.address = "in-process"
        self.handlers: dict[str, Any] = {}
        self._interceptors = interceptors
        self._register = register

    async def open(self) -> None:
        """Takes the handlers, wrapped by the interceptors as on the wire."""
        self._register(self)
        for method, handler in list(self.handlers.items()):
            self.handlers[method] = await self._wrapped(method, handler)

    async def stop(self, grace: float) -> None:
        """There is nothing to end."""

    def add_registered_method_handlers(self, service: str, handlers: Mapping[str, Any]) -> None:
        """As grpc.Server has it."""
        for name, handler in handlers.items():
            self.handlers[f"/{service}/{name}"] = handler

    def add_generic_rpc_handlers(self, handlers: Any) -> None:
        """As grpc.Server has it; the same handlers again."""

    async def _wrapped(self, method: str, handler: Any) -> Any:
        details: Any = mock.Mock(method=method, invocation_metadata=())
        for interceptor in reversed(self._interceptors):
            handler = await self._intercepted(interceptor, handler, details)
        return handler

    @staticmethod
    async def _intercepted(interceptor: aio.ServerInterceptor, handler: Any, details: Any) -> Any:
        async def continuation(_: grpc.HandlerCallDetails) -> Any:
            return handler

        return await interceptor.intercept_service(continuation, details)


class Service(Protocol):
    """A server to send bytes to."""

    log: LastLines
    """What it logged."""

    def call(self, method: str, data: bytes) -> Outcome:
        """Sends bytes to a method such as ``/adamas.v1.RulesService/GetGame``."""


class InProcess:
    """A running server without sockets."""

    def __init__(self, runner: asyncio.Runner, handlers: Mapping[str, Any], log: LastLines) -> None:
        self._runner = runner
        self._handlers = handlers
        self.log = log

    def call(self, method: str, data: bytes) -> Outcome:
        """Hands bytes to a method's handler."""
        return self._runner.run(self._call(self._handlers[method], data))

    async def _call(self, handler: Any, data: bytes) -> Outcome:
        context = _Context()
        begin, busy_begin = time.perf_counter(), time.process_time()
        try:
            request = handler.request_deserializer(data)
            if handler.request_streaming:
                context.waiting.append(request)
                await handler.stream_stream(None, context)
            elif handler.response_streaming:
                await handler.unary_stream(request, context)
            else:
                context.written.append(await handler.unary_unary(request, context))
        except _Aborted:
            seconds, busy = time.perf_counter() - begin, time.process_time() - busy_begin
            assert context.refusal is not None
            return outcome_of_status(*context.refusal, seconds, busy)
        seconds, busy = time.perf_counter() - begin, time.process_time() - busy_begin
        for response in context.written:
            handler.response_serializer(response)
        return outcome_of_responses(context.written, seconds, busy)


@contextmanager
def in_process_service(settings: Settings = SETTINGS) -> Iterator[InProcess]:
    """Runs a server without sockets while the block runs."""
    transports: list[_Handlers] = []

    def transport(*arguments: Any) -> _Handlers:
        transports.append(_Handlers(*arguments))
        return transports[-1]

    log = LastLines()
    with asyncio.Runner() as runner:
        with mock.patch.object(app, "Transport", transport):
            server = runner.run(app.start(settings, LineWriter(log)))
        try:
            yield InProcess(runner, transports[0].handlers, log)
        finally:
            runner.run(server.stop())


class OverGrpc:
    """A channel to a running server."""

    def __init__(self, channel: grpc.Channel, log: LastLines) -> None:
        self._channel = channel
        self.log = log

    def call(self, method: str, data: bytes) -> Outcome:
        """Sends bytes over the wire."""
        begin = time.perf_counter()
        if _method(method).client_streaming:
            send_all: Any = self._channel.stream_stream(method)
            stream = send_all(iter([data]), timeout=_PATIENCE)
        else:
            send: Any = self._channel.unary_stream(method)
            stream = send(data, timeout=_PATIENCE)
        kind = response_type(method)
        try:
            responses = tuple(kind.FromString(response) for response in stream)
        except grpc.RpcError:
            seconds = time.perf_counter() - begin
            trailers = stream.trailing_metadata()
            return outcome_of_status(stream.code(), stream.details(), trailers, seconds)
        return outcome_of_responses(responses, time.perf_counter() - begin)


@contextmanager
def grpc_service(settings: Settings = SETTINGS) -> Iterator[OverGrpc]:
    """Runs a server with sockets, and a channel to it, while the block runs."""
    log = LastLines()
    with (
        embedded_server(settings, LineWriter(log)) as address,
        grpc.insecure_channel(address) as channel,
    ):
        yield OverGrpc(channel, log)
