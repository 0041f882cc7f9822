"""The requests of a call that streams them, each handled like a call of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, TypeVar

from server import errors
from server.calls.call import Call
from server.calls.gate import Gate
from server.errors import Refused

T = TypeVar("T")


@dataclass(frozen=True)
class Received:
    """What arrived: a message, or why it is none."""

    message: Any
    arrived: float
    size: int
    refusal: Refused | None = None


Read: TypeAlias = Callable[[], Coroutine[Any, Any, Received | None]]
"""Waits for the next request; None after the last."""
Record: TypeAlias = Callable[[str, Call], AbstractContextManager[None]]
"""Surrounds what a Call does with its log line, which is of some event; whatever is raised inside
comes out as Refused."""


class RequestStream:
    """The requests of one call, each of which is handled like a call of its own."""

    def __init__(self, call: Call, read: Read, gate: Gate, record: Record) -> None:
        self._call = call
        self._read = read
        self._record = record
        self._closed = asyncio.create_task(gate.closed())

    async def aclose(self) -> None:
        """Stops watching the gate."""
        self._closed.cancel()
        await asyncio.gather(self._closed, return_exceptions=True)

    async def next(self) -> Received | None:
        """The next request, None after the last; raises Refused once the gate is closed.

        Nothing is received ahead: what is not asked for here holds up the client.
        """
        reading = asyncio.create_task(self._read())
        try:
            await asyncio.wait((reading, self._closed), return_when=asyncio.FIRST_COMPLETED)
            if self._closed.done():
                raise errors.shutting_down()
            received = reading.result()
        finally:
            reading.cancel()
        if received is not None:
            self._call.size += received.size
        return received

    async def attempt(
        self, received: Received, request_id: str, behavior: Callable[[], Awaitable[T]]
    ) -> T | Refused:
        """Runs a behavior with a Call of its own; gives its result, or why there is none."""
        call = replace(
            self._call,
            started=received.arrived,
            size=received.size,
            request_id=request_id,
            fields={},
        )
        try:
            with self._record("search", call):
                call.caller.account.charge_call()
                if received.refusal is not None:
                    raise received.refusal
                return await behavior()
        except Refused as refused:
            return refused
