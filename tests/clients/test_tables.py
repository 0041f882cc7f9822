"""Hosting a game, and matches between players."""

from typing import Any

import pytest

from adamas import (
    AsyncBotPlayer,
    AsyncClient,
    AsyncRandomPlayer,
    BotPlayer,
    Client,
    InvalidRequest,
    Limit,
    RandomPlayer,
    Turn,
    play_match,
    play_match_async,
)
from adamas.v1.dao_pb2 import DaoOptions
from adamas.v1.rules_service_pb2 import GetTableStatusResponse
from tests.clients.fake_server import Code, FakeServer
from tests.clients.messages import (
    REVEAL,
    STATE,
    TAKE,
    TAKEN,
    VIEW,
    applied,
    legal,
    recommendation,
    seen,
    started,
    status,
)


def test_a_table_goes_from_the_deal_to_the_result(client: Any, server: FakeServer) -> None:
    dealt = server.expect("StartGame", started(0, 1))
    table = client.table(DaoOptions(), seats=2, seed=7, language="zh-TW")
    assert dealt.request.seed == 7
    assert (table.seats, table.seats_to_move, table.over) == (2, (0, 1), False)
    assert table.winners == ()
    assert table.state == STATE
    assert "Dao, 2 seats, to move: 0, 1" in repr(table)

    asked = server.expect("GetPlayerView", seen())
    assert table.view(1) == VIEW
    assert asked.request.seat == 1

    listed = server.expect("ListLegalMoves", legal())
    assert len(table.legal_moves(1)) == 2
    assert (listed.request.state.dao, listed.request.seat) == (STATE, 1)
    assert listed.request.language == "zh-TW"

    played = server.expect("ApplyMove", applied(over=True))
    (event,) = table.play(TAKE, 1)
    assert event.event == TAKEN
    assert (played.request.state.dao, played.request.seat) == (STATE, 1)
    assert played.request.language == "zh-TW"
    assert table.events == (event,)
    assert table.over
    assert table.winners == (1,)
    assert table.results == table.position.results
    assert "over" in repr(table)


def test_an_illegal_move_leaves_the_table_as_it_was(client: Any, server: FakeServer) -> None:
    server.expect("StartGame", started(0))
    table = client.table(DaoOptions(), seats=2)
    before = table.position
    server.expect("ApplyMove", Code.INVALID_ARGUMENT)
    with pytest.raises(InvalidRequest):
        table.play(REVEAL)
    assert table.position is before


def test_a_game_that_has_begun_already(client: Any, server: FakeServer) -> None:
    exchange = server.expect("GetTableStatus", GetTableStatusResponse(status=status(1)))
    table = client.resume(STATE)
    assert exchange.request.state.dao == STATE
    assert (table.state, table.seats_to_move, table.over) == (STATE, (1,), False)
    assert [result.score for result in table.results] == [1, 3]
    assert table.events == ()


def script_of_a_match(server: FakeServer) -> list[Any]:
    """Two decisions: one of a bot, one at random."""
    server.expect("StartGame", started(0))
    return [
        server.expect("GetPlayerView", seen()),
        server.expect("Recommend", recommendation()),
        server.expect("ApplyMove", applied(1)),
        server.expect("GetPlayerView", seen()),
        server.expect("ListLegalMoves", legal()),
        server.expect("ApplyMove", applied(over=True)),
    ]


def check_match(exchanges: list[Any], turns: list[Turn]) -> None:
    asked, searched, played, _, listed, _ = exchanges
    assert asked.request.seat == 0
    assert searched.request.query.view.dao == VIEW
    assert searched.request.query.candidates == 1
    assert searched.request.query.seed == 5
    assert searched.request.query.limits.iterations == 100
    assert played.request.move.dao == TAKE
    assert listed.request.view.dao == VIEW
    assert [turn.seat for turn in turns] == [0, 1]
    assert [turn.over for turn in turns] == [False, True]
    assert turns[0].move == TAKE
    assert turns[1].move in (TAKE, REVEAL)
    assert turns[0].events[0].words == "Seat 1 takes Fire 3."
    assert turns[1].results[1].win_share == 1


def test_a_match(server: FakeServer) -> None:
    exchanges = script_of_a_match(server)
    turns: list[Turn] = []
    with Client(server.target) as client:
        table = client.table(DaoOptions(), seats=2)
        players = [BotPlayer(client, Limit(iterations=100), seed=5), RandomPlayer(client, seed=1)]
        results = play_match(table, players, turns.append)
    assert results == table.results
    check_match(exchanges, turns)


async def test_a_match_for_asyncio(server: FakeServer) -> None:
    exchanges = script_of_a_match(server)
    turns: list[Turn] = []
    async with AsyncClient(server.target) as client:
        table = await client.table(DaoOptions(), seats=2)
        players = [
            AsyncBotPlayer(client, Limit(iterations=100), seed=5),
            AsyncRandomPlayer(client, seed=1),
        ]
        results = await play_match_async(table, players, turns.append)
    assert results == table.results
    check_match(exchanges, turns)


async def test_players_and_seats_have_to_agree(server: FakeServer) -> None:
    server.expect("StartGame", started(0))
    server.expect("StartGame", started(0))
    wrong = pytest.raises(ValueError, match="2 seats need 2 players, not 1")
    with Client(server.target) as client, wrong:
        play_match(client.table(DaoOptions(), seats=2), [RandomPlayer(client)])
    async with AsyncClient(server.target) as client_async:
        table = await client_async.table(DaoOptions(), seats=2)
        with pytest.raises(ValueError, match="2 seats need 2 players, not 3"):
            await play_match_async(table, [AsyncRandomPlayer(client_async)] * 3)


def test_a_random_player_repeats_itself_with_a_seed(server: FakeServer) -> None:
    def moves(seed: int) -> list[Any]:
        for _ in range(10):
            server.expect("ListLegalMoves", legal())
        player = RandomPlayer(client, seed=seed)
        return [player(VIEW) for _ in range(10)]

    with Client(server.target) as client:
        first = moves(1)
        assert moves(1) == first
        assert {move.action for move in first} == {TAKE.action, REVEAL.action}


def test_a_random_player_that_is_not_to_move(server: FakeServer) -> None:
    answer = legal()
    answer.ClearField("moves")
    server.expect("ListLegalMoves", answer)
    with Client(server.target) as client, pytest.raises(ValueError, match="not to move"):
        RandomPlayer(client)(VIEW)
