"""The server's side of one worker: requests and their answers over one socket."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable
from itertools import count
from typing import Any, TypeAlias

from engines.jit import JIT_ENABLED
from engines.violations import InvalidMessage
from server.workers.messages import Decoder, Failed, Invalid, Request, encode

_SILENCE = 0.25 if JIT_ENABLED else 60.0
"""Seconds without a word after which somebody who was asked something may hang."""
Answer: TypeAlias = Callable[[Any], None]
"""Called with the answer to a request, or with the exception that came instead."""


class WorkerDied(Exception):
    """The worker that had the search has ended."""


class SearchFailed(Exception):
    """A worker raised an exception, whose traceback this is."""


class Worker(asyncio.Protocol):
    """A worker process that is connected. All methods are for one event loop."""

    def __init__(
        self,
        pid: int,
        on_death: Callable[[Worker], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.pid = pid
        self._clock = clock
        self.began = time.monotonic()
        self.searches = 0
        """How many searches it has."""
        self.background_searches = 0
        """How many of them nobody waits for."""
        self.present: list[str] = []
        """The fingerprints of what is in it: of searches that were given up, too, until the last
        request of theirs is answered."""
        self.alive = True
        self.hung = False
        """Whether it was killed because it did not answer."""
        self._on_death = on_death
        self._numbers = count()
        self._waiting: dict[int, tuple[float, Answer]] = {}
        """When it was asked, and who waits for the answer; oldest first."""
        self._heard = clock()
        self._answered = asyncio.Event()
        self._decoder = Decoder()
        self._transport: asyncio.Transport | None = None

    @classmethod
    async def connect(
        cls,
        connection: socket.socket,
        pid: int,
        on_death: Callable[[Worker], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> Worker:
        """Takes over a socket to a worker.

        ``on_death`` is called once when it ends, before its requests are answered with WorkerDied.
        How long it does not answer is measured by the clock.
        """
        connection.setblocking(False)
        loop = asyncio.get_running_loop()
        _, worker = await loop.create_connection(lambda: cls(pid, on_death, clock), sock=connection)
        return worker

    def post(self, request: Request, answer: Answer) -> None:
        """Sends a request.

        Its answer comes later, or WorkerDied, SearchFailed or InvalidMessage in its place.
        """
        if self._transport is None or not self.alive:
            asyncio.get_running_loop().call_soon(answer, WorkerDied())
            return
        number = next(self._numbers)
        self._waiting[number] = self._clock(), answer
        self._transport.write(encode(number, request))

    def tell(self, request: Request) -> None:
        """Sends a request that is not answered."""
        if self._transport is not None and self.alive:
            self._transport.write(encode(next(self._numbers), request))

    def close(self) -> None:
        """Ends the worker by ending the connection."""
        if self._transport is not None:
            self._transport.abort()

    async def settled(self) -> None:
        """Waits until it has answered all that it was asked, or has died."""
        while self._waiting:
            self._answered.clear()
            await self._answered.wait()

    def longest_wait(self) -> float:
        """For how many seconds the oldest request has had no answer."""
        now = self._clock()
        asked, _ = next(iter(self._waiting.values()), (now, None))
        return now - asked

    @property
    def silent(self) -> bool:
        """Whether it has been asked and has said nothing for a while, to anybody: it may hang."""
        return min(self.longest_wait(), self._clock() - self._heard) > _SILENCE

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by asyncio."""
        assert isinstance(transport, asyncio.Transport)  # noqa: S101
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Called by asyncio."""
        self._heard = self._clock()
        for number, message in self._decoder.feed(data):
            _, answer = self._waiting.pop(number)
            answer(_outcome(message))
        self._answered.set()

    def connection_lost(self, exc: Exception | None) -> None:
        """Called by asyncio."""
        self.alive = False
        self._on_death(self)
        waiting, self._waiting = self._waiting, {}
        for _, answer in waiting.values():
            answer(WorkerDied())
        self._answered.set()


def _outcome(message: Any) -> Any:
    """An answer, or the exception that it stands for."""
    if isinstance(message, Failed):
        return SearchFailed(message.traceback)
    if isinstance(message, Invalid):
        return InvalidMessage(list(message.violations))
    return message
