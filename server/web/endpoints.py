"""The methods of the services, as connectrpc calls them."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from typing import Any, NoReturn, Self

import grpc
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.request import RequestContext
from connectrpc.server import Endpoint
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from server import errors
from server.calls.call import Call
from server.calls.handling import Handling
from server.calls.stream import Received
from server.errors import Refused
from server.services.offload import Offload
from server.web.arrival import current_arrival
from server.web.encoding import ENCODINGS, Encoded, Encoding
from server.web.refusals import told

_KINDS = {
    (False, False): StreamType.UNARY,
    (False, True): StreamType.SERVER_STREAM,
    (True, True): StreamType.BIDI_STREAM,
}
"""Whether requests and responses are streams; methods of other kinds there are none."""


@dataclass(frozen=True)
class Offer:
    """A service that is offered, with those methods that are."""

    descriptor: ServiceDescriptor
    servicer: Any
    methods: tuple[str, ...]

    @classmethod
    def whole(cls, descriptor: ServiceDescriptor, servicer: Any) -> Self:
        """A service with all its methods."""
        return cls(descriptor, servicer, tuple(descriptor.methods_by_name))

    def paths(self) -> Iterator[tuple[str, MethodDescriptor, Any]]:
        """Each method's path, and what answers it."""
        for name in self.methods:
            method = self.descriptor.methods_by_name[name]
            yield f"/{self.descriptor.full_name}/{name}", method, getattr(self.servicer, name)


class Endpoints:
    """Makes endpoints of methods. What arrives and leaves are bytes with their encoding."""

    def __init__(self, calls: Handling, offload: Offload, max_message_bytes: int) -> None:
        self._calls = calls
        self._offload = offload
        self._max_message_bytes = max_message_bytes

    def of(self, offer: Offer) -> Mapping[str, Any]:
        """The endpoints of a service whose calls go through what all calls go through."""
        return {path: self._endpoint(*found) for path, *found in offer.paths()}

    def open_to_everybody(self, offer: Offer) -> Mapping[str, Any]:
        """The endpoints of a service that answers at once, and anybody."""
        return {path: self._simple(*found) for path, *found in offer.paths()}

    def _endpoint(self, method: MethodDescriptor, behavior: Any) -> Any:
        info = _info(method)
        if info.stream_type is StreamType.UNARY:
            return Endpoint.unary(info, self._unary(behavior))
        if info.stream_type is StreamType.SERVER_STREAM:
            return Endpoint.server_stream(info, self._server_stream(behavior))
        return Endpoint.bidi_stream(info, self._bidi_stream(behavior))

    def _simple(self, method: MethodDescriptor, behavior: Any) -> Any:
        async def answer(request: Encoded, context: Any) -> bytes:
            with told():
                message = await self._read(request)
                response = await behavior(message, _Context())
                return await request.encoding.write(response, self._offload)

        return Endpoint.unary(_info(method), answer)

    def _unary(self, behavior: Any) -> Any:
        async def answer(request: Encoded, context: Any) -> bytes:
            with self._handling(context, len(request.data)) as call:
                message = await self._read(request, call)
                response = await behavior(message, None)
                return await request.encoding.write(response, self._offload)

        return answer

    def _server_stream(self, behavior: Any) -> Any:
        async def answer(request: Encoded, context: Any) -> AsyncIterator[bytes]:
            with self._handling(context, len(request.data)) as call:
                message = await self._read(request, call)
                async with aclosing(behavior(message, None)) as responses:
                    async for response in responses:
                        yield await request.encoding.write(response, self._offload)

        return answer

    def _bidi_stream(self, behavior: Any) -> Any:
        async def answer(requests: AsyncIterator[Encoded], context: Any) -> AsyncIterator[bytes]:
            encoding: Encoding = ENCODINGS[0]

            async def read() -> Received | None:
                nonlocal encoding
                request = await anext(requests, None)
                if request is None:
                    return None
                encoding = request.encoding
                return await self._received(request)

            with self._handling(context) as call:
                async with (
                    aclosing(self._calls.requests(call, read)) as received,
                    aclosing(behavior(received, None)) as responses,
                ):
                    async for response in responses:
                        yield await encoding.write(response, self._offload)

        return answer

    @contextmanager
    def _handling(self, context: RequestContext[Any, Any], size: int = 0) -> Iterator[Call]:
        arrival = current_arrival.get()
        left = context.timeout_ms
        call = arrival.call(size, None if left is None else left / 1000)
        with told(), self._calls.call(call, arrival.origin):
            yield call

    async def _read(self, request: Encoded, call: Call | None = None) -> Message:
        """The message of a request, once its call is let in."""
        if (size := len(request.data)) > self._max_message_bytes:
            raise errors.too_large(size, self._max_message_bytes)
        message = await request.encoding.read(request.data, request.kind, self._offload)
        if call is not None:
            call.request_id = getattr(message, "request_id", "")
        return message

    async def _received(self, request: Encoded) -> Received:
        """One request of a stream."""
        arrived, size = time.monotonic(), len(request.data)
        try:
            return Received(await self._read(request), arrived, size)
        except Refused as refused:
            return Received(None, arrived, size, refused)


class _Context:
    """What the health service asks of gRPC's context."""

    async def abort(self, code: grpc.StatusCode, details: str = "") -> NoReturn:
        """Ends a call with an error."""
        raise Refused(code, code.name, details)


def _info(method: MethodDescriptor) -> MethodInfo[Any, Any]:
    return MethodInfo(
        name=method.name,
        service_name=method.containing_service.full_name,
        input=GetMessageClass(method.input_type),
        output=GetMessageClass(method.output_type),
        idempotency_level=IdempotencyLevel.UNKNOWN,
        stream_type=_KINDS[method.client_streaming, method.server_streaming],
    )
