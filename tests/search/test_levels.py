"""Levels as data: reading them, and the strengths between them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from search import levels as module
from search.levels import (
    BadLevels,
    NoLevels,
    between,
    levels,
    strength_of_level,
    strength_of_rating,
)
from search.strength import FULL_STRENGTH, Strength


def entries() -> list[dict[str, Any]]:
    """Ten levels, 100 points apart, each with twice the effort of the one below."""
    return [
        {
            "level": level,
            "rating": 100.0 * level,
            "low": 100.0 * level - 9,
            "high": 100.0 * level + 9,
            "iterations": 4 << level,
            "worlds": 1 << level,
            "reach": level,
            "blur": (10 - level) / 10,
        }
        for level in range(1, 11)
    ]


@pytest.fixture
def keep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Keeps levels as those of the game "chess"."""

    def write(found: object) -> None:
        text = found if isinstance(found, str) else json.dumps({"levels": found})
        (tmp_path / "levels.json").write_text(text, encoding="utf-8")

    monkeypatch.setattr(module, "levels_file", lambda _: tmp_path / "levels.json")
    levels.cache_clear()
    yield write
    levels.cache_clear()


def test_levels_are_read(keep: Any) -> None:
    keep(entries())
    third = levels("chess")[2]
    assert (third.level, third.rating, third.low, third.high) == (3, 300, 291, 309)
    assert third.strength == Strength(iterations=32, worlds=8, reach=3, blur=0.7)
    assert strength_of_level("chess", 3) == third.strength


def test_the_highest_level_is_full_strength_whatever_it_was_measured_with(keep: Any) -> None:
    keep(entries())
    assert levels("chess")[-1].measured.iterations == 4096
    assert strength_of_level("chess", 10) == FULL_STRENGTH


@pytest.mark.parametrize("level", [0, 11, -1])
def test_other_levels_do_not_exist(keep: Any, level: int) -> None:
    keep(entries())
    with pytest.raises(IndexError, match=f"no level {level}"):
        strength_of_level("chess", level)


def test_a_rating_of_a_level_is_that_level(keep: Any) -> None:
    keep(entries())
    for level in range(1, 11):
        assert strength_of_rating("chess", 100.0 * level) == strength_of_level("chess", level)


def test_a_rating_between_two_levels_is_between_their_strengths(keep: Any) -> None:
    keep(entries())
    found = strength_of_rating("chess", 250.0)
    assert (found.iterations, found.worlds, found.reach) == (23, 6, 2)
    assert found.blur == pytest.approx(0.75)


def test_ratings_outside_of_the_levels_are_the_nearest_level(keep: Any) -> None:
    keep(entries())
    assert strength_of_rating("chess", -1e9) == strength_of_level("chess", 1)
    assert strength_of_rating("chess", 1e9) == FULL_STRENGTH


def test_a_higher_rating_is_never_less_effort(keep: Any) -> None:
    keep(entries())
    found = [strength_of_rating("chess", rating) for rating in range(50, 1000, 7)]
    for name in ("iterations", "worlds", "reach"):
        efforts = [getattr(strength, name) for strength in found]
        assert efforts == sorted(efforts)
    blurs = [strength.blur for strength in found]
    assert blurs == sorted(blurs, reverse=True)


def test_there_is_no_way_to_a_strength_without_limits() -> None:
    with pytest.raises(ValueError, match="without limits"):
        between(Strength(iterations=1, worlds=1, reach=1), FULL_STRENGTH, 0.5)


def test_a_game_without_levels_says_what_is_missing(keep: Any) -> None:
    with pytest.raises(NoLevels, match=r"chess has no levels: .*levels\.json is missing"):
        levels("chess")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("no JSON", "can't be read"),
        ([{"level": 1}], "can't be read"),
        (entries()[:9], "needs 1 to 10"),
        ([*entries()[:9], {**entries()[9], "rating": 900.0}], "level 10 is rated 900"),
        ([{**entries()[0], "iterations": 0}, *entries()[1:]], "iterations is 0"),
    ],
)
def test_bad_levels_are_refused(keep: Any, wrong: object, said: str) -> None:
    keep(wrong)
    with pytest.raises(BadLevels, match=said):
        levels("chess")
