"""A running search whose answer grows."""

import asyncio
import threading
from collections import deque
from types import TracebackType
from typing import Any, Generic, Self

import grpc

from adamas.errors import AdamasError, Cancelled, ServerError, from_rpc_error
from adamas.families import MoveT_co
from adamas.operations import Operation
from adamas.search import Advice


class _Progress(Generic[MoveT_co]):
    """What has come of an analysis so far. Knows nothing of threads or event loops."""

    def __init__(self, operation: Operation[Advice[MoveT_co]], target: str) -> None:
        self._operation = operation
        self._target = target
        self._pending: deque[Advice[MoveT_co]] = deque()
        self._latest: Advice[MoveT_co] | None = None
        self._result: Advice[MoveT_co] | None = None
        self._error: AdamasError | None = None
        self._ended = False
        self._cancelled = False

    @property
    def latest(self) -> Advice[MoveT_co] | None:
        """The newest advice, or None before the first; never waits."""
        return self._latest

    @property
    def result(self) -> Advice[MoveT_co] | None:
        """The final advice, or None before it has come; never waits."""
        return self._result

    @property
    def done(self) -> bool:
        """Whether nothing more will come: finished, failed or cancelled."""
        return self._ended

    def __repr__(self) -> str:
        state = "cancelled" if self._cancelled else "done" if self._ended else "running"
        return f"<{type(self).__name__} {state}, latest: {self._latest and self._latest.best}>"

    def _add(self, response: Any) -> None:
        advice = self._operation.read(response)
        self._pending.append(advice)
        self._latest = advice
        if advice.final:
            self._result = advice

    def _fail(self, error: grpc.RpcError) -> None:
        if not self._cancelled:
            self._error = from_rpc_error(error, self._target, self._operation.timeout)

    def _end(self) -> None:
        if self._result is None and self._error is None and not self._cancelled:
            self._error = ServerError("the analysis ended without a final result")
        self._ended = True

    def _final(self) -> Advice[MoveT_co]:
        """The final advice, once nothing more will come."""
        if self._result is not None:
            return self._result
        raise self._error or Cancelled("the analysis was cancelled before its final result")


class Analysis(_Progress[MoveT_co]):
    """A running search. Iterate for updates; leaving its `with` block cancels it.

    Updates come in order and the final advice is the last of them. They arrive in the background,
    so `latest` is up to date also for somebody who does not iterate. Made by `Client.analyze`.
    """

    def __init__(self, call: Any, operation: Operation[Advice[MoveT_co]], target: str) -> None:
        super().__init__(operation, target)
        self._call = call
        self._changed = threading.Condition()
        self._reader = threading.Thread(target=self._read, name="adamas-analysis", daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.cancel()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Advice[MoveT_co]:
        with self._changed:
            self._changed.wait_for(lambda: self._pending or self._ended)
            if self._pending:
                return self._pending.popleft()
        if self._error is not None:
            raise self._error
        raise StopIteration

    def wait(self, timeout: float | None = None) -> Advice[MoveT_co]:
        """Wait for the final advice.

        Args:
            timeout: Seconds to wait at most; the search goes on if they pass.

        Raises:
            TimeoutError: If it has not come by then.
            Cancelled: If the analysis was cancelled before.
            AdamasError: If the search failed.
        """
        with self._changed:
            if not self._changed.wait_for(lambda: self._ended, timeout):
                raise TimeoutError(f"the analysis still runs after {timeout} s")
        return self._final()

    def cancel(self) -> None:
        """Stop the search, if it still runs. What has come so far stays readable."""
        with self._changed:
            if not self._ended:
                self._cancelled = True
        self._call.cancel()
        self._reader.join()

    def _read(self) -> None:
        try:
            for response in self._call:
                with self._changed:
                    self._add(response)
                    self._changed.notify_all()
        except grpc.RpcError as error:
            self._fail(error)
        except AdamasError as error:
            self._error = error
            self._call.cancel()
        finally:
            with self._changed:
                self._end()
                self._changed.notify_all()


class AsyncAnalysis(_Progress[MoveT_co]):
    """A running search. Iterate for updates; leaving its `async with` block cancels it.

    The twin of `Analysis` for asyncio. Made by `AsyncClient.analyze`.
    """

    def __init__(self, call: Any, operation: Operation[Advice[MoveT_co]], target: str) -> None:
        super().__init__(operation, target)
        self._call = call
        self._changed = asyncio.Condition()
        self._reader = asyncio.create_task(self._read(), name="adamas-analysis")

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.cancel()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Advice[MoveT_co]:
        async with self._changed:
            await self._changed.wait_for(lambda: self._pending or self._ended)
            if self._pending:
                return self._pending.popleft()
        if self._error is not None:
            raise self._error
        raise StopAsyncIteration

    async def wait(self, timeout: float | None = None) -> Advice[MoveT_co]:  # noqa: ASYNC109
        """Wait for the final advice; as `Analysis.wait`."""
        try:
            async with asyncio.timeout(timeout):
                await asyncio.shield(self._reader)
        except TimeoutError:
            raise TimeoutError(f"the analysis still runs after {timeout} s") from None
        return self._final()

    async def cancel(self) -> None:
        """Stop the search, if it still runs. What has come so far stays readable."""
        if not self._ended:
            self._cancelled = True
        self._call.cancel()
        await self._reader

    async def _read(self) -> None:
        try:
            async for response in self._call:
                async with self._changed:
                    self._add(response)
                    self._changed.notify_all()
        except grpc.RpcError as error:
            self._fail(error)
        except AdamasError as error:
            self._error = error
            self._call.cancel()
        except asyncio.CancelledError:
            # Raised for a cancelled call. A cancelled task ends the same way: nobody reads on.
            self._call.cancel()
            self._cancelled = True
        finally:
            async with self._changed:
                self._end()
                self._changed.notify_all()
