"""How levels are fitted, chosen, validated and reported."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from benchmarks.calibrate import record, report
from benchmarks.calibrate.family import FARTHEST_REACH, Family
from benchmarks.calibrate.hall import Hall, Pairing
from benchmarks.calibrate.plot import plot
from benchmarks.calibrate.ratings import Match, bootstrap, elo_of_share, fit
from benchmarks.calibrate.record import Calibration
from benchmarks.calibrate.steps import even_steps
from benchmarks.calibrate.validate import Step, validate
from benchmarks.intervals import share_of_deals, wilson_interval
from benchmarks.matches import Player, SearchPlayer, random_player
from search.levels import BadLevels, levels
from search.strength import Strength


def deals(gap: float, number: int, seed: int) -> np.ndarray:
    """Deals of a player that is so many points ahead."""
    share = 1 / (1 + 10 ** (-gap / 400))
    won = np.random.default_rng(seed).random((number, 2)) < share
    return np.asarray(won.mean(axis=1))


def chain(gaps: Sequence[float], number: int = 4000) -> list[Match]:
    return [Match(i + 1, i, deals(gap, number, seed=i)) for i, gap in enumerate(gaps)]


def test_ratings_are_found_again() -> None:
    assert fit(4, chain([100, 50, 200])) == pytest.approx([0, 100, 150, 350], abs=25)


def test_matches_between_others_count_too() -> None:
    matches = [*chain([100, 100]), Match(2, 0, deals(300, 4000, seed=9))]
    assert 200 < fit(3, matches)[2] < 300


def test_draws_are_half_a_victory() -> None:
    assert fit(2, [Match(1, 0, np.full(50, 0.5))]) == pytest.approx([0, 0])


def test_a_player_who_always_wins_has_a_finite_rating() -> None:
    assert 400 < fit(2, [Match(1, 0, np.ones(50))])[1] < 2000


def test_intervals_hold_the_rating_and_shrink_with_more_deals() -> None:
    widths = []
    for number in (100, 1600):
        matches = chain([80, 80], number)
        low, high = bootstrap(3, matches, times=200, seed=1)
        assert (low <= fit(3, matches)).all()
        assert (high >= fit(3, matches)).all()
        widths.append(high[2] - low[2])
    assert widths[1] < widths[0] / 2


def test_points_of_a_share() -> None:
    assert elo_of_share(0.5) == 0
    assert elo_of_share(10 / 11) == pytest.approx(400)


def test_steps_are_even_in_rating() -> None:
    parameters = np.linspace(0, 1, 5)
    curve = np.array([0.0, 100.0, 300.0, 700.0, 800.0])
    chosen = even_steps(parameters, curve, lowest=80, count=10)
    assert np.diff(np.interp(chosen, parameters, curve)) == pytest.approx(80, abs=1e-3)
    assert chosen[-1] == 1


def test_a_curve_that_falls_is_taken_as_flat() -> None:
    chosen = even_steps(np.linspace(0, 1, 4), np.array([90.0, 60.0, 200.0, 400.0]), 10, count=5)
    assert (np.diff(chosen) > 0).all()
    assert chosen[0] == 0


def test_the_family_grows_from_next_to_nothing_to_full_strength() -> None:
    family = Family(500)
    found = [family.at(parameter) for parameter in np.linspace(0, 1, 30)]
    assert (found[0].worlds, found[0].reach) == (1, 1)
    assert found[-1] == Strength(iterations=500, worlds=500, reach=FARTHEST_REACH)
    for weak, strong in pairwise(found):
        assert (weak.iterations or 0) <= (strong.iterations or 0)
        assert weak.blur >= strong.blur


class FakeHall(Hall):
    """Every player is as many points ahead of the one before it as told."""

    def __init__(self, gaps: Sequence[float]) -> None:
        self.gaps = gaps
        self.asked: list[tuple[list[Pairing], range]] = []

    def play(
        self, players: Sequence[Player], pairings: Sequence[Pairing], deals_: range
    ) -> Mapping[Pairing, np.ndarray]:
        self.asked.append((list(pairings), deals_))
        return {
            (above, below): deals(self.gaps[below], len(deals_), seed=deals_.start + above)
            for above, below in pairings
        }


def test_a_match_is_played_until_it_is_decided_on_deals_of_its_own() -> None:
    hall = FakeHall([300.0, 0.0])
    easy, even = validate(hall, [random_player] * 3, first_deal=1000, most_games=1600)
    assert (easy.known, even.known) == (True, False)
    assert (easy.share.games, even.share.games) == (100, 1600)
    assert [pairings for pairings, _ in hall.asked] == [[(1, 0), (2, 1)]] + 4 * [[(2, 1)]]
    played = [deal for _, batch in hall.asked for deal in batch]
    assert played == list(range(1000, 1800))


def test_looking_often_does_not_make_a_level_win() -> None:
    """Of players that are equal, hardly any are ever taken for better ones."""
    hall = FakeHall([0.0] * 300)
    steps = validate(hall, [random_player] * 301, first_deal=0, most_games=640)
    assert sum(step.known for step in steps) / 300 < 0.05


def test_wider_intervals_for_more_certainty() -> None:
    usual, wider = wilson_interval(0.6, 100), wilson_interval(0.6, 100, z=2.6)
    assert wider[0] < usual[0] < 0.6 < usual[1] < wider[1]


def test_matches_are_played_on_the_same_deals_from_either_seat() -> None:
    players: list[Player] = [
        random_player,
        SearchPlayer(strength=Strength(iterations=4)),
        random_player,
    ]
    with closing(Hall("dao", processes=1)) as hall:
        played = hall.play(players, [(1, 0), (2, 0)], range(3))
        assert hall.games == 12
        assert (hall.play(players, [(2, 0)], range(3))[2, 0] == played[2, 0]).all()
    assert {pairing: len(shares) for pairing, shares in played.items()} == {(1, 0): 3, (2, 0): 3}
    assert all(0 <= share <= 1 for shares in played.values() for share in shares)
    assert (played[2, 0] == 0.5).all()  # the same player at both seats, with the same chance


def calibration() -> Calibration:
    step = Step(share_of_deals([1.0, 0.5, 1.0, 0.5] * 30), np.ones(120))
    return Calibration(
        game_id="dao",
        date="2026-01-01",
        iterations=500,
        games=5000,
        seconds=60,
        strengths=tuple(Family(500).at(i / 9) for i in range(10)),
        steps=(step,) * 10,
        ratings=np.arange(1, 11) * 50.0,
        low=np.arange(1, 11) * 50.0 - 10,
        high=np.arange(1, 11) * 50.0 + 10,
    )


def test_a_calibration_is_kept_and_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "levels.json"
    monkeypatch.setattr("search.levels.levels_file", lambda _: path)
    monkeypatch.setattr(record, "levels_file", lambda _: path)
    try:
        record.write(calibration())
        assert [level.rating for level in levels("dao")] == [50 * i for i in range(1, 11)]
        assert levels("dao")[9].measured == Family(500).at(1.0)
    finally:
        levels.cache_clear()
    made = json.loads(path.read_text("utf-8"))
    assert made["provenance"]["games"] == 5000
    assert made["levels"][3]["against_the_level_below"]["known"] is True


def test_levels_that_do_not_rise_are_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "levels.json"
    path.write_text("what was there before")
    monkeypatch.setattr("search.levels.levels_file", lambda _: path)
    monkeypatch.setattr(record, "levels_file", lambda _: path)
    flat = replace(calibration(), ratings=np.full(10, 50.0))
    try:
        with pytest.raises(BadLevels, match="level 2 is rated 50"):
            record.write(flat)
    finally:
        levels.cache_clear()
    assert path.read_text() == "what was there before"


def test_tables_say_what_was_measured() -> None:
    data = record.as_json(calibration())
    *_, last = report.table("dao", data).splitlines()
    assert last.startswith("| 10 | 500 [490, 510] | 500 | 500 | 64 | 0.000 | 75.0 % [")
    assert last.endswith("| 191 | 240 | yes |")


def test_the_plot_has_a_point_for_each_level_of_each_game() -> None:
    found = record.as_json(calibration())["levels"]
    space = "{http://www.w3.org/2000/svg}"
    picture = ET.fromstring(plot({"dao": found, "diams": found}))  # noqa: S314  (our own)
    for game_id in ("dao", "diams"):
        (series,) = picture.findall(f".//{space}g[@id='{game_id}']")
        points = series.findall(f".//{space}use")
        assert len(points) == 10
        heights = [float(point.get("y", "")) for point in points]
        assert heights == sorted(heights, reverse=True)
