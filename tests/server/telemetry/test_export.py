"""Traces and metrics that go to a collector, and trace ids in log lines."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
import pytest
from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2 as metrics_pb
from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2_grpc as metrics_grpc
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2 as trace_pb
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2_grpc as trace_grpc
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from adamas.v1 import advisor_service_pb2 as pb
from adamas.v1 import rules_service_pb2 as rules_pb
from adamas.v1.advisor_service_pb2_grpc import AdvisorServiceStub
from adamas.v1.rules_service_pb2_grpc import RulesServiceStub
from server.embedded import embedded_server
from server.log import LineWriter
from server.settings import Settings
from tests.server.positions import Memory, eventually, failure, limits, query
from tests.server.web.conftest import Web

TRACE_ID, PARENT_ID = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
TRACED = (("traceparent", f"00-{TRACE_ID}-{PARENT_ID}-01"),)


class Collector(trace_grpc.TraceServiceServicer, metrics_grpc.MetricsServiceServicer):
    """Keeps what it is sent."""

    def __init__(self) -> None:
        self.spans: list[Span] = []
        self.metrics: dict[str, Any] = {}
        self.service_names: set[str] = set()

    def Export(self, request: Any, context: Any) -> Any:
        if isinstance(request, trace_pb.ExportTraceServiceRequest):
            for resource in request.resource_spans:
                self._name(resource.resource)
                for scope in resource.scope_spans:
                    self.spans += scope.spans
            return trace_pb.ExportTraceServiceResponse()
        for resource in request.resource_metrics:
            self._name(resource.resource)
            for scope in resource.scope_metrics:
                self.metrics |= {metric.name: metric for metric in scope.metrics}
        return metrics_pb.ExportMetricsServiceResponse()

    def _name(self, resource: Any) -> None:
        self.service_names |= {
            attribute.value.string_value
            for attribute in resource.attributes
            if attribute.key == "service.name"
        }

    def span(self, method: str, **wanted: Any) -> Span | None:
        """A span of a method that has these attributes."""
        return next(
            (s for s in self.spans if s.name == method and wanted.items() <= attributes(s).items()),
            None,
        )


def attributes(span: Any) -> dict[str, Any]:
    return {a.key: getattr(a.value, a.value.WhichOneof("value")) for a in span.attributes}


@pytest.fixture(scope="module")
def collector() -> Iterator[tuple[Collector, str]]:
    found = Collector()
    server = grpc.server(ThreadPoolExecutor(2))
    trace_grpc.add_TraceServiceServicer_to_server(found, server)  # type: ignore[no-untyped-call]
    metrics_grpc.add_MetricsServiceServicer_to_server(found, server)  # type: ignore[no-untyped-call]
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield found, f"http://127.0.0.1:{port}"
    server.stop(None).wait()


@pytest.fixture(scope="module")
def log() -> Memory:
    return Memory()


@pytest.fixture(scope="module")
def traced(collector: tuple[Collector, str], log: Memory) -> Iterator[grpc.Channel]:
    """A server that exports to the collector."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector[1])
        patch.setenv("OTEL_METRIC_EXPORT_INTERVAL", "100")
        patch.setenv("OTEL_BSP_SCHEDULE_DELAY", "50")
        with (
            embedded_server(Settings(port=0, web_port=0, threads=1), LineWriter(log)) as address,
            grpc.insecure_channel(address) as channel,
        ):
            yield channel


@pytest.fixture
def found(collector: tuple[Collector, str]) -> Collector:
    return collector[0]


def test_a_call_is_a_span_in_the_trace_of_its_caller(
    traced: grpc.Channel, found: Collector, log: Memory
) -> None:
    asked = query(RulesServiceStub(traced), "dao", limits=limits(70))
    request = pb.RecommendRequest(query=asked, request_id="traced")
    AdvisorServiceStub(traced).Recommend(request, metadata=TRACED)
    wanted = {"adamas.iterations": 70, "adamas.game": "dao", "rpc.grpc.status_code": 0}
    method = "/adamas.v1.AdvisorService/Recommend"
    span = eventually(lambda: found.span(method, **wanted))
    assert span.trace_id.hex() == TRACE_ID
    assert span.parent_span_id.hex() == PARENT_ID
    assert span.kind == Span.SPAN_KIND_SERVER
    assert attributes(span)["rpc.system"] == "grpc"
    (line,) = eventually(lambda: log.lines(request_id="traced"))
    assert (line["trace_id"], line["span_id"]) == (TRACE_ID, span.span_id.hex())
    assert found.service_names == {"adamas-server"}


