"""Nothing is lost, nothing is made: gems, tiles, coins over random games."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.diamonds_club.rules.kernels import PASS
from engines.diamonds_club.rules.state import MARKET, MONEY_TRACK, OVER, STATE
from engines.events import NO_LOG
from engines.jit import Record, Row
from engines.registry import game
from tests.contract.play import Setting, plies

CLUB = game("diamonds_club")


def record(row: Row) -> Record:
    return row.view(STATE)[0]


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 4), st.integers(0, 1 << 30))
def test_gems_and_tiles_are_conserved_and_never_negative(seats: int, seed: int) -> None:
    for row, _ in plies(Setting(CLUB, seats, "standard"), seed):
        s = record(row)
        assert (s.gems.sum(axis=0) + s.gem_supply == s.box_gems).all()
        assert (s.tiles.sum(axis=0) + s.tile_supply == s.box_tiles).all()
        assert (s.animals.sum(axis=0) + s.animal_supply == s.box_animals).all()
        assert s.landscape.sum() + s.stacks.sum() == s.box_landscape.sum()
        for field in ("gems", "gem_supply", "tiles", "tile_supply", "animal_supply", "stacks"):
            assert (s[field] >= 0).all()
        assert (s.coins >= 0).all()


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 4), st.integers(0, 1 << 30))
def test_coins_lie_on_the_market_or_are_held_until_the_round_ends(seats: int, seed: int) -> None:
    for row, _ in plies(Setting(CLUB, seats, "standard"), seed):
        s = record(row)
        if s.phase == MARKET:
            income = sum(int(s.income[s.levels[seat, MONEY_TRACK]]) for seat in range(seats))
            assert s.coins.sum() + s.paid.sum() == income


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 4), st.integers(0, 1 << 30))
def test_every_tile_of_a_park_lies_somewhere(seats: int, seed: int) -> None:
    for row, _ in plies(Setting(CLUB, seats, "standard"), seed):
        s = record(row)
        for seat in range(seats):
            tiles = s.landscape[seat].sum() + s.animals[seat].sum()
            printed = int(s.covered[seat]).bit_count()
            assert tiles == printed + s.light_tiles[seat] + s.dark_tiles[seat]
            assert s.light_tiles[seat] <= s.light_size - 3
            assert s.dark_tiles[seat] <= s.dark_size


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 4), st.integers(0, 1 << 30))
def test_the_order_of_the_start_track_is_by_position(seats: int, seed: int) -> None:
    for row, _ in plies(Setting(CLUB, seats, "standard"), seed):
        s = record(row)
        order = [int(seat) for seat in s.order[:seats]]
        assert sorted(order) == list(range(seats))
        assert (np.diff(s.positions[order]) <= 0).all()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_game_of_passes_ends_after_the_last_round(seats: int) -> None:
    row = Setting(CLUB, seats, "standard").deal(1)
    out = np.zeros(CLUB.max_moves, dtype=np.int64)
    while record(row).phase != OVER:
        CLUB.kernels.legal_moves(row, out)
        CLUB.kernels.apply_move(row, int(out[0]), NO_LOG)
        assert out[0] == PASS or record(row).phase != MARKET
    assert record(row).round_number == 20
