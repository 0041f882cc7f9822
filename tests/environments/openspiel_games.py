"""Our games in OpenSpiel, for the tests that need it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyspiel")
import pyspiel

from engines.contract import Game
from engines.registry import games
from environments.openspiel.games import SHORT_NAME
from tests.contract.play import Setting, legal_moves, position_after

GAMES = pytest.mark.parametrize("game", games().values(), ids=games().keys())
STANDARD = [
    Setting(game, seats, "standard")
    for game in games().values()
    for seats in (game.min_seats, game.max_seats)
]
SETTINGS = pytest.mark.parametrize("setting", STANDARD, ids=str)


def loaded(setting: Setting, seed: int) -> Any:
    parameters = {"game": setting.game.game_id, "players": setting.seats, "seed": seed}
    return pyspiel.load_game(SHORT_NAME, parameters)


def decisions(game: Game) -> list[np.ndarray]:
    """Positions early and late in a game, in which the seat to move has a choice."""
    rows = [position_after(Setting(game, 2, "standard"), 6, moves) for moves in (3, 12, 30)]
    return [row for row in rows if len(legal_moves(game, row)) > 1]
