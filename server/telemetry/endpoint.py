"""Metrics over HTTP in Prometheus's format. Imported only when they are switched on."""

from __future__ import annotations

from opentelemetry.exporter.prometheus import PrometheusMetricReader
from prometheus_client import CollectorRegistry, ProcessCollector, start_http_server


class Endpoint:
    """Serves ``/metrics`` from a thread of its own."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self.reader = PrometheusMetricReader(
            disable_target_info=True, scope_info_enabled=False, registry=self._registry
        )

    def open(self, host: str, port: int) -> int:
        """Listens and returns the port; raises OSError."""
        try:
            self._server, self._thread = start_http_server(port, host, self._registry)
        except OSError as error:
            raise OSError(f"can't serve metrics on {host}:{port}: {error.strerror}") from error
        return int(self._server.server_port)

    def close(self) -> None:
        """Stops listening."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
