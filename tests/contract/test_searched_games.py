"""Positions that good players bring about survive the wire format and can be sampled."""

from __future__ import annotations

from itertools import islice

import pytest

from engines.registry import game_ids
from tests.contract.searched_games import Costs, courses, play

LEAST_ACCEPTANCE = 0.02
"""A sampler that tries until it succeeds needs at most so many attempts on average."""


@pytest.mark.parametrize("game_id", game_ids())
def test_positions_of_a_searched_game(game_id: str) -> None:
    costs = Costs()
    for setting, seed in islice(courses(game_id, 3), 2):
        play(setting, seed, costs)
    assert costs.rarest > LEAST_ACCEPTANCE, costs.where
