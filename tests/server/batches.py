"""A RecommendBatch call whose messages are sent one at a time."""

from __future__ import annotations

import queue
from types import TracebackType
from typing import Any, Self

import grpc

from adamas.v1 import advisor_service_pb2 as pb


class BatchCall:
    """One stream. Leaving the ``with`` block cancels it, if it has not ended."""

    def __init__(self, channel: grpc.Channel, timeout: float | None = 60.0) -> None:
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        method: Any = channel.stream_stream(
            "/adamas.v1.AdvisorService/RecommendBatch",
            response_deserializer=pb.RecommendBatchResponse.FromString,
        )
        self.call: Any = method(iter(self._outgoing.get, None), timeout=timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.call.cancel()
        self.half_close()

    def send(self, data: bytes) -> None:
        """Sends any bytes as a message."""
        self._outgoing.put(data)

    def recommend(self, request_id: str, query: pb.SearchQuery) -> None:
        """Asks for a search."""
        request = pb.RecommendRequest(query=query, request_id=request_id)
        self.send(pb.RecommendBatchRequest(recommend=request).SerializeToString())

    def cancel(self, request_id: str) -> None:
        """Asks for the end of a search."""
        self.send(pb.RecommendBatchRequest(cancel=request_id).SerializeToString())

    def half_close(self) -> None:
        """Says that no more messages come."""
        self._outgoing.put(None)

    def answer(self) -> pb.RecommendBatchResponse:
        """Waits for the next answer."""
        found: pb.RecommendBatchResponse = next(self.call)
        return found

    def rest(self) -> list[pb.RecommendBatchResponse]:
        """Sends no more and waits for all the answers."""
        self.half_close()
        return list(self.call)
