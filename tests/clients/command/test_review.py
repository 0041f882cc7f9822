"""`adamas review`."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format

from adamas.v1 import advisor_service_pb2 as advisor
from adamas.v1.dao_pb2 import DaoMove
from adamas.v1.game_pb2 import Move
from tests.clients.command.scripts import WRONG, Run
from tests.clients.fake_server import FakeServer
from tests.clients.messages import REVEAL, TAKE, advice, applied, seen, started


def record_file(folder: Path, *moves: DaoMove, games: int = 1) -> Path:
    path = folder / "record.json"
    played = [
        {"ply": ply, "seat": 1, "move": json_format.MessageToDict(Move(dao=move))}
        for ply, move in enumerate(moves)
    ]
    record = {
        "game": "dao",
        "options": {"dao": {}},
        "seats": 2,
        "games": [{"game": f"{game}.0", "seed": "7", "moves": played} for game in range(games)],
    }
    path.write_text(json.dumps(record), encoding="utf-8")
    return path


def ranked(take: float, reveal: float) -> advisor.Advice:
    """Advice that knows how likely either move is to win."""
    message = advice()
    for candidate, chance in zip(message.candidates, (take, reveal), strict=True):
        candidate.win_probability = chance
    return message


def expect_replay(server: FakeServer, moves: int) -> None:
    server.expect("StartGame", started(1))
    for move in range(moves):
        server.expect("GetPlayerView", seen())
        server.expect("ApplyMove", applied(1, over=move == moves - 1))


def expect_searches(server: FakeServer, *answers: advisor.Advice) -> Any:
    def answer(requests: Iterator[Any]) -> Iterator[advisor.RecommendBatchResponse]:
        for found in answers:
            asked = next(requests).recommend
            yield advisor.RecommendBatchResponse(request_id=asked.request_id, advice=found)

    return server.expect_stream("RecommendBatch", answer)


def test_review(run: Run, server: FakeServer, tmp_path: Path) -> None:
    """The second move seems a mistake, and is one; the third only seemed so."""
    expect_replay(server, 3)
    first = expect_searches(server, ranked(0.7, 0.5), ranked(0.5, 0.1), ranked(0.3, 0.0))
    deeper = expect_searches(server, ranked(0.5, 0.4), ranked(0.3, 0.29))
    record = record_file(tmp_path, TAKE, REVEAL, REVEAL)
    assert run("review", record, "--iterations", 100) == 0
    iterations = [
        [request.recommend.query.limits.iterations for request in exchange.request]
        for exchange in (first, deeper)
    ]
    assert iterations == [[100] * 3, [800] * 2]
    assert "seat 1: 3 points, wins 1; 3 decisions, 1 of them the best one; 11.0" in run.out
    assert "from move 0 to 1: seat 1 70% -> 50%" in run.out
    assert "from move 1 to 2: seat 1 50% -> 30%" in run.out
    assert "move 1, seat 1: turns a card" in run.out
    assert "10.0 percentage points more with:\n      takes Fire 3" in run.out
    assert "It is worth 3 points." in run.out
    assert "move 2, seat 1" not in run.out


def test_review_in_json(run: Run, server: FakeServer, tmp_path: Path) -> None:
    expect_replay(server, 1)
    expect_searches(server, ranked(0.6, 0.5))
    assert run("review", record_file(tmp_path, TAKE), "--json") == 0
    (review,) = run.values
    assert review["mistakes"] == []
    assert review["decisions"][0]["loss"] == 0


def test_one_of_several_games_is_chosen(run: Run, server: FakeServer, tmp_path: Path) -> None:
    record = record_file(tmp_path, TAKE, games=2)
    assert run("review", record) == 2
    assert "choose a game with --game: 0.0, 1.0" in run.err
    expect_replay(server, 1)
    expect_searches(server, ranked(0.6, 0.5))
    assert run("review", record, "--game", "1.0") == 0


def test_a_record_that_can_not_be_played(run: Run, server: FakeServer, tmp_path: Path) -> None:
    server.expect("StartGame", started(1))
    server.expect("GetPlayerView", seen())
    server.expect("ApplyMove", WRONG)
    assert run("review", record_file(tmp_path, TAKE)) == 2
    assert "ply 0 of the record can't be played" in run.err


@pytest.mark.parametrize("text", ["[]", "{}", '{"games": [{"game": "1", "seed": "x"}]}'])
def test_what_is_no_record(text: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    path.write_text(text, encoding="utf-8")
    assert run("review", path) == 2
    assert "is no record of a game" in run.err
