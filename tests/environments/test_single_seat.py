"""One seat against opponents of a level, as a Gymnasium environment."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence

from engines.registry import games
from engines.rng import below, generator
from environments.single_seat import ENVIRONMENT_ID, SeatEnv

GAMES = pytest.mark.parametrize("game_id", games())


def play(env: SeatEnv, seed: int) -> list[tuple[Any, ...]]:
    """Everything that a random learner sees of one game."""
    rng = generator(seed)
    seen: list[tuple[Any, ...]] = [env.reset(seed=seed)]
    over = env.table.over
    while not over:
        step = env.step(below(rng, len(env.table.moves)))
        over = step[2]
        seen.append(step)
    return seen


class LegalActions(gymnasium.ActionWrapper[Any, int, int]):
    """Takes any action as a legal one, for a check that knows no masks."""

    def __init__(self, env: SeatEnv) -> None:
        super().__init__(env)
        self.seat = env

    def action(self, action: int) -> int:
        return int(action) % len(self.seat.table.moves)


# The check warns of the wrapper that it needs here.
@pytest.mark.filterwarnings("ignore:.*is different from the unwrapped version")
@GAMES
def test_gymnasiums_own_check_passes(game_id: str) -> None:
    check_env(LegalActions(SeatEnv(game_id, level=1)), skip_render_check=True)


@GAMES
def test_a_seed_fixes_the_whole_game(game_id: str) -> None:
    one, other = (SeatEnv(game_id, seats=3, seat=1, level=1) for _ in range(2))
    first = play(one, 5)
    assert data_equivalence(first, play(other, 5))
    assert data_equivalence(first, play(one, 5))
    assert not data_equivalence(first, play(one, 6))


@GAMES
def test_the_seat_decides_at_every_step_and_is_paid_at_the_end(game_id: str) -> None:
    env = SeatEnv(game_id, seats=3, seat=2, level=1)
    steps = play(env, 2)
    for observation, reward, over, cut_short, info in steps[1:]:
        assert not cut_short
        if not over:
            assert reward == 0
            assert observation["action_mask"].sum() == len(info["moves"])
    last = steps[-1]
    assert -1 <= last[1] <= 1
    assert 0 <= last[4]["win_share"] <= 1


def test_opponents_of_a_higher_level_are_harder_to_beat() -> None:
    """A random learner's mean reward over 30 games of DAO: level 1 lets it win sometimes."""

    def mean_reward(level: int) -> float:
        env = SeatEnv("dao", level=level)
        return float(np.mean([play(env, seed)[-1][1] for seed in range(30)]))

    assert mean_reward(8) < mean_reward(1)


def test_what_there_is_not_is_told() -> None:
    with pytest.raises(ValueError, match="there is no seat 2; use 0 to 1"):
        SeatEnv("dao", seat=2)
    with pytest.raises(ValueError, match="there is no level 11; use 1 to 10"):
        SeatEnv("dao", level=11)


def test_legal_moves_are_rendered_in_words() -> None:
    env = gymnasium.make(ENVIRONMENT_ID, game_id="dao", render_mode="ansi")
    env.reset(seed=1)
    assert "0: " in str(env.render())
