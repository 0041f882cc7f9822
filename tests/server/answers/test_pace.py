"""Natural thinking times."""

from __future__ import annotations

import time
from dataclasses import replace
from statistics import fmean

import numpy as np
import pytest

from server.answers.pace import (
    LONGEST,
    SHORTEST,
    Decision,
    natural_time,
    of_unknown_difficulty,
    suggested_delay,
)
from server.requests.durations import seconds

EASY = Decision(moves=8, contenders=1.0, seed=1, sample=np.arange(64, dtype=np.uint8))


def mean_time(decision: Decision) -> float:
    return fmean(natural_time(replace(decision, seed=seed)) for seed in range(300))


def test_more_to_decide_takes_longer() -> None:
    forced = replace(EASY, moves=1)
    close = replace(EASY, contenders=6.0)
    much = replace(EASY, moves=2000, contenders=6.0)
    times = [mean_time(decision) for decision in (forced, EASY, close, much)]
    assert times == sorted(times)
    assert times[0] < 1.0 < times[1] + 0.5 < times[2]


def test_times_are_bounded() -> None:
    for moves, contenders in ((1, 1.0), (2, 2.0), (5000, 5000.0)):
        for seed in range(200):
            found = natural_time(replace(EASY, moves=moves, contenders=contenders, seed=seed))
            assert SHORTEST <= found <= LONGEST


def test_a_seed_and_a_position_fix_the_time() -> None:
    assert natural_time(EASY) == natural_time(replace(EASY, sample=EASY.sample.copy()))
    assert len({natural_time(replace(EASY, seed=seed)) for seed in range(20)}) == 20
    others = [np.full(64, i, dtype=np.uint8) for i in range(20)]
    assert len({natural_time(replace(EASY, sample=other)) for other in others}) == 20


def test_what_the_answer_took_is_no_longer_waited_for() -> None:
    now = time.monotonic()
    natural = natural_time(EASY)
    assert seconds(suggested_delay(EASY, now - 0.3)) <= natural - 0.3
    assert seconds(suggested_delay(EASY, now + 100)) == pytest.approx(natural + 100, abs=5)
    assert seconds(suggested_delay(EASY, now - LONGEST)) == 0


def test_without_a_search_a_decision_is_of_middling_difficulty() -> None:
    assert of_unknown_difficulty(1) == 1
    assert 1 < of_unknown_difficulty(16) < 16
