"""A batch that runs: queries go out and results come back over one stream.

The stream is opened when there is something to send. One that breaks is replaced by another, which
carries on with what has no result.
"""

import asyncio
import threading
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from types import TracebackType
from typing import Any, Generic, Self, TypeAlias

import grpc

from adamas.errors import AdamasError, Cancelled
from adamas.families import MoveT_co, PositionOf
from adamas.queries import BatchResult, Query
from adamas.window import Window

Open: TypeAlias = Callable[[Any, float | None], Any]
"""Opens a stream: takes the requests and the seconds until its deadline, gives the call."""


Queries: TypeAlias = Iterable[PositionOf[MoveT_co] | Query[MoveT_co]]
AsyncQueries: TypeAlias = AsyncIterable[PositionOf[MoveT_co] | Query[MoveT_co]]


class _Progress(Generic[MoveT_co]):
    """What both kinds of batches have."""

    def __init__(self, open_stream: Open, window: Window) -> None:
        self._open = open_stream
        self._window = window
        self._call: Any = None
        self._stream = 0
        """Number of the stream that is open, or will be next."""

    @property
    def done(self) -> bool:
        """Whether no more results will come than those that have."""
        return self._window.ended

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {'done' if self._window.ended else 'running'}>"

    def _next_result(self) -> BatchResult[MoveT_co] | None:
        """A result that has come, or None if there will be none; raises what ended the batch."""
        if self._window.results:
            return self._window.results.popleft()
        if self._window.error is not None:
            raise self._window.error
        return None

    def _has_to_wait(self) -> bool:
        """Whether the next result may still come; ends the batch if it is overdue."""
        if self._window.results or self._window.ended:
            return False
        patience = self._window.patience()
        if patience is None or patience > 0:
            return True
        self._window.lose_patience()
        return False

    def _stop_sending(self, stream: int) -> bool:
        """Whether a stream carries no more requests."""
        return stream != self._stream or self._window.ended or self._window.complete

    def _cancel_call(self) -> None:
        if self._call is not None:
            self._call.cancel()


class Batch(_Progress[MoveT_co]):
    """Running searches of many positions. Iterate for results; leaving its `with` block stops it.

    Results come in the order in which searches end. Made by `Client.recommend_batch`.
    """

    def __init__(self, open_stream: Open, queries: Queries[MoveT_co], window: Window) -> None:
        super().__init__(open_stream, window)
        self._changed = threading.Condition()
        feeder = threading.Thread(
            target=self._feed, args=(queries,), name="adamas-batch-queries", daemon=True
        )
        self._reader = threading.Thread(target=self._read, name="adamas-batch", daemon=True)
        feeder.start()
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> BatchResult[MoveT_co]:
        with self._changed:
            while self._has_to_wait():
                self._changed.wait(self._window.patience())
            self._changed.notify_all()
            if (result := self._next_result()) is not None:
                return result
        raise StopIteration

    def cancel(self, request_id: str) -> None:
        """Stop one search. Its result is a `Cancelled` error; one that has ended keeps its result.

        Args:
            request_id: The query's id; nothing happens if no query in flight has it.
        """
        with self._changed:
            self._window.cancel(request_id)
            self._changed.notify_all()

    def close(self) -> None:
        """Stop everything. Results that have come can still be iterated."""
        with self._changed:
            self._window.close()
            self._changed.notify_all()
        self._cancel_call()
        self._reader.join()

    def _feed(self, queries: Queries[MoveT_co]) -> None:
        """Takes queries from their source as there is room."""
        source = iter(queries)
        try:
            while self._wait_for_room():
                try:
                    query = next(source)
                except StopIteration:
                    with self._changed:
                        self._window.all_added()
                        self._changed.notify_all()
                    return
                with self._changed:
                    self._window.add(query)
                    self._changed.notify_all()
        except Exception as error:
            with self._changed:
                self._window.fail(error)
                self._changed.notify_all()
            self._cancel_call()

    def _wait_for_room(self) -> bool:
        """False if the batch has ended."""
        with self._changed:
            self._changed.wait_for(lambda: self._window.has_room or self._window.ended)
            return not self._window.ended

    def _read(self) -> None:
        """Opens streams and takes answers from them."""
        while self._wait_for_work():
            error = self._read_stream()
            with self._changed:
                self._stream += 1
                self._window.stream_ended(error)
                self._changed.notify_all()

    def _wait_for_work(self) -> bool:
        """Waits until something has to be sent; False if that will not be."""
        with self._changed:
            while not self._window.ended:
                if self._window.complete:
                    self._window.close()
                    self._changed.notify_all()
                elif (pause := self._window.pause()) == 0:
                    return True
                else:
                    self._changed.wait(pause)
        return False

    def _read_stream(self) -> AdamasError | None:
        """Follows one stream to its end; gives the error that it ends with."""
        try:
            call = self._open(self._requests(self._stream), self._window.seconds_left)
            with self._changed:
                self._call = call
                if self._window.ended:
                    call.cancel()
            for response in call:
                with self._changed:
                    self._window.receive(response)
                    self._changed.notify_all()
        except grpc.RpcError as error:
            return self._window.error_of(error)
        except AdamasError as error:
            self._cancel_call()
            return error
        return None

    def _requests(self, stream: int) -> Iterator[Any]:
        """What a stream carries. gRPC iterates this in a thread of its own."""
        while True:
            with self._changed:
                while not self._stop_sending(stream) and (pause := self._window.pause()) != 0:
                    self._changed.wait(pause)
                if self._stop_sending(stream):
                    return
                request = self._window.next_request()
                self._changed.notify_all()  # from now on its answer can be overdue
            yield request


