"""AdvisorService.Analyze over gRPC."""

from __future__ import annotations

import time

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration

from adamas.v1 import advisor_service_pb2 as pb
from adamas.v1.advisor_service_pb2_grpc import AdvisorServiceStub
from adamas.v1.rules_service_pb2_grpc import RulesServiceStub
from tests.server.positions import (
    NARROW,
    Memory,
    eventually,
    failure,
    limits,
    query,
    view_query,
    without_time,
)


def millis(number: int) -> Duration:
    return Duration(seconds=number // 1000, nanos=number % 1000 * 1_000_000)


def test_growing_updates_and_one_final(
    advisor: AdvisorServiceStub, rules: RulesServiceStub, game_id: str
) -> None:
    request = pb.AnalyzeRequest(
        query=query(rules, game_id, limits=limits(time=1.0)),
        request_id="mine",
        update_interval=millis(50),
    )
    responses = list(advisor.Analyze(request))
    assert len(responses) >= 3
    assert [response.final for response in responses] == [False] * (len(responses) - 1) + [True]
    assert all(response.request_id == "mine" for response in responses)
    iterations = [response.advice.search.iterations for response in responses]
    assert iterations == sorted(iterations)
    assert iterations[0] < iterations[-1]
    for response in responses[:-1]:
        assert response.advice.search.stop_reason == pb.STOP_REASON_UNSPECIFIED
        assert response.advice.candidates[0].words
    assert responses[-1].advice.search.stop_reason == pb.STOP_REASON_TIME


def test_updates_do_not_change_the_final_answer(
    advisor: AdvisorServiceStub, rules: RulesServiceStub, game_id: str
) -> None:
    asked = query(rules, game_id, limits=limits(3000), seed=5)
    once = advisor.Recommend(pb.RecommendRequest(query=asked)).advice
    request = pb.AnalyzeRequest(query=asked, update_interval=millis(20))
    *_, last = advisor.Analyze(request)
    assert without_time(last.advice) == without_time(once)


def test_a_search_that_ends_before_the_first_update(
    advisor: AdvisorServiceStub, rules: RulesServiceStub
) -> None:
    request = pb.AnalyzeRequest(query=query(rules, "dao", limits=limits(10)))
    (response,) = advisor.Analyze(request)
    assert response.final


def test_cancelling_stops_the_search(
    advisor: AdvisorServiceStub, rules: RulesServiceStub, log: Memory
) -> None:
    request = pb.AnalyzeRequest(
        query=query(rules, "dao", limits=limits(time=20)),
        request_id="to be cancelled",
        update_interval=millis(20),
    )
    stream = advisor.Analyze(request)
    next(stream)
    stream.cancel()
    (line,) = eventually(lambda: log.lines(request_id="to be cancelled"))
    assert line["code"] == "CANCELLED"
    assert line["elapsed_ms"] < 10_000


def test_a_deadline_ends_the_stream_with_a_final(
    advisor: AdvisorServiceStub, rules: RulesServiceStub
) -> None:
    request = pb.AnalyzeRequest(
        query=query(rules, "dao", limits=limits(time=20)), update_interval=millis(20)
    )
    *_, last = advisor.Analyze(request, timeout=0.5)
    assert last.final
    assert last.advice.search.stop_reason == pb.STOP_REASON_DEADLINE


def test_a_client_that_does_not_read_holds_up_nobody(
    address: str, rules: RulesServiceStub, advisor: AdvisorServiceStub, log: Memory
) -> None:
    """Its search ends although the stream can't be written; the updates in between are dropped."""
    request = pb.AnalyzeRequest(
        query=query(rules, "dao", limits=limits(time=1.0)),
        request_id="does not read",
        update_interval=millis(20),
    )
    with grpc.insecure_channel(address, NARROW) as channel:
        streams = [AdvisorServiceStub(channel).Analyze(request) for _ in range(8)]
        asked = query(rules, "dao", limits=limits(100))
        advisor.Recommend(pb.RecommendRequest(query=asked), timeout=10)
        time.sleep(1.5)
        assert not log.lines(request_id="does not read"), "the streams were not held up"
        for stream in streams:
            responses = list(stream)
            assert len(responses) < 10
            assert [response.final for response in responses].count(True) == 1
            assert responses[-1].final


@pytest.mark.parametrize(
    "interval",
    [Duration(), Duration(nanos=19_000_000), Duration(seconds=61), Duration(seconds=-(2**63))],
)
def test_bad_intervals(
    advisor: AdvisorServiceStub, rules: RulesServiceStub, interval: Duration
) -> None:
    request = pb.AnalyzeRequest(query=view_query(rules, "dao"), update_interval=interval)
    failed = failure(lambda: list(advisor.Analyze(request)))
    assert failed.code == grpc.StatusCode.INVALID_ARGUMENT
    assert failed.fields == ["update_interval"]


def test_bad_requests_name_the_field(advisor: AdvisorServiceStub, rules: RulesServiceStub) -> None:
    asked = view_query(rules, "dao")
    asked.view.dao.seat = 9
    failed = failure(lambda: list(advisor.Analyze(pb.AnalyzeRequest(query=asked))))
    assert failed.fields == ["query.view.dao.seat"]
