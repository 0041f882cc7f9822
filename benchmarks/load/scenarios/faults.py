"""Workers that die, and a stop, under load."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

import grpc

from adamas.v1 import advisor_service_pb2 as pb
from adamas.v1.advisor_service_pb2_grpc import AdvisorServiceStub
from benchmarks.figures import Figure, at_least, at_most
from benchmarks.load.calls import OK, Outcome, Question, request_of
from benchmarks.load.clients import Identity
from benchmarks.load.generator import ClosedLoad, gathered, generator
from benchmarks.load.positions import AskedPosition, positions
from benchmarks.load.processes import Processes
from benchmarks.load.scale import Scale
from benchmarks.load.summaries import answered, codes
from tools.server_process import serving, start_server

_CALLERS = 12
_LIMIT = 0.3
_BETWEEN_KILLS = 2.0
_DRAIN = 5.0
_EXIT_SLACK = 1.0
"""Seconds after the drain time that the last answers and the end of the process may take."""
_LONG = 30.0
_UNAVAILABLE = grpc.StatusCode.UNAVAILABLE.name
_NEXT_CALL = 5.0
"""Seconds within which a call after a death has to be answered, however it was tried."""


def measure(scale: Scale) -> Iterator[Figure]:
    """A dying worker costs its own calls and no other, and a stop answers whoever waits."""
    yield from _deaths(scale.kills)
    yield from _stop()


def _deaths(kills: int) -> Iterator[Figure]:
    """Kills workers one after another while callers ask; none of them repeats a call by itself."""
    with serving() as server, generator(1) as load:
        asked = positions(server.address, per_game=1)
        questions = [Question(i, _LIMIT, timeout=10.0, trees=1) for i in range(len(asked))]
        loads = [ClosedLoad(Identity("crowd"), questions, _CALLERS, patience=0.0)]
        processes = Processes(server.pid)
        if not processes.workers():
            yield Figure("faults.lost_per_death", float("nan"), note="the server has no workers")
            return
        begin, futures = load.start(server.address, asked, loads, (kills + 1) * _BETWEEN_KILLS)
        deaths = []
        for number in range(kills):
            time.sleep(max(0.0, begin + (number + 1) * _BETWEEN_KILLS - time.monotonic()))
            workers = processes.workers()
            workers[number % len(workers)].kill()
            deaths.append(time.monotonic())
        outcomes = gathered(futures)
    failed = [outcome for outcome in outcomes if outcome.code != OK]
    other = [outcome for outcome in failed if outcome.code != _UNAVAILABLE]
    yield at_most("faults.failed_otherwise_than_unavailable", len(other), 0, "", codes(outcomes))
    note = f"{kills} deaths, {_CALLERS} callers, {len(workers)} workers"
    yield at_least("faults.lost", len(failed), 1, "calls", note)
    innocent = [o for o in failed if not any(o.sent < death < o.done for death in deaths)]
    yield at_most("faults.lost_without_a_death_under_way", len(innocent), 0)
    spared = min(sum(o.sent < death < o.done for o in answered(outcomes)) for death in deaths)
    yield at_least("faults.spared_per_death", spared, 1, "calls", "under way on other workers")
    waits = [_until_answered(outcomes, failure) for failure in failed]
    yield at_most("faults.next_call_s_max", max(waits, default=0.0), _NEXT_CALL, "s", pace=True)


def _until_answered(outcomes: Sequence[Outcome], failure: Outcome) -> float:
    """Seconds from a failure to the end of the first call sent after it that was answered."""
    ends = (o.done for o in answered(outcomes) if o.sent >= failure.done)
    return min(ends, default=float("inf")) - failure.done


def _stop() -> Iterator[Figure]:
    """SIGTERM while calls and streams are under way that would be searched for long."""
    server = start_server("--drain", f"{_DRAIN:g}")
    try:
        asked = positions(server.address, per_game=1)
        with grpc.insecure_channel(server.address) as channel:
            calls, streams = _begin(channel, asked)
            for stream in streams:
                next(stream)
            told = time.monotonic()
            server.process.terminate()
            ends = [_end(call) for call in calls] + [_last(stream) for stream in streams]
            code = server.wait()
            took = time.monotonic() - told
    finally:
        server.kill()
    answered_early = sum(end == "STOP_REASON_SHUTDOWN" for end in ends)
    note = ", ".join(sorted(set(ends)))
    yield at_least("faults.stop_answered", answered_early / len(ends), 1.0, "", note)
    yield at_most(
        "faults.stop_exit_s", took, _DRAIN + _EXIT_SLACK, "s", f"{len(ends)} under way", pace=True
    )
    yield at_most("faults.stop_exit_code", abs(code), 0)


def _begin(channel: grpc.Channel, asked: Sequence[AskedPosition]) -> tuple[list[Any], list[Any]]:
    """Calls and streams, as many of each as there are callers.

    They share a connection, so once a stream has begun to answer, the calls are under way as well.
    """
    advisor = AdvisorServiceStub(channel)
    requests = [
        request_of(Question(i % len(asked), _LONG, timeout=2 * _LONG), asked[i % len(asked)])
        for i in range(_CALLERS)
    ]
    calls = [advisor.Recommend.future(request) for request in requests]
    streams = [advisor.Analyze(pb.AnalyzeRequest(query=request.query)) for request in requests]
    return calls, streams


def _end(call: Any) -> str:
    """The stop reason of an answered call, or its status code."""
    try:
        return pb.StopReason.Name(call.result(2 * _LONG).advice.search.stop_reason)
    except grpc.RpcError:
        return str(call.code().name)


def _last(stream: Any) -> str:
    """The stop reason of a stream's final message, or its status code."""
    try:
        *_, last = stream
    except grpc.RpcError:
        return str(stream.code().name)
    return pb.StopReason.Name(last.advice.search.stop_reason) if last.final else "NOT_FINAL"
