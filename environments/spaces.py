"""The spaces of observations and actions, the same for every framework of Gymnasium's kind."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from engines.contract import Game
from environments.observations import size

_NUMBERS = np.iinfo(np.int32)


def observation_space(game: Game) -> spaces.Dict:
    """The vector of a view, and which actions are legal: shapes (size,) and (max_moves,)."""
    return spaces.Dict(
        {
            "observation": spaces.Box(
                _NUMBERS.min, _NUMBERS.max, shape=(size(game.game_id),), dtype=np.int32
            ),
            "action_mask": spaces.Box(0, 1, shape=(game.max_moves,), dtype=np.int8),
        }
    )


def action_space(game: Game) -> spaces.Discrete[Any]:
    """Positions in the list of legal moves."""
    return spaces.Discrete(game.max_moves)
