"""The service from outside: how long it takes to start, and what it adds to the thinking time."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import grpc
import numpy as np
from google.protobuf.duration_pb2 import Duration
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_health.v1.health_pb2_grpc import HealthStub

from adamas.v1 import advisor_service_pb2 as pb
from adamas.v1.advisor_service_pb2_grpc import AdvisorServiceStub
from benchmarks.iterations import Position

START_TIMEOUT = 120.0


@contextmanager
def running_server() -> Iterator[tuple[str, float]]:
    """A server process on a free port; gives its address and the seconds until it served."""
    begin = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "server", "--port", "0", "--log-format", "json"],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    try:
        address = _address(process)
        with grpc.insecure_channel(address) as channel:
            _wait_until_serving(HealthStub(channel))
        yield address, time.perf_counter() - begin
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)


def _address(process: subprocess.Popen[str]) -> str:
    assert process.stderr is not None
    for line in process.stderr:
        try:
            entry = json.loads(line)
        except json.JSONDecodeError:
            continue
        if entry.get("event") == "listening":
            return str(entry["address"])
    raise RuntimeError("the server ended before it listened")


def _wait_until_serving(stub: HealthStub) -> None:
    end = time.perf_counter() + START_TIMEOUT
    while time.perf_counter() < end:
        try:
            status = stub.Check(HealthCheckRequest(), timeout=5.0, wait_for_ready=True).status
        except grpc.RpcError:
            continue
        if status == HealthCheckResponse.SERVING:
            return
        time.sleep(0.005)
    raise RuntimeError("the server did not start serving")


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
