"""Ratings: the model finds the strengths that games were drawn with, and says how sure it is."""

import math
from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from scipy import optimize

from adamas_tournament.statistics.outcomes import DealOutcome, GameOutcome, SideOutcome
from adamas_tournament.statistics.ratings import POINTS, PlackettLuce, choices, ratings
from tests.tournament.simulation import simulated_deals


def game(*places: int) -> GameOutcome:
    """A game of entrants 0, 1, ... with these places."""
    return tuple(SideOutcome(entrant, place, 0.0, 0.0) for entrant, place in enumerate(places))


def test_a_ranking_is_a_series_of_choices() -> None:
    assert list(choices(game(2, 1, 3))) == [(((0, 1, 2), 1), 1.0), (((0, 2), 0), 1.0)]


def test_a_tie_is_the_mean_over_the_orders_that_it_may_stand_for() -> None:
    tied = game(1, 1, 3, 1)
    mean: Counter[tuple[tuple[int, ...], int]] = Counter()
    for order in permutations([0, 1, 3]):
        places = [order.index(entrant) + 1 if entrant in order else 4 for entrant in range(4)]
        for choice, weight in choices(game(*places)):
            mean[choice] += weight / 6  # type: ignore[assignment]
    found: Counter[tuple[tuple[int, ...], int]] = Counter()
    for choice, weight in choices(tied):
        found[choice] += weight  # type: ignore[assignment]
    assert found.keys() == mean.keys()
    assert all(found[choice] == pytest.approx(mean[choice]) for choice in mean)


def test_two_entrants_have_the_odds_of_their_wins() -> None:
    won, lost = (game(1, 2),), (game(2, 1),)
    deals: list[DealOutcome] = [*[won] * 300, *[lost] * 100]
    first, second = PlackettLuce(deals, 2).strengths()
    assert math.exp(first - second) == pytest.approx(3, rel=0.02)


def test_the_maximum_is_the_one_that_a_general_optimizer_finds() -> None:
    deals = simulated_deals([0.9, 0.0, -0.4, -0.5], 3, 40, 1, ties=0.1)
    model = PlackettLuce(deals, 4)
    weights = model._weights.sum(axis=0)
    found = optimize.minimize(lambda at: -model._likelihood(at, weights), np.zeros(4), tol=1e-12)
    assert model.strengths() == pytest.approx(found.x, abs=1e-4)


@pytest.mark.parametrize("sides", [2, 3, 4])
def test_strengths_are_found(sides: int) -> None:
    true = np.array([1.0, 0.4, -0.2, -1.2])
    found = PlackettLuce(simulated_deals(true, sides, 400, 3), 4).strengths()
    assert found - found.mean() == pytest.approx(true - true.mean(), abs=0.15)


def test_the_order_of_the_games_makes_no_difference() -> None:
    deals = simulated_deals([0.5, 0.0, -0.5], 3, 60, 4)
    forwards, backwards = PlackettLuce(deals, 3), PlackettLuce(deals[::-1], 3)
    assert forwards.strengths() == pytest.approx(backwards.strengths())


def test_who_never_loses_has_a_finite_rating_that_grows_with_the_wins() -> None:
    few, many = (PlackettLuce([(game(1, 2),)] * count, 2).strengths()[0] for count in (5, 50))
    assert 0 < few < many < 10


def test_an_anchor_has_its_rating_and_no_interval() -> None:
    deals = simulated_deals([1.0, 0.0, -1.0], 2, 60, 5)
    rated = ratings(deals, 3, anchor=2, value=1000.0, resamples=50)
    assert (rated[2].value, rated[2].low, rated[2].high) == (1000.0, 1000.0, 1000.0)
    assert rated[0].value - rated[2].value == pytest.approx(2 * POINTS, abs=120)


def test_the_mean_is_fixed_without_an_anchor() -> None:
    rated = ratings(simulated_deals([1.0, 0.0], 2, 30, 5), 2, anchor=None, value=1500, resamples=10)
    assert sum(rating.value for rating in rated) / 2 == pytest.approx(1500)


def test_a_seed_fixes_the_intervals() -> None:
    deals = simulated_deals([0.3, 0.0, -0.3], 3, 30, 6)
    first, second = (
        ratings(deals, 3, anchor=None, value=0.0, seed=9, resamples=40) for _ in range(2)
    )
    assert first == second


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    true = np.array([0.5, 0.0, -0.5]) * POINTS
    held = 0
    repeats = 80
    for repeat in range(repeats):
        deals = simulated_deals(true / POINTS, 3, 60, 100 + repeat)
        rated = ratings(deals, 3, anchor=None, value=0.0, resamples=120)
        held += sum(each.low <= truth <= each.high for each, truth in zip(rated, true, strict=True))
    assert 0.90 <= held / (3 * repeats) <= 0.99


def test_intervals_count_deals_and_not_games() -> None:
    """Games of a deal that all go alike say no more than one of them."""
    single = simulated_deals([0.4, 0.0], 2, 80, 8)
    repeated: list[DealOutcome] = [deal * 5 for deal in single]
    narrow, wide = (
        ratings(deals, 2, anchor=None, value=0.0, resamples=200)[0] for deals in (repeated, single)
    )
    assert narrow.high - narrow.low > 0.85 * (wide.high - wide.low)
