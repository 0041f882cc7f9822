"""The measuring of strength itself: intervals, horizons, comparisons."""

from __future__ import annotations

import argparse

import pytest

from benchmarks.choices import read_comparison, search_with
from benchmarks.horizons import SHIPPED, TO_THE_END, with_horizon
from benchmarks.intervals import share_of, wilson_interval
from benchmarks.matches import (
    Player,
    casual_player,
    play_deal,
    play_deals,
    random_player,
    sample_of,
)
from engines.contract import GAME_OVER, INFORMED, RANDOM
from engines.registry import game
from engines.rng import generator
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


@pytest.mark.parametrize(
    ("horizon", "rounds"), [(SHIPPED, 1), ("0", 1), ("1", 2), ("2", 3), (TO_THE_END, 4)]
)
def test_samples_end_at_the_horizon_asked_for(horizon: str, rounds: int) -> None:
    """The first lead of two-seat Diamonds, which has four rounds."""
    diamonds = with_horizon(game("diamonds"), horizon)
    row = Setting(diamonds, 2, "standard").deal(1)
    seat = int(diamonds.kernels.seat_to_move(row))
    sample = sample_of(diamonds, view_of(diamonds, row, seat), 1)
    diamonds.kernels.playout(sample, generator(1), RANDOM)
    assert diamonds.kernels.seat_to_move(sample) == GAME_OVER
    assert sample.view(diamonds.state)[0].round_number == rounds


def test_a_sample_of_dao_can_end_with_the_first_round() -> None:
    dao = with_horizon(game("dao"), "0")
    sample = sample_of(dao, view_of(dao, Setting(dao, 2, "standard").deal(1), 0), 1)
    dao.kernels.playout(sample, generator(1), INFORMED)
    assert sample.view(dao.state)[0].round_number == 1


def test_comparisons_are_read_or_refused() -> None:
    assert read_comparison("exploration=0.6,1.0") == ("exploration", ("0.6", "1.0"))
    for wrong in ("exploration", "exploration=0.6", "colour=red,blue"):
        with pytest.raises(argparse.ArgumentTypeError):
            read_comparison(wrong)


def test_a_setting_reaches_the_search() -> None:
    setting = {
        "exploration": "1.5", "policy": "random", "trees": "2", "iterations": "70", "time": "",
        "horizon": SHIPPED,
    }  # fmt: skip
    player = search_with(setting)
    assert (player.exploration, player.policy, player.trees) == (1.5, RANDOM, 2)
    assert player.iterations == 70
