"""What a SearchQuery asks for, apart from its position."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from adamas.v1 import advisor_service_pb2 as pb
from engines.violations import Report
from server.calls.call import Call
from server.languages import read_language
from server.requests.choices import check_choice
from server.requests.limits import Limits, read_limits
from server.requests.strengths import AskedStrength, read_strength
from server.settings import Settings

MAX_REQUEST_ID = 128
MAX_CANDIDATES, DEFAULT_CANDIDATES = 1000, 5
MAX_TREES = 64
_PLAYERS, _PRIORITIES, _DETAILS = (
    frozenset(kind.values()) for kind in (pb.Player, pb.Priority, pb.Detail)
)


@dataclass(frozen=True)
class Query:
    """How to search, and how to answer."""

    limits: Limits
    candidates: int
    detail: pb.Detail.ValueType
    seed: int
    language: str
    trees: int
    player: pb.Player.ValueType
    priority: pb.Priority.ValueType
    strength: AskedStrength


def read_query(
    request: pb.RecommendRequest | pb.AnalyzeRequest,
    report: Report,
    call: Call,
    settings: Settings,
) -> Query:
    """Reads a request's query; notes what is out of range."""
    query = request.query
    report.check(
        len(request.request_id) <= MAX_REQUEST_ID,
        "request_id",
        f"has {len(request.request_id)} characters; use at most {MAX_REQUEST_ID}",
    )
    if query.WhichOneof("position") is None:
        report.add("query.position", "is empty; set query.view or query.state")
    report.check(
        0 <= query.candidates <= MAX_CANDIDATES,
        "query.candidates",
        f"is {query.candidates}; use 1 to {MAX_CANDIDATES}, or 0 for {DEFAULT_CANDIDATES}",
    )
    report.check(
        0 <= query.trees <= MAX_TREES,
        "query.trees",
        f"is {query.trees}; use 1 to {MAX_TREES}, or 0 for {settings.trees}",
    )
    report.check(
        query.player in _PLAYERS,
        "query.player",
        f"is {query.player}; use PLAYER_SEARCH, PLAYER_CASUAL or PLAYER_RANDOM",
    )
    report.check(
        query.priority in _PRIORITIES,
        "query.priority",
        f"is {query.priority}; use a value of adamas.v1.Priority",
    )
    report.check(
        query.detail in _DETAILS,
        "query.detail",
        f"is {query.detail}; use DETAIL_FULL or DETAIL_FIGURES",
    )
    check_choice(query, report)
    margin = settings.deadline_margin_ms / 1000
    return Query(
        limits=read_limits(query.limits, "query.limits", report, call, settings.max_time, margin),
        candidates=query.candidates or DEFAULT_CANDIDATES,
        detail=query.detail or pb.DETAIL_FULL,
        seed=query.seed if query.HasField("seed") else secrets.randbits(64),
        language=read_language(query.language, "query.language", report),
        trees=query.trees or settings.trees,
        player=query.player or pb.PLAYER_SEARCH,
        priority=query.priority or pb.PRIORITY_INTERACTIVE,
        strength=read_strength(query, report),
    )
