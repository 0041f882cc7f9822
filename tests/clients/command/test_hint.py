"""`adamas hint`, and what commands that search have in common."""

from collections.abc import Callable
from pathlib import Path

import pytest
from google.protobuf import json_format
from google.protobuf.message import Message

from adamas.v1 import advisor_service_pb2 as advisor
from adamas.v1 import rules_service_pb2 as rules
from adamas.v1.game_pb2 import GameState, Move, PlayerView
from tests.clients.command.scripts import WRONG, Run
from tests.clients.fake_server import FakeServer
from tests.clients.messages import REVEAL, STATE, TAKE, VIEW, recommendation, seen, started, update


def test_hint(run: Run, server: FakeServer, view: Path) -> None:
    exchange = server.expect("Recommend", recommendation())
    arguments = ["--iterations", 100, "--candidates", 2, "--level", 3, "--seed", 7]
    assert run("hint", view, *arguments) == 0
    query = exchange.request.query
    assert query.view.dao == VIEW
    assert (query.limits.iterations, query.candidates, query.level, query.seed) == (100, 2, 3, 7)
    assert run.out.splitlines()[:3] == [
        "1. takes Fire 3",
        "   win 62.5%, score 4.50, 90 visits",
        "   It is worth 3 points.",
    ]


LEGAL = rules.ListLegalMovesResponse(
    moves=[
        rules.LegalMove(move=Move(dao=TAKE), words="takes Fire 3"),
        rules.LegalMove(move=Move(dao=REVEAL), words="turns a card"),
    ]
)


@pytest.mark.parametrize("command", ["hint", "analyze"])
def test_moves_are_named_by_words_or_as_json(
    run: Run, server: FakeServer, view: Path, command: str
) -> None:
    server.expect("ListLegalMoves", LEGAL)
    answer = update(90, final=True) if command == "analyze" else recommendation()
    answer.advice.compared.rank = 2
    answer.advice.compared.candidate.CopyFrom(answer.advice.candidates[1])
    exchange = server.expect("Analyze" if command == "analyze" else "Recommend", answer)
    take = '{"action": "DAO_ACTION_TAKE"}'
    named = ["--move", "CARD turns", "--only", "takes", "--only", "turns", "--without", take]
    assert run(command, view, *named) == 0
    query = exchange.request.query
    assert query.compare.dao == REVEAL
    assert [move.dao for move in query.only] == [TAKE, REVEAL]
    assert [move.dao for move in query.without] == [TAKE]
    assert "asked about, ranks 2: turns a card\n   win 0.0%" in run.out


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("passes", "no legal move fits 'passes'; legal: takes Fire 3; turns a card"),
        ("a", "'a' fits 2 moves: takes Fire 3; turns a card; say more of its words"),
        ('{"card": 3}', "is no move"),
        ("{", "is no move"),
    ],
)
def test_what_names_no_move_is_told_with_the_legal_ones(
    run: Run, server: FakeServer, view: Path, said: str, told: str
) -> None:
    server.expect("ListLegalMoves", LEGAL)
    assert run("hint", view, "--move", said) == 2
    assert told in run.err


def test_hint_of_what_comes_through_a_pipe(run: Run, server: FakeServer) -> None:
    server.expect("Recommend", recommendation())
    text = json_format.MessageToJson(PlayerView(dao=VIEW))
    assert run("hint", "-", "--json", stdin=text) == 0
    assert run.values[0]["best_move"] == {"action": "DAO_ACTION_TAKE"}
    assert run.values[0]["candidates"][0]["words"] == "takes Fire 3"


@pytest.mark.parametrize(
    "message",
    [
        advisor.RecommendRequest(query=advisor.SearchQuery(view=PlayerView(dao=VIEW))),
        rules.ValidateViewRequest(view=PlayerView(dao=VIEW)),
        seen(),
    ],
    ids=lambda message: message.DESCRIPTOR.name,
)
def test_requests_and_answers_hold_positions_too(
    message: Message, run: Run, server: FakeServer, write: Callable[[Message], Path]
) -> None:
    exchange = server.expect("Recommend", recommendation())
    assert run("hint", write(message)) == 0
    assert exchange.request.query.view.dao == VIEW


def test_hint_of_a_full_state(
    run: Run, server: FakeServer, write: Callable[[Message], Path]
) -> None:
    state = GameState(dao=STATE)
    query = advisor.SearchQuery(state=advisor.StateOfSeat(state=state, seat=1))
    for arguments in ([write(query)], [write(state), "--seat", 1]):
        exchange = server.expect("Recommend", recommendation())
        assert run("hint", *arguments) == 0
        assert exchange.request.query.state.state.dao == STATE
        assert exchange.request.query.state.seat == 1


def test_the_seat_to_advise_is_said_once(
    run: Run, view: Path, write: Callable[[Message], Path]
) -> None:
    assert run("hint", view, "--seat", 1) == 2
    assert "a view, which has its own seat; leave out --seat" in run.err
    assert run("hint", write(started(1))) == 2
    assert "a full state; say whom to advise with --seat" in run.err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is no JSON"),
        ("[]", "holds no position"),
        ("{}", "holds a position of no game"),
        ('{"dao": {"sets": 3}}', 'no field named "sets"'),
        ('{"chess": {}}', 'no field named "chess"'),
    ],
)
def test_files_that_hold_no_position(text: str, said: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "wrong.json"
    path.write_text(text, encoding="utf-8")
    assert run("hint", path) == 2
    assert said in run.err
    assert run.out == ""


def test_a_refusal_is_told_field_by_field(run: Run, server: FakeServer, view: Path) -> None:
    server.expect("Recommend", WRONG)
    assert run("hint", view) == 3
    assert "query.seats: 2 to 6" in run.err


def test_a_limit_that_makes_no_sense(run: Run, view: Path) -> None:
    assert run("hint", view, "--time", 0) == 2
    assert "time must be above 0" in run.err
