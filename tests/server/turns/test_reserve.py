"""The time kept back for an answer."""

from __future__ import annotations

import time
from contextlib import ExitStack
from itertools import pairwise

import pytest

from server.turns.reserve import FOR_DEADLINE, FOR_TIME_LIMIT, Caution, Overhead, Reserve


def reserve_after(
    *latencies: float,
    cost: float = 0.001,
    span: float = 10.0,
    caution: Caution = FOR_DEADLINE,
) -> float:
    """How long before its end, some seconds from now, a search stops whose answer costs so much."""
    reserve = Reserve(1)
    for latency in latencies:
        reserve.learn(latency, 0.001)
    due = time.monotonic() + span
    with reserve.booking(due, cost, caution) as booking:
        return due - booking.stop_at


def test_steady_answers_need_little_more_than_they_take() -> None:
    assert 0.005 < reserve_after(*[0.005] * 50) < 0.008


def test_unsteady_answers_need_more_most_of_all_before_a_deadline() -> None:
    unsteady = [0.005, 0.015] * 50
    before_a_deadline = reserve_after(*unsteady)
    assert before_a_deadline > 0.02
    assert 0.01 < reserve_after(*unsteady, caution=FOR_TIME_LIMIT) < before_a_deadline


def test_it_follows_a_machine_that_gets_busy_and_quiet_again() -> None:
    assert reserve_after(*[0.005] * 50, *[0.05] * 5) > 0.05
    quiet_again = [0.05] * 50 + [0.005] * 25
    assert reserve_after(*quiet_again, caution=FOR_TIME_LIMIT) < 0.01


def test_what_an_answer_costs_is_kept_back_by_itself_alone() -> None:
    steady = [0.002] * 50
    assert 0.3 < reserve_after(*steady, cost=0.3) < 0.5
    assert reserve_after(*steady, cost=0.001) < 0.01


def test_long_answers_make_nobody_else_cautious() -> None:
    reserve = Reserve(1)
    for _ in range(50):
        reserve.learn(0.002, 0.001)
    for _ in range(12):
        reserve.learn(0.5, 0.3)
    due = time.monotonic() + 10
    with reserve.booking(due, 0.001, FOR_DEADLINE) as booking:
        assert due - booking.stop_at < 0.02


def test_long_answers_take_as_long_as_long_ones_have_taken() -> None:
    reserve = Reserve(1)
    for _ in range(50):
        reserve.learn(1.2, 0.3)
    due = time.monotonic() + 10
    with reserve.booking(due, 0.1, FOR_DEADLINE) as booking:
        assert 0.4 < due - booking.stop_at < 0.45
    assert reserve.affordable(0.4) == pytest.approx(0.1, rel=0.05)
    assert reserve.affordable(0.01) == 0.01


def test_overhead_grows_with_the_crowd() -> None:
    overhead = Overhead()
    for _ in range(50):
        overhead.learn(0.1, crowd=20)
    assert 0.004 < overhead.seconds(1) < 0.006
    assert 0.4 < overhead.seconds(100) < 0.6


def test_some_time_is_left_to_search() -> None:
    assert reserve_after(5.0, span=0.1) <= 0.075
    assert reserve_after(5.0, span=0.1, caution=FOR_TIME_LIMIT) <= 0.025
    assert reserve_after(5.0, span=-1.0) == 0.0


def test_searches_that_are_due_together_stop_one_after_another() -> None:
    reserve = Reserve(2)
    due = time.monotonic() + 10
    with ExitStack() as stack:
        booked = [
            stack.enter_context(reserve.booking(due, 0.02, FOR_DEADLINE)).stop_at for _ in range(20)
        ]
    stops = sorted(booked)
    assert all(later - sooner > 0.0099 for sooner, later in pairwise(stops))
    assert 0.19 < stops[-1] - stops[0] < 0.23


def test_a_gap_between_bookings_is_used() -> None:
    reserve = Reserve(1)
    due = time.monotonic() + 10
    with (
        reserve.booking(due, 0.01, FOR_DEADLINE) as last,
        reserve.booking(due - 0.025, 0.01, FOR_DEADLINE) as first,
        reserve.booking(due, 0.01, FOR_DEADLINE) as between,
    ):
        assert first.stop_at < between.stop_at < last.stop_at


def test_bookings_are_given_back_and_changed() -> None:
    reserve = Reserve(1)
    due = time.monotonic() + 10
    with reserve.booking(due, 0.3, FOR_DEADLINE) as once:
        early = once.stop_at
        once.cost(0.001)
        assert once.stop_at > early + 0.29
        late = once.stop_at
    with reserve.booking(due, 0.001, FOR_DEADLINE) as again:
        assert again.stop_at == late


def test_what_is_not_known_yet_is_feared() -> None:
    assert reserve_after(caution=FOR_TIME_LIMIT) > 0.01
