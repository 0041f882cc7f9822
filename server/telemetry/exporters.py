"""OTLP exporters as the standard OTEL_* variables ask for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from opentelemetry.sdk.metrics.export import MetricExporter
    from opentelemetry.sdk.trace.export import SpanExporter

Signal = Literal["traces", "metrics"]
_GRPC, _HTTP = "grpc", "http/protobuf"


class InvalidTelemetry(ValueError):
    """An OTEL_* variable asks for something that this server can't do."""


def is_exported(signal: Signal, environment: Mapping[str, str]) -> bool:
    """Whether a signal goes to a collector: an exporter or an endpoint is named for it.

    Raises:
        InvalidTelemetry: If another exporter than OTLP's is asked for.
    """
    if environment.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return False
    variable = f"OTEL_{signal.upper()}_EXPORTER"
    exporter = environment.get(variable, "").strip().lower()
    if exporter not in {"", "none", "otlp"}:
        raise InvalidTelemetry(f"{variable} is {exporter}; this server knows otlp and none")
    if exporter:
        return exporter == "otlp"
    endpoints = ("OTEL_EXPORTER_OTLP_ENDPOINT", f"OTEL_EXPORTER_OTLP_{signal.upper()}_ENDPOINT")
    return any(environment.get(name) for name in endpoints)


def span_exporter(environment: Mapping[str, str]) -> SpanExporter:
    """The exporter of traces; raises InvalidTelemetry."""
    if _protocol("traces", environment) == _HTTP:
        from opentelemetry.exporter.otlp.proto.http import trace_exporter as http

        return http.OTLPSpanExporter()
    from opentelemetry.exporter.otlp.proto.grpc import trace_exporter as grpc

    return grpc.OTLPSpanExporter()


def metric_exporter(environment: Mapping[str, str]) -> MetricExporter:
    """The exporter of metrics; raises InvalidTelemetry."""
    if _protocol("metrics", environment) == _HTTP:
        from opentelemetry.exporter.otlp.proto.http import metric_exporter as http

        return http.OTLPMetricExporter()
    from opentelemetry.exporter.otlp.proto.grpc import metric_exporter as grpc

    return grpc.OTLPMetricExporter()


def _protocol(signal: Signal, environment: Mapping[str, str]) -> str:
    variable = f"OTEL_EXPORTER_OTLP_{signal.upper()}_PROTOCOL"
    general = environment.get("OTEL_EXPORTER_OTLP_PROTOCOL", "")
    protocol = environment.get(variable) or general or _GRPC
    if protocol not in {_GRPC, _HTTP}:
        raise InvalidTelemetry(f"the OTLP protocol is {protocol}; use {_GRPC} or {_HTTP}")
    return protocol
