"""Pairs: what is counted, and how often luck is called skill."""

import numpy as np
import pytest

from adamas_tournament.statistics.outcomes import SideOutcome, encounter
from adamas_tournament.statistics.pairwise import holm, interval, pair_results
from tests.tournament.simulation import simulated_deals


def test_an_encounter_takes_the_mean_over_the_games_of_a_deal() -> None:
    won = (SideOutcome(0, 1, 1.0, 9.0), SideOutcome(1, 2, 0.0, 4.0))
    tied = (SideOutcome(1, 1, 0.5, 6.0), SideOutcome(0, 1, 0.5, 6.0))
    found = encounter((won, tied), 0, 1)
    assert found is not None
    assert (found.ahead, found.win_share, found.score, found.games) == (0.75, 0.5, 2.5, 2)


def test_who_does_not_meet_has_no_encounter() -> None:
    assert encounter(((SideOutcome(0, 1, 1.0, 1.0), SideOutcome(1, 2, 0.0, 0.0)),), 0, 2) is None


def test_several_sides_of_one_entrant_all_count() -> None:
    game = (
        SideOutcome(0, 1, 1.0, 9.0),
        SideOutcome(1, 2, 0.0, 4.0),
        SideOutcome(0, 3, 0.0, 1.0),
    )
    found = encounter((game,), 0, 1)
    assert found is not None
    assert (found.ahead, found.games) == (0.5, 1)


def test_a_clear_difference_is_significant_and_a_coin_is_not() -> None:
    results = pair_results(simulated_deals([2.0, 0.0, 0.0], 2, 60, 1), 3)
    by_pair = {(pair.first, pair.second): pair for pair in results}
    assert by_pair[0, 1].significant
    assert by_pair[0, 2].significant
    assert by_pair[0, 1].ahead.low > 0.5
    assert by_pair[0, 1].deals == 60
    assert by_pair[0, 1].games == 120


def test_equals_are_called_unequal_in_at_most_one_of_twenty_tournaments() -> None:
    """With three pairs at once; Holm's method keeps the rate for all of them together."""
    repeats = 80
    wrong = sum(
        any(pair.significant for pair in pair_results(simulated_deals([0.0] * 3, 2, 25, seed), 3))
        for seed in range(repeats)
    )
    assert wrong / repeats <= 0.05 + 3.5 * (0.05 * 0.95 / repeats) ** 0.5


@pytest.mark.parametrize(("deals", "least"), [(1, 1.0), (2, 0.5), (6, 2 / 2**6)])
def test_few_deals_can_not_be_significant(deals: int, least: float) -> None:
    won = (SideOutcome(0, 1, 1.0, 1.0), SideOutcome(1, 2, 0.0, 0.0))
    (pair,) = pair_results([(won,)] * deals, 2)
    assert pair.p_value == pytest.approx(least)


def test_p_values_are_adjusted_as_holm_says() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def test_an_interval_is_not_empty_when_all_values_are_equal() -> None:
    found = interval([1.0] * 10, bounds=(0.0, 1.0))
    assert found.mean == found.high == 1.0
    assert 0.5 < found.low < 1.0


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    generator = np.random.default_rng(4)
    repeats = 400
    held = 0
    for _ in range(repeats):
        deals = generator.binomial(2, 0.7, size=40) / 2
        found = interval([float(value) for value in deals], bounds=(0.0, 1.0))
        held += found.low <= 0.7 <= found.high
    assert 0.92 <= held / repeats <= 0.99
