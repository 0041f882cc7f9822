"""What a SampleWorldsRequest asks for, apart from its position."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass

from adamas.v1 import advisor_service_pb2 as pb
from engines.violations import Report
from server.calls.call import Call
from server.languages import read_language
from server.settings import Settings

MAX_SAMPLES, DEFAULT_SAMPLES = 10_000, 1000
MAX_WORLDS = 100
_LONGEST = 2.0
"""Seconds that sampling may take."""
_OF_THE_DEADLINE = 0.5
"""Share of the time until the deadline that sampling may take; the rest is for the answer."""


@dataclass(frozen=True)
class Sampling:
    """How much to sample, and what to send of it."""

    samples: int
    worlds: int
    seed: int
    seconds: float
    language: str


def read_sampling(request: pb.SampleWorldsRequest, call: Call, settings: Settings) -> Sampling:
    """Reads a request; raises InvalidMessage with all that is wrong but the position."""
    report = Report()
    if request.WhichOneof("position") is None:
        report.add("position", "is empty; set view or state")
    report.check(
        0 <= request.samples <= MAX_SAMPLES,
        "samples",
        f"is {request.samples}; use 1 to {MAX_SAMPLES}, or 0 for {DEFAULT_SAMPLES}",
    )
    report.check(
        0 <= request.worlds <= MAX_WORLDS,
        "worlds",
        f"is {request.worlds}; use 0 to {MAX_WORLDS}",
    )
    language = read_language(request.language, "language", report)
    report.raise_if_any()
    seconds = min(_LONGEST, settings.max_time)
    if call.deadline is not None:
        left = call.deadline - time.monotonic()
        seconds = min(seconds, max(0.0, _OF_THE_DEADLINE * left))
    return Sampling(
        samples=request.samples or DEFAULT_SAMPLES,
        worlds=request.worlds,
        seed=request.seed if request.HasField("seed") else secrets.randbits(64),
        seconds=seconds,
        language=language,
    )
