"""One call to the service, and what came of it. All clocks are those of the asking process."""

from __future__ import annotations

import itertools
import os
import time
from dataclasses import dataclass
from typing import Any

import grpc
from google.protobuf.duration_pb2 import Duration
from google.rpc.error_details_pb2 import RetryInfo
from google.rpc.status_pb2 import Status
from grpc import aio
from grpc_status.rpc_status import GRPC_DETAILS_METADATA_KEY

from adamas.v1 import advisor_service_pb2 as pb
from adamas.v1.advisor_service_pb2_grpc import AdvisorServiceStub
from benchmarks.load.clients import Identity
from benchmarks.load.positions import AskedPosition

OK = grpc.StatusCode.OK.name
REFUSED = grpc.StatusCode.RESOURCE_EXHAUSTED.name
_numbers = itertools.count()


@dataclass(frozen=True)
class Question:
    """What to ask: a position, for how long, and how urgently.

    Attributes:
        position: Index into the list of positions.
        think: Time limit in seconds.
        timeout: The call's deadline in seconds from when it is sent.
        trees: Trees to grow; 0: the server's setting.
        priority: Who goes first.
        iterations: Iteration limit; 0: none.
    """

    position: int
    think: float
    timeout: float
    trees: int = 0
    priority: pb.Priority.ValueType = pb.PRIORITY_UNSPECIFIED
    iterations: int = 0


@dataclass(frozen=True)
class Outcome:
    """What came of one call.

    Attributes:
        client: Who asked.
        call: The request's id, which no other call of the run has.
        question: What was asked.
        due: When it was to be sent, `time.monotonic()`.
        sent: When it was sent.
        done: When its end was known.
        code: The name of the status code.
        iterations: Of the search; 0 if there was none.
        inside: Seconds that the server says it had the call.
        legal: Whether the best move is one of the position's legal moves.
        stop_reason: What ended the search.
        retry_after: Seconds of the RetryInfo; None without one.
        text: The error's text.
    """

    client: str
    call: str
    question: Question
    due: float
    sent: float
    done: float
    code: str
    iterations: int = 0
    inside: float = 0.0
    legal: bool = False
    stop_reason: str = ""
    retry_after: float | None = None
    text: str = ""

    @property
    def seconds(self) -> float:
        """From sending to the end."""
        return self.done - self.sent

    @property
    def lateness(self) -> float:
        """How much later it was sent than it should have been."""
        return self.sent - self.due


def request_of(question: Question, position: AskedPosition) -> pb.RecommendRequest:
    """The question as a message."""
    think = Duration()
    think.FromNanoseconds(round(question.think * 1e9))
    query = pb.SearchQuery(
        limits=pb.SearchLimits(time=think, iterations=question.iterations),
        candidates=1,
        trees=question.trees,
        priority=question.priority,
    )
    query.view.ParseFromString(position.view)
    return pb.RecommendRequest(query=query)


async def ask(
    stub: Any, client: Identity, question: Question, position: AskedPosition, due: float
) -> Outcome:
    """Asks once. ``stub`` is an AdvisorServiceStub on an asyncio channel."""
    request = request_of(question, position)
    request.request_id = f"{client.name} {os.getpid()}-{next(_numbers)}"
    sent = time.monotonic()
    try:
        answer = await stub.Recommend(request, timeout=question.timeout, metadata=client.metadata)
    except aio.AioRpcError as error:
        done = time.monotonic()
        return Outcome(
            client.name,
            request.request_id,
            question,
            due,
            sent,
            done,
            error.code().name,
            retry_after=_retry_after(error),
            text=error.details() or "",
        )
    done = time.monotonic()
    figures = answer.advice.search
    return Outcome(
        client.name,
        request.request_id,
        question,
        due,
        sent,
        done,
        OK,
        iterations=figures.iterations,
        inside=figures.elapsed.ToNanoseconds() / 1e9,
        legal=position.allows(answer.advice.best_move),
        stop_reason=pb.StopReason.Name(figures.stop_reason),
    )


def stub_on(channel: aio.Channel) -> Any:
    """The stub that `ask` takes."""
    return AdvisorServiceStub(channel)


def _retry_after(error: aio.AioRpcError) -> float | None:
    """The delay of the error's RetryInfo."""
    for key, value in error.trailing_metadata() or ():
        if key == GRPC_DETAILS_METADATA_KEY:
            status, retry = Status.FromString(bytes(value)), RetryInfo()  # type: ignore[arg-type]
            if any(detail.Unpack(retry) for detail in status.details):
                return float(retry.retry_delay.ToNanoseconds() / 1e9)
    return None
