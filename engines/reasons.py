"""The part of a reason that all games share: how a candidate compares with the others."""

from __future__ import annotations

from collections.abc import Sequence

from engines.contract import CandidateFigures

ENGLISH = "en"
TRADITIONAL_CHINESE = "zh-TW"
LANGUAGES = (ENGLISH, TRADITIONAL_CHINESE)
"""Languages that every game's words exist in, as BCP 47 tags. The first is the default."""

_ZERO = 0.05
"""What is below this, in the unit it is told in, would read as 0.0."""

_TEXT = {
    ENGLISH: {
        "only": "it is the only legal move",
        "untried": "not tried yet",
        "chance": "{win} to win",
        "best": "{win} to win, {difference} over the next best",
        "worse": "{win} to win, {difference} against the best",
        "level": "{win} to win, level with the {other}",
        "other_best": "best",
        "other_next": "next best",
        "and": " and ",
    },
    TRADITIONAL_CHINESE: {
        "only": "這是唯一合法的選擇",
        "untried": "尚未嘗試",
        "chance": "勝率 {win}",
        "best": "勝率 {win}，比次佳 {difference}",
        "worse": "勝率 {win}，比最佳 {difference}",
        "level": "勝率 {win}，與{other}相當",
        "other_best": "最佳選擇",
        "other_next": "次佳選擇",
        "and": "、",
    },
}


def percent(share: float) -> str:
    """A share as a whole percentage: "63 %"."""
    return f"{100 * share:.0f} %"


def signed(number: float) -> str:
    """A number with its sign and one decimal: "+1.3", "−0.4", "±0.0"."""
    if abs(number) < _ZERO:
        return "±0.0"
    return f"{'+' if number > 0 else '−'}{abs(number):.1f}"


def comparison(candidates: Sequence[CandidateFigures], index: int, language: str, unit: str) -> str:
    """How candidates[index] compares: the best with the next best, any other with the best.

    ``unit`` is the word for the game's points in that language.
    """
    text = _TEXT[language]
    own = candidates[index]
    if len(candidates) == 1:
        return text["only"]
    if own.visits == 0:
        return text["untried"]
    win = percent(own.win_probability)
    other = candidates[1 if index == 0 else 0]
    if other.visits == 0:
        return text["chance"].format(win=win)
    differences = (
        (100 * (own.win_probability - other.win_probability), "%"),
        (own.expected_score - other.expected_score, unit),
    )
    told = [f"{signed(amount)} {of}" for amount, of in differences if abs(amount) >= _ZERO]
    if not told:
        level = text["other_next" if index == 0 else "other_best"]
        return text["level"].format(win=win, other=level)
    form = text["best" if index == 0 else "worse"]
    return form.format(win=win, difference=text["and"].join(told))
