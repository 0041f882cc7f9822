"""AdvisorService.Recommend over gRPC."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import grpc
import pytest

from adamas.v1 import advisor_service_pb2 as pb
from adamas.v1 import game_pb2
from adamas.v1 import rules_service_pb2 as rules_pb
from adamas.v1.advisor_service_pb2_grpc import AdvisorServiceStub
from adamas.v1.rules_service_pb2_grpc import RulesServiceStub
from engines.registry import games
from engines.rng import generator
from server.requests.messages import Reader, State
from tests.server.positions import deal, failure, limits, query, view_query, without_time


def test_answers_with_legal_moves_in_words(
    advisor: AdvisorServiceStub, rules: RulesServiceStub, game_id: str
) -> None:
    dealt = deal(rules, game_id)
    seat = dealt.status.seats_to_move[0]
    asked = pb.SearchQuery(
        state=pb.StateOfSeat(state=dealt.state, seat=seat), limits=limits(400), candidates=1000
    )
    response = advisor.Recommend(pb.RecommendRequest(query=asked, request_id="mine"))
    legal = rules.ListLegalMoves(rules_pb.ListLegalMovesRequest(state=dealt.state, seat=seat))
    advice = response.advice
    assert response.request_id == "mine"
    assert advice.legal_moves == len(legal.moves) == len(advice.candidates)
    words = {move.move.SerializeToString(): move.words for move in legal.moves}
    for candidate in advice.candidates:
        assert words[candidate.move.SerializeToString()] == candidate.words
        assert candidate.reason
        assert 0.0 <= candidate.win_probability <= 1.0
        line = candidate.principal_variation
        assert line[0].move == candidate.move
        assert line[0].seat == seat
        assert len(line) <= 12
        assert all(step.words for step in line)
    assert advice.best_move == advice.candidates[0].move
    visits = [candidate.visits for candidate in advice.candidates]
    assert visits == sorted(visits, reverse=True)
    assert sum(visits) == advice.search.iterations == 400
    assert advice.search.stop_reason == pb.STOP_REASON_ITERATIONS
    assert advice.search.nodes > 0
    assert advice.search.trees == 2


def test_the_reason_of_a_candidate_does_not_depend_on_how_many_are_asked_for(
    advisor: AdvisorServiceStub, rules: RulesServiceStub, game_id: str
) -> None:
    asked = query(rules, game_id, limits=limits(100), seed=1)
    reasons = []
    for candidates in (1, 2, 1000):
        asked.candidates = candidates
        advice = advisor.Recommend(pb.RecommendRequest(query=asked)).advice
        assert advice.legal_moves > 1
        reasons.append(advice.candidates[0].reason)
    assert len(set(reasons)) == 1
    assert "only legal move" not in reasons[0]


def test_words_come_in_the_language_asked_for(
    advisor: AdvisorServiceStub, rules: RulesServiceStub, game_id: str
) -> None:
    asked = query(rules, game_id, limits=limits(50), seed=1)
    english = advisor.Recommend(pb.RecommendRequest(query=asked)).advice
    asked.language = "zh-Hant-TW"
    chinese = advisor.Recommend(pb.RecommendRequest(query=asked)).advice
    assert english.best_move == chinese.best_move
    assert english.candidates[0].words != chinese.candidates[0].words
    assert english.candidates[0].reason != chinese.candidates[0].reason


def test_seed_and_iterations_fix_the_answer(
    advisor: AdvisorServiceStub, rules: RulesServiceStub, game_id: str
) -> None:
    asked = query(rules, game_id, limits=limits(2001), seed=2**64 - 1, trees=3)

    def ask() -> pb.Advice:
        return without_time(advisor.Recommend(pb.RecommendRequest(query=asked)).advice)

    alone = ask()
    with ThreadPoolExecutor(8) as pool:
        crowded = list(pool.map(lambda _: ask(), range(8)))
    assert all(advice == alone for advice in crowded)
    assert alone.search.seed == 2**64 - 1
    asked.seed = 1
    assert ask() != alone


def test_a_seed_is_made_up_and_told(advisor: AdvisorServiceStub, rules: RulesServiceStub) -> None:
    asked = query(rules, "dao", limits=limits(500))
    first = without_time(advisor.Recommend(pb.RecommendRequest(query=asked)).advice)
    second = without_time(advisor.Recommend(pb.RecommendRequest(query=asked)).advice)
    assert first.search.seed != second.search.seed
    asked.seed = first.search.seed
    assert without_time(advisor.Recommend(pb.RecommendRequest(query=asked)).advice) == first


def test_hidden_cards_never_change_the_answer(
    advisor: AdvisorServiceStub, rules: RulesServiceStub, game_id: str
) -> None:
    """The true state, other states that the seat can't tell from it, and the view: one answer."""
    reader = Reader(games())
    dealt = deal(rules, game_id)
    seat = dealt.status.seats_to_move[0]
    view = reader.state(dealt.state, "state").view_of(seat)
    game = view.game
    table = game.new_table()
    assert game.kernels.prepare(view.row, table)
    rng = generator(99)
    asked = [
        pb.SearchQuery(view=view.message()),
        pb.SearchQuery(state=pb.StateOfSeat(state=dealt.state, seat=seat)),
    ]
    for _ in range(3):
        row = game.new_row()
        game.kernels.determinize(view.row, table, rng, row)
        other = State(game, row).message()
        assert other != dealt.state
        asked.append(pb.SearchQuery(state=pb.StateOfSeat(state=other, seat=seat)))
    answers = []
    for one in asked:
        one.limits.iterations, one.seed = 500, 11
        answers.append(without_time(advisor.Recommend(pb.RecommendRequest(query=one)).advice))
    assert all(answer == answers[0] for answer in answers)


