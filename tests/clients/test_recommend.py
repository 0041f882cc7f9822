"""What is asked of the server and how its answers read."""

import dataclasses
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from adamas import (
    AdamasError,
    Advice,
    BuiltinPlayer,
    Client,
    Detail,
    Limit,
    Priority,
    StopReason,
    VersionMismatch,
)
from adamas.v1 import advisor_service_pb2 as advisor
from adamas.v1 import game_pb2
from tests.clients.fake_server import FakeServer
from tests.clients.messages import REVEAL, STATE, TAKE, VIEW, recommendation, update


def test_the_best_move_with_all_that_is_known_about_it(client: Any, server: FakeServer) -> None:
    server.expect("Recommend", recommendation())
    advice = client.recommend(VIEW)
    assert advice.best_move == TAKE
    assert advice.best is advice.candidates[0]
    assert [candidate.move for candidate in advice.candidates] == [TAKE, REVEAL]
    assert advice.best.words == "takes Fire 3"
    assert advice.best.reason == "It is worth 3 points."
    assert advice.best.visits == 90
    assert advice.best.win_probability == 0.625
    assert advice.best.expected_score == 4.5
    assert advice.best.score_standard_error == 0.25
    assert [move.seat for move in advice.best.principal_variation] == [1, 0]
    assert advice.best.principal_variation[0].move == TAKE
    assert advice.best.principal_variation[1].move is None
    assert advice.legal_moves == 2
    assert advice.search.iterations == 100
    assert advice.search.elapsed == 0.2
    assert advice.search.iterations_per_second == 500
    assert advice.search.stop_reason is StopReason.TIME
    assert advice.search.seed == 7
    assert advice.suggested_delay == 1.5
    assert advice.final


@pytest.mark.parametrize("player", BuiltinPlayer)
def test_who_chooses_the_move(client: Any, server: FakeServer, player: BuiltinPlayer) -> None:
    exchange = server.expect("Recommend", recommendation())
    client.recommend(VIEW, player=player)
    assert exchange.request.query.player == advisor.Player.Value(f"PLAYER_{player.name}")


def test_what_is_sent(client: Any, server: FakeServer) -> None:
    exchange = server.expect("Recommend", recommendation())
    client.recommend(
        VIEW,
        Limit(time=0.25, iterations=1000),
        candidates=3,
        seed=2**64 - 1,
        trees=4,
        player=BuiltinPlayer.CASUAL,
        level=3,
        detail=Detail.FIGURES,
        only=[TAKE, REVEAL],
        without=[REVEAL],
        compare=TAKE,
        priority=Priority.BACKGROUND,
        language="zh-TW",
        request_id="table 7",
    )
    query = exchange.request.query
    assert query.view.dao == VIEW
    assert query.limits.time.ToNanoseconds() == 250_000_000
    assert query.limits.iterations == 1000
    assert query.candidates == 3
    assert query.seed == 2**64 - 1
    assert query.trees == 4
    assert query.player == advisor.PLAYER_CASUAL
    assert query.level == 3
    assert query.detail == advisor.DETAIL_FIGURES
    assert [move.dao for move in query.only] == [TAKE, REVEAL]
    assert [move.dao for move in query.without] == [REVEAL]
    assert query.compare.dao == TAKE
    assert query.priority == advisor.PRIORITY_BACKGROUND
    assert query.language == "zh-TW"
    assert exchange.request.request_id == "table 7"


def test_what_is_left_to_the_server(client: Any, server: FakeServer) -> None:
    exchange = server.expect("Recommend", recommendation())
    client.recommend(VIEW)
    query = exchange.request.query
    assert not query.limits.HasField("time")
    assert query.limits.iterations == 0
    assert query.candidates == 0
    assert not query.HasField("seed")
    assert query.trees == 0
    assert query.level == 0
    assert not query.HasField("target_rating")
    assert query.detail == advisor.DETAIL_UNSPECIFIED
    assert not query.only
    assert not query.without
    assert not query.HasField("compare")


def test_no_move_to_consider_is_not_sent_as_all_moves(client: Any) -> None:
    with pytest.raises(ValueError, match="only"):
        client.recommend(VIEW, only=[])


def test_a_move_that_was_compared_with_the_best(client: Any, server: FakeServer) -> None:
    answer = recommendation()
    assert not answer.advice.HasField("compared")
    second = advisor.ComparedMove(candidate=answer.advice.candidates[1], rank=2)
    answer.advice.compared.CopyFrom(second)
    server.expect("Recommend", answer)
    compared = client.recommend(VIEW, compare=REVEAL).compared
    assert compared is not None
    assert compared.rank == 2
    assert compared.candidate.move == REVEAL
    assert str(compared) == "2. turns a card (win 0.0%, score 0.00 ± 0.00, 10 visits)"


def test_a_rating_to_play_at(client: Any, server: FakeServer) -> None:
    exchange = server.expect("Recommend", recommendation())
    client.recommend(VIEW, target_rating=0.0)
    assert exchange.request.query.HasField("target_rating")


def test_seed_zero_is_a_seed(client: Any, server: FakeServer) -> None:
    exchange = server.expect("Recommend", recommendation())
    client.recommend(VIEW, seed=0)
    assert exchange.request.query.HasField("seed")


