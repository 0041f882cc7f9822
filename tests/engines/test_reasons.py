"""The comparison that every reason ends with."""

from __future__ import annotations

from engines.contract import CandidateFigures
from engines.reasons import comparison


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
    assert words == "62 % to win, +7.0 % and +1.3 points over the next best"
    assert comparison(PAIR, 0, "zh-TW", "分") == "勝率 62 %，比次佳 +7.0 %、+1.3 分"


def test_any_other_is_compared_with_the_best() -> None:
    words = comparison(PAIR, 1, "en", "points")
    assert words == "55 % to win, −7.0 % and −1.3 points against the best"
    assert comparison(PAIR, 1, "zh-TW", "分") == "勝率 55 %，比最佳 −7.0 %、−1.3 分"


def test_differences_that_would_read_as_zero_are_left_out() -> None:
    close = [candidate(0.62, 7.3), candidate(0.62, 6.0)]
    assert comparison(close, 0, "en", "points") == "62 % to win, +1.3 points over the next best"
    same = [candidate(0.62, 7.3), candidate(0.62, 7.31)]
    assert comparison(same, 0, "en", "points") == "62 % to win, level with the next best"
    assert comparison(same, 1, "zh-TW", "分") == "勝率 62 %，與最佳選擇相當"


def test_an_only_move_and_an_untried_one_have_nothing_to_compare() -> None:
    assert comparison(PAIR[:1], 0, "en", "points") == "it is the only legal move"
    untried = [candidate(0.62, 7.3), candidate(0, 0, visits=0)]
    assert comparison(untried, 1, "en", "points") == "not tried yet"
    assert comparison(untried, 0, "en", "points") == "62 % to win"
