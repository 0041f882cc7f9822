"""The vectors of clients/conformance: what the server answers, what the client makes of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.json_format import ParseDict

from adamas import Advice, BuiltinPlayer, Client, Detail, InvalidRequest, Limit
from adamas.envelopes import unwrap
from adamas.v1 import advisor_service_pb2 as pb
from server.embedded import embedded_server
from tools.record_vectors import VECTORS, ask

PATHS = sorted(VECTORS.glob("*.json"))
PLAYERS = {
    pb.PLAYER_UNSPECIFIED: None,
    pb.PLAYER_CASUAL: BuiltinPlayer.CASUAL,
    pb.PLAYER_RANDOM: BuiltinPlayer.RANDOM,
}
DETAILS = {pb.DETAIL_UNSPECIFIED: None, pb.DETAIL_FIGURES: Detail.FIGURES}


def vectors(*calls: str) -> pytest.MarkDecorator:
    """Tests of the vectors with one of these calls, by name."""
    found = [path for path in PATHS if json.loads(path.read_text("utf-8"))["call"] in calls]
    assert found
    return pytest.mark.parametrize("path", found, ids=lambda path: path.stem)


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with embedded_server() as address:
        yield address


@pytest.fixture(scope="module")
def channel(target: str) -> Iterator[grpc.Channel]:
    with grpc.insecure_channel(target) as found:
        yield found


@pytest.fixture(scope="module")
def client(target: str) -> Iterator[Client]:
    with Client(target) as found:
        yield found


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_the_server_answers_what_the_vectors_say(path: Path, channel: grpc.Channel) -> None:
    """After a change that is meant to change answers: `make vectors`, and read the difference."""
    vector = json.loads(path.read_text("utf-8"))
    answer = ask(channel, vector)
    expected = {key: vector[key] for key in ("responses", "error") if key in vector}
    assert answer == expected


def arguments(query: pb.SearchQuery) -> dict[str, Any]:
    """A query as the client's arguments."""
    return {
        "position": query.view,
        "limit": Limit(iterations=query.limits.iterations) if query.limits.iterations else None,
        "candidates": query.candidates or None,
        "seed": query.seed if query.HasField("seed") else None,
        "trees": query.trees or None,
        "player": PLAYERS[query.player],
        "level": query.level or None,
        "detail": DETAILS[query.detail],
        "only": [unwrap(move) for move in query.only] or None,
        "without": [unwrap(move) for move in query.without],
        "compare": unwrap(query.compare) if query.HasField("compare") else None,
        "language": query.language or None,
    }


def check(advice: Advice[Any], expected: pb.Advice) -> None:
    """That the client tells all that the message says."""
    assert advice.best_move == unwrap(expected.best_move)
    assert advice.legal_moves == expected.legal_moves
    assert advice.search.iterations == expected.search.iterations
    assert advice.search.nodes == expected.search.nodes
    assert advice.search.seed == expected.search.seed
    assert len(advice.candidates) == len(expected.candidates)
    pairs = list(zip(advice.candidates, expected.candidates, strict=True))
    assert (advice.compared is not None) == expected.HasField("compared")
    if advice.compared is not None:
        assert advice.compared.rank == expected.compared.rank
        pairs.append((advice.compared.candidate, expected.compared.candidate))
    for candidate, wanted in pairs:
        assert candidate.move == unwrap(wanted.move)
        assert candidate.words == wanted.words
        assert candidate.reason == wanted.reason
        assert candidate.visits == wanted.visits
        assert candidate.win_probability == wanted.win_probability
        assert candidate.expected_score == wanted.expected_score
        assert candidate.score_standard_error == wanted.score_standard_error
        line = [(step.seat, step.words) for step in candidate.principal_variation]
        assert line == [(step.seat, step.words) for step in wanted.principal_variation]


@vectors("AdvisorService/Recommend", "AdvisorService/Analyze")
def test_the_client_tells_what_the_vectors_say(path: Path, client: Client) -> None:
    vector = json.loads(path.read_text("utf-8"))
    analyzes = vector["call"] == "AdvisorService/Analyze"
    request = pb.AnalyzeRequest() if analyzes else pb.RecommendRequest()
    ParseDict(vector["requests"][0], request)
    if not request.query.HasField("view"):
        pytest.skip("the client has no way to ask for nothing")

    def answer() -> Advice[Any]:
        if not analyzes:
            return client.recommend(**arguments(request.query))
        with client.analyze(**arguments(request.query)) as analysis:
            return analysis.wait(60)

    if "error" not in vector:
        response = pb.AnalyzeResponse() if analyzes else pb.RecommendResponse()
        check(answer(), ParseDict(vector["responses"][0], response).advice)
        return
    with pytest.raises(InvalidRequest) as caught:
        answer()
    told = [{"field": v.field, "description": v.description} for v in caught.value.violations]
    assert told == vector["error"]["violations"]
