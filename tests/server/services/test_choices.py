"""Queries that name moves to consider, to leave out or to compare, over gRPC."""

from __future__ import annotations

import grpc
import pytest

from adamas.v1 import advisor_service_pb2 as pb
from adamas.v1 import game_pb2
from adamas.v1 import rules_service_pb2 as rules_pb
from adamas.v1.advisor_service_pb2_grpc import AdvisorServiceStub
from adamas.v1.dao_pb2 import DaoMove
from adamas.v1.rules_service_pb2_grpc import RulesServiceStub
from tests.server.positions import failure, limits, query


def moves_of(rules: RulesServiceStub, asked: pb.SearchQuery) -> list[game_pb2.Move]:
    """The legal moves of the position asked about."""
    request = rules_pb.ListLegalMovesRequest(state=asked.state.state, seat=asked.state.seat)
    return [move.move for move in rules.ListLegalMoves(request).moves]


def recommend(advisor: AdvisorServiceStub, asked: pb.SearchQuery) -> pb.Advice:
    return advisor.Recommend(pb.RecommendRequest(query=asked)).advice


def test_only_what_is_to_be_considered_is_ranked(
    advisor: AdvisorServiceStub, rules: RulesServiceStub, game_id: str
) -> None:
    asked = query(rules, game_id, limits=limits(100), candidates=1000)
    moves = moves_of(rules, asked)
    asked.only.extend(moves[:2])
    asked.without.append(moves[0])
    advice = recommend(advisor, asked)
    assert [candidate.move for candidate in advice.candidates] == [moves[1]]
    assert advice.best_move == moves[1]
    assert advice.legal_moves == len(moves)
    assert advice.candidates[0].visits == 100
    assert advice.search.stop_reason == pb.STOP_REASON_ITERATIONS
    assert "only legal move" not in advice.candidates[0].reason


def test_a_move_to_compare_is_told_in_words_beside_the_best(
    advisor: AdvisorServiceStub, rules: RulesServiceStub, game_id: str
) -> None:
    asked = query(rules, game_id, limits=limits(400), candidates=1, seed=1)
    moves = moves_of(rules, asked)
    for move in (moves[0], moves[-1]):
        asked.compare.CopyFrom(move)
        advice = recommend(advisor, asked)
        found = advice.compared
        assert found.candidate.move == move
        assert found.candidate.words
        assert found.candidate.visits > 0
        others = ("the best", "the first choice")
        if found.rank == 1:
            assert found.candidate == advice.candidates[0]
            others = ("the next best", "the second choice")
        assert any(other in found.candidate.reason for other in others)


def test_a_move_to_compare_comes_with_the_detail_and_language_asked_for(
    advisor: AdvisorServiceStub, rules: RulesServiceStub, game_id: str
) -> None:
    asked = query(rules, game_id, limits=limits(50), seed=1)
    asked.compare.CopyFrom(moves_of(rules, asked)[0])
    english = recommend(advisor, asked).compared.candidate
    asked.language = "zh-TW"
    chinese = recommend(advisor, asked).compared.candidate
    assert english.words != chinese.words
    assert english.reason != chinese.reason
    asked.detail = pb.DETAIL_FIGURES
    figures = recommend(advisor, asked).compared.candidate
    assert figures.visits == english.visits
    assert not figures.words
    assert not figures.reason


def test_nothing_is_compared_unless_asked_for(
    advisor: AdvisorServiceStub, rules: RulesServiceStub
) -> None:
    assert not recommend(advisor, query(rules, "dao", limits=limits(20))).HasField("compared")


def test_every_move_that_is_not_legal_is_named_with_the_legal_ones(
    advisor: AdvisorServiceStub, rules: RulesServiceStub
) -> None:
    asked = query(rules, "diams", limits=limits(20))
    legal = moves_of(rules, asked)[0]
    wrong = game_pb2.Move()
    wrong.diams.name.kind = 3
    asked.only.extend([legal, wrong])
    asked.without.append(game_pb2.Move(dao=DaoMove()))
    asked.compare.SetInParent()
    failed = failure(lambda: recommend(advisor, asked))
    assert failed.code == grpc.StatusCode.INVALID_ARGUMENT
    assert failed.fields == ["query.only[1].diams", "query.without[0].dao", "query.compare"]
    assert "legal: " in failed.description("query.only[1].diams")
    assert "is a move of dao" in failed.description("query.without[0].dao")


def test_something_has_to_be_left_to_consider(
    advisor: AdvisorServiceStub, rules: RulesServiceStub, game_id: str
) -> None:
    asked = query(rules, game_id, limits=limits(20))
    moves = moves_of(rules, asked)
    asked.without.extend(moves)
    assert failure(lambda: recommend(advisor, asked)).fields == ["query.without"]
    del asked.without[:]
    asked.only.append(moves[0])
    asked.compare.CopyFrom(moves[1])
    assert failure(lambda: recommend(advisor, asked)).fields == ["query.compare"]


@pytest.mark.parametrize("player", [pb.PLAYER_CASUAL, pb.PLAYER_RANDOM])
def test_players_without_a_search_consider_no_single_moves(
    advisor: AdvisorServiceStub, rules: RulesServiceStub, player: pb.Player.ValueType
) -> None:
    asked = query(rules, "dao", player=player)
    asked.only.append(moves_of(rules, asked)[0])
    failed = failure(lambda: recommend(advisor, asked))
    assert failed.fields == ["query.only"]


def test_a_level_chooses_from_the_moves_to_consider(
    advisor: AdvisorServiceStub, rules: RulesServiceStub, game_id: str
) -> None:
    asked = query(rules, game_id, level=3, seed=4)
    moves = moves_of(rules, asked)
    best = recommend(advisor, asked).best_move
    asked.without.append(best)
    assert recommend(advisor, asked).best_move in [move for move in moves if move != best]
