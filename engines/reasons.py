"""The part of a reason that all games share: how a candidate compares with the others."""

from __future__ import annotations

from collections.abc import Sequence

from engines.contract import CandidateFigures

ENGLISH = "en"
TRADITIONAL_CHINESE = "zh-TW"
LANGUAGES = (ENGLISH, TRADITIONAL_CHINESE)
"""Languages that every game's words exist in, as BCP 47 tags. The first is the default."""

_TOLD = 0.0005
"""Differences of win probability below this are told as points only."""

_TEXT = {
    ENGLISH: {
        "only": "it is the only legal move",
        "untried": "not tried yet",
        "best": "{win} to win, {points} {unit} over the next best ({margin} in win probability)",
        "level": "{win} to win, {points} {unit} over the next best",
        "worse": "{win} to win, {points} {unit} against the best ({margin} in win probability)",
    },
    TRADITIONAL_CHINESE: {
        "only": "這是唯一合法的選擇",
        "untried": "尚未嘗試",
        "best": "勝率 {win}，預期比次佳多 {points} {unit}（勝率差 {margin}）",
        "level": "勝率 {win}，預期比次佳多 {points} {unit}",
        "worse": "勝率 {win}，與最佳相比 {points} {unit}（勝率差 {margin}）",
    },
}


def percent(share: float) -> str:
    """A share as a whole percentage: "63 %"."""
    return f"{100 * share:.0f} %"


def signed(number: float) -> str:
    """A number with its sign and one decimal: "+1.3", "−0.4", "±0.0"."""
    rounded = round(number, 1)
    if rounded == 0:
        return "±0.0"
    return f"{'+' if rounded > 0 else '−'}{abs(rounded):.1f}"


def signed_percent(share: float) -> str:
    """A difference of shares with its sign: "+4.1 %"."""
    return f"{signed(100 * share)} %"


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
    other = candidates[1 if index == 0 else 0]
    if other.visits == 0:
        return percent(own.win_probability)
    margin = own.win_probability - other.win_probability
    form = "worse" if index > 0 else "level" if abs(margin) < _TOLD else "best"
    return text[form].format(
        win=percent(own.win_probability),
        points=signed(own.expected_score - other.expected_score),
        unit=unit,
        margin=signed_percent(margin),
    )
