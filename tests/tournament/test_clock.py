"""What a seat may use, and when it has lost on time."""

import pytest

from adamas_tournament.clock import SeatClock
from adamas_tournament.config import TimeControl
from adamas_tournament.records import Offence


def test_without_a_control_only_a_hang_ends_the_wait() -> None:
    allowance = SeatClock(TimeControl(hang=5.0)).allowance()
    assert (allowance.think, allowance.wait, allowance.offence) == (None, 5.0, Offence.HANG)
    assert SeatClock(TimeControl()).charge(50.0)


def test_a_limit_of_a_move_ends_the_wait_and_is_lost_on_time() -> None:
    clock = SeatClock(TimeControl(move=2.0, lag=0.5))
    allowance = clock.allowance()
    assert (allowance.think, allowance.wait, allowance.offence) == (2.0, 2.5, Offence.TIME)
    assert clock.charge(2.4)
    assert not clock.charge(2.6)


def test_a_hang_that_comes_before_the_limit_is_a_hang() -> None:
    allowance = SeatClock(TimeControl(move=9.0, hang=1.0)).allowance()
    assert (allowance.wait, allowance.offence) == (1.0, Offence.HANG)


def test_a_budget_shrinks_by_what_is_used_and_grows_by_the_increment() -> None:
    clock = SeatClock(TimeControl(total=10.0, increment=1.0, lag=0.25))
    assert clock.charge(3.25)
    assert clock.remaining == pytest.approx(8.0)
    assert clock.charge(0.1)  # the lag is not charged, and nothing is given back for it
    assert clock.remaining == pytest.approx(9.0)
    allowance = clock.allowance()
    assert allowance.remaining == pytest.approx(9.0)
    assert allowance.wait == pytest.approx(9.25)
    assert not clock.charge(9.5)


def test_a_seat_with_a_budget_alone_is_told_to_spend_a_part_of_it() -> None:
    clock = SeatClock(TimeControl(total=20.0, increment=0.5))
    assert clock.allowance().think == pytest.approx(20 / 20 + 0.5)
    both = SeatClock(TimeControl(total=20.0, increment=0.5, move=0.75))
    assert both.allowance().think == pytest.approx(0.75)
