"""Samples of Diamonds Club: only the markets to come differ, and they are uniform (section 6)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from scipy import stats

from adamas.v1 import diamonds_club_pb2 as pb
from engines.diamonds_club import hidden
from engines.diamonds_club.rules.state import OPEN_START, STATE, STRIPS
from engines.events import NO_LOG
from engines.jit import Row
from engines.registry import game
from engines.rng import generator
from tests.contract.play import Setting, view_of

CLUB = game("diamonds_club")
SAMPLES = 6_000


def dark_strips(row: Row) -> tuple[int, ...]:
    """The dark strips in the market."""
    s = row.view(STATE)[0]
    return tuple(sorted(int(column) // 2 for column in s.columns[: s.seats]))


def next_markets(row: Row, samples: int) -> Counter[tuple[int, ...]]:
    """The dark strips of the next round, sampled, when everybody passes."""
    view, table = view_of(CLUB, row, 0), CLUB.new_table()
    CLUB.kernels.prepare(view, table)
    rng = generator(4)
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(samples):
        sample = CLUB.new_row()
        CLUB.kernels.determinize(view, table, rng, sample)
        sample.view(STATE)[0].horizon = 0  # go on into the next round, where a search would end
        round_number = sample.view(STATE)[0].round_number
        while sample.view(STATE)[0].round_number == round_number:
            CLUB.kernels.apply_move(sample, 0, NO_LOG)
        counts[dark_strips(sample)] += 1
    return counts


def equally_likely(counts: Counter[tuple[int, ...]], expected: set[tuple[int, ...]]) -> bool:
    assert set(counts) == expected
    return bool(stats.chisquare([counts[key] for key in expected]).pvalue > 1e-4)


def test_all_strips_are_equally_likely_in_the_next_market() -> None:
    row = Setting(CLUB, 2, "standard").deal(5)
    pairs: set[tuple[int, ...]] = set(combinations(range(STRIPS), 2))
    assert equally_likely(next_markets(row, SAMPLES), pairs)


def test_with_a_cycle_the_rest_of_the_pile_is_equally_likely() -> None:
    cycle = (("strip_refresh", int(pb.DIAMONDS_CLUB_STRIP_REFRESH_CYCLE)),)
    row = Setting(CLUB, 2, "cycle", cycle).deal(5)
    rest = set(range(STRIPS)) - set(dark_strips(row))
    expected: set[tuple[int, ...]] = set(combinations(sorted(rest), 2))
    assert equally_likely(next_markets(row, SAMPLES), expected)


def test_with_a_cycle_and_four_seats_the_rest_comes_with_two_of_the_others() -> None:
    cycle = (("strip_refresh", int(pb.DIAMONDS_CLUB_STRIP_REFRESH_CYCLE)),)
    row = Setting(CLUB, 4, "cycle", cycle).deal(5)
    drawn = dark_strips(row)
    rest = set(range(STRIPS)) - set(drawn)
    expected = {tuple(sorted({*rest, *pair})) for pair in combinations(drawn, 2)}
    assert equally_likely(next_markets(row, SAMPLES // 2), expected)


def test_a_view_shows_no_generator() -> None:
    assert "random_state" not in (hidden.VIEW.names or ())
    row = Setting(CLUB, 3, "standard").deal(5)
    view = view_of(CLUB, row, 1)
    other = row.copy()
    other.view(STATE)[0].random_state[0] = 99
    assert view_of(CLUB, other, 1).tobytes() == view.tobytes()
    assert OPEN_START == 24