class AsyncBatch(_Progress[MoveT_co]):
    """Running searches of many positions. Iterate for results; leaving its block stops it.

    The twin of `Batch` for asyncio. Made by `AsyncClient.recommend_batch`.
    """

    def __init__(
        self,
        open_stream: Open,
        queries: Queries[MoveT_co] | AsyncQueries[MoveT_co],
        window: Window,
    ) -> None:
        super().__init__(open_stream, window)
        self._changed = asyncio.Condition()
        self._feeder = asyncio.create_task(self._feed(queries), name="adamas-batch-queries")
        self._reader = asyncio.create_task(self._read(), name="adamas-batch")

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> BatchResult[MoveT_co]:
        async with self._changed:
            while self._has_to_wait():
                await self._wait(self._window.patience())
            self._changed.notify_all()
            if (result := self._next_result()) is not None:
                return result
        raise StopAsyncIteration

    async def cancel(self, request_id: str) -> None:
        """Stop one search; as `Batch.cancel`."""
        async with self._changed:
            self._window.cancel(request_id)
            self._changed.notify_all()

    async def close(self) -> None:
        """Stop everything. Results that have come can still be iterated."""
        async with self._changed:
            self._window.close()
            self._changed.notify_all()
        self._cancel_call()
        self._feeder.cancel()
        await asyncio.gather(self._feeder, self._reader, return_exceptions=True)

    async def _wait(self, seconds: float | None) -> None:
        """Waits for a change, for some seconds at most."""
        try:
            async with asyncio.timeout(seconds):
                await self._changed.wait()
        except TimeoutError:
            return

    async def _feed(self, queries: Queries[MoveT_co] | AsyncQueries[MoveT_co]) -> None:
        """Takes queries from their source as there is room."""
        source = _each(queries)
        try:
            while await self._wait_for_room():
                try:
                    query = await anext(source)
                except StopAsyncIteration:
                    async with self._changed:
                        self._window.all_added()
                        self._changed.notify_all()
                    return
                async with self._changed:
                    self._window.add(query)
                    self._changed.notify_all()
        except Exception as error:
            async with self._changed:
                self._window.fail(error)
                self._changed.notify_all()
            self._cancel_call()

    async def _wait_for_room(self) -> bool:
        """False if the batch has ended."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._window.has_room or self._window.ended)
            return not self._window.ended

    async def _read(self) -> None:
        """Opens streams and takes answers from them."""
        while await self._wait_for_work():
            error = await self._read_stream()
            async with self._changed:
                self._stream += 1
                self._window.stream_ended(error)
                self._changed.notify_all()

    async def _wait_for_work(self) -> bool:
        """Waits until something has to be sent; False if that will not be."""
        async with self._changed:
            while not self._window.ended:
                if self._window.complete:
                    self._window.close()
                    self._changed.notify_all()
                elif (pause := self._window.pause()) == 0:
                    return True
                else:
                    await self._wait(pause)
        return False

    async def _read_stream(self) -> AdamasError | None:
        """Follows one stream to its end; gives the error that it ends with."""
        try:
            self._call = self._open(self._requests(self._stream), self._window.seconds_left)
            async for response in self._call:
                async with self._changed:
                    self._window.receive(response)
                    self._changed.notify_all()
        except grpc.RpcError as error:
            return self._window.error_of(error)
        except AdamasError as error:
            self._cancel_call()
            return error
        except asyncio.CancelledError:
            # Raised for a cancelled call. A cancelled task ends the same way: nobody reads on.
            self._cancel_call()
            return Cancelled("the batch was cancelled before it had all its results")
        return None

    async def _requests(self, stream: int) -> AsyncIterator[Any]:
        """What a stream carries."""
        while True:
            async with self._changed:
                while not self._stop_sending(stream) and (pause := self._window.pause()) != 0:
                    await self._wait(pause)
                if self._stop_sending(stream):
                    return
                request = self._window.next_request()
                self._changed.notify_all()  # from now on its answer can be overdue
            yield request


async def _each(
    queries: Queries[MoveT_co] | AsyncQueries[MoveT_co],
) -> AsyncIterator[PositionOf[MoveT_co] | Query[MoveT_co]]:
    if isinstance(queries, AsyncIterable):
        async for query in queries:
            yield query
    else:
        for query in queries:
            yield query
