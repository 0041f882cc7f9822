"""ConformanceService: answers each request what it says that it wants to be answered.

What it has to do is written in the comments of the suite's ``service.proto``. Its messages are made
from descriptors, since the name of their package is that of the library.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import grpc
from connectrpc.request import Headers, RequestContext
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.descriptor_pool import Default
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from server.calls.call import Call
from server.calls.stream import RequestStream
from server.errors import Refused
from server.web.endpoints import Endpoints

METHODS = ("Unary", "ServerStream", "BidiStream", "Unimplemented")
_CODES = {code.value[0]: code for code in grpc.StatusCode}
_context: ContextVar[RequestContext[Any, Any]] = ContextVar("context")


class ConformanceEndpoints(Endpoints):
    """Endpoints whose methods see and set headers, as only this service has to."""

    @contextmanager
    def _handling(self, context: RequestContext[Any, Any], size: int = 0) -> Iterator[Call]:
        _context.set(context)
        with super()._handling(context, size) as call:
            yield call


class Wanted(Refused):
    """An error with exactly the details that a request wants."""

    def __init__(self, error: Any, further: Sequence[Message] = ()) -> None:
        super().__init__(_CODES[error.code], "", error.message)
        self.details = (*map(_unpacked, error.details), *further)


class Conformance:
    """The methods."""

    def __init__(self, types: dict[str, type[Any]]) -> None:
        self._types = types

    async def Unary(self, request: Any, context: Any) -> Any:
        wanted = request.response_definition
        info = self._info([request], whole=True)
        _set_headers(wanted)
        await _delay(wanted)
        if wanted.HasField("error"):
            raise Wanted(wanted.error, [info])
        return self._types["UnaryResponse"](payload=self._payload(wanted.response_data, info))

    async def ServerStream(self, request: Any, context: Any) -> AsyncIterator[Any]:
        _set_headers(request.response_definition)
        async for response in self._responses("ServerStreamResponse", [request], 0):
            yield response

    async def BidiStream(self, requests: RequestStream, context: Any) -> AsyncIterator[Any]:
        received: list[Any] = []
        sent = 0
        while (found := await requests.next()) is not None:
            if found.refusal is not None:
                raise found.refusal
            received.append(found.message)
            first = received[0]
            wanted = first.response_definition
            if len(received) == 1:
                _set_headers(wanted)
            if not first.full_duplex:
                continue
            if sent >= len(wanted.response_data):
                break
            await _delay(wanted)
            info = self._info(received if sent == 0 else received[-1:], whole=sent == 0)
            payload = self._payload(wanted.response_data[sent], info)
            yield self._types["BidiStreamResponse"](payload=payload)
            sent += 1
        if received:
            async for response in self._responses("BidiStreamResponse", received, sent):
                yield response

    async def Unimplemented(self, request: Any, context: Any) -> Any:
        raise Wanted(self._types["Error"](code=12, message="this is not implemented"))

    async def _responses(self, kind: str, requests: Sequence[Any], sent: int) -> AsyncIterator[Any]:
        """What is left of the responses that the first request wants, and the error."""
        wanted = requests[0].response_definition
        for data in wanted.response_data[sent:]:
            await _delay(wanted)
            info = self._info(requests, whole=True) if sent == 0 else None
            yield self._types[kind](payload=self._payload(data, info))
            sent += 1
        if wanted.HasField("error"):
            raise Wanted(wanted.error, [] if sent else [self._info(requests, whole=True)])

    def _payload(self, data: bytes, info: Any) -> Any:
        return self._types["ConformancePayload"](data=data, request_info=info)

    def _info(self, requests: Sequence[Any], *, whole: bool) -> Any:
        """What has been received; not whole: of it, the messages alone."""
        info = self._types["ConformancePayload.RequestInfo"]()
        for request in requests:
            info.requests.add().Pack(request)
        if whole:
            context = _context.get()
            for name, values in _grouped(context.request_headers).items():
                info.request_headers.add(name=name, value=values)
            if context.timeout_ms is not None:
                info.timeout_ms = round(context.timeout_ms)
        return info


def _set_headers(wanted: Any) -> None:
    context = _context.get()
    for headers, into in (
        (wanted.response_headers, context.response_headers),
        (wanted.response_trailers, context.response_trailers),
    ):
        for header in headers:
            for value in header.value:
                into.add(header.name, value)


async def _delay(wanted: Any) -> None:
    await asyncio.sleep(wanted.response_delay_ms / 1000)


def _grouped(headers: Headers) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in headers.allitems():
        found.setdefault(name, []).append(value)
    return found


def _unpacked(packed: AnyMessage) -> Message:
    """The message in it."""
    message = GetMessageClass(Default().FindMessageTypeByName(packed.TypeName()))()
    packed.Unpack(message)
    return message
