"""The time kept back for an answer."""

from __future__ import annotations

import time

from server.reserve import FOR_DEADLINE, FOR_TIME_LIMIT, Caution, Reserve


def reserve_after(
    *seconds: float, span: float = 10.0, caution: Caution = FOR_DEADLINE, crowd: int = 1
) -> float:
    reserve = Reserve()
    for one in seconds:
        reserve.learn("kind", one)
    return reserve.seconds("kind", time.monotonic() + span, caution, crowd)


def test_steady_answers_need_little_more_than_they_take() -> None:
    assert 0.005 < reserve_after(*[0.005] * 50) < 0.008


def test_unsteady_answers_need_more_most_of_all_before_a_deadline() -> None:
    unsteady = [0.005, 0.015] * 50
    assert reserve_after(*unsteady) > 0.02
    assert 0.01 < reserve_after(*unsteady, caution=FOR_TIME_LIMIT) < 0.02


def test_it_follows_a_machine_that_gets_busy_and_quiet_again() -> None:
    assert reserve_after(*[0.005] * 50, *[0.05] * 5) > 0.05
    assert reserve_after(*[0.05] * 50, *[0.005] * 25) < 0.01


def test_some_time_is_left_to_search() -> None:
    assert reserve_after(5.0, span=0.1) <= 0.075
    assert reserve_after(5.0, span=0.1, caution=FOR_TIME_LIMIT) <= 0.025
    assert reserve_after(5.0, span=-1.0) == 0.0


def test_a_crowd_takes_turns() -> None:
    assert reserve_after(crowd=50) >= 0.05
    assert reserve_after(crowd=1) < 0.005


def test_kinds_are_learnt_apart() -> None:
    reserve = Reserve()
    reserve.learn("slow", 0.5)
    assert reserve.seconds("quick", time.monotonic() + 10, FOR_DEADLINE) < 0.01
