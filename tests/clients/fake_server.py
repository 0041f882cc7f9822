"""A server that plays a script: for each call it expects there is one canned reply."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent import futures
from dataclasses import dataclass, field
from typing import Any, Self, TypeAlias

import grpc
from google.protobuf import any_pb2
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc import status_pb2

from adamas.v1 import advisor_service_pb2, rules_service_pb2

Code = grpc.StatusCode


@dataclass(frozen=True)
class Failure:
    """A reply that ends the call with an error status."""

    code: grpc.StatusCode
    text: str = ""
    details: tuple[Message, ...] = ()

    def abort(self, context: grpc.ServicerContext) -> None:
        if self.details:
            status = status_pb2.Status(code=self.code.value[0], message=self.text)
            for detail in self.details:
                packed = any_pb2.Any()
                packed.Pack(detail)
                status.details.append(packed)
            trailer = ("grpc-status-details-bin", status.SerializeToString())
            context.set_trailing_metadata((trailer,))
        context.abort(self.code, self.text)


Play: TypeAlias = Callable[[Iterator[Any]], Iterator[Message | Failure]]
"""From the requests of a stream to its replies."""


@dataclass
class Exchange:
    """One expected call, its replies, and what was seen when it came."""

    method: str
    replies: tuple[Message | Failure, ...]
    hold: bool = False
    """Leave the stream open after the last reply, until the call is cancelled."""
    play: Play | None = None
    """Makes the replies, for a method that takes a stream."""
    request: Any = None
    """The request; of a stream all that have come so far, in a list."""
    metadata: dict[str, str | bytes] = field(default_factory=dict)
    seconds_left: float | None = None
    cancelled: threading.Event = field(default_factory=threading.Event)


class FakeServer(grpc.GenericRpcHandler):
    """`expect` writes the script; leaving the `with` block checks that all of it was played."""

    def __init__(self, tls: tuple[bytes, bytes] | None = None) -> None:
        """Takes a free port; with a private key and a certificate for localhost, over TLS."""
        self._script: deque[Exchange] = deque()
        self._surprises: list[str] = []
        self._methods = {
            f"/{service.full_name}/{method.name}": method
            for file in (advisor_service_pb2, rules_service_pb2)
            for service in file.DESCRIPTOR.services_by_name.values()
            for method in service.methods
        }
        self._server = grpc.server(futures.ThreadPoolExecutor(4), handlers=[self])
        if tls is None:
            self.target = f"127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"
        else:
            credentials = grpc.ssl_server_credentials([tls])
            self.target = f"localhost:{self._server.add_secure_port('localhost:0', credentials)}"

    def expect(
        self, method: str, *replies: Message | Failure | grpc.StatusCode, hold: bool = False
    ) -> Exchange:
        """The next call is of this method ("Recommend") and gets these replies."""
        exchange = Exchange(
            method,
            tuple(
                Failure(reply) if isinstance(reply, grpc.StatusCode) else reply for reply in replies
            ),
            hold,
        )
        self._script.append(exchange)
        return exchange

    def expect_stream(self, method: str, play: Play) -> Exchange:
        """The next call is of this method, which takes a stream, and is played like this."""
        exchange = Exchange(method, (), play=play)
        self._script.append(exchange)
        return exchange

    def __enter__(self) -> Self:
        self._server.start()
        return self

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        self._server.stop(grace=None).wait()
        if error is None:
            assert not self._surprises
            assert not self._script

    def service(self, details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[Any, Any] | None:
        method = self._methods.get(details.method)
        if method is None:
            return None
        play: Any = self._stream if method.server_streaming else self._answer
        make: Any = grpc.unary_unary_rpc_method_handler
        if method.client_streaming:
            make = grpc.stream_stream_rpc_method_handler
        elif method.server_streaming:
            make = grpc.unary_stream_rpc_method_handler
        handler: grpc.RpcMethodHandler[Any, Any] = make(
            lambda request, context: play(method.name, request, context),
            request_deserializer=GetMessageClass(method.input_type).FromString,
            response_serializer=lambda message: message.SerializeToString(),
        )
        return handler

    def _answer(self, method: str, request: Message, context: grpc.ServicerContext) -> Message:
        (reply,) = self._stream(method, request, context)
        return reply

    def _stream(
        self, method: str, request: Any, context: grpc.ServicerContext
    ) -> Iterator[Message]:
        if not self._script or self._script[0].method != method:
            self._surprises.append(f"{method}: {request}")
            context.abort(grpc.StatusCode.INTERNAL, f"the script has no {method} here")
        exchange = self._script.popleft()
        exchange.metadata = dict(context.invocation_metadata())
        exchange.seconds_left = context.time_remaining()
        context.add_callback(exchange.cancelled.set)
        if exchange.play is None:
            exchange.request, replies = request, iter(exchange.replies)
        else:
            exchange.request = []
            replies = exchange.play(_kept(request, exchange.request))
        for reply in replies:
            if isinstance(reply, Failure):
                reply.abort(context)
            else:
                yield reply
        if exchange.hold:
            exchange.cancelled.wait(10)


def _kept(requests: Iterator[Any], seen: list[Any]) -> Iterator[Any]:
    for request in requests:
        seen.append(request)
        yield request
