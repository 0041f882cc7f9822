"""A search in a worker, as the server sees it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import count
from typing import Any

from adamas.v1 import advisor_service_pb2 as pb
from server.workers.connection import Answer, Worker
from server.workers.messages import Advise, Advised, Close, Open, Opened, Request, Slice, Stop, Task

_numbers = count()


class RemoteSearch:
    """One search; it lives in one worker from its opening to ``close``.

    A worker answers with Opened, or with InvalidMessage if the position makes no sense; then with
    Ran and Advised. Instead of any answer there may be WorkerDied or SearchFailed.
    """

    def __init__(
        self,
        worker: Worker,
        task: Task,
        *,
        background: bool = False,
        fingerprint: str = "",
        late_reason: pb.StopReason.ValueType = pb.STOP_REASON_UNSPECIFIED,
    ) -> None:
        """``background``: nobody waits for it. ``fingerprint``: what it is known by when tried
        again; none if nobody wants to know. ``late_reason``: what has ended it if its time is over
        when it has been opened; it goes on if there is none.
        """
        self._worker = worker
        self._task = task
        self._background = background
        self._number = next(_numbers)
        self._asked = 0
        self._closed = False
        self._late_reason = late_reason
        self.opened: Opened | None = None
        worker.searches += 1
        worker.background_searches += background
        self._fingerprint = fingerprint
        worker.present.append(fingerprint)

    @property
    def worker_is_silent(self) -> bool:
        """Whether the worker seems to hang."""
        return self._worker.silent

    async def open(self, until: float = 0.0) -> Opened:
        """Opens it, with one iteration a tree; a short search goes on until it is over.

        Raises InvalidMessage if the position makes no sense, WorkerDied or SearchFailed.
        """
        request = Open(self._number, self._task, until, self._late_reason)
        self.opened = await self._ask(lambda answer: self._post(request, answer))
        return self.opened

    def run(self, tree: int, seconds: float, until: float, answer: Answer) -> None:
        """Runs a tree for some seconds, but not past a time; answers with Ran."""
        self._post(Slice(self._number, tree, seconds, until, self._background), answer)

    async def advise(
        self, stop_reason: pb.StopReason.ValueType, candidates: int, *, at_length: bool = False
    ) -> Advised:
        """The advice so far, while no tree runs; short advice waits for none at length."""
        request = Advise(self._number, stop_reason, candidates, at_length)
        found: Advised = await self._ask(lambda answer: self._post(request, answer))
        return found

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
        if self.opened is None or self.opened.advised is None:
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

    async def _ask(self, post: Callable[[Answer], None]) -> Any:
        """Waits for the answer to what is posted."""
        answered: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

        def settle(message: Any) -> None:
            if answered.cancelled():
                return
            if isinstance(message, Exception):
                answered.set_exception(message)
            else:
                answered.set_result(message)

        post(settle)
        return await answered
