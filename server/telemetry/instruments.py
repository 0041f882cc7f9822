"""The metrics as OpenTelemetry instruments. Imported only when metrics are switched on."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from opentelemetry.metrics import CallbackOptions, Meter, Observation
from opentelemetry.semconv._incubating.attributes.rpc_attributes import (
    RPC_METHOD,
    RPC_RESPONSE_STATUS_CODE,
    RPC_SYSTEM_NAME,
)
from opentelemetry.semconv._incubating.metrics.rpc_metrics import RPC_SERVER_CALL_DURATION

from server.telemetry.metrics import Gauge, Metrics, SearchEnded

_CALL_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
_WAIT_SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2)
_DEPTHS = tuple(range(1, 13))
_SYSTEM = "grpc"


class Instruments(Metrics):
    """Keeps the metrics."""

    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self._calls = meter.create_histogram(
            RPC_SERVER_CALL_DURATION,
            unit="s",
            description="Time from a call's arrival to its end.",
            explicit_bucket_boundaries_advisory=_CALL_SECONDS,
        )
        self._refused = meter.create_counter(
            "adamas.calls.refused", unit="{call}", description="Calls that were refused."
        )
        self._searches = meter.create_histogram(
            "adamas.search.duration",
            unit="s",
            description="Time from a search's arrival to its answer.",
            explicit_bucket_boundaries_advisory=_CALL_SECONDS,
        )
        self._iterations = meter.create_counter(
            "adamas.search.iterations", unit="{iteration}", description="Iterations of searches."
        )
        self._nodes = meter.create_counter(
            "adamas.search.nodes", unit="{node}", description="Tree nodes of searches."
        )
        self._depth = meter.create_histogram(
            "adamas.search.depth",
            unit="{move}",
            description="Moves of the line expected by a search.",
            explicit_bucket_boundaries_advisory=_DEPTHS,
        )
        self._truncated = meter.create_counter(
            "adamas.search.truncated",
            unit="{search}",
            description="Searches whose trees reached the memory bound.",
        )
        self._slice_waits = meter.create_histogram(
            "adamas.slice.wait",
            unit="s",
            description="Time that a search which was ready waited for its next slice.",
            explicit_bucket_boundaries_advisory=_WAIT_SECONDS,
        )
        self._deaths = meter.create_counter(
            "adamas.worker.deaths", unit="{worker}", description="Workers that died."
        )
        self._deaths.add(0)  # so that the first death is seen as a step

    def observe(self, gauge: Gauge, read: Callable[[], float]) -> None:
        """Has a gauge read whenever metrics are collected."""
        name, unit, description = gauge.value

        def observed(_: CallbackOptions) -> Iterable[Observation]:
            return [Observation(read())]

        self._meter.create_observable_gauge(name, [observed], unit, description)

    def call_ended(self, method: str, code: str, seconds: float) -> None:
        """Takes the time of a call."""
        self._calls.record(
            seconds,
            {
                RPC_SYSTEM_NAME: _SYSTEM,
                RPC_METHOD: method.removeprefix("/"),
                RPC_RESPONSE_STATUS_CODE: code,
            },
        )

    def call_refused(self, reason: str) -> None:
        """Counts a refusal."""
        self._refused.add(1, {"reason": reason})

    def search_ended(self, ended: SearchEnded) -> None:
        """Takes the figures of a search."""
        game = {"game": ended.game}
        self._searches.record(ended.seconds, {**game, "stop_reason": ended.stop_reason})
        self._iterations.add(ended.iterations, game)
        self._nodes.add(ended.nodes, game)
        self._depth.record(ended.depth, game)
        self._truncated.add(int(ended.truncated), game)

    def slice_waited(self, seconds: float) -> None:
        """Takes the time that a slice was waited for."""
        self._slice_waits.record(seconds)

    def worker_died(self) -> None:
        """Counts a death."""
        self._deaths.add(1)
