"""Many calls at once: everybody gets something, nobody is starved."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest
from grpc_health.v1 import health_pb2
from grpc_health.v1.health_pb2_grpc import HealthStub

from adamas.v1 import advisor_service_pb2 as pb
from adamas.v1.advisor_service_pb2_grpc import AdvisorServiceStub
from adamas.v1.rules_service_pb2_grpc import RulesServiceStub
from server.embedded import embedded_server
from server.log import LineWriter
from server.settings import Settings
from tests.server.positions import Memory, failure, limits, query


@pytest.fixture(scope="module")
def small() -> Iterator[grpc.Channel]:
    """A server with room for two searches, and one more in the queue."""
    settings = Settings(
        port=0, threads=1, max_searches=2, max_waiting=1, max_calls=6, deadline_margin_ms=200
    )
    with (
        embedded_server(settings, LineWriter(Memory())) as address,
        grpc.insecure_channel(address) as channel,
    ):
        yield channel


def test_everybody_gets_an_answer(advisor: AdvisorServiceStub, rules: RulesServiceStub) -> None:
    """Far more searches than threads: each gets less, none fails, and health still answers."""
    request = pb.RecommendRequest(query=query(rules, "dao", limits=limits(time=0.1)))
    with ThreadPoolExecutor(48) as pool:
        calls = [pool.submit(advisor.Recommend, request, timeout=20) for _ in range(48)]
        iterations = [call.result().advice.search.iterations for call in calls]
    assert min(iterations) > 0


def test_equal_searches_get_similar_shares(
    advisor: AdvisorServiceStub, rules: RulesServiceStub
) -> None:
    def ask(trees: int) -> int:
        asked = query(rules, "dao", limits=limits(time=1.5), trees=trees)
        return advisor.Recommend(pb.RecommendRequest(query=asked)).advice.search.iterations

    with ThreadPoolExecutor(4) as pool:
        greedy, *others = pool.map(ask, [32, 2, 2, 2])
    assert greedy < 2.5 * sorted(others)[1]


def test_health_answers_under_load(
    channel: grpc.Channel, advisor: AdvisorServiceStub, rules: RulesServiceStub
) -> None:
    request = pb.RecommendRequest(query=query(rules, "dao", limits=limits(time=1.0)))
    health = HealthStub(channel)
    with ThreadPoolExecutor(16) as pool:
        calls = [pool.submit(advisor.Recommend, request) for _ in range(16)]
        slowest = 0.0
        while not all(call.done() for call in calls):
            begin = time.monotonic()
            health.Check(health_pb2.HealthCheckRequest(), timeout=5)
            slowest = max(slowest, time.monotonic() - begin)
            time.sleep(0.01)
    assert slowest < 0.5


def test_too_many_searches_are_refused_with_a_hint(small: grpc.Channel) -> None:
    advisor = AdvisorServiceStub(small)
    request = pb.RecommendRequest(
        query=query(RulesServiceStub(small), "dao", limits=limits(time=1.0))
    )
    running = [advisor.Recommend.future(request) for _ in range(3)]
    time.sleep(0.2)
    failed = failure(lambda: advisor.Recommend(request))
    assert failed.code == grpc.StatusCode.RESOURCE_EXHAUSTED
    assert failed.info.reason == "OVERLOADED"
    assert 0.1 <= failed.retry.retry_delay.seconds + failed.retry.retry_delay.nanos / 1e9 < 2
    # The one that had to wait comes late, but it comes, and has thought as long as the others.
    iterations = sorted(call.result().advice.search.iterations for call in running)
    assert iterations[0] > 0.25 * iterations[-1]


def test_less_time_never_means_more_search(
    advisor: AdvisorServiceStub, rules: RulesServiceStub
) -> None:
    def iterations(seconds: float) -> int:
        asked = query(rules, "dao", limits=limits(time=seconds), trees=2)
        return advisor.Recommend(pb.RecommendRequest(query=asked)).advice.search.iterations

    # Time that is over before a search can begin leaves one iteration to each tree.
    assert iterations(0.0001) == 2
    assert 2 <= iterations(0.001) < iterations(0.5)


def test_a_waiting_search_is_refused_before_its_deadline(small: grpc.Channel) -> None:
    advisor = AdvisorServiceStub(small)
    asked = query(RulesServiceStub(small), "dao", limits=limits(time=1.5))
    running = [advisor.Recommend.future(pb.RecommendRequest(query=asked)) for _ in range(2)]
    time.sleep(0.2)
    failed = failure(lambda: advisor.Recommend(pb.RecommendRequest(query=asked), timeout=1.0))
    assert failed.code == grpc.StatusCode.RESOURCE_EXHAUSTED
    assert failed.retry.HasField("retry_delay")
    for call in running:
        call.result()


def test_too_many_calls_are_refused_at_once(small: grpc.Channel) -> None:
    advisor = AdvisorServiceStub(small)
    asked = query(RulesServiceStub(small), "dao", limits=limits(time=0.5))
    calls = [advisor.Recommend.future(pb.RecommendRequest(query=asked)) for _ in range(30)]
    codes = [call.code() for call in calls]
    assert codes.count(grpc.StatusCode.OK) >= 2
    assert set(codes) == {grpc.StatusCode.OK, grpc.StatusCode.RESOURCE_EXHAUSTED}
    # And after the rush it serves as before.
    assert advisor.Recommend(pb.RecommendRequest(query=asked)).advice.candidates


def test_cancelled_calls_give_their_places_back(small: grpc.Channel) -> None:
    advisor = AdvisorServiceStub(small)
    asked = query(RulesServiceStub(small), "dao", limits=limits(time=30))
    for _ in range(5):
        calls = [advisor.Recommend.future(pb.RecommendRequest(query=asked)) for _ in range(3)]
        time.sleep(0.05)
        for call in calls:
            call.cancel()
    asked.limits.CopyFrom(limits(100))
    request = pb.RecommendRequest(query=asked)
    assert advisor.Recommend(request, timeout=5).advice.search.iterations == 100
