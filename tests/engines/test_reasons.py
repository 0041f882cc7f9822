"""The comparison that every reason ends with."""

from __future__ import annotations

from engines.contract import CandidateFigures
from engines.reasons import comparison
from engines.wording import number, percent, spaced


def candidate(win: float, score: float, visits: int = 100) -> CandidateFigures:
    return CandidateFigures(
        move=0,
        visits=visits,
        win_probability=win,
        expected_score=score,
        score_standard_error=0.1,
        line=(0,),
    )


PAIR = [candidate(0.62, 7.3), candidate(0.55, 6.0)]


def test_the_best_is_compared_with_the_next_best() -> None:
    words = comparison(PAIR, 0, "en", "points")
    assert words == "62.0% to win, 7.0 percentage points and 1.3 points more than the next best"
    assert comparison(PAIR, 0, "zh-TW", "分") == "勝率 62.0%，比次佳高 7.0 個百分點、多 1.3 分"


def test_any_other_is_compared_with_the_best() -> None:
    words = comparison(PAIR, 1, "en", "points")
    assert words == "55.0% to win, 7.0 percentage points and 1.3 points less than the best"
    assert comparison(PAIR, 1, "zh-TW", "分") == "勝率 55.0%，比最佳低 7.0 個百分點、少 1.3 分"


def test_differences_that_would_read_as_zero_are_left_out() -> None:
    close = [candidate(0.62, 7.3), candidate(0.62, 6.0)]
    words = comparison(close, 0, "en", "points")
    assert words == "62.0% to win, 1.3 points more than the next best"
    same = [candidate(0.62, 7.3), candidate(0.62, 7.31)]
    assert comparison(same, 0, "en", "points") == "62.0% to win, level with the next best"
    assert comparison(same, 1, "zh-TW", "分") == "勝率 62.0%，與最佳相當"


def test_a_better_chance_may_cost_points() -> None:
    mixed = [candidate(0.62, 6.0), candidate(0.55, 7.3)]
    assert comparison(mixed, 0, "en", "points") == (
        "62.0% to win, 7.0 percentage points more but 1.3 points less than the next best"
    )
    assert comparison(mixed, 1, "zh-TW", "分") == "勝率 55.0%，比最佳低 7.0 個百分點，但多 1.3 分"


def test_a_first_choice_with_lower_figures_is_not_called_the_best() -> None:
    """A search ranks by visits; the one tried less may look better."""
    pair = [candidate(0.626, 7.3, visits=5210), candidate(0.64, 7.5, visits=1840)]
    assert comparison(pair, 0, "en", "points") == (
        "62.6% to win, 1.4 percentage points and 0.2 points less than the second choice "
        "(tried 5,210 times to its 1,840)"
    )
    assert comparison(pair, 1, "en", "points") == (
        "64.0% to win, 1.4 percentage points and 0.2 points more than the first choice "
        "(tried 1,840 times to its 5,210)"
    )
    assert comparison(pair, 0, "zh-TW", "分") == (
        "勝率 62.6%，比次選低 1.4 個百分點、少 0.2 分（試過 5,210 次，次選 1,840 次）"
    )
    assert comparison(pair, 1, "zh-TW", "分") == (
        "勝率 64.0%，比首選高 1.4 個百分點、多 0.2 分（試過 1,840 次，首選 5,210 次）"
    )


def test_visits_are_told_only_where_they_explain_the_order() -> None:
    """With limited strength, moves are not ranked by visits."""
    pair = [candidate(0.6, 7.3, visits=10), candidate(0.64, 7.3, visits=90)]
    assert comparison(pair, 0, "en", "points") == (
        "60.0% to win, 4.0 percentage points less than the second choice"
    )
    assert comparison(pair, 1, "en", "points") == (
        "64.0% to win, 4.0 percentage points more than the first choice"
    )


def test_an_only_move_and_an_untried_one_have_nothing_to_compare() -> None:
    assert comparison([candidate(0, 0, visits=0)], 0, "en", "points") == "it is the only legal move"
    assert comparison(PAIR[:1], 0, "en", "points") == "62.0% to win"
    untried = [candidate(0.62, 7.3), candidate(0, 0, visits=0)]
    assert comparison(untried, 1, "en", "points") == "not tried yet"
    assert comparison(untried, 0, "en", "points") == "62.0% to win"


def test_numbers_and_the_spaces_around_them() -> None:
    assert [number(whole) for whole in (2, 0, -4)] == ["2", "0", "\u22124"]
    assert percent(0.626) == "62.6%"
    assert spaced("支付1 顆紅寶石和12顆鑽石") == "支付 1 顆紅寶石和 12 顆鑽石"