@pytest.fixture
def web(traced: grpc.Channel, log: Memory) -> Web:
    """The same server's port for browsers."""
    (listening,) = eventually(lambda: log.lines(event="listening"))
    return Web(listening["web_port"], listening["address"], log)


def test_a_call_over_http_is_a_span_in_the_trace_of_its_caller(
    web: Web, found: Collector, log: Memory
) -> None:
    method = "/adamas.v1.RulesService/GetGame"
    answer = web.post(method, {"game_id": "diams"}, traceparent=TRACED[0][1])
    assert answer.status == 200
    span = eventually(lambda: found.span(method, **{"adamas.game": "diams"}))
    assert span.trace_id.hex() == TRACE_ID
    assert span.parent_span_id.hex() == PARENT_ID
    assert span.kind == Span.SPAN_KIND_SERVER
    assert attributes(span)["rpc.system"] == "connect_rpc"
    assert attributes(span)["rpc.grpc.status_code"] == 0
    (line,) = eventually(lambda: log.lines(method=method, game="diams"))
    assert (line["trace_id"], line["span_id"]) == (TRACE_ID, span.span_id.hex())


def test_a_refused_call_over_http_says_so(web: Web, found: Collector) -> None:
    method = "/adamas.v1.RulesService/GetGame"
    assert web.post(method, {"game_id": "go"}).status == 400
    refused = {"rpc.system": "connect_rpc", "adamas.field": "game_id"}
    span = eventually(lambda: found.span(method, **refused))
    assert attributes(span)["rpc.grpc.status_code"] == grpc.StatusCode.INVALID_ARGUMENT.value[0]
    assert not span.parent_span_id


def test_a_stream_is_a_span_too(traced: grpc.Channel, found: Collector) -> None:
    asked = query(RulesServiceStub(traced), "dao", limits=limits(time=0.3))
    *_, last = AdvisorServiceStub(traced).Analyze(pb.AnalyzeRequest(query=asked))
    assert last.final
    span = eventually(lambda: found.span("/adamas.v1.AdvisorService/Analyze"))
    assert attributes(span)["adamas.iterations"] == last.advice.search.iterations
    assert span.end_time_unix_nano - span.start_time_unix_nano > 0.2e9


def test_a_cancelled_stream_ends_its_span(
    traced: grpc.Channel, found: Collector, log: Memory
) -> None:
    asked = query(RulesServiceStub(traced), "dao", limits=limits(time=20))
    stream = AdvisorServiceStub(traced).Analyze(pb.AnalyzeRequest(query=asked))
    next(stream)
    stream.cancel()
    cancelled = {"rpc.grpc.status_code": grpc.StatusCode.CANCELLED.value[0]}
    eventually(lambda: found.span("/adamas.v1.AdvisorService/Analyze", **cancelled))
    assert not log.lines(event="incident")


def test_a_refused_call_says_so(traced: grpc.Channel, found: Collector) -> None:
    request = rules_pb.GetGameRequest(game_id="chess")
    failed = failure(lambda: RulesServiceStub(traced).GetGame(request))
    assert failed.bad_request.field_violations
    refused = {"rpc.grpc.status_code": failed.code.value[0], "adamas.field": "game_id"}
    eventually(lambda: found.span("/adamas.v1.RulesService/GetGame", **refused))


def test_metrics_are_exported_under_their_standard_names(
    traced: grpc.Channel, found: Collector
) -> None:
    RulesServiceStub(traced).ListGames(rules_pb.ListGamesRequest())

    def counted() -> bool:
        points = found.metrics["rpc.server.call.duration"].histogram.data_points
        wanted = {
            "rpc.system.name": "grpc",
            "rpc.method": "adamas.v1.RulesService/ListGames",
            "rpc.response.status_code": "OK",
        }
        return any(attributes(point) == wanted and point.count >= 1 for point in points)

    eventually(lambda: "rpc.server.call.duration" in found.metrics and counted())
    assert found.metrics["rpc.server.call.duration"].unit == "s"
    assert "adamas.calls.active" in found.metrics
