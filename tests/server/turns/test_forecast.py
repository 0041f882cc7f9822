"""What answers are going to cost."""

from __future__ import annotations

import pytest

from adamas.v1 import advisor_service_pb2 as pb
from server.turns.forecast import Forecast, Kind

DIAMONDS = Kind("diamonds", pb.DETAIL_FULL)


def test_long_lists_tell_what_short_ones_cost_and_the_other_way_round() -> None:
    forecast = Forecast()
    for _ in range(50):
        forecast.learn(DIAMONDS, 560, 0.1124)  # 0.2 ms each
    assert 0.001 < forecast.seconds(DIAMONDS, 5) < 0.002
    for _ in range(50):
        forecast.learn(DIAMONDS, 5, 0.0028)  # 0.4 ms
    assert 0.22 < forecast.seconds(DIAMONDS, 560) < 0.3


def test_kinds_are_learnt_apart() -> None:
    forecast = Forecast()
    before = forecast.seconds(Kind("dao", pb.DETAIL_FULL), 5)
    for _ in range(50):
        forecast.learn(DIAMONDS, 560, 5.0)
    assert forecast.seconds(Kind("dao", pb.DETAIL_FULL), 5) == before
    assert forecast.seconds(Kind("diamonds", pb.DETAIL_FIGURES), 5) == before


@pytest.mark.parametrize("candidates", [1, 5, 100, 1000])
def test_as_many_candidates_as_there_is_time_for(candidates: int) -> None:
    forecast = Forecast()
    seconds = forecast.seconds(DIAMONDS, candidates)
    half_a_candidate = seconds / (candidates + 2) / 2
    assert forecast.candidates(DIAMONDS, seconds + half_a_candidate) == candidates
    assert forecast.candidates(DIAMONDS, 0.0) == forecast.candidates(DIAMONDS, -1.0) == 1
