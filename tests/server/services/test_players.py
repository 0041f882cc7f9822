"""Players that answer without a search, over gRPC."""

from __future__ import annotations

import pytest

from adamas.v1 import advisor_service_pb2 as pb
from adamas.v1 import rules_service_pb2 as rules_pb
from adamas.v1.advisor_service_pb2_grpc import AdvisorServiceStub
from adamas.v1.rules_service_pb2_grpc import RulesServiceStub
from engines.registry import games
from server.requests.messages import Reader
from tests.server.positions import deal, failure, query, view_query, without_time

WITHOUT_SEARCH = pytest.mark.parametrize("player", [pb.PLAYER_CASUAL, pb.PLAYER_RANDOM])


def ask(advisor: AdvisorServiceStub, asked: pb.SearchQuery) -> pb.Advice:
    return without_time(advisor.Recommend(pb.RecommendRequest(query=asked)).advice)


@WITHOUT_SEARCH
def test_its_move_is_the_only_candidate(
    advisor: AdvisorServiceStub,
    rules: RulesServiceStub,
    game_id: str,
    player: pb.Player.ValueType,
) -> None:
    asked = view_query(rules, game_id, player=player, seed=5, candidates=10)
    advice = ask(advisor, asked)
    legal = rules.ListLegalMoves(rules_pb.ListLegalMovesRequest(view=asked.view)).moves
    words = {move.move.SerializeToString(): move.words for move in legal}
    (candidate,) = advice.candidates
    assert candidate.move == advice.best_move
    assert candidate.words == words[candidate.move.SerializeToString()]
    assert candidate.principal_variation[0].move == candidate.move
    assert advice.legal_moves == len(legal)
    assert advice.search.stop_reason == pb.STOP_REASON_NO_SEARCH
    assert (advice.search.iterations, advice.search.seed) == (0, 5)


def test_casual_is_the_games_own_player(
    advisor: AdvisorServiceStub, rules: RulesServiceStub, game_id: str
) -> None:
    asked = view_query(rules, game_id, player=pb.PLAYER_CASUAL)
    view = Reader(games()).view(asked.view, "view")
    state = view.to_decide("view")
    expected = state.move_message(view.game.casual(view.row, state.legal_moves()))
    assert ask(advisor, asked).best_move == expected


def test_casual_needs_no_seed_and_sees_no_hidden_cards(
    advisor: AdvisorServiceStub, rules: RulesServiceStub, game_id: str
) -> None:
    by_state = query(rules, game_id, player=pb.PLAYER_CASUAL)
    by_view = view_query(rules, game_id, player=pb.PLAYER_CASUAL)
    assert ask(advisor, by_state).best_move == ask(advisor, by_view).best_move


def test_random_plays_every_move_and_a_seed_fixes_it(
    advisor: AdvisorServiceStub, rules: RulesServiceStub
) -> None:
    asked = view_query(rules, "dao", player=pb.PLAYER_RANDOM)
    seen = set()
    for seed in range(30):
        asked.seed = seed
        advice = ask(advisor, asked)
        assert advice == ask(advisor, asked)
        seen.add(advice.best_move.SerializeToString())
    assert len(seen) == advice.legal_moves == 2


@WITHOUT_SEARCH
def test_analyze_sends_the_final_answer_only(
    advisor: AdvisorServiceStub, rules: RulesServiceStub, player: pb.Player.ValueType
) -> None:
    asked = view_query(rules, "dao", player=player, seed=1)
    (only,) = advisor.Analyze(pb.AnalyzeRequest(query=asked, request_id="mine"))
    assert only.final
    assert only.request_id == "mine"
    assert without_time(only.advice) == ask(advisor, asked)


@pytest.mark.parametrize("player", [pb.PLAYER_UNSPECIFIED, pb.PLAYER_SEARCH])
def test_the_search_is_the_player_by_default(
    advisor: AdvisorServiceStub, rules: RulesServiceStub, player: pb.Player.ValueType
) -> None:
    asked = view_query(rules, "dao", player=player, limits=pb.SearchLimits(iterations=50))
    assert ask(advisor, asked).search.stop_reason == pb.STOP_REASON_ITERATIONS


def test_a_player_that_does_not_exist_is_refused(
    advisor: AdvisorServiceStub, rules: RulesServiceStub
) -> None:
    asked = view_query(rules, "dao")
    asked.player = 9  # type: ignore[assignment]
    failed = failure(lambda: advisor.Recommend(pb.RecommendRequest(query=asked)))
    assert failed.fields == ["query.player"]
    assert "PLAYER_CASUAL" in failed.description("query.player")


@WITHOUT_SEARCH
def test_a_seat_that_is_not_to_move_is_refused_like_by_the_search(
    advisor: AdvisorServiceStub, rules: RulesServiceStub, player: pb.Player.ValueType
) -> None:
    dealt = deal(rules, "dao")
    idle = (dealt.status.seats_to_move[0] + 1) % 3
    asked = pb.SearchQuery(state=pb.StateOfSeat(state=dealt.state, seat=idle))
    searched = failure(lambda: advisor.Recommend(pb.RecommendRequest(query=asked)))
    asked.player = player
    failed = failure(lambda: advisor.Recommend(pb.RecommendRequest(query=asked)))
    assert failed.fields == searched.fields == ["query.state.seat"]
    assert failed.message == searched.message
