"""PettingZoo environments: its own tests, and that a seat learns what its seat knows."""

from __future__ import annotations

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from engines.contract import UTILITY
from engines.rng import below, generator
from environments import aec
from environments.observations import encode, fields
from environments.table import Setting
from tests.environments.conftest import name, settings

SETTINGS = pytest.mark.parametrize("setting", settings(), ids=name)


def environment(setting: Setting) -> aec.SeatsEnv:
    return aec.raw_env(setting.game_id, seats=setting.seats, variant=setting.variant)


# PettingZoo warns of observations with a mask, and of the empty mask of a finished game, unless it
# knows the environment by name, as it does its own classic ones.
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")
@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros")
@pytest.mark.filterwarnings("ignore:The class of observation spaces is different")
@SETTINGS
def test_pettingzoos_api_test_passes(setting: Setting, capsys: pytest.CaptureFixture[str]) -> None:
    wrapped = aec.env(setting.game_id, seats=setting.seats, variant=setting.variant)
    api_test(wrapped, num_cycles=30)
    assert "Passed API test" in capsys.readouterr().out


@SETTINGS
def test_pettingzoos_seed_test_passes(setting: Setting) -> None:
    seed_test(lambda: environment(setting), num_cycles=30)


@SETTINGS
def test_a_whole_game_ends_with_the_engines_utilities(setting: Setting) -> None:
    env = environment(setting)
    env.reset(seed=3)
    rng = generator(9)
    sums = dict.fromkeys(env.possible_agents, 0.0)
    moves = 0
    for agent in env.agent_iter():
        observation, reward, over, cut_short, info = env.last()
        sums[agent] += reward
        assert not cut_short
        if over:
            assert {"win_share", "score"} == set(info)
            env.step(None)
            continue
        legal = int(observation["action_mask"].sum())
        assert legal == len(info["moves"])
        env.step(below(rng, legal))
        moves += 1
    assert moves > 0
    utilities = env.table.results()[UTILITY, : setting.seats]
    assert list(sums.values()) == pytest.approx((2 * utilities - 1).tolist())


@SETTINGS
def test_an_observation_is_the_seats_view_and_nothing_else(setting: Setting) -> None:
    """Two deals that look alike to a seat are observed alike by it."""
    env = environment(setting)
    env.reset(seed=4)
    seat = env.table.seat
    view = env.table.view(seat)
    game = setting.game
    table, sample = game.new_table(), game.new_row()
    assert game.kernels.prepare(view, table)
    game.kernels.determinize(view, table, generator(8), sample)
    seen = env.observe(env.agent_selection)["observation"]
    assert not np.array_equal(sample, env.table.row)
    again = game.new_view()
    game.kernels.project(sample, seat, again)
    assert np.array_equal(seen, encode(game, again))


def test_sets_are_told_thing_by_thing() -> None:
    env = environment(Setting("diamonds", 3))
    env.reset(seed=1)
    seat = env.table.seat
    (hand,) = (field for field in fields("diamonds") if field.name == "hand")
    record = env.table.view(seat).view(env.setting.game.view)[0]
    cards = {card for card in range(63) if int(record.hand) >> card & 1}
    seen = env.observe(env.agent_selection)["observation"][hand.start : hand.start + hand.size]
    assert hand.is_set
    assert cards
    assert set(np.flatnonzero(seen).tolist()) == cards


def test_an_agent_whose_turn_it_is_not_has_no_legal_action() -> None:
    env = environment(Setting("dao", 4))
    env.reset(seed=1)
    for agent in env.agents:
        mask = env.observe(agent)["action_mask"]
        assert bool(mask.any()) == (agent == env.agent_selection)


def test_an_illegal_action_is_refused_and_the_next_game_is_unaffected() -> None:
    env = environment(Setting("dao", 2))
    env.reset(seed=1)
    with pytest.raises(IndexError, match="action 99 is not legal here; use 0 to "):
        env.step(99)
    with pytest.raises(ValueError, match="the game is not over"):
        env.step(None)
    before = env.table.row
    env.reset(seed=1)
    assert np.array_equal(env.table.row, before)


def test_the_legal_moves_are_told_in_words() -> None:
    env = environment(Setting("dao", 2))
    env.reset(seed=1)
    assert f"{env.agent_selection} may:\n0: " in env.render()


@pytest.mark.parametrize(
    ("game_id", "seats", "variant", "message"),
    [
        ("chess", 2, "standard", "no game 'chess'; there are dao, "),
        ("dao", 7, "standard", "dao has 2 to 6 players, not 7"),
        ("dao", 2, "wild", "dao has no variant 'wild' for 2 players; there are standard"),
    ],
)
def test_what_there_is_not_is_told(game_id: str, seats: int, variant: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        aec.env(game_id, seats=seats, variant=variant)
