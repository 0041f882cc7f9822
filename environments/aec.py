"""The games as PettingZoo environments: ``env = environments.aec.env("diamonds", seats=4)``.

* **Agents** are ``player_0`` to ``player_5``, by seat. A simultaneous decision (Diamonds' passing)
  is taken seat by seat, as at our own table; nobody sees the others' choices.
* **Observations** are ``{"observation", "action_mask"}``: see ``environments.observations``. Every
  agent may be observed at any time, and sees what its seat sees.
* **Actions** are positions in the ascending list of legal moves (``environments.table.Table``), so
  the mask is a run of ones. ``infos[agent]["moves"]`` holds the moves' codes.
* **Rewards** come at the end: the utility, stretched to [-1, 1]. The infos then tell the share of
  the victory and the score.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from engines.contract import SCORE, WIN_SHARE
from environments.observations import encode
from environments.spaces import action_space, observation_space
from environments.table import Setting, Table

_SEEDS = 1 << 63


def env(game_id: str, *, seats: int, variant: str = "standard") -> AECEnv[str, Any, Any]:
    """The environment with PettingZoo's usual wrappers: calls out of order are refused."""
    return wrappers.OrderEnforcingWrapper(raw_env(game_id, seats=seats, variant=variant))


def raw_env(game_id: str, *, seats: int, variant: str = "standard") -> SeatsEnv:
    """The environment without wrappers. Raises ValueError for a setting that there isn't."""
    return SeatsEnv(Setting(game_id, seats, variant))


class SeatsEnv(AECEnv[str, Any, Any]):  # type: ignore[misc]  # PettingZoo is partly typed
    """All seats of one game. The reset's seed fixes the deal and all later chance."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "adamas_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(self, setting: Setting, render_mode: str = "ansi") -> None:
        super().__init__()
        self.setting = setting
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(setting.seats)]
        self.action_spaces = {a: action_space(setting.game) for a in self.possible_agents}
        self.observation_spaces = {a: observation_space(setting.game) for a in self.possible_agents}
        self._rng, _ = seeding.np_random()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same object each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same object each time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deals a new game."""
        if seed is not None:
            self._rng, _ = seeding.np_random(seed)
        deal = self.setting.deal(int(self._rng.integers(_SEEDS)))
        self.table = Table(self.setting.game, deal)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def step(self, action: int | None) -> None:
        """Plays an action of the selected agent; None from one for which the game is over."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("the game is not over: an action is needed")
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.table.play(int(action))
        if self.table.over:
            self._end()
        else:
            self._select()
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What an agent's seat knows; the mask is empty unless it is to move."""
        seat = self.possible_agents.index(agent)
        mask = np.zeros(self.setting.game.max_moves, dtype=np.int8)
        if seat == self.table.seat:
            mask[: len(self.table.moves)] = 1
        return {
            "observation": encode(self.setting.game, self.table.view(seat)),
            "action_mask": mask,
        }

    def render(self) -> str:
        """The legal moves in words, one a line."""
        if self.table.over:
            return "The game is over."
        moves = (f"{action}: {self.table.words(action)}" for action in range(len(self.table.moves)))
        return "\n".join([f"player_{self.table.seat} may:", *moves])

    def close(self) -> None:
        """There is nothing to give back."""

    def _select(self) -> None:
        self.agent_selection = self.possible_agents[self.table.seat]
        self.infos = {agent: {} for agent in self.agents}
        self.infos[self.agent_selection] = {"moves": list(self.table.moves)}

    def _end(self) -> None:
        results = self.table.results()
        for seat, (agent, reward) in enumerate(
            zip(self.agents, self.table.returns(self.setting.seats), strict=True)
        ):
            self.rewards[agent] = reward
            self.terminations[agent] = True
            self.infos[agent] = {
                "win_share": float(results[WIN_SHARE, seat]),
                "score": float(results[SCORE, seat]),
            }
        self.agent_selection = self.agents[0]
