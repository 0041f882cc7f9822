"""The command `adamas`, against the scripted server."""

import argparse
import io
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import trustme
from google.protobuf import json_format
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest

import adamas.command
from adamas.command import make_parser
from adamas.command.sight import lines_of
from adamas.v1 import advisor_service_pb2 as advisor
from adamas.v1 import rules_service_pb2 as rules
from adamas.v1.dao_pb2 import DAO_ELEMENT_FIRE, DaoCard, DaoMove, DaoOptions, DaoView
from adamas.v1.diamonds_pb2 import DiamondsView
from adamas.v1.diams_pb2 import DiamsView
from adamas.v1.game_pb2 import GameOptions, GameState, Move, PlayerView
from tests.clients.fake_server import Code, Failure, FakeServer
from tests.clients.messages import (
    REVEAL,
    STATE,
    TAKE,
    VIEW,
    advice,
    applied,
    legal,
    recommendation,
    seen,
    started,
    update,
)

SUMMARY = rules.GameSummary(game_id="dao", name="DAO", min_seats=2, max_seats=6)
WRONG = Failure(
    Code.INVALID_ARGUMENT,
    "the request is invalid",
    (
        BadRequest(
            field_violations=[BadRequest.FieldViolation(field="query.seats", description="2 to 6")]
        ),
    ),
)


