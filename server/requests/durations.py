"""Seconds and durations."""

from __future__ import annotations

from google.protobuf.duration_pb2 import Duration


def seconds(duration: Duration) -> float:
    """A duration in seconds; out-of-range nanos are simply added."""
    return float(duration.seconds + duration.nanos / 1e9)


def duration(seconds: float) -> Duration:
    """Seconds, not negative, as a duration."""
    whole, nanos = divmod(round(seconds * 1e9), 1_000_000_000)
    return Duration(seconds=whole, nanos=nanos)
