"""What Prometheus sees of a running server: values that add up with what was done."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
import pytest

from adamas.v1 import advisor_service_pb2 as pb
from adamas.v1 import rules_service_pb2 as rules_pb
from server.settings import Settings
from tests.server.positions import Memory, eventually, failure, limits, query
from tests.server.telemetry.conftest import CALLS, Observed, Scrape

RECOMMEND = "adamas.v1.AdvisorService/Recommend"


def recommend(observed: Observed, **fields: Any) -> pb.Advice:
    asked = query(observed.rules, "dao", **fields)
    return observed.advisor.Recommend(pb.RecommendRequest(query=asked)).advice


def test_the_figures_of_searches_add_up(observed: Observed) -> None:
    before = observed.scrape()
    answers = [recommend(observed, limits=limits(n)) for n in (50, 100, 150)]
    after = observed.settled(before, 6)  # each search asks for its deal first

    def grown(name: str, **labels: str) -> float:
        return after.total(name, **labels) - before.total(name, **labels)

    figures = [advice.search for advice in answers]
    game = {"game": "dao"}
    assert grown("adamas_search_iterations_total", **game) == 300
    assert grown("adamas_search_nodes_total", **game) == sum(found.nodes for found in figures)
    assert grown("adamas_search_depth_sum", **game) == sum(
        len(advice.candidates[0].principal_variation) for advice in answers
    )
    assert grown("adamas_search_duration_seconds_count", stop_reason="iterations", **game) == 3
    seconds = sum(found.elapsed.ToNanoseconds() / 1e9 for found in figures)
    assert grown("adamas_search_duration_seconds_sum", **game) == pytest.approx(seconds)
    assert grown(CALLS, rpc_method=RECOMMEND, rpc_response_status_code="OK") == 3
    assert grown(CALLS, rpc_method="adamas.v1.RulesService/StartGame") == 3
    assert grown("rpc_server_call_duration_seconds_sum", rpc_method=RECOMMEND) >= seconds
    assert grown("adamas_search_truncated_total", **game) == sum(
        found.memory_bound_reached for found in figures
    )


def test_slices_of_searches_that_take_several_are_counted(observed: Observed) -> None:
    before = observed.scrape()
    recommend(observed, limits=limits(time=0.2))
    after = observed.settled(before, 2)
    name = "adamas_slice_wait_seconds_count"
    assert after.total(name) - before.total(name) >= 3


def test_a_running_search_is_seen(observed: Observed) -> None:
    asked = query(observed.rules, "dao", limits=limits(time=30))
    call = observed.advisor.Recommend.future(pb.RecommendRequest(query=asked))

    def running() -> Scrape | None:
        found = observed.scrape()
        return found if found.total("adamas_searches_running") else None

    seen = eventually(running)
    assert seen.total("adamas_calls_active") == 1
    assert seen.total("adamas_searches_running") == 1
    assert seen.total("adamas_searches_waiting") == 0
    assert seen.total("adamas_worker_memory_bytes") > 1 << 20
    call.cancel()
    eventually(lambda: not observed.scrape().total("adamas_calls_active"))
    after = observed.scrape()
    assert after.total("adamas_searches_running") == 0
    assert after.total(CALLS, rpc_response_status_code="CANCELLED") >= 1


def test_refused_calls_are_counted_by_reason(observed: Observed) -> None:
    asked = query(observed.rules, "dao", limits=limits(time=1))
    before = observed.scrape()
    request = pb.RecommendRequest(query=asked)
    with ThreadPoolExecutor(4) as pool:
        codes = [call.code() for call in pool.map(observed.advisor.Recommend.future, [request] * 4)]
    failure(lambda: observed.advisor.Recommend(pb.RecommendRequest()))
    failure(lambda: observed.rules.GetGame(rules_pb.GetGameRequest(game_id="chess")))
    after = observed.settled(before, 6)
    overloaded = codes.count(grpc.StatusCode.RESOURCE_EXHAUSTED)
    assert overloaded >= 1

    def refused(reason: str) -> float:
        name = "adamas_calls_refused_total"
        return after.total(name, reason=reason) - before.total(name, reason=reason)

    assert refused("OVERLOADED") == overloaded
    assert refused("INVALID_FIELD") == 2


def test_a_search_at_its_memory_bound_is_counted(observed: Observed) -> None:
    before = observed.scrape()
    advice = recommend(observed, limits=limits(200_000))
    assert advice.search.memory_bound_reached
    after = observed.settled(before, 2)
    name = "adamas_search_truncated_total"
    assert after.total(name, game="dao") - before.total(name, game="dao") == 1


def test_histograms_hold_every_value_once(observed: Observed) -> None:
    recommend(observed, limits=limits(10))
    scrape = observed.scrape()
    histograms = {name.removesuffix("_bucket") for name in scrape.names if "_bucket" in name}
    assert len(histograms) == 4
    for name in histograms:
        assert scrape.total(f"{name}_bucket", le="+Inf") == scrape.total(f"{name}_count")


def test_the_process_is_seen(observed: Observed) -> None:
    scrape = observed.scrape()
    assert scrape.total("process_cpu_seconds_total") > 0
    assert scrape.total("process_resident_memory_bytes") > 1 << 20
    assert scrape.total("adamas_workers") == Settings().workers
    assert scrape.total("adamas_worker_deaths_total") == 0


def test_without_a_port_nothing_is_served(log: Memory, address: str) -> None:
    (line,) = eventually(lambda: log.lines(event="listening"))
    assert line["metrics_port"] is None
