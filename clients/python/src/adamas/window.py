"""The bookkeeping of a batch: what has been sent, answered and taken, and what to send again."""

import heapq
import math
import time
from collections import deque
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import grpc

from adamas.errors import (
    AdamasError,
    Cancelled,
    DeadlineExceeded,
    Overloaded,
    ServerError,
    Unavailable,
    from_rpc_error,
    from_search_error,
)
from adamas.families import PositionOf
from adamas.limits import Limit
from adamas.operations import Operation, Operations
from adamas.queries import BatchResult, Query
from adamas.search import Advice
from adamas.v1 import advisor_service_pb2 as pb

_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 2.0
"""Seconds before something is tried again; the pause doubles each time."""
_WRITE_FAILED = "Internal error from Core"
"""What grpc.aio says in place of the stream's status if that comes during a write (grpc#36066)."""


@dataclass(slots=True, eq=False)
class _Search:
    """A query that has no result yet."""

    request_id: str
    query: Query[Any]
    operation: Operation[Advice[Any]]
    failures: int = 0
    sent: bool = False
    """Whether the stream that is open now has carried it."""
    cancelled: bool = False


class Window:
    """What is in flight in a batch. Knows nothing of threads or event loops.

    A query takes its place when it is added, and gives it back when its result is taken.
    """

    def __init__(
        self,
        operations: Operations,
        target: str,
        *,
        limit: Limit | None,
        size: int,
        retries: int,
        timeout: float | None,
    ) -> None:
        if size < 1:
            raise ValueError(f"window must be 1 or more, not {size}")
        if retries < 0:
            raise ValueError(f"retries must be 0 or more, not {retries}")
        self._operations = operations
        self._target = target
        self._limit = limit
        self._size = size
        self._retries = retries
        self._timeout = math.inf if timeout is None else timeout
        self._ends = time.monotonic() + self._timeout
        self._searches: dict[str, _Search] = {}
        self._outbox: list[tuple[float, int, _Search | pb.RecommendBatchRequest]] = []
        """When to send what: a heap."""
        self._order = count()
        self._places = count()
        self._all_added = False
        self._failures = 0
        """How many streams in a row have broken without any answer."""
        self._opens_at = 0.0
        """When the next stream may be opened."""
        self._last_sign = time.monotonic()
        self.results: deque[BatchResult[Any]] = deque()
        self.error: Exception | None = None
        """What ended the batch early."""
        self.ended = False
        """Whether no more results will come."""

    # -------------------------------------------------------------------------------- the source

    @property
    def has_room(self) -> bool:
        """Whether one more query may be added."""
        return len(self._searches) + len(self.results) < self._size

    def add(self, given: PositionOf[Any] | Query[Any]) -> None:
        """Takes a query in.

        Raises:
            TypeError: If its position is none.
            ValueError: If its id is in use.
        """
        query = given if isinstance(given, Query) else Query(given)
        place = str(next(self._places))
        request_id = query.request_id or place
        if request_id in self._searches:
            raise ValueError(f"request_id {request_id!r} is that of another query in flight")
        asked = replace(query, limit=query.limit or self._limit, request_id=request_id)
        operation = self._operations.recommend_in_batch(asked)
        self._searches[request_id] = search = _Search(request_id, query, operation)
        self._send(search)

    def all_added(self) -> None:
        """Notes that no more queries come."""
        self._all_added = True

    # ------------------------------------------------------------------------------- the streams

    @property
    def complete(self) -> bool:
        """Whether every query that there will ever be has its result."""
        return self._all_added and not self._searches

    @property
    def seconds_left(self) -> float | None:
        """Until the deadline of the batch; None if it has none."""
        return None if math.isinf(self._ends) else max(0.0, self._ends - time.monotonic())

    def pause(self) -> float | None:
        """Seconds until there is something to send: 0 for now, None for an unknown time."""
        while self._outbox and self._is_stale(self._outbox[0][2]):
            heapq.heappop(self._outbox)
        if not self._outbox:
            return None
        return max(0.0, max(self._opens_at, self._outbox[0][0]) - time.monotonic())

    def next_request(self) -> Any:
        """What to send now; there has to be something."""
        item = heapq.heappop(self._outbox)[2]
        if not isinstance(item, _Search):
            return item
        item.sent = True
        self._last_sign = time.monotonic()
        return item.operation.request

    def receive(self, response: pb.RecommendBatchResponse) -> None:
        """Takes an answer in.

        Raises:
            AdamasError: If it belongs to no query.
        """
        self._failures = 0
        self._last_sign = time.monotonic()
        failed = response.HasField("error")
        error = from_search_error(response.error, self._target) if failed else None
        search = self._searches.get(response.request_id)
        if search is None:
            raise error or ServerError(
                f"the server answered {response.request_id!r}, which nobody has asked for"
            )
        if error is None:
            self._settle(search, search.operation.read(response))
        elif self._is_worth_retrying(search, error):
            search.failures += 1
            told = error.retry_after if isinstance(error, Overloaded) else None
            self._send(search, max(_pause(search.failures), told or 0.0))
        else:
            self._settle(search, error)

    def error_of(self, error: grpc.RpcError) -> AdamasError:
        """The exception for a stream that failed."""
        translated = from_rpc_error(error, self._target, self._timeout)
        if isinstance(translated, ServerError) and _WRITE_FAILED in str(translated):
            return Unavailable(f"the stream to {self._target} broke while a query was being sent")
        return translated

    def stream_ended(self, error: AdamasError | None) -> None:
        """Notes that the open stream has ended, in order or with an error."""
        if self.ended:
            return
        if self.complete:
            self.ended = True
            return
        if error is None:
            error = ServerError("the server ended the batch before it had answered everything")
        self._failures += 1
        if not isinstance(error, Unavailable) or self._failures > self._retries:
            self.fail(error)
            return
        self._opens_at = time.monotonic() + _pause(self._failures)
        for search in [search for search in self._searches.values() if search.sent]:
            if search.cancelled:
                self._settle(search, Cancelled("the search was cancelled"))
            else:
                self._send(search)
        self.ended = self.complete

    # ------------------------------------------------------------------------------- the consumer

    def cancel(self, request_id: str) -> None:
        """Stops one search, unless it has its result."""
        search = self._searches.get(request_id)
        if search is None or search.cancelled:
            return
        search.cancelled = True
        if search.sent:
            request = pb.RecommendBatchRequest(cancel=request_id)
            heapq.heappush(self._outbox, (0.0, next(self._order), request))
        else:
            self._settle(search, Cancelled("the search was cancelled before it was sent"))

    def patience(self) -> float | None:
        """For how many seconds to wait for a sign of the server; None if none is due.

        Searches end within their time and the grace on top of it, if the server is alive.
        """
        due = [search.operation.timeout for search in self._searches.values() if search.sent]
        return self._last_sign + max(due) - time.monotonic() if due else None

    def lose_patience(self) -> None:
        """Ends the batch, since the server gives no sign."""
        self.fail(
            DeadlineExceeded(
                f"no answer from {self._target} although {len(self._searches)} searches are due; a "
                "longer wait is set with `grace` for the client"
            )
        )

    def fail(self, error: Exception) -> None:
        """Ends the batch with an error."""
        if not self.ended:
            self.error = error
        self.ended = True

    def close(self) -> None:
        """Ends the batch; results that are there stay."""
        self.ended = True

    # --------------------------------------------------------------------------------------------

    def _send(self, search: _Search, pause: float = 0.0) -> None:
        search.sent = False
        due = time.monotonic() + pause if pause else 0.0
        heapq.heappush(self._outbox, (due, next(self._order), search))

    def _is_stale(self, item: _Search | pb.RecommendBatchRequest) -> bool:
        """Whether a search has its result, although it waits to be sent."""
        if isinstance(item, _Search):
            return self._searches.get(item.request_id) is not item
        search = self._searches.get(item.cancel)
        return search is None or not search.cancelled

    def _settle(self, search: _Search, outcome: Advice[Any] | AdamasError) -> None:
        del self._searches[search.request_id]
        self.results.append(BatchResult(search.request_id, search.query, outcome))

    def _is_worth_retrying(self, search: _Search, error: AdamasError) -> bool:
        return (
            isinstance(error, Unavailable | Overloaded)
            and not search.cancelled
            and search.failures < self._retries
        )


def _pause(failures: int) -> float:
    return float(min(_FIRST_PAUSE * 2 ** (failures - 1), _LONGEST_PAUSE))