def test_time_limit(advisor: AdvisorServiceStub, rules: RulesServiceStub, game_id: str) -> None:
    asked = query(rules, game_id, limits=limits(time=0.2))
    begin = time.monotonic()
    advice = advisor.Recommend(pb.RecommendRequest(query=asked)).advice
    assert 0.14 < time.monotonic() - begin < 2.0
    assert advice.search.stop_reason == pb.STOP_REASON_TIME
    assert advice.search.iterations > 100


def test_default_time_is_a_second(advisor: AdvisorServiceStub, rules: RulesServiceStub) -> None:
    begin = time.monotonic()
    advisor.Recommend(pb.RecommendRequest(query=query(rules, "dao")))
    assert 0.7 < time.monotonic() - begin < 4.0


@pytest.mark.parametrize("timeout", [0.1, 0.02])
def test_the_deadline_wins(
    advisor: AdvisorServiceStub, rules: RulesServiceStub, game_id: str, timeout: float
) -> None:
    request = pb.RecommendRequest(query=query(rules, game_id, limits=limits(time=20)))
    # A busy machine may miss a deadline this short now and then, but not always.
    for _ in range(20):
        call = advisor.Recommend.future(request, timeout=timeout)
        if call.exception() is None:
            break
        assert call.code() == grpc.StatusCode.DEADLINE_EXCEEDED
    advice = call.result().advice
    assert advice.search.stop_reason == pb.STOP_REASON_DEADLINE
    assert advice.candidates


def test_a_single_move_needs_no_search(
    advisor: AdvisorServiceStub, rules: RulesServiceStub
) -> None:
    asked = query(rules, "dao", limits=limits(time=10))
    state = asked.state.state
    state.dao.options.refill_ends_game = False
    state.dao.piles[0].cards.extend(state.dao.deck)
    del state.dao.deck[:]
    begin = time.monotonic()
    advice = advisor.Recommend(pb.RecommendRequest(query=asked)).advice
    assert time.monotonic() - begin < 2.0
    assert advice.search.stop_reason == pb.STOP_REASON_SINGLE_MOVE
    assert advice.search.iterations == 0
    assert len(advice.candidates) == 1
    assert advice.best_move.dao.action


Change = Callable[[pb.RecommendRequest], object]

