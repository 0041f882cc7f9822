"""The measuring of strength itself: intervals, horizons, comparisons."""

from __future__ import annotations

import argparse
import math

import numpy as np
import pytest

from benchmarks.adapted import SHIPPED, TO_THE_END, with_horizon, with_margin_scale
from benchmarks.choices import read_comparison, search_with
from benchmarks.intervals import share_of, wilson_interval
from benchmarks.matches import (
    Player,
    casual_player,
    play_deal,
    play_deals,
    random_player,
    sample_of,
)
from engines.contract import (
    GAME_OVER,
    INFORMED,
    MAX_SEATS,
    RANDOM,
    RESULT_ROWS,
    SCORE,
    UTILITY,
    WIN_SHARE,
)
from engines.dao.rules import MARGIN_SCALE
from engines.registry import game
from engines.rng import generator
from engines.utility import blend
from tests.contract.play import Setting, view_of


def casual_and_random(_: None) -> tuple[Player, Player]:
    return casual_player, random_player


def test_wilsons_interval_is_the_textbooks() -> None:
    low, high = wilson_interval(0.5, 100)
    assert (low, high) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    low, high = wilson_interval(1.0, 400)
    assert low == pytest.approx(0.9905, abs=1e-4)
    assert high == 1.0


def test_games_of_one_deal_count_less_if_the_deal_decides_them() -> None:
    """Fifty deals that one player wins from either seat, fifty that the other one wins."""
    same = share_of([(1.0, 1.0), (0.0, 0.0)] * 50)
    opposite = share_of([(1.0, 0.0), (0.0, 1.0)] * 50)
    assert same.games == opposite.games == 200
    assert same.share == opposite.share == 0.5
    assert (same.low, same.high) == pytest.approx(wilson_interval(0.5, 99), abs=1e-9)
    assert same.high - same.low > opposite.high - opposite.low


def test_a_share_without_losses_has_an_interval_all_the_same() -> None:
    perfect = share_of([(1.0, 1.0)] * 200)
    assert perfect.share == perfect.high == 1.0
    assert perfect.low == pytest.approx(0.9905, abs=1e-4)


def test_a_deal_is_played_from_either_seat() -> None:
    dao = game("dao")
    assert play_deal(dao, (casual_player, casual_player), 3) in {(1.0, 0.0), (0.0, 1.0)}


def test_deals_come_out_alike_in_any_number_of_processes() -> None:
    one, two = (play_deals("dao", casual_and_random, None, 5, processes) for processes in (1, 2))
    assert len(one) == 5
    assert one == two


@pytest.mark.parametrize(("horizon", "rounds"), [("0", 1), ("1", 2), ("2", 3), (TO_THE_END, 4)])
def test_samples_end_at_the_horizon_asked_for(horizon: str, rounds: int) -> None:
    """The first lead of two-seat Diamonds, which has four rounds."""
    diamonds = with_horizon("diamonds", horizon)
    row = Setting(diamonds, 2, "standard").deal(1)
    seat = int(diamonds.kernels.seat_to_move(row))
    sample = sample_of(diamonds, view_of(diamonds, row, seat), 1)
    diamonds.kernels.playout(sample, generator(1), RANDOM)
    assert diamonds.kernels.seat_to_move(sample) == GAME_OVER
    assert sample.view(diamonds.state)[0].round_number == rounds


def test_a_sample_of_dao_can_end_with_the_first_round() -> None:
    dao = with_horizon("dao", "0")
    sample = sample_of(dao, view_of(dao, Setting(dao, 2, "standard").deal(1), 0), 1)
    dao.kernels.playout(sample, generator(1), INFORMED)
    assert sample.view(dao.state)[0].round_number == 1


def test_a_horizon_that_a_game_does_not_have_is_refused() -> None:
    with pytest.raises(ValueError, match="dao has no such horizon: 2"):
        with_horizon("dao", "2")


@pytest.mark.parametrize("factor", [0.5, 2.0, math.inf])
def test_a_margin_scale_changes_what_the_margin_is_worth_and_nothing_else(factor: float) -> None:
    plain, other = game("dao"), with_margin_scale("dao", factor)
    row = Setting(plain, 2, "standard").deal(1)
    plain.kernels.playout(row, generator(1), INFORMED)
    before, after = np.zeros((RESULT_ROWS, MAX_SEATS)), np.zeros((RESULT_ROWS, MAX_SEATS))
    plain.kernels.evaluate(row, before)
    other.kernels.evaluate(row, after)
    assert np.array_equal(before[[WIN_SHARE, SCORE]], after[[WIN_SHARE, SCORE]])
    for seat in (0, 1):
        margin = before[SCORE, seat] - before[SCORE, 1 - seat]
        expected = blend(before[WIN_SHARE, seat], margin, MARGIN_SCALE * factor)
        assert after[UTILITY, seat] == pytest.approx(expected)


def test_comparisons_are_read_or_refused() -> None:
    assert read_comparison("exploration=0.6,1.0") == ("exploration", ("0.6", "1.0"))
    for wrong in ("exploration", "exploration=0.6", "colour=red,blue"):
        with pytest.raises(argparse.ArgumentTypeError):
            read_comparison(wrong)


def test_a_setting_reaches_the_search() -> None:
    setting = {
        "exploration": "1.5", "policy": "random", "trees": "2", "iterations": "70", "time": "",
        "horizon": SHIPPED, "margin": "1",
    }  # fmt: skip
    player = search_with("dao", setting)
    assert (player.exploration, player.strength.policy, player.trees) == (1.5, RANDOM, 2)
    assert player.iterations == 70
