"""Switches metrics and traces on, as far as settings and the standard OTEL_* variables ask."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

import grpc
from grpc import aio
from structlog.typing import Processor

from server.settings import PROGRAM, Settings
from server.telemetry.exporters import is_exported, metric_exporter, span_exporter
from server.telemetry.metrics import NO_METRICS, Metrics

if TYPE_CHECKING:  # importing any of it takes a while; most servers do without
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.trace import TracerProvider

    from server.telemetry.endpoint import Endpoint


class Telemetry:
    """What is seen of one server."""

    def __init__(self, settings: Settings, environment: Mapping[str, str] = os.environ) -> None:
        """Raises InvalidTelemetry if a variable asks for something impossible."""
        self.metrics: Metrics = NO_METRICS
        self.interceptors: Sequence[aio.ServerInterceptor] = ()
        self.log_processors: Sequence[Processor] = ()
        self.metrics_port: int | None = None
        self._settings = settings
        self._endpoint: Endpoint | None = None
        self._meters: MeterProvider | None = None
        self._traces: TracerProvider | None = None
        if settings.metrics_port is not None or is_exported("metrics", environment):
            self._keep_metrics(environment)
        if is_exported("traces", environment):
            self._trace(environment)

    def open(self) -> None:
        """Begins to serve metrics, if that is asked for; raises OSError."""
        if self._endpoint is not None and self._settings.metrics_port is not None:
            self.metrics_port = self._endpoint.open(
                self._settings.metrics_host, self._settings.metrics_port
            )

    def web_call(
        self, method: str, headers: Iterable[tuple[bytes, bytes]]
    ) -> AbstractContextManager[object]:
        """The span of a call that came over HTTP, if there are traces; gRPC's interceptors make
        those of the others."""
        if self._traces is None:
            return nullcontext()
        from server.telemetry.tracing import web_span

        return web_span(self._traces, method, headers)

    def call_ended(
        self, method: str, code: grpc.StatusCode, seconds: float, fields: Mapping[str, Any]
    ) -> None:
        """A call ended, whose log line says what is in the fields."""
        self.metrics.call_ended(method, code.name, seconds)
        if self._traces is not None:
            from server.telemetry.tracing import describe_call

            describe_call(fields, code)

    def close(self) -> None:
        """Exports what is left and ends. May take seconds while no collector answers."""
        if self.metrics_port is not None and self._endpoint is not None:
            self._endpoint.close()
        for provider in (self._traces, self._meters):
            if provider is not None:
                provider.shutdown()

    def _keep_metrics(self, environment: Mapping[str, str]) -> None:
        from opentelemetry.sdk.metrics import MeterProvider
        from opentelemetry.sdk.metrics.export import MetricReader, PeriodicExportingMetricReader

        from server.telemetry.instruments import Instruments

        readers: list[MetricReader] = []
        if self._settings.metrics_port is not None:
            from server.telemetry.endpoint import Endpoint

            self._endpoint = Endpoint()
            readers.append(self._endpoint.reader)
        if is_exported("metrics", environment):
            readers.append(PeriodicExportingMetricReader(metric_exporter(environment)))
        self._meters = MeterProvider(readers, _resource(), shutdown_on_exit=False)
        self.metrics = Instruments(self._meters.get_meter(PROGRAM))

    def _trace(self, environment: Mapping[str, str]) -> None:
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        from server.telemetry.tracing import add_trace_ids, interceptors

        self._traces = TracerProvider(resource=_resource(), shutdown_on_exit=False)
        self._traces.add_span_processor(BatchSpanProcessor(span_exporter(environment)))
        self.interceptors = interceptors(self._traces)
        self.log_processors = (add_trace_ids,)


def _resource() -> Any:
    """What the server calls itself, unless OTEL_SERVICE_NAME says otherwise."""
    from opentelemetry.sdk.resources import OTELResourceDetector, Resource

    own = Resource.create({"service.name": PROGRAM})
    return own.merge(OTELResourceDetector().detect())
