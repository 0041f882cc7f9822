"""One RecommendBatch stream: many searches side by side, each answered as it ends.

A stream has a bounded number of requests that have been read and whose answers have not been taken
by the client. No further request is read until there is room, so a client that sends faster than
searches end, or reads more slowly than they do, is held up by flow control and costs no memory.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeAlias

from adamas.v1 import advisor_service_pb2 as pb
from engines.violations import InvalidMessage, invalid
from server import errors
from server.calls.stream import Received, RequestStream
from server.errors import Refused

Search: TypeAlias = Callable[[pb.RecommendRequest], Awaitable[pb.Advice]]


class Batch:
    """Answers the requests of one stream, in the order in which their searches end."""

    def __init__(self, requests: RequestStream, search: Search, most: int) -> None:
        """At most ``most`` requests are read and not answered at any time."""
        self._requests = requests
        self._search = search
        self._room = asyncio.Semaphore(most)
        self._running: dict[str, asyncio.Task[None]] = {}
        """The searches that have no answer yet, by request id."""
        self._answers: asyncio.Queue[pb.RecommendBatchResponse | None] = asyncio.Queue()
        """None comes after the last answer."""

    async def answers(self) -> AsyncIterator[pb.RecommendBatchResponse]:
        """Yields the answers; ends when the client has sent its last request and has all of them.

        Raises Refused when the server stops, after the answers to what it has begun. Closing the
        generator stops all searches.
        """
        serving = asyncio.create_task(self._serve())
        serving.add_done_callback(lambda _: self._answers.put_nowait(None))
        try:
            while (answer := await self._answers.get()) is not None:
                yield answer
                self._room.release()
            await serving
        finally:
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)

    async def _serve(self) -> None:
        """Reads all requests and waits for their searches."""
        refused: Refused | None = None
        async with asyncio.TaskGroup() as searches:
            try:
                await self._read(searches)
            except Refused as error:
                refused = error  # raised only once the searches have ended
        if refused is not None:
            raise refused

    async def _read(self, searches: asyncio.TaskGroup) -> None:
        while True:
            await self._room.acquire()
            received = await self._requests.next()
            if received is None:
                return
            message = received.message or pb.RecommendBatchRequest()
            if message.WhichOneof("action") == "cancel":
                self._cancel(message.cancel)
                self._room.release()
                continue
            problem = self._problem(message)
            task = searches.create_task(self._answer(received, message.recommend, problem))
            if problem is None:
                self._running[message.recommend.request_id] = task

    def _problem(self, message: pb.RecommendBatchRequest) -> InvalidMessage | None:
        """What is wrong with a request of a batch, apart from its query."""
        if message.WhichOneof("action") is None:
            return invalid("action", "is empty; set recommend or cancel")
        request_id = message.recommend.request_id
        if not request_id:
            return invalid("request_id", "is empty; each search of a batch needs an id of its own")
        if request_id in self._running:
            return invalid(
                "request_id", "is that of a search that has not been answered; use another"
            )
        return None

    async def _answer(
        self, received: Received, request: pb.RecommendRequest, problem: InvalidMessage | None
    ) -> None:
        async def search() -> pb.Advice:
            if problem is not None:
                raise problem
            return await self._search(request)

        outcome = await self._requests.attempt(received, request.request_id, search)
        if problem is None:
            if self._running.get(request.request_id) is not asyncio.current_task():
                return  # cancelled, and answered already
            del self._running[request.request_id]
        self._answers.put_nowait(_response(request.request_id, outcome))

    def _cancel(self, request_id: str) -> None:
        """Answers a search at once, and stops it."""
        if (task := self._running.pop(request_id, None)) is not None:
            task.cancel()
            self._answers.put_nowait(_response(request_id, errors.cancelled()))


def _response(request_id: str, outcome: pb.Advice | Refused) -> pb.RecommendBatchResponse:
    if isinstance(outcome, pb.Advice):
        return pb.RecommendBatchResponse(request_id=request_id, advice=outcome)
    status = outcome.status()
    error = pb.SearchError(code=status.code, message=status.message, details=status.details)
    return pb.RecommendBatchResponse(request_id=request_id, error=error)
