"""From an answer to what the metrics say about its search."""

from __future__ import annotations

from adamas.v1 import advisor_service_pb2 as pb
from server.telemetry.metrics import SearchEnded


def search_ended(game: str, advice: pb.Advice) -> SearchEnded:
    """The figures of a search that was answered."""
    search = advice.search
    reason = pb.StopReason.Name(search.stop_reason)
    return SearchEnded(
        game=game,
        stop_reason=reason.removeprefix("STOP_REASON_").lower(),
        seconds=search.elapsed.ToNanoseconds() / 1e9,
        iterations=search.iterations,
        nodes=search.nodes,
        depth=len(advice.candidates[0].principal_variation) if advice.candidates else 0,
        truncated=search.memory_bound_reached,
    )