WRONG: list[tuple[str, Change]] = [
    ("request_id", lambda r: setattr(r, "request_id", "x" * 129)),
    ("query.position", lambda r: r.query.ClearField("view")),
    ("query.view", lambda r: r.query.view.ClearField("dao")),
    ("query.state.state", lambda r: r.query.state.SetInParent()),
    ("query.candidates", lambda r: setattr(r.query, "candidates", 1001)),
    ("query.candidates", lambda r: setattr(r.query, "candidates", -1)),
    ("query.trees", lambda r: setattr(r.query, "trees", 65)),
    ("query.trees", lambda r: setattr(r.query, "trees", -(2**31))),
    ("query.priority", lambda r: setattr(r.query, "priority", 3)),
    ("query.language", lambda r: setattr(r.query, "language", "fr")),
    ("query.limits.iterations", lambda r: setattr(r.query.limits, "iterations", -1)),
    ("query.limits.iterations", lambda r: setattr(r.query.limits, "iterations", 10**9 + 1)),
    ("query.limits.time", lambda r: r.query.limits.time.SetInParent()),
    ("query.limits.time", lambda r: setattr(r.query.limits.time, "seconds", 21)),
    ("query.limits.time", lambda r: setattr(r.query.limits.time, "seconds", -(2**63))),
    ("query.limits.time", lambda r: setattr(r.query.limits.time, "nanos", -1)),
    ("query.view.dao.turn", lambda r: setattr(r.query.view.dao, "turn", 3)),
    ("query.view.dao.row[1].value", lambda r: setattr(r.query.view.dao.row[1], "value", 7)),
]


@pytest.mark.parametrize(("field", "change"), WRONG)
def test_bad_requests_name_the_field(
    advisor: AdvisorServiceStub, rules: RulesServiceStub, field: str, change: Change
) -> None:
    request = pb.RecommendRequest(query=view_query(rules, "dao"))
    change(request)
    failed = failure(lambda: advisor.Recommend(request))
    assert failed.code == grpc.StatusCode.INVALID_ARGUMENT
    assert failed.fields == [field]
    assert failed.info.reason == "INVALID_FIELD"
    assert failed.message.startswith(field + ": ")


def test_several_violations_come_together(
    advisor: AdvisorServiceStub, rules: RulesServiceStub
) -> None:
    asked = view_query(rules, "dao", candidates=-1, trees=-1, language="xx")
    failed = failure(lambda: advisor.Recommend(pb.RecommendRequest(query=asked)))
    assert failed.fields == ["query.candidates", "query.trees", "query.language"]


def test_not_this_seats_move(advisor: AdvisorServiceStub, rules: RulesServiceStub) -> None:
    asked = query(rules, "dao")
    asked.state.seat = 1 - asked.state.seat
    failed = failure(lambda: advisor.Recommend(pb.RecommendRequest(query=asked)))
    assert failed.code == grpc.StatusCode.INVALID_ARGUMENT
    assert "seat 1 is not to move; seat 0 is" in failed.description("query.state.seat")


def test_seat_out_of_range(advisor: AdvisorServiceStub, rules: RulesServiceStub) -> None:
    asked = query(rules, "dao")
    asked.state.seat = 3
    failed = failure(lambda: advisor.Recommend(pb.RecommendRequest(query=asked)))
    assert failed.description("query.state.seat") == "is 3; use 0 to 2"


def test_a_game_that_is_over(advisor: AdvisorServiceStub, rules: RulesServiceStub) -> None:
    asked = query(rules, "dao")
    state = asked.state.state.dao
    state.piles[0].cards.extend(state.deck)
    del state.deck[:]
    state.over = True
    failed = failure(lambda: advisor.Recommend(pb.RecommendRequest(query=asked)))
    assert failed.code == grpc.StatusCode.INVALID_ARGUMENT
    assert "over" in failed.description("query.state.seat")


def test_bytes_that_are_no_message(channel: grpc.Channel) -> None:
    for method in ("AdvisorService/Recommend", "AdvisorService/Analyze", "RulesService/ApplyMove"):
        send: Any = channel.unary_stream(f"/adamas.v1.{method}")
        failed = failure(partial(list, send(b"\xff\xff\xff")))
        assert failed.code == grpc.StatusCode.INVALID_ARGUMENT
        assert failed.info.reason == "UNDECODABLE_MESSAGE"


def test_a_message_that_is_too_long_says_where_the_limit_is(
    advisor: AdvisorServiceStub,
) -> None:
    request = pb.RecommendRequest(request_id="x" * 300_000)
    failed = failure(lambda: advisor.Recommend(request))
    assert failed.code == grpc.StatusCode.INVALID_ARGUMENT
    assert failed.info.reason == "MESSAGE_TOO_LARGE"
    assert "--max-message-bytes" in failed.message


def test_unknown_games_of_later_versions_are_no_position(advisor: AdvisorServiceStub) -> None:
    view = game_pb2.PlayerView.FromString(b"\xfa\x3f\x00")  # field 1023, unknown here
    request = pb.RecommendRequest(query=pb.SearchQuery(view=view))
    assert failure(lambda: advisor.Recommend(request)).fields == ["query.view"]
