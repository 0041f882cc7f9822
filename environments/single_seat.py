"""One seat as a Gymnasium environment; the others are opponents of a level.

    env = gymnasium.make("adamas/Seat-v0", game_id="dao", seats=3, seat=1, level=4)

Observations, actions and rewards are those of ``environments.aec``. A step plays the seat's action
and all that the opponents do until the seat is to move again, or the game is over. The opponents
see what their own seats see, and nothing of what the learner does with its memory.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from engines.contract import SCORE, WIN_SHARE
from environments import opponents
from environments.observations import encode
from environments.spaces import action_space, observation_space
from environments.table import Setting, Table

_SEEDS = 1 << 63
ENVIRONMENT_ID = "adamas/Seat-v0"


class SeatEnv(gymnasium.Env[Any, int]):
    """One seat of one game. The reset's seed fixes the deal, all chance and the opponents."""

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 # as the base class has it

    def __init__(
        self,
        game_id: str,
        *,
        seats: int = 2,
        seat: int = 0,
        level: int = 5,
        variant: str = "standard",
        render_mode: str | None = None,
    ) -> None:
        """Raises ValueError for a setting, seat or level that there isn't."""
        self.setting = Setting(game_id, seats, variant)
        if not 0 <= seat < seats:
            raise ValueError(f"there is no seat {seat}; use 0 to {seats - 1}")
        opponents.check_level(game_id, level)
        self.seat = seat
        self.level = level
        self.render_mode = render_mode
        self.action_space = action_space(self.setting.game)
        self.observation_space = observation_space(self.setting.game)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Deals a new game, in which the opponents have played up to the seat's first decision."""
        super().reset(seed=seed)
        self.table = Table(self.setting.game, self.setting.deal(self._draw_seed()))
        self._let_opponents_play()
        return self._observation(), self._info()

    def step(self, action: int) -> tuple[dict[str, np.ndarray], float, bool, bool, dict[str, Any]]:
        """Plays a legal action (see the mask); IndexError for another."""
        self.table.play(int(action))
        self._let_opponents_play()
        reward = self.table.returns(self.setting.seats)[self.seat]
        return self._observation(), reward, self.table.over, False, self._info()

    def render(self) -> str | None:
        """The seat's legal moves in words, one a line."""
        if self.render_mode is None:
            return None
        moves = range(len(self.table.moves))
        return "\n".join(f"{action}: {self.table.words(action)}" for action in moves)

    def _let_opponents_play(self) -> None:
        while not self.table.over and self.table.seat != self.seat:
            view = self.table.view(self.table.seat)
            move = opponents.choose(self.setting.game, view, self.level, self._draw_seed())
            self.table.play(self.table.moves.index(move))

    def _draw_seed(self) -> int:
        return int(self.np_random.integers(_SEEDS))

    def _observation(self) -> dict[str, np.ndarray]:
        mask = np.zeros(self.setting.game.max_moves, dtype=np.int8)
        mask[: len(self.table.moves)] = 1
        return {
            "observation": encode(self.setting.game, self.table.view(self.seat)),
            "action_mask": mask,
        }

    def _info(self) -> dict[str, Any]:
        if not self.table.over:
            return {"moves": list(self.table.moves)}
        results = self.table.results()
        return {
            "win_share": float(results[WIN_SHARE, self.seat]),
            "score": float(results[SCORE, self.seat]),
        }


gymnasium.register(ENVIRONMENT_ID, entry_point=f"{__name__}:SeatEnv")
