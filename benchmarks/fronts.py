"""What the way in costs: the same call over gRPC, and over HTTP in binary and in JSON, in turn."""

from __future__ import annotations

import time
from collections.abc import Callable
from http.client import HTTPConnection

import grpc
import numpy as np
from google.protobuf.json_format import MessageToJson

from adamas.v1 import advisor_service_pb2 as pb
from adamas.v1.advisor_service_pb2_grpc import AdvisorServiceStub
from benchmarks.iterations import Position

_PATH = "/adamas.v1.AdvisorService/Recommend"


def call_times(
    address: str, web_port: int, position: Position, *, calls: int = 300
) -> dict[str, float]:
    """The median milliseconds of a Recommend of one iteration, for each way in."""
    query = pb.SearchQuery(limits=pb.SearchLimits(iterations=1), seed=1)
    view = position.game.codec.write_view(position.view)
    getattr(query.view, position.game.game_id).CopyFrom(view)
    request = pb.RecommendRequest(query=query)
    connection = HTTPConnection("127.0.0.1", web_port, timeout=30)
    with grpc.insecure_channel(address) as channel:
        stub = AdvisorServiceStub(channel)
        ways: dict[str, Callable[[], object]] = {
            "grpc": lambda: stub.Recommend(request, timeout=30.0),
            "connect": lambda: _post(connection, "application/proto", request.SerializeToString()),
            "json": lambda: _post(connection, "application/json", MessageToJson(request).encode()),
        }
        times: dict[str, list[float]] = {name: [] for name in ways}
        for _ in range(calls + 10):
            for name, ask in ways.items():
                begin = time.perf_counter()
                ask()
                times[name].append(1000 * (time.perf_counter() - begin))
    connection.close()
    return {name: float(np.median(found[10:])) for name, found in times.items()}


def _post(connection: HTTPConnection, content: str, body: bytes) -> None:
    """One call over a connection that stays; raises RuntimeError if it is refused."""
    connection.request("POST", _PATH, body, {"content-type": content})
    response = connection.getresponse()
    answer = response.read()
    if response.status != 200:
        raise RuntimeError(answer.decode("utf-8", "replace"))
