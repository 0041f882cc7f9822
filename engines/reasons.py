"""The part of a reason that all games share: how a candidate compares with the others."""

from __future__ import annotations

from collections.abc import Sequence

from engines.contract import CandidateFigures
from engines.languages import ENGLISH, TRADITIONAL_CHINESE
from engines.wording import percent

_TEXT = {
    ENGLISH: {
        "only": "it is the only legal move",
        "untried": "not tried yet",
        "chance": "{win} to win",
        "compared": "{win} to win, {difference}",
        "tried": "{difference} (tried {tries:,} times to its {other_tries:,})",
        "best": "the best",
        "next": "the next best",
        "first_choice": "the first choice",
        "second_choice": "the second choice",
    },
    TRADITIONAL_CHINESE: {
        "only": "這是唯一合法的選擇",
        "untried": "尚未試過",
        "chance": "勝率 {win}",
        "compared": "勝率 {win}，{difference}",
        "tried": "{difference}（試過 {tries:,} 次，{other} {other_tries:,} 次）",
        "best": "最佳",
        "next": "次佳",
        "first_choice": "首選",
        "second_choice": "次選",
    },
}
_DIFFERENCES = {
    ENGLISH: {
        (1, 1): "{win} percentage points and {score} {unit} more than {other}",
        (1, 0): "{win} percentage points more than {other}",
        (1, -1): "{win} percentage points more but {score} {unit} less than {other}",
        (0, 1): "{score} {unit} more than {other}",
        (0, 0): "level with {other}",
        (0, -1): "{score} {unit} less than {other}",
        (-1, 1): "{win} percentage points less but {score} {unit} more than {other}",
        (-1, 0): "{win} percentage points less than {other}",
        (-1, -1): "{win} percentage points and {score} {unit} less than {other}",
    },
    TRADITIONAL_CHINESE: {
        (1, 1): "比{other}高 {win} 個百分點、多 {score} {unit}",
        (1, 0): "比{other}高 {win} 個百分點",
        (1, -1): "比{other}高 {win} 個百分點，但少 {score} {unit}",
        (0, 1): "比{other}多 {score} {unit}",
        (0, 0): "與{other}相當",
        (0, -1): "比{other}少 {score} {unit}",
        (-1, 1): "比{other}低 {win} 個百分點，但多 {score} {unit}",
        (-1, 0): "比{other}低 {win} 個百分點",
        (-1, -1): "比{other}低 {win} 個百分點、少 {score} {unit}",
    },
}
"""Whether the chance to win and the score are above (1), level with (0) or below (-1) the other's
-> how the difference is told."""


def comparison(candidates: Sequence[CandidateFigures], index: int, language: str, unit: str) -> str:
    """How candidates[index] compares: the first with the second, any other with the first.
    A single one that has been tried is the only one that was to be considered.

    A search ranks by visits, so the first need not have the best figures: others may look better on
    fewer visits, or a seat that plays with limited strength doesn't see which is best. Only what
    stands in the right order is called the best and the next best.

    ``unit`` is the word for the game's points in that language.
    """
    text = _TEXT[language]
    own = candidates[index]
    win = percent(own.win_probability)
    if len(candidates) == 1:  # where others are legal it has been tried
        return text["chance"].format(win=win) if own.visits else text["only"]
    if own.visits == 0:
        return text["untried"]
    other = candidates[1 if index == 0 else 0]
    if other.visits == 0:
        return text["chance"].format(win=win)
    more_win = _told(100 * own.win_probability) - _told(100 * other.win_probability)
    more_score = _told(own.expected_score) - _told(other.expected_score)
    above, ahead = _sign(more_win), _sign(more_score)
    towards_first = 1 if index == 0 else -1
    in_order = (above or ahead) * towards_first >= 0
    names = ("next", "best") if in_order else ("second_choice", "first_choice")
    name = text[names[0 if index == 0 else 1]]
    difference = _DIFFERENCES[language][above, ahead].format(
        win=_tenths(abs(more_win)),
        score=_tenths(abs(more_score)),
        unit=unit,
        other=name,
    )
    if not in_order and (own.visits - other.visits) * towards_first > 0:
        difference = text["tried"].format(
            difference=difference, tries=own.visits, other=name, other_tries=other.visits
        )
    return text["compared"].format(win=win, difference=difference)


def _told(figure: float) -> int:
    """A figure in tenths, rounded as where it is shown: what is told of two figures fits them."""
    return round(float(f"{figure:.1f}") * 10)


def _tenths(number: int) -> str:
    return f"{number / 10:.1f}"


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
