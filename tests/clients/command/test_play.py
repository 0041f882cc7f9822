"""`adamas play`."""

import json
from pathlib import Path
from typing import Any

import pytest

from adamas.v1 import rules_service_pb2 as rules
from adamas.v1.dao_pb2 import DaoOptions
from adamas.v1.game_pb2 import GameOptions
from tests.clients.command.scripts import SUMMARY, Run
from tests.clients.fake_server import FakeServer
from tests.clients.messages import REVEAL, STATE, applied, legal, recommendation, seen, started


def expect_game(server: FakeServer, *seats_to_move: int) -> Any:
    server.expect("GetGame", rules.GetGameResponse(summary=SUMMARY))
    return server.expect("StartGame", started(*seats_to_move))


def expect_decision(server: FakeServer) -> None:
    server.expect("GetPlayerView", seen())
    server.expect("ListLegalMoves", legal())


def test_play_with_a_hint_and_undo(run: Run, server: FakeServer, tmp_path: Path) -> None:
    start = expect_game(server, 1)
    expect_decision(server)
    server.expect("Recommend", recommendation())
    server.expect("ApplyMove", applied(0))
    server.expect("GetPlayerView", seen())
    bot = server.expect("Recommend", recommendation())
    server.expect("ApplyMove", applied(1))
    expect_decision(server)
    back = server.expect("GetTableStatus", rules.GetTableStatusResponse(status=started(1).status))
    expect_decision(server)
    last = server.expect("ApplyMove", applied(over=True))
    record = tmp_path / "record.json"
    said = "words\nTURNS\nhint\n1\nundo\n2\n"
    arguments = ["--seat", 1, "--level", 3, "--seed", 7, "--record", record]
    assert run("play", "dao", *arguments, stdin=said) == 0
    assert (start.request.seed, start.request.seats) == (7, 2)
    assert bot.request.query.level == 3
    assert back.request.state.dao == STATE
    assert last.request.move.dao == REVEAL
    assert "no move has 'words' in its words" in run.out
    assert run.out.count("   2. turns a card") == 4  # three decisions, and found by its words
    assert "It is worth 3 points." in run.out
    assert "seat 1: 3 points, wins 1 (you)" in run.out
    kept = json.loads(record.read_text("utf-8"))
    assert kept["games"] == [
        {
            "game": "1",
            "seed": "7",
            "moves": [{"ply": 0, "seat": 1, "move": {"dao": {"action": "DAO_ACTION_REVEAL"}}}],
        }
    ]


@pytest.mark.parametrize("said", ["q\n", "quit\n", "", "undo\nq\n"])
def test_a_game_can_be_left(said: str, run: Run, server: FakeServer) -> None:
    expect_game(server, 0)
    expect_decision(server)
    assert run("play", "dao", stdin=said) == 0
    assert ("no decision of yours before" in run.out) == ("undo" in said)


def test_play_for_a_program(run: Run, server: FakeServer) -> None:
    expect_game(server, 0)
    expect_decision(server)
    server.expect("ApplyMove", applied(over=True))
    assert run("play", "dao", "--json", stdin="7\n1\n") == 0
    kinds = [next(iter(value)) for value in run.values]
    assert kinds == ["begin", "decision", "say", "events", "end"]
    assert run.values[1]["decision"]["moves"][0]["words"] == "takes Fire 3"


def test_a_seat_that_is_not_at_the_table(run: Run, server: FakeServer) -> None:
    server.expect("GetGame", rules.GetGameResponse(summary=SUMMARY))
    assert run("play", "dao", "--seat", 2) == 2
    assert "--seat is one of 0 to 1 where 2 play" in run.err


def test_a_variant_that_there_is_not(run: Run, server: FakeServer) -> None:
    variant = rules.Variant(variant_id="short", options=GameOptions(dao=DaoOptions()))
    server.expect("GetGame", rules.GetGameResponse(summary=SUMMARY, variants=[variant]))
    assert run("play", "dao", "--variant", "long") == 2
    assert "dao has these variants: short" in run.err
