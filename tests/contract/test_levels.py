"""What must hold for the strength levels of every game."""

from __future__ import annotations

import json

import pytest

from engines.contract import Game
from engines.registry import game_ids, games
from search import Search
from search.levels import levels, levels_file
from tests.contract.play import Setting, legal_moves, view_of

GAME_IDS = pytest.mark.parametrize("game_id", game_ids())
GAMES = pytest.mark.parametrize("game", games().values(), ids=games().keys())


@GAME_IDS
def test_a_game_has_ten_levels_and_each_is_stronger(game_id: str) -> None:
    calibrate = f'make calibrate ARGS="--game {game_id}"'
    assert levels_file(game_id).is_file(), f"no levels have been measured; run {calibrate}"
    found = levels(game_id)
    assert [level.level for level in found] == list(range(1, 11))
    assert found[0].rating > 0
    for level in found:
        assert level.low <= level.rating <= level.high
    for name in ("iterations", "worlds", "reach"):
        efforts = [getattr(level.measured, name) for level in found]
        assert efforts == sorted(efforts)
    blurs = [level.measured.blur for level in found]
    assert blurs == sorted(blurs, reverse=True)


@GAME_IDS
def test_levels_say_where_they_come_from(game_id: str) -> None:
    data = json.loads(levels_file(game_id).read_text("utf-8"))
    made = data["provenance"]
    assert made["command"].startswith("python -m benchmarks.calibrate")
    assert made["full_strength_iterations"] == data["levels"][-1]["iterations"]
    played = sum(level["against_the_level_below"]["games"] for level in data["levels"])
    assert 0 < played < made["games"]


@GAMES
def test_every_level_finds_a_legal_move(game: Game) -> None:
    row = Setting(game, game.max_seats, "standard").deal(3)
    seat = int(game.kernels.seat_to_move(row))
    for level in levels(game.game_id):
        search = Search(game, view_of(game, row, seat), seed=1, trees=1, strength=level.strength)
        search.run(search.limit(200) or 0)
        assert search.result(1).candidates[0].figures.move in legal_moves(game, row)
