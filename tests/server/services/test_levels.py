"""Strength levels over gRPC."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from adamas.v1 import advisor_service_pb2 as pb
from adamas.v1 import rules_service_pb2 as rules_pb
from adamas.v1.advisor_service_pb2_grpc import AdvisorServiceStub
from adamas.v1.rules_service_pb2_grpc import RulesServiceStub
from engines.violations import InvalidMessage
from search.levels import levels
from server.answers.pace import LONGEST
from server.requests.durations import seconds
from server.requests.strengths import AskedStrength
from tests.server.positions import failure, limits, query, view_query, without_time


def ask(advisor: AdvisorServiceStub, asked: pb.SearchQuery) -> pb.Advice:
    return advisor.Recommend(pb.RecommendRequest(query=asked)).advice


@pytest.mark.parametrize("level", [1, 5])
def test_a_level_stops_after_its_iterations(
    advisor: AdvisorServiceStub, rules: RulesServiceStub, game_id: str, level: int
) -> None:
    asked = view_query(rules, game_id, level=level, seed=3, trees=4, limits=limits(time=20))
    found = ask(advisor, asked)
    measured = levels(game_id)[level - 1].measured
    assert found.search.stop_reason == pb.STOP_REASON_ITERATIONS
    assert found.search.iterations == measured.iterations
    assert found.search.trees == 1
    assert found.search.determinizations == min(measured.worlds or 0, measured.iterations or 0)
    assert without_time(ask(advisor, asked)) == without_time(found)


def test_level_ten_is_full_strength(
    advisor: AdvisorServiceStub, rules: RulesServiceStub, game_id: str
) -> None:
    common = {"seed": 3, "limits": limits(300)}
    best = ask(advisor, query(rules, game_id, level=10, **common))
    highest = ask(advisor, query(rules, game_id, target_rating=1e6, **common))
    plain = ask(advisor, query(rules, game_id, **common))
    assert without_time(best) == without_time(highest) == without_time(plain)


def test_a_rating_of_a_level_plays_like_it(
    advisor: AdvisorServiceStub, rules: RulesServiceStub, game_id: str
) -> None:
    third = levels(game_id)[2]
    by_level = ask(advisor, query(rules, game_id, level=3, seed=3))
    by_rating = ask(advisor, query(rules, game_id, target_rating=third.rating, seed=3))
    assert without_time(by_rating) == without_time(by_level)


def test_limits_hold_beside_the_levels(
    advisor: AdvisorServiceStub, rules: RulesServiceStub, game_id: str
) -> None:
    found = ask(advisor, query(rules, game_id, level=9, limits=limits(4)))
    assert found.search.iterations == 4


@pytest.mark.parametrize(
    ("fields", "field", "said"),
    [
        ({"level": 11}, "query.level", "is 11; use 1 to 10, or 0 for full strength"),
        ({"level": -1}, "query.level", "is -1; use 1 to 10, or 0 for full strength"),
        (
            {"level": 3, "target_rating": 500},
            "query.target_rating",
            "is set beside query.level; use one of them",
        ),
        ({"target_rating": math.nan}, "query.target_rating", "is nan; use a number"),
        ({"target_rating": math.inf}, "query.target_rating", "is inf; use a number"),
    ],
)
def test_strengths_that_make_no_sense_are_refused(
    advisor: AdvisorServiceStub,
    rules: RulesServiceStub,
    fields: dict[str, float],
    field: str,
    said: str,
) -> None:
    asked = query(rules, "dao", **fields)
    refused = failure(lambda: ask(advisor, asked))
    assert refused.fields == [field]
    assert refused.description(field) == said


def test_a_game_lists_its_levels(rules: RulesServiceStub, game_id: str) -> None:
    listed = rules.GetGame(rules_pb.GetGameRequest(game_id=game_id)).levels
    assert [(one.level, one.rating, one.rating_low, one.rating_high) for one in listed] == [
        (one.level, one.rating, one.low, one.high) for one in levels(game_id)
    ]


@pytest.mark.parametrize(
    ("asked", "field"),
    [(AskedStrength(level=3), "query.level"), (AskedStrength(rating=3.0), "query.target_rating")],
)
def test_a_game_without_levels_refuses_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: AskedStrength, field: str
) -> None:
    monkeypatch.setattr("search.levels.levels_file", lambda _: tmp_path / "levels.json")
    with pytest.raises(InvalidMessage) as refused:
        asked.of_game("a game of nobody")
    (violation,) = refused.value.violations
    assert violation.field == field
    assert "a game of nobody has no calibrated levels" in violation.description


@pytest.mark.parametrize("player", [pb.PLAYER_SEARCH, pb.PLAYER_CASUAL, pb.PLAYER_RANDOM])
def test_an_answer_suggests_how_long_to_wait(
    advisor: AdvisorServiceStub, rules: RulesServiceStub, game_id: str, player: pb.Player.ValueType
) -> None:
    asked = query(rules, game_id, player=player, limits=limits(20), seed=8)
    found = ask(advisor, asked)
    delay, elapsed = seconds(found.suggested_delay), seconds(found.search.elapsed)
    again = ask(advisor, asked)
    assert 0 < delay <= LONGEST
    # Whatever an answer takes, the natural time is the same.
    other = seconds(again.suggested_delay) + seconds(again.search.elapsed)
    assert delay + elapsed == pytest.approx(other, abs=0.2)
