"""The time kept back for an answer."""

from __future__ import annotations

import time
from contextlib import ExitStack
from itertools import pairwise

import pytest

import server.turns.reserve as reserve_module
from server.turns.reserve import FOR_DEADLINE, FOR_TIME_LIMIT, Caution, Overhead, Reserve


def reserve_after(*seconds: float, span: float = 10.0, caution: Caution = FOR_DEADLINE) -> float:
    """How long before its end, some seconds from now, a search stops."""
    reserve = Reserve()
    for one in seconds:
        reserve.learn("kind", one)
    due = time.monotonic() + span
    with reserve.booking("kind", due, caution) as stop_at:
        return due - stop_at


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


def test_before_deadlines_a_rush_is_remembered_for_some_seconds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rush = [0.05] + [0.005] * 50
    assert reserve_after(*rush) >= 0.05
    monkeypatch.setattr(reserve_module, "_MEMORY", 0.0)
    assert reserve_after(*rush) < 0.01


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
    reserve = Reserve()
    reserve.learn("kind", 0.004, turn=0.01)
    due = time.monotonic() + 10
    with ExitStack() as stack:
        book = [stack.enter_context(reserve.booking("kind", due, FOR_DEADLINE)) for _ in range(20)]
    stops = sorted(book)
    assert all(later - sooner > 0.0099 for sooner, later in pairwise(stops))
    assert 0.1899 < stops[-1] - stops[0] < 0.2
    assert due - stops[-1] < 0.01


def test_a_gap_between_bookings_is_used() -> None:
    reserve = Reserve()
    reserve.learn("kind", 0.004, turn=0.01)
    due = time.monotonic() + 10
    with (
        reserve.booking("kind", due, FOR_DEADLINE) as last,
        reserve.booking("kind", due - 0.025, FOR_DEADLINE) as first,
        reserve.booking("kind", due, FOR_DEADLINE) as between,
    ):
        assert first < between < last


def test_bookings_are_given_back() -> None:
    reserve = Reserve()
    due = time.monotonic() + 10
    with reserve.booking("kind", due, FOR_DEADLINE) as once:
        pass
    with reserve.booking("kind", due, FOR_DEADLINE) as again:
        assert again == once


def test_kinds_are_learnt_apart() -> None:
    reserve = Reserve()
    for kind, seconds in {"slow": 0.5, "quick": 0.004}.items():
        reserve.learn(kind, seconds)
    due = time.monotonic() + 10
    with reserve.booking("quick", due, FOR_TIME_LIMIT) as stop_at:
        assert due - stop_at < 0.01


def test_what_is_not_known_yet_is_feared() -> None:
    reserve = Reserve()
    due = time.monotonic() + 10
    with reserve.booking("new", due, FOR_TIME_LIMIT) as stop_at:
        assert due - stop_at > 0.01
