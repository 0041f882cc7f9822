"""Places and shares of the victory."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adamas.games import SeatResult
from adamas_tournament.scoring import standings

SINGLE = ((0,), (1,), (2,))


def results(*seats: tuple[float, float]) -> list[SeatResult]:
    return [SeatResult(seat, score, share) for seat, (score, share) in enumerate(seats)]


def places(sides: Sequence[Sequence[int]], found: list[SeatResult], *out: int) -> list[int]:
    return [end.place for end in standings(sides, found, out)]


def shares(sides: Sequence[Sequence[int]], found: list[SeatResult], *out: int) -> list[float]:
    return [end.win_share for end in standings(sides, found, out)]


def test_the_referees_winner_comes_first_then_the_scores_count() -> None:
    found = results((5, 0), (9, 0), (9, 1))
    assert places(SINGLE, found) == [3, 2, 1]
    assert shares(SINGLE, found) == [0, 0, 1]


def test_ties_share_the_best_of_their_places() -> None:
    assert places(SINGLE, results((9, 0.5), (9, 0.5), (3, 0))) == [1, 1, 3]


def test_partners_are_one_side() -> None:
    teams = ((0, 2), (1, 3))
    found = results((7, 0), (12, 1), (7, 0), (12, 1))
    assert places(teams, found) == [2, 1]
    assert shares(teams, found) == [0, 1]


def test_teams_that_share_the_victory_get_half_each() -> None:
    teams = ((0, 2), (1, 3))
    assert shares(teams, results((7, 0.25), (7, 0.25), (7, 0.25), (7, 0.25))) == [0.5, 0.5]


def test_who_forfeits_is_last_whatever_its_stand_in_reached() -> None:
    found = results((3, 0), (20, 1), (8, 0))
    assert places(SINGLE, found, 1) == [2, 3, 1]
    assert shares(SINGLE, found, 1) == [0, 0, 1]


def test_who_forfeits_first_is_last_of_all() -> None:
    found = results((0, 0), (0, 0), (0, 0))
    assert places(SINGLE, found, 2, 0) == [2, 1, 3]
    assert shares(SINGLE, found, 2, 0) == [0, 1, 0]


def test_others_that_tie_share_what_the_forfeited_side_leaves() -> None:
    assert shares(SINGLE, results((4, 0), (4, 0), (9, 1)), 2) == [0.5, 0.5, 0]


SEATS = st.tuples(st.integers(-5, 5), st.sampled_from([0.0, 0.5, 1.0]))
"""A seat's score and its share of the victory."""


@given(
    st.lists(SEATS, min_size=2, max_size=6).filter(lambda seats: any(share for _, share in seats)),
    st.data(),
)
def test_shares_sum_to_one_and_better_places_never_have_smaller_ones(
    seats: list[tuple[int, float]], data: st.DataObject
) -> None:
    sides = [(seat,) for seat in range(len(seats))]
    out = data.draw(
        st.lists(st.sampled_from(range(len(seats))), unique=True, max_size=len(seats) - 1)
    )
    ends = standings(sides, results(*seats), out)
    assert sum(end.win_share for end in ends) == pytest.approx(1)
    assert min(end.place for end in ends) == 1
    ranked = sorted(ends, key=lambda end: end.place)
    assert all(a.win_share >= b.win_share for a, b in pairwise(ranked))
