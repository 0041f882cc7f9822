"""What the service adds to the thinking time, as one client sees it."""

from __future__ import annotations

import time
from dataclasses import dataclass

import grpc
import numpy as np
from google.protobuf.duration_pb2 import Duration

from adamas.v1 import advisor_service_pb2 as pb
from adamas.v1.advisor_service_pb2_grpc import AdvisorServiceStub
from benchmarks.iterations import Position


@dataclass(frozen=True)
class Latency:
    """Milliseconds that calls take beyond the thinking time asked for."""

    p50: float
    p99: float
    calls: int


def measure_overhead(
    address: str, position: Position, *, budget: float = 0.1, calls: int = 300
) -> Latency:
    """One call after another over one channel, as a frontend makes them."""
    query = pb.SearchQuery(limits=pb.SearchLimits(time=Duration(nanos=int(budget * 1e9))))
    view = position.game.codec.write_view(position.view)
    getattr(query.view, position.game.game_id).CopyFrom(view)
    over = []
    with grpc.insecure_channel(address) as channel:
        stub = AdvisorServiceStub(channel)
        for call in range(calls + 10):
            query.seed = call
            begin = time.perf_counter()
            stub.Recommend(pb.RecommendRequest(query=query), timeout=30.0)
            over.append((time.perf_counter() - begin - budget) * 1000)
    counted = np.array(over[10:])
    return Latency(
        float(np.percentile(counted, 50)), float(np.percentile(counted, 99)), len(counted)
    )
