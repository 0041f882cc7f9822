"""Quotas: what a minute's worth is, and what is refused."""

from __future__ import annotations

import pytest
from google.rpc.error_details_pb2 import QuotaFailure, RetryInfo

from server.access.clients import Quota
from server.access.quota import Account, Bucket
from server.errors import Refused


class Clock:
    """Time that passes only when told."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def detail(refused: Refused, kind: type) -> object:
    return next((found for found in refused.details if isinstance(found, kind)), None)


def retry_seconds(refused: Refused) -> float | None:
    found = detail(refused, RetryInfo)
    return found.retry_delay.ToNanoseconds() / 1e9 if isinstance(found, RetryInfo) else None


def test_a_bucket_gives_a_minute_at_once_and_then_fills_evenly() -> None:
    clock = Clock()
    bucket = Bucket(30, clock)
    assert [bucket.take(10) for _ in range(3)] == [0, 0, 0]
    assert bucket.take(1) == pytest.approx(2.0)
    clock.now += 2.0
    assert bucket.take(1) == 0
    assert bucket.take(1) > 0
    clock.now += 3600
    assert bucket.left() == 30


def test_a_bucket_refused_is_a_bucket_untouched() -> None:
    bucket = Bucket(30, Clock())
    assert bucket.take(31) > 0
    assert bucket.left() == 30


def test_over_any_time_no_more_is_given_than_a_minute_ahead() -> None:
    clock = Clock()
    bucket = Bucket(60, clock)
    given = 0
    for _ in range(3000):
        clock.now += 0.1
        given += bucket.take(1) == 0
    assert given == pytest.approx(60 + 300, abs=1)


def test_calls_per_minute() -> None:
    account = Account("bot", Quota(calls_per_minute=2))
    for _ in range(2):
        with account.calling():
            pass
    with pytest.raises(Refused) as caught, account.calling():
        pass
    assert caught.value.reason == "QUOTA_EXCEEDED"
    assert 0 < (retry_seconds(caught.value) or 0) <= 30
    failure = detail(caught.value, QuotaFailure)
    assert isinstance(failure, QuotaFailure)
    (violation,) = failure.violations
    assert violation.subject == "client:bot"
    assert violation.quota_metric == "calls_per_minute"
    assert violation.quota_value == 2
    assert "2 calls per minute" in violation.description


def test_calls_at_once() -> None:
    account = Account("bot", Quota(calls_at_once=1))
    with account.calling():
        with pytest.raises(Refused, match="1 calls run already"), account.calling():
            pass
        assert account.calls_at_once == 1
    with account.calling():
        pass


def test_thinking_time_is_reserved_and_what_was_not_used_comes_back() -> None:
    account = Account("bot", Quota(search_seconds_per_minute=60))
    with account.thinking(40):
        told = pytest.raises(Refused, match="this search may take 40 s, and 20 s are left")
        with told, account.thinking(40):
            pass
    with account.thinking(40):
        pass


def test_a_search_longer_than_the_quota_is_told_not_to_come_back() -> None:
    account = Account("bot", Quota(search_seconds_per_minute=5))
    with pytest.raises(Refused) as caught, account.thinking(6):
        pass
    assert retry_seconds(caught.value) is None
    with pytest.raises(Refused) as again, account.thinking(5), account.thinking(5):
        pass
    assert retry_seconds(again.value) is not None


def test_without_quotas_nothing_is_refused() -> None:
    account = Account("bot", Quota())
    for _ in range(1000):
        with account.calling(), account.thinking(1e9):
            pass


def test_a_changed_list_does_not_fill_buckets_again() -> None:
    account = Account("bot", Quota(calls_per_minute=1))
    account.charge_call()
    account.set_quota(Quota(calls_per_minute=1, calls_at_once=3))
    with pytest.raises(Refused):
        account.charge_call()
    account.set_quota(Quota(calls_per_minute=100))
    account.charge_call()
