"""What the service tells about itself while it works. Does nothing unless metrics are switched on.

Names are OpenTelemetry's; Prometheus sees ``adamas.search.iterations`` as
``adamas_search_iterations_total``, and ``rpc.server.call.duration`` as
``rpc_server_call_duration_seconds``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum


class Gauge(Enum):
    """What is read when somebody looks: name, unit, description."""

    ACTIVE_CALLS = ("adamas.calls.active", "{call}", "Calls being handled.")
    RUNNING_SEARCHES = ("adamas.searches.running", "{search}", "Searches being run.")
    WAITING_SEARCHES = ("adamas.searches.waiting", "{search}", "Searches waiting for their turn.")
    WORKERS = ("adamas.workers", "{worker}", "Workers that run searches.")
    SUSPECTED_SEARCHES = (
        "adamas.searches.suspected",
        "{search}",
        "Searches that are tried alone, as they were in a worker that died.",
    )
    QUARANTINED_SEARCHES = (
        "adamas.searches.quarantined",
        "{search}",
        "Searches that are refused, as they ended a worker that they had for themselves.",
    )
    WORKER_MEMORY = ("adamas.worker.memory", "By", "Memory of all workers, which hold the trees.")


@dataclass(frozen=True)
class SearchEnded:
    """One search that was answered."""

    game: str
    stop_reason: str
    seconds: float
    """From the request's arrival to the answer."""
    iterations: int
    nodes: int
    depth: int
    """Moves of the line that is expected after the best move, which included."""
    truncated: bool
    """Whether the memory bound kept the trees from growing."""


class Metrics:
    """Takes note of what happens. Its methods may be called from any thread, and never raise."""

    def observe(self, gauge: Gauge, read: Callable[[], float]) -> None:
        """Says how a gauge is read, from any thread."""

    def call_ended(self, method: str, code: str, seconds: float) -> None:
        """A call of a method, ``/service/method``, ended with a gRPC status after some time."""

    def call_refused(self, reason: str) -> None:
        """A call, or one position of a batch, was refused, for an ``ErrorInfo`` reason."""

    def search_ended(self, ended: SearchEnded) -> None:
        """A search was answered."""

    def slice_waited(self, seconds: float) -> None:
        """A search that was ready waited so long for its next slice."""

    def worker_died(self) -> None:
        """A worker ended without having been told to."""


NO_METRICS = Metrics()
