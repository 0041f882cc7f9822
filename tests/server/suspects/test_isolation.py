"""Searches that end or stop the process that runs them, on a running server."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import grpc
import pytest

from adamas.channels import channel_options
from adamas.v1 import advisor_service_pb2 as pb
from adamas.v1.advisor_service_pb2_grpc import AdvisorServiceStub
from adamas.v1.rules_service_pb2_grpc import RulesServiceStub
from server.embedded import embedded_server
from server.log import LineWriter
from server.settings import Settings
from server.workers import pool
from tests.server.batches import BatchCall
from tests.server.harm import CRASH, HANG, harmful_workers
from tests.server.positions import Memory, eventually, failure, limits, view_query


@dataclass
class Running:
    """A server with two workers."""

    address: str
    channel: grpc.Channel
    log: Memory = field(default_factory=Memory)

    @property
    def advisor(self) -> AdvisorServiceStub:
        return AdvisorServiceStub(self.channel)

    def query(self, **fields: Any) -> pb.SearchQuery:
        return view_query(RulesServiceStub(self.channel), "dao", **fields)

    def recommend(self, query: pb.SearchQuery, **options: Any) -> pb.Advice:
        return self.advisor.Recommend(pb.RecommendRequest(query=query), **options).advice

    def pids(self) -> list[int]:
        """Of the workers that have been started, but isolated ones."""
        return [line["pid"] for line in self.log.lines(event="worker started")]

    def count(self, event: str) -> int:
        """How many lines of an event have been written."""
        return len(self.log.lines(event=event))

    def calls(self, code: str) -> int:
        """How many Recommend calls have been logged; so has all that happened before their end."""
        method = "/adamas.v1.AdvisorService/Recommend"
        return len(self.log.lines(event="call", method=method, code=code))


@pytest.fixture
def running() -> Iterator[Running]:
    log = Memory()
    settings = Settings(port=0, threads=2, workers=2)
    with (
        harmful_workers(),
        embedded_server(settings, LineWriter(log)) as address,
        grpc.insecure_channel(address) as channel,
    ):
        yield Running(address, channel, log)


def lose(running: Running, query: pb.SearchQuery) -> None:
    """Asks once, which costs a worker."""
    failed = failure(lambda: running.recommend(query))
    assert failed.code == grpc.StatusCode.UNAVAILABLE
    assert failed.info.reason == "WORKER_DIED"


def test_a_search_that_crashes_again_when_tried_alone_is_refused(running: Running) -> None:
    culprit = running.query(seed=CRASH, limits=limits(50))
    lose(running, culprit)
    for _ in range(3):
        failed = failure(lambda: running.recommend(culprit))
        assert failed.code == grpc.StatusCode.FAILED_PRECONDITION
        assert failed.info.reason == "QUARANTINED"
        assert not failed.retry.HasField("retry_delay")
        (violation,) = failed.precondition.violations
        assert violation.subject == "query.view"
        assert "another position" in violation.description
        assert failed.info.metadata["fingerprint"] in failed.message
        assert 0 < int(failed.info.metadata["seconds"]) <= 600
    eventually(lambda: running.calls("FAILED_PRECONDITION") == 3)
    (line,) = eventually(lambda: running.log.lines(event="search quarantined"))
    assert line["fingerprint"] == failed.info.metadata["fingerprint"]
    assert line["signal"] == "SIGSEGV"
    eventually(lambda: running.count("worker died") == 2)
    eventually(lambda: running.count("worker started") == 3)
    assert running.count("isolated worker started") == 1, "refused at once the other times"
    for call in running.log.lines(event="call", code="FAILED_PRECONDITION"):
        assert call["fingerprint"] == line["fingerprint"]
    assert running.recommend(running.query(limits=limits(50))).search.iterations == 50


def test_with_the_shipped_retry_policy_only_the_culprit_fails(running: Running) -> None:
    with grpc.insecure_channel(running.address, channel_options(running.address)) as channel:
        advisor = AdvisorServiceStub(channel)

        def begin(seed: int) -> Any:
            asked = running.query(seed=seed, limits=limits(time=3))
            return advisor.Recommend.future(pb.RecommendRequest(query=asked))

        innocent = [begin(seed) for seed in range(6)]
        failed = failure(begin(CRASH).result)
        assert failed.info.reason == "QUARANTINED"
        for call in innocent:
            assert call.result().advice.search.iterations > 0
    eventually(lambda: running.calls("OK") == len(innocent))
    eventually(lambda: running.count("worker died") == 2)
    lost, alone = (line["searches"] for line in running.log.lines(event="worker died"))
    assert alone == 1, "nobody else was there the second time"
    assert running.count("search suspected") == lost
    assert running.count("search cleared") == lost - 1


def test_a_search_whose_worker_is_killed_is_tried_alone_once(running: Running) -> None:
    asked = running.query(limits=limits(time=20))
    stream = running.advisor.Analyze(pb.AnalyzeRequest(query=asked))
    assert not next(stream).final
    for pid in running.pids():
        os.kill(pid, signal.SIGKILL)
    assert failure(lambda: list(stream)).info.reason == "WORKER_DIED"
    asked.limits.CopyFrom(limits(time=2))
    for _ in range(2):
        assert running.recommend(asked).search.iterations > 0
    eventually(lambda: running.calls("OK") == 2)
    assert running.count("search suspected") == 1
    assert running.count("search cleared") == 1
    assert running.count("isolated worker started") == 1
    assert not running.count("search quarantined")


def test_a_stream_of_updates_is_refused_like_a_call(running: Running) -> None:
    culprit = pb.AnalyzeRequest(query=running.query(seed=CRASH))
    lose(running, culprit.query)
    failed = failure(lambda: list(running.advisor.Analyze(culprit)))
    assert failed.info.reason == "QUARANTINED"


def test_the_culprit_of_a_batch_is_refused_and_the_others_are_answered(running: Running) -> None:
    queries = {"culprit": running.query(seed=CRASH, limits=limits(50))}
    for number in range(3):
        queries[str(number)] = running.query(seed=number, limits=limits(50))
    lose(running, queries["culprit"])
    with BatchCall(running.channel) as batch:
        for name, query in queries.items():
            batch.recommend(name, query)
        answers = {answer.request_id: answer for answer in batch.rest()}
    code = grpc.StatusCode.FAILED_PRECONDITION.value[0]
    assert answers.pop("culprit").error.code == code
    assert [answer.advice.search.iterations for answer in answers.values()] == [50] * 3


def test_a_search_that_hangs_again_when_tried_alone_is_refused(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "_LONGEST_REQUEST", 2.0)
    culprit = running.query(seed=HANG, limits=limits(50))
    lose(running, culprit)
    failed = failure(lambda: running.recommend(culprit))
    assert failed.info.reason == "QUARANTINED"
    (line,) = eventually(lambda: running.log.lines(event="search quarantined"))
    assert line["hung"]


def test_a_search_that_hangs_is_proved_to_even_if_its_client_gives_up_first(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "_LONGEST_REQUEST", 4.0)
    culprit = running.query(seed=HANG, limits=limits(50))
    lose(running, culprit)

    def refused_after_giving_up() -> bool:
        failed = failure(lambda: running.recommend(culprit, timeout=1.0))
        reason: str = failed.info.reason
        return reason == "QUARANTINED"

    eventually(refused_after_giving_up)
    died = eventually(lambda: running.log.lines(event="worker died"))
    assert [line["searches"] for line in died] == [1] * len(died)


def test_a_worker_that_hangs_costs_nobody_else_anything(running: Running) -> None:
    """Until it is killed, and from when it has been silent for a moment."""
    eventually(lambda: len(running.pids()) == 2)
    hanging, _ = running.pids()
    os.kill(hanging, signal.SIGSTOP)
    asked = [running.query(seed=seed, limits=limits(time=0.2)) for seed in range(6)]
    calls = [
        running.advisor.Recommend.future(pb.RecommendRequest(query=query), timeout=2)
        for query in asked
    ]
    codes = [call.code() for call in calls]
    assert set(codes) == {grpc.StatusCode.OK, grpc.StatusCode.DEADLINE_EXCEEDED}
    for query in asked:
        assert running.recommend(query, timeout=2).search.iterations > 0
    assert not running.count("worker hangs"), "that would have been too late"
    os.kill(hanging, signal.SIGKILL)
    eventually(lambda: running.count("worker started") == 3)
