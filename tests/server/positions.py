"""Requests about real positions, and what servers answer with."""

from __future__ import annotations

import io
import json
import threading
import time
from collections.abc import Callable
from typing import Any

import grpc
from google.protobuf.duration_pb2 import Duration
from google.rpc.error_details_pb2 import (
    BadRequest,
    ErrorInfo,
    PreconditionFailure,
    QuotaFailure,
    RetryInfo,
)
from grpc_status import rpc_status

from adamas.v1 import advisor_service_pb2 as pb
from adamas.v1 import game_pb2
from adamas.v1 import rules_service_pb2 as rules_pb
from adamas.v1.rules_service_pb2_grpc import RulesServiceStub

NARROW = [("grpc.http2.lookahead_bytes", 1024), ("grpc.http2.bdp_probe", 0)]
"""Options of a channel on which a response or two that nobody reads hold up the stream."""


class Memory(io.StringIO):
    """A stream that log lines are written to, for reading while the server runs."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()

    def write(self, text: str) -> int:
        with self._lock:
            return super().write(text)

    def lines(self, **wanted: Any) -> list[dict[str, Any]]:
        """The lines that have these fields."""
        with self._lock:
            lines = [json.loads(line) for line in self.getvalue().splitlines()]
        return [line for line in lines if wanted.items() <= line.items()]


def options(game_id: str) -> game_pb2.GameOptions:
    """The default options of a game."""
    found = game_pb2.GameOptions()
    getattr(found, game_id).SetInParent()
    return found


def deal(rules: RulesServiceStub, game_id: str, seats: int = 3, seed: int = 7) -> Any:
    """A new game."""
    return rules.StartGame(
        rules_pb.StartGameRequest(options=options(game_id), seats=seats, seed=seed)
    )


def query(rules: RulesServiceStub, game_id: str, **fields: Any) -> pb.SearchQuery:
    """A query about the first position of a game, from its full state."""
    dealt = deal(rules, game_id)
    seat = dealt.status.seats_to_move[0]
    return pb.SearchQuery(state=pb.StateOfSeat(state=dealt.state, seat=seat), **fields)


def view_query(rules: RulesServiceStub, game_id: str, **fields: Any) -> pb.SearchQuery:
    """A query about the first position of a game, from the seat's view."""
    dealt = deal(rules, game_id)
    request = rules_pb.GetPlayerViewRequest(state=dealt.state, seat=dealt.status.seats_to_move[0])
    return pb.SearchQuery(view=rules.GetPlayerView(request).view, **fields)


def limits(iterations: int = 0, time: float | None = None) -> pb.SearchLimits:
    """Limits of a search."""
    found = pb.SearchLimits(iterations=iterations)
    if time is not None:
        found.time.CopyFrom(Duration(seconds=int(time), nanos=round(time % 1 * 1e9)))
    return found


def failure(call: Callable[[], Any]) -> Failure:
    """How a call fails."""
    try:
        call()
    except grpc.RpcError as error:
        return Failure(error)
    raise AssertionError("the call did not fail")


class Failure:
    """A failed call: its code and details."""

    def __init__(self, error: Any) -> None:
        self.code: grpc.StatusCode = error.code()
        self.message: str = error.details()
        self.bad_request, self.info, self.retry = BadRequest(), ErrorInfo(), RetryInfo()
        self.quota, self.precondition = QuotaFailure(), PreconditionFailure()
        known = (self.bad_request, self.info, self.retry, self.quota, self.precondition)
        status = rpc_status.from_call(error)
        for detail in status.details if status else ():
            for message in known:
                detail.Unpack(message)

    @property
    def fields(self) -> list[str]:
        """The fields that are wrong."""
        return [violation.field for violation in self.bad_request.field_violations]

    def description(self, field: str) -> str:
        """What is wrong with a field."""
        found: dict[str, str] = {v.field: v.description for v in self.bad_request.field_violations}
        return found[field]


def eventually(condition: Callable[[], Any], seconds: float = 60.0) -> Any:
    """Waits until a condition holds, and returns it."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.005)
    return found


def without_time(advice: pb.Advice) -> pb.Advice:
    """Advice without the one figure that may differ between equal searches."""
    copy = pb.Advice()
    copy.CopyFrom(advice)
    copy.search.ClearField("elapsed")
    copy.ClearField("suggested_delay")
    return copy