@pytest.mark.parametrize(
    "position", [VIEW, game_pb2.PlayerView(dao=VIEW)], ids=["game's own", "envelope"]
)
def test_views(client: Any, server: FakeServer, position: Any) -> None:
    exchange = server.expect("Recommend", recommendation())
    client.recommend(position)
    assert exchange.request.query.view.dao == VIEW


@pytest.mark.parametrize(
    "position", [STATE, game_pb2.GameState(dao=STATE)], ids=["game's own", "envelope"]
)
def test_a_full_state_with_a_seat(client: Any, server: FakeServer, position: Any) -> None:
    exchange = server.expect("Recommend", recommendation())
    client.recommend(position, seat=1)
    assert exchange.request.query.state.state.dao == STATE
    assert exchange.request.query.state.seat == 1


def test_what_is_no_position(client: Any) -> None:
    with pytest.raises(TypeError, match=r"what fits: .*DaoView"):
        client.recommend(TAKE)
    with pytest.raises(TypeError, match="not dict"):
        client.recommend({"seat": 1})
    with pytest.raises(TypeError, match="needs `seat`"):
        client.recommend(STATE)
    with pytest.raises(TypeError, match="has its own seat"):
        client.recommend(VIEW, seat=1)


@pytest.mark.parametrize(
    ("limit", "timeout", "seconds"),
    [
        (Limit(time=0.2), None, 3.2),
        (Limit(time=0.2, iterations=100), None, 3.2),
        (Limit(iterations=100), None, 63),
        (None, None, 4),
        (Limit(time=0.2), 30, 30),
    ],
)
def test_every_search_has_a_deadline(
    make_client: Any, server: FakeServer, limit: Limit, timeout: float, seconds: float
) -> None:
    exchange = server.expect("Recommend", recommendation())
    make_client(server.target, grace=3).recommend(VIEW, limit, timeout=timeout)
    assert exchange.seconds_left == pytest.approx(seconds, abs=1.0)


def test_language_and_metadata_of_the_client(make_client: Any, server: FakeServer) -> None:
    client = make_client(
        server.target, language="zh-TW", metadata=[("authorization", "Bearer pass")]
    )
    first = server.expect("Recommend", recommendation())
    client.recommend(VIEW)
    assert first.request.query.language == "zh-TW"
    assert first.metadata["authorization"] == "Bearer pass"
    second = server.expect("Recommend", recommendation())
    client.recommend(VIEW, language="en")
    assert second.request.query.language == "en"


def test_limits_that_are_none() -> None:
    for time in (0, -1, float("nan")):
        with pytest.raises(ValueError, match="above 0"):
            Limit(time=time)
    with pytest.raises(ValueError, match="1 or more"):
        Limit(iterations=0)


def test_answers_are_immutable_and_read_well(client: Any, server: FakeServer) -> None:
    server.expect("Recommend", recommendation())
    advice: Advice = client.recommend(VIEW)
    with pytest.raises(dataclasses.FrozenInstanceError):
        advice.legal_moves = 3  # type: ignore[misc]
    assert str(advice.best) == "takes Fire 3 (win 62.5%, score 4.50 ± 0.25, 90 visits)"
    assert str(advice.best.principal_variation[0]) == "seat 1 takes Fire 3"
    assert str(advice).splitlines() == [
        "1. takes Fire 3 (win 62.5%, score 4.50 ± 0.25, 90 visits)",
        "2. turns a card (win 0.0%, score 0.00 ± 0.00, 10 visits)",
        "100 iterations in 0.200 s (50 nodes, stopped by: time)",
    ]


def test_an_answer_of_a_game_that_only_the_server_knows(client: Any, server: FakeServer) -> None:
    answer = recommendation()
    answer.advice.best_move.ClearField("dao")
    server.expect("Recommend", answer)
    with pytest.raises(VersionMismatch, match="newer adamas package"):
        client.recommend(VIEW)


def test_a_stop_reason_that_only_the_server_knows(client: Any, server: FakeServer) -> None:
    answer = recommendation()
    answer.advice.search.stop_reason = 99  # type: ignore[assignment]
    server.expect("Recommend", answer)
    assert client.recommend(VIEW).search.stop_reason is StopReason.OTHER


def test_an_answer_without_a_move_is_an_error(client: Any, server: FakeServer) -> None:
    server.expect("Recommend", advisor.RecommendResponse())
    with pytest.raises(AdamasError, match="without any move"):
        client.recommend(VIEW)


def test_calls_from_many_threads_share_a_client(server: FakeServer) -> None:
    for _ in range(40):
        server.expect("Recommend", recommendation())
    with Client(server.target) as client, ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(client.recommend, [VIEW] * 40))
    assert all(answer.best_move == TAKE for answer in answers)


def test_metadata_reaches_streams(server: FakeServer) -> None:
    exchange = server.expect("Analyze", update(1, final=True))
    with Client(server.target, metadata=[("x-table", "7")]) as client:
        client.analyze(VIEW).wait()
    assert exchange.metadata["x-table"] == "7"


def test_the_channel_of_the_caller(server: FakeServer) -> None:
    options = [("grpc.primary_user_agent", "my-frontend")]
    exchange = server.expect("Recommend", recommendation())
    with Client(server.target, options=options) as client:
        client.recommend(VIEW)
    assert str(exchange.metadata["user-agent"]).startswith("my-frontend")
