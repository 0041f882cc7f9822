"""Telemetry that nobody asked for costs nothing, and what is asked for is understood."""

from __future__ import annotations

import subprocess
import sys

import pytest

from server.settings import Settings
from server.telemetry.exporters import (
    InvalidTelemetry,
    is_exported,
    metric_exporter,
    span_exporter,
)
from server.telemetry.metrics import NO_METRICS
from server.telemetry.telemetry import Telemetry
from tests.server.program import ROOT

ENDPOINT = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:4317"}


def test_off_by_default() -> None:
    telemetry = Telemetry(Settings(), {})
    assert telemetry.metrics is NO_METRICS
    assert not telemetry.interceptors
    assert not telemetry.log_processors


def test_a_server_without_telemetry_does_not_even_import_it() -> None:
    code = """
import sys
import server.__main__
from server.settings import Settings
from server.telemetry.telemetry import Telemetry
Telemetry(Settings(), {}).open()
heavy = ("opentelemetry", "prometheus_client", "requests", "search.search", "search.tree")
print(*(name for name in heavy if name in sys.modules))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []


@pytest.mark.parametrize(
    ("environment", "traces", "metrics"),
    [
        ({}, False, False),
        (ENDPOINT, True, True),
        ({**ENDPOINT, "OTEL_SDK_DISABLED": "true"}, False, False),
        ({**ENDPOINT, "OTEL_TRACES_EXPORTER": "none"}, False, True),
        ({**ENDPOINT, "OTEL_METRICS_EXPORTER": "none"}, True, False),
        ({"OTEL_TRACES_EXPORTER": "otlp"}, True, False),
        ({"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT": "http://localhost:4317"}, False, True),
        ({"OTEL_SERVICE_NAME": "adamas"}, False, False),
    ],
)
def test_the_standard_variables_switch_it_on(
    environment: dict[str, str], traces: bool, metrics: bool
) -> None:
    assert is_exported("traces", environment) is traces
    assert is_exported("metrics", environment) is metrics


@pytest.mark.parametrize(
    ("protocol", "kind"), [("", "grpc"), ("grpc", "grpc"), ("http/protobuf", "http")]
)
def test_the_protocol_is_chosen_by_a_variable(protocol: str, kind: str) -> None:
    environment = {"OTEL_EXPORTER_OTLP_PROTOCOL": protocol}
    for exporter in (span_exporter(environment), metric_exporter(environment)):
        assert f".proto.{kind}." in type(exporter).__module__
        exporter.shutdown()


def test_what_can_not_be_done_is_said() -> None:
    with pytest.raises(InvalidTelemetry, match="OTEL_TRACES_EXPORTER is zipkin"):
        is_exported("traces", {"OTEL_TRACES_EXPORTER": "zipkin"})
    with pytest.raises(InvalidTelemetry, match="use grpc or http/protobuf"):
        span_exporter({"OTEL_EXPORTER_OTLP_TRACES_PROTOCOL": "http/json"})
