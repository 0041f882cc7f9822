"""Stopping early: how often the verdict is wrong, and how soon it comes."""

from collections.abc import Callable

import numpy as np
import pytest

from adamas_tournament.statistics.sequential import Comparison, StoppingRule, Verdict

Draw = Callable[[np.random.Generator], float]


def pairs_of_games(first_wins: float, alike: float = 0.0) -> Draw:
    """A deal of two games; with the probability `alike` the second goes like the first."""

    def draw(generator: np.random.Generator) -> float:
        one = float(generator.random() < first_wins)
        two = one if generator.random() < alike else float(generator.random() < first_wins)
        return (one + two) / 2

    return draw


def seldom_but_high(generator: np.random.Generator) -> float:
    """A mean of one half, far from symmetrical."""
    return 1.0 if generator.random() < 0.1 else 4 / 9


def run(draw: Draw, deals: int, seed: int, alpha: float = 0.05) -> Comparison:
    """Looks after every deal, and stops as soon as it may."""
    generator = np.random.default_rng(seed)
    comparison = Comparison(alpha)
    for _ in range(deals):
        comparison.add(draw(generator))
        if comparison.verdict is not Verdict.OPEN:
            break
    return comparison


@pytest.mark.parametrize(
    "draw",
    [pairs_of_games(0.5), pairs_of_games(0.5, alike=1.0), seldom_but_high],
    ids=["independent", "alike", "skewed"],
)
def test_equals_are_called_unequal_in_at_most_one_of_twenty_tournaments(draw: Draw) -> None:
    repeats = 300
    wrong = sum(run(draw, 400, seed).verdict is not Verdict.OPEN for seed in range(repeats))
    # 5 % is promised; 3.5 standard deviations are for the chance of this test.
    assert wrong / repeats <= 0.05 + 3.5 * (0.05 * 0.95 / repeats) ** 0.5


def test_a_usual_test_would_not_keep_that_promise() -> None:
    """What the betting test is for: looking at a t-test after every deal goes wrong often."""
    wrong = 0
    for seed in range(100):
        generator = np.random.default_rng(seed)
        values = np.array([pairs_of_games(0.5)(generator) for _ in range(300)])
        for deals in range(10, 300, 5):
            seen = values[:deals]
            error = seen.std(ddof=1) / deals**0.5
            if abs(seen.mean() - 0.5) > 1.96 * error:
                wrong += 1
                break
    assert wrong > 15


@pytest.mark.parametrize(("first_wins", "deals"), [(0.75, 60), (0.65, 200), (0.6, 450)])
def test_a_difference_is_found_soon(first_wins: float, deals: int) -> None:
    found = [run(pairs_of_games(first_wins), deals, seed) for seed in range(40)]
    assert sum(each.verdict is Verdict.FIRST for each in found) >= 32


def test_the_weaker_one_is_named_too() -> None:
    assert run(pairs_of_games(0.2), 200, 1).verdict is Verdict.SECOND


def test_the_shortest_possible_match() -> None:
    """Whoever wins everything needs about ten deals; nothing shorter can be known at 95 %."""
    comparison = run(lambda _: 1.0, 100, 0)
    assert comparison.verdict is Verdict.FIRST
    assert 6 <= comparison.deals <= 12


def test_intervals_hold_the_truth_at_all_looks_together() -> None:
    missed = 0
    repeats = 100
    for seed in range(repeats):
        generator = np.random.default_rng(seed)
        comparison = Comparison(0.05)
        draw = pairs_of_games(0.65)
        for _ in range(150):
            comparison.add(draw(generator))
        low, high = comparison.interval  # never grows, so the last one tells about all
        missed += not low <= 0.65 <= high
    assert missed / repeats <= 0.05 + 3.5 * (0.05 * 0.95 / repeats) ** 0.5


def test_intervals_get_narrow() -> None:
    comparison = Comparison(0.05)
    generator = np.random.default_rng(3)
    for _ in range(600):
        comparison.add(pairs_of_games(0.55)(generator))
    low, high = comparison.interval
    assert high - low < 0.2


def test_a_verdict_stays() -> None:
    comparison = Comparison(0.05)
    for _ in range(20):
        comparison.add(1.0)
    assert comparison.verdict is Verdict.FIRST
    for _ in range(200):
        comparison.add(0.0)
    assert comparison.verdict is Verdict.FIRST


def test_a_rule_needs_all_its_answers_and_shares_the_error_among_them() -> None:
    rule = StoppingRule([(0, 1), (0, 2)], 0.95)
    deals = 0
    while not rule.satisfied:
        rule.add((0, 1), 1.0)
        deals += 1
        if deals > 5:
            rule.add((0, 2), 1.0)
    alone = run(lambda _: 1.0, 100, 0)
    assert deals - 5 > alone.deals
    assert {each.verdict for each in rule.comparisons.values()} == {Verdict.FIRST}


def test_a_rule_without_questions_never_stops() -> None:
    assert not StoppingRule([], 0.95).satisfied