class Run:
    """Runs the command in this process."""

    def __init__(
        self, server: FakeServer, shown: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch
    ) -> None:
        self._server, self._shown, self._patch = server, shown, patch
        self.out = self.err = ""

    def __call__(self, *arguments: object, stdin: str = "") -> int:
        """The exit code; `out` and `err` are what was printed."""
        self._patch.setattr(sys, "stdin", io.StringIO(stdin))
        self._patch.setenv("ADAMAS_SERVER", self._server.target)
        try:
            code = adamas.command.main([str(argument) for argument in arguments])
        except SystemExit as end:  # argparse
            code = int(end.code or 0)
        self.out, self.err = self._shown.readouterr()
        return code

    @property
    def values(self) -> list[Any]:
        """The JSON that was printed, a value a line."""
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture
def run(
    server: FakeServer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Run:
    return Run(server, capsys, monkeypatch)


@pytest.fixture
def write(tmp_path: Path) -> Callable[[Message], Path]:
    def write(message: Message) -> Path:
        path = tmp_path / f"{message.DESCRIPTOR.name}.json"
        path.write_text(json_format.MessageToJson(message), encoding="utf-8")
        return path

    return write


@pytest.fixture
def view(write: Callable[[Message], Path]) -> Path:
    """A file with a view."""
    return write(PlayerView(dao=VIEW))


def subcommands() -> list[str]:
    (action,) = (
        action
        for action in make_parser()._actions
        if isinstance(action, argparse._SubParsersAction)
    )
    return sorted(action.choices)


@pytest.mark.parametrize("name", subcommands())
def test_every_command_has_help(name: str, run: Run) -> None:
    assert run(name, "--help") == 0
    assert f"usage: adamas {name}" in run.out


@pytest.mark.parametrize("name", sorted(adamas.command.OWN.keys() - {"completion"}))
def test_every_command_of_ours_can_print_json(name: str, run: Run) -> None:
    assert run(name, "--help") == 0
    assert "--json" in run.out


def test_games(run: Run, server: FakeServer) -> None:
    for flags in ([], ["--json"]):
        server.expect("ListGames", rules.ListGamesResponse(games=[SUMMARY]))
        assert run("games", *flags) == 0
        if flags:
            assert run.values == [
                [{"game_id": "dao", "name": "DAO", "min_seats": 2, "max_seats": 6}]
            ]
        else:
            assert run.out == "DAO (dao), 2 to 6 seats\n"


def test_one_game(run: Run, server: FakeServer) -> None:
    described = rules.GetGameResponse(
        summary=SUMMARY,
        description="Take or turn.",
        variants=[
            rules.Variant(
                variant_id="short", name="Short", options=GameOptions(dao=DaoOptions()), seats=[2]
            )
        ],
        options=[
            rules.Option(
                name="row",
                int_option=rules.IntOption(default_value=3, min_value=2, max_value=4),
            )
        ],
        levels=[rules.Level(level=1, rating=203.4)],
    )
    exchange = server.expect("GetGame", described)
    assert run("games", "dao", "--seats", 2, "--language", "zh-TW") == 0
    assert (exchange.request.seats, exchange.request.language) == (2, "zh-TW")
    for text in ("Take or turn.", "short (2 seats)", "row = 3 (2 to 4)", "1: 203 Elo"):
        assert text in run.out
    server.expect("GetGame", described)
    assert run("games", "dao", "--json") == 0
    assert run.values[0]["variants"][0]["options"] == {}


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


def test_a_file_that_is_not_there(run: Run, tmp_path: Path) -> None:
    assert run("validate", tmp_path / "none.json") == 2
    assert "none.json can't be read: No such file" in run.err


def test_a_refusal_is_told_field_by_field(run: Run, server: FakeServer, view: Path) -> None:
    server.expect("Recommend", WRONG)
    assert run("hint", view) == 3
    assert "query.seats: 2 to 6" in run.err


def test_a_limit_that_makes_no_sense(run: Run, view: Path) -> None:
    assert run("hint", view, "--time", 0) == 2
    assert "time must be above 0" in run.err


def test_analyze(run: Run, server: FakeServer, view: Path) -> None:
    for flags, shown in ([], 1), (["--watch"], 2):
        exchange = server.expect("Analyze", update(10), update(30, final=True))
        assert run("analyze", view, "--every", 0.5, *flags) == 0
        assert exchange.request.update_interval.ToMilliseconds() == 500
        assert run.out.count("1. takes Fire 3") == shown
        assert "40 iterations in" in run.out
        assert ("20 iterations so far" in run.out) == (shown == 2)


def test_analyze_in_json(run: Run, server: FakeServer, view: Path) -> None:
    server.expect("Analyze", update(10), update(30, final=True))
    assert run("analyze", view, "--watch", "--json") == 0
    assert [value["final"] for value in run.values] == [False, True]


def test_on_a_terminal_an_update_takes_the_place_of_the_last(
    run: Run, server: FakeServer, view: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.expect("Analyze", update(10), update(30, final=True))
    monkeypatch.setattr("adamas.command.analyze.is_terminal", lambda: True)
    assert run("analyze", view, "--watch") == 0
    first, second = run.out.split("\x1b[")[0], run.out.rsplit("\x1b[J", 1)[1]
    assert run.out == f"{first}\x1b[{first.count(chr(10))}F\x1b[J{second}"


def test_validate(run: Run, server: FakeServer, view: Path) -> None:
    server.expect("ValidateView", rules.ValidateViewResponse())
    assert run("validate", view) == 0
    assert run.out == "nothing is wrong with it\n"
    wrong = rules.ValidateViewResponse(
        violations=[rules.Violation(field="view.dao.seats", description="2 to 6")]
    )
    server.expect("ValidateView", wrong)
    assert run("validate", view) == 1
    assert run.out == "view.dao.seats: 2 to 6\n"
    server.expect("ValidateView", wrong)
    assert run("validate", view, "--json") == 1
    assert run.values == [{"violations": [{"field": "view.dao.seats", "description": "2 to 6"}]}]


def test_only_views_are_validated(run: Run, write: Callable[[Message], Path]) -> None:
    assert run("validate", write(started(1))) == 2
    assert "views are what can be validated" in run.err


# ------------------------------------------------------------------------------------------ play


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


# ---------------------------------------------------------------------------------------- review


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


# ---------------------------------------------------------------------------------------- doctor


def test_a_doctor_who_finds_nothing(run: Run, server: FakeServer) -> None:
    server.expect("ListGames", rules.ListGamesResponse(games=[SUMMARY]))
    assert run("doctor") == 0
    assert "ok  server: answers within" in run.out
    assert "plays dao" in run.out


def test_a_doctor_without_a_server(run: Run) -> None:
    assert run("doctor", "--server", "127.0.0.1:1") == 1
    assert "no  connection: Connection refused; nothing listens there" in run.out


def test_a_doctor_at_a_name_that_is_none(run: Run) -> None:
    assert run("doctor", "--server", "no-such-host.invalid:1", "--json") == 1
    assert run.values[0][-1]["what"] == "address"


def test_a_doctor_who_is_not_let_in(run: Run, server: FakeServer) -> None:
    server.expect("ListGames", Failure(Code.UNAUTHENTICATED, "no token"))
    assert run("doctor") == 1
    assert "no  server: no token; a token goes into ADAMAS_CLIENT_TOKEN" in run.out


def test_a_doctor_of_another_time(run: Run, server: FakeServer) -> None:
    new = rules.GameSummary(game_id="go", name="Go", min_seats=2, max_seats=2)
    server.expect("ListGames", rules.ListGamesResponse(games=[new]))
    assert run("doctor") == 0
    assert "hm  games: this client is too old to know go" in run.out


@pytest.fixture
def authority() -> trustme.CA:
    return trustme.CA()


def test_a_doctor_and_tls(
    run: Run, authority: trustme.CA, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = authority.issue_cert("localhost")
    key = certificate.private_key_pem.bytes()
    chain = b"".join(blob.bytes() for blob in certificate.cert_chain_pems)
    root = tmp_path / "authority.pem"
    root.write_bytes(authority.cert_pem.bytes())
    with FakeServer((key, chain)) as server:
        target = server.target.replace("127.0.0.1", "localhost")
        server.expect("ListGames", rules.ListGamesResponse(games=[SUMMARY]))
        monkeypatch.setenv("ADAMAS_CLIENT_TLS_ROOT", str(root))
        assert run("doctor", "--server", target) == 0
        assert "the certificate is trusted, and valid for" in run.out
    with FakeServer((key, chain)) as server:
        target = server.target.replace("127.0.0.1", "localhost")
        monkeypatch.delenv("ADAMAS_CLIENT_TLS_ROOT")
        assert run("doctor", "--server", target, "--tls") == 1
        assert "no  TLS: unable to get local issuer certificate; by the clock here" in run.out


# ----------------------------------------------------------------------------------- and the rest


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_completion(shell: str, run: Run) -> None:
    assert run("completion", shell) == 0
    for word in ("review", "--iterations", "tournament"):
        assert word in run.out


def test_bash_takes_the_completion(run: Run, tmp_path: Path) -> None:
    assert run("completion", "bash") == 0
    script = tmp_path / "adamas.bash"
    script.write_text(run.out, encoding="utf-8")
    complete = (
        f"source {script}; COMP_WORDS=(adamas val); COMP_CWORD=1; "
        "$(complete -p adamas | sed 's/.*-F \\([^ ]*\\).*/\\1/') adamas val adamas; "
        'echo "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "-c", complete], check=True, capture_output=True, text=True, timeout=30
    )
    assert done.stdout.split() == ["validate"]


def test_completion_without_its_package(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert run("completion", "bash") == 2
    assert "needs the package shtab" in run.err


def test_a_terminal_that_knows_few_letters(view: Path, server: FakeServer) -> None:
    answer = recommendation()
    answer.advice.candidates[0].words = "拿取火 3"
    for flags, shown in ([], "1. ??? 3"), (["--json"], "\\u62ff\\u53d6\\u706b 3"):
        server.expect("Recommend", answer)
        done = subprocess.run(
            [sys.executable, "-m", "adamas", "hint", view, "--server", server.target, *flags],
            check=True,
            capture_output=True,
            text=True,
            env={"PYTHONIOENCODING": "ascii", "PATH": ""},
            timeout=60,
        )
        assert shown in done.stdout


def test_who_reads_may_have_seen_enough(server: FakeServer) -> None:
    server.expect("ListGames", rules.ListGamesResponse(games=[SUMMARY]))
    command = f"{sys.executable} -m adamas games --server {server.target} | true"
    done = subprocess.run(
        ["bash", "-c", command], check=True, capture_output=True, text=True, timeout=60
    )
    assert done.stderr == ""


def test_views_as_text() -> None:
    row = [DaoCard(element=DAO_ELEMENT_FIRE, value=value) for value in (0, 3)]
    assert list(lines_of(DaoView(seats=3, deck_size=40, row=row))) == [
        "seats      3",
        "row        fire 0 | fire 3",
        "deck size  40",
    ]


@pytest.mark.parametrize("kind", [DaoView, DiamondsView, DiamsView])
def test_an_empty_view_is_no_trouble(kind: type[Message]) -> None:
    assert list(lines_of(kind())) == []
