"""The referee: what games there are, and what a move does."""

from typing import Any

import grpc
import pytest

from adamas import (
    Choice,
    GameSummary,
    InvalidRequest,
    Level,
    ServerError,
    VersionMismatch,
    Violation,
)
from adamas.v1 import game_pb2
from adamas.v1 import rules_service_pb2 as rules
from adamas.v1.dao_pb2 import DaoOptions
from tests.clients.fake_server import FakeServer
from tests.clients.messages import (
    REVEAL,
    STATE,
    TAKE,
    TAKEN,
    VIEW,
    applied,
    legal,
    seen,
    started,
)

SUMMARY = rules.GameSummary(game_id="dao", name="DAO", min_seats=2, max_seats=6)


def test_the_games(client: Any, server: FakeServer) -> None:
    exchange = server.expect("ListGames", rules.ListGamesResponse(games=[SUMMARY]))
    (game,) = client.games()
    assert game == GameSummary("dao", "DAO", 2, 6)
    assert str(game) == "DAO (dao), 2 to 6 seats"
    assert exchange.request.language == "en"


def test_one_game(client: Any, server: FakeServer) -> None:
    exchange = server.expect(
        "GetGame",
        rules.GetGameResponse(
            summary=SUMMARY,
            description="Take or turn.",
            variants=[
                rules.Variant(
                    variant_id="short",
                    name="Short",
                    options=game_pb2.GameOptions(dao=DaoOptions(initial_row=2)),
                    seats=[2, 3],
                )
            ],
            options=[
                rules.Option(name="split", bool_option=rules.BoolOption(default_value=True)),
                rules.Option(
                    name="row",
                    title="First row",
                    description="Cards in it.",
                    int_option=rules.IntOption(default_value=3, min_value=2, max_value=4),
                    seats=[2],
                ),
                rules.Option(
                    name="tie",
                    choice_option=rules.ChoiceOption(
                        default_value="A", choices=[rules.Choice(value="A", title="Any")]
                    ),
                ),
            ],
            levels=[rules.Level(level=1, rating=150.5, rating_low=140, rating_high=161)],
        ),
    )
    game = client.game("dao", seats=3, language="zh-TW")
    assert exchange.request == rules.GetGameRequest(game_id="dao", seats=3, language="zh-TW")
    assert game.summary == GameSummary("dao", "DAO", 2, 6)
    assert game.description == "Take or turn."
    assert game.variants[0].options == DaoOptions(initial_row=2)
    assert game.variants[0].seats == (2, 3)
    split, row, tie = game.options
    assert split.default is True
    assert (row.default, row.min_value, row.max_value, row.seats) == (3, 2, 4, (2,))
    assert (row.title, row.description) == ("First row", "Cards in it.")
    assert (tie.default, tie.choices) == ("A", (Choice("A", "Any"),))
    assert split.min_value is split.max_value is None
    assert split.choices == ()
    assert game.levels == (Level(1, 150.5, 140, 161),)


def test_an_option_of_a_type_that_only_the_server_knows(client: Any, server: FakeServer) -> None:
    server.expect("GetGame", rules.GetGameResponse(options=[rules.Option(name="new")]))
    with pytest.raises(VersionMismatch, match="'new'"):
        client.game("dao")


def test_a_game_that_is_unknown(client: Any, server: FakeServer) -> None:
    server.expect("GetGame", grpc.StatusCode.NOT_FOUND)
    with pytest.raises(InvalidRequest):
        client.game("go")


def test_starting_a_game(client: Any, server: FakeServer) -> None:
    exchange = server.expect("StartGame", started(1))
    position = client.start(DaoOptions(initial_row=2), seats=2, seed=0)
    assert exchange.request == rules.StartGameRequest(
        options=game_pb2.GameOptions(dao=DaoOptions(initial_row=2)), seats=2, seed=0
    )
    assert position.state == STATE
    assert position.seats_to_move == (1,)
    assert not position.over
    assert [result.score for result in position.results] == [1, 3]


def test_options_that_are_all_defaults_still_name_the_game(client: Any, server: FakeServer) -> None:
    exchange = server.expect("StartGame", started(0))
    client.start(DaoOptions(), seats=2)
    assert exchange.request.options.WhichOneof("game") == "dao"
    assert not exchange.request.HasField("seed")


def test_a_view(client: Any, server: FakeServer) -> None:
    exchange = server.expect("GetPlayerView", seen())
    assert client.view(STATE, 1) == VIEW
    assert exchange.request == rules.GetPlayerViewRequest(
        state=game_pb2.GameState(dao=STATE), seat=1
    )


def test_legal_moves_of_a_view_and_of_a_state(client: Any, server: FakeServer) -> None:
    exchange = server.expect("ListLegalMoves", legal())
    moves = client.legal_moves(VIEW)
    assert [move.move for move in moves] == [TAKE, REVEAL]
    assert [str(move) for move in moves] == ["takes Fire 3", "turns a card"]
    assert exchange.request.view.dao == VIEW
    exchange = server.expect("ListLegalMoves", legal())
    client.legal_moves(STATE, seat=0, language="zh-TW")
    assert exchange.request == rules.ListLegalMovesRequest(
        state=game_pb2.GameState(dao=STATE), seat=0, language="zh-TW"
    )
    exchange = server.expect("ListLegalMoves", legal())
    client.legal_moves(STATE)
    assert not exchange.request.HasField("seat")


def test_playing_a_move(client: Any, server: FakeServer) -> None:
    exchange = server.expect("ApplyMove", applied(over=True))
    position = client.apply(STATE, TAKE, seat=1)
    assert exchange.request == rules.ApplyMoveRequest(
        state=game_pb2.GameState(dao=STATE), move=game_pb2.Move(dao=TAKE), seat=1, language="en"
    )
    (event,) = position.events
    assert event.event == TAKEN
    assert str(event) == "Seat 1 takes Fire 3."
    assert position.over
    assert position.seats_to_move == ()
    assert [result.win_share for result in position.results] == [0, 1]
    assert str(position.results[1]) == "seat 1: 3 points, wins 1"


def test_what_is_wrong_with_a_view(client: Any, server: FakeServer) -> None:
    answer = rules.ValidateViewResponse(
        violations=[rules.Violation(field="view.dao.row[0].value", description="is 7")]
    )
    exchange = server.expect("ValidateView", answer)
    (violation,) = client.validate(VIEW)
    assert violation == Violation("view.dao.row[0].value", "is 7")
    assert str(violation) == "view.dao.row[0].value: is 7"
    assert exchange.request.view.dao == VIEW
    server.expect("ValidateView", rules.ValidateViewResponse())
    assert client.validate(VIEW) == ()


def test_rules_have_a_deadline_too(make_client: Any, server: FakeServer) -> None:
    exchange = server.expect("ListGames", rules.ListGamesResponse())
    make_client(server.target, grace=3).games()
    assert exchange.seconds_left == pytest.approx(3, abs=1)


def test_messages_that_do_not_fit(client: Any) -> None:
    with pytest.raises(TypeError, match=r"what fits: .*DaoMove"):
        client.apply(STATE, VIEW)
    with pytest.raises(TypeError, match=r"what fits: .*DaoOptions"):
        client.start(STATE, seats=2)
    with pytest.raises(TypeError, match=r"what fits: .*DaoState"):
        client.view(VIEW, 0)


def test_an_answer_of_no_game(client: Any, server: FakeServer) -> None:
    server.expect("GetPlayerView", rules.GetPlayerViewResponse())
    with pytest.raises(VersionMismatch):
        client.view(STATE, 0)
    assert not issubclass(VersionMismatch, ServerError)
