"""A search in a worker, as the server sees it."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import Any

from adamas.v1 import advisor_service_pb2 as pb
from server.workers.connection import Answer, Worker
from server.workers.messages import Advise, Advised, Close, Open, Opened, Request, Slice, Stop, Task

_numbers = count()


class RemoteSearch:
    """One search; it lives in one worker from ``open`` to ``close``."""

    def __init__(self, worker: Worker, *, background: bool = False, fingerprint: str = "") -> None:
        """``background``: nobody waits for it. ``fingerprint``: what it is known by when tried
        again; none if nobody wants to know.
        """
        self._worker = worker
        self._background = background
        self._number = next(_numbers)
        self._asked = 0
        self._closed = False
        worker.searches += 1
        worker.background_searches += background
        self._fingerprint = fingerprint
        worker.present.append(fingerprint)

    @property
    def worker_is_silent(self) -> bool:
        """Whether the worker seems to hang."""
        return self._worker.silent

    async def open(self, task: Task) -> Opened:
        """Prepares it, with one iteration a tree.

        Raises InvalidMessage if the position makes no sense, WorkerDied or SearchFailed.
        """
        opened: Opened = await self._ask(Open(self._number, task))
        return opened

    def run(self, tree: int, seconds: float, until: float, answer: Answer) -> None:
        """Runs a tree for some seconds, but not past a time; answers with messages.Ran."""
        self._post(Slice(self._number, tree, seconds, until, self._background), answer)

    async def advise(self, stop_reason: pb.StopReason.ValueType) -> tuple[pb.Advice, float]:
        """The advice so far, while no tree runs, and the processor time that it took.

        Raises WorkerDied or SearchFailed.
        """
        advised: Advised = await self._ask(Advise(self._number, stop_reason))
        return pb.Advice.FromString(advised.advice), advised.seconds

    def close(self) -> None:
        """Stops it, and frees its memory as soon as the worker has answered what it was asked."""
        if not self._closed:
            self._closed = True
            self._worker.searches -= 1
            self._worker.background_searches -= self._background
            if self._asked:
                self._worker.tell(Stop(self._number))
            else:
                self._leave()

    def _leave(self) -> None:
        self._worker.tell(Close(self._number))
        self._worker.present.remove(self._fingerprint)

    def _post(self, request: Request, answer: Answer) -> None:
        def answered(message: Any) -> None:
            self._asked -= 1
            if self._closed and not self._asked:
                self._leave()
            answer(message)

        self._asked += 1
        self._worker.post(request, answered)

    async def _ask(self, request: Request) -> Any:
        answered: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

        def settle(message: Any) -> None:
            if answered.cancelled():
                return
            if isinstance(message, Exception):
                answered.set_exception(message)
            else:
                answered.set_result(message)

        self._post(request, settle)
        return await answered
