"""What a round will bring is foreseen as it comes, whatever the table."""

from __future__ import annotations

import numpy as np
import pytest

from adamas.v1 import diams_pb2 as pb
from engines.contract import INFORMED, MAX_SEATS, RESULT_ROWS, WIN_SHARE
from engines.diams.rules.state import DRAW, DRAWS, OVER, STATE
from engines.events import NO_LOG, new_log
from engines.jit import Row
from engines.registry import game
from engines.rng import generator

DIAMS = game("diams")
QUICK = pb.DiamsOptions(rounds=pb.DIAMS_ROUNDS_QUICK)


def turns(seed: int, seats: int) -> list[Row]:
    """The beginnings of turns of a game of a single round, by the policy."""
    row = DIAMS.codec.new_game(QUICK, seats, seed, new_log())
    rng = generator(seed, 1)
    found = []
    while row.view(STATE)[0].phase != OVER:
        if row.view(STATE)[0].phase == DRAW:
            found.append(row.copy())
        DIAMS.kernels.apply_move(row, DIAMS.kernels.policy_move(row, rng), NO_LOG)
    return found


def foreseen(row: Row, seed: int) -> np.ndarray:
    """The outcomes drawn for a sample: a row each, a column a seat."""
    sample = row.copy()
    s = sample.view(STATE)[0]
    s.horizon = s.round_number
    DIAMS.kernels.playout(sample, generator(seed), INFORMED)
    return np.array(s.outcomes[: s.drawn_outcomes, : s.seats], dtype=float)


def played(row: Row, seed: int) -> np.ndarray:
    """The points of the seats when the round is played to its end, as it is without a horizon."""
    end = row.copy()
    DIAMS.kernels.playout(end, generator(seed), INFORMED)
    s = end.view(STATE)[0]
    assert s.drawn_outcomes == 0
    return np.array(s.points[0, : s.seats], dtype=float)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_points_are_foreseen_as_rounds_go_on(seats: int) -> None:
    """Single positions are off by what twenty rounds vary, and by what the features leave out."""
    off = []
    for seed in range(40):
        for row in turns(seed, seats)[2:-seats:8]:
            outcomes = [foreseen(row, k) for k in range(20)]
            if all(map(len, outcomes)):
                ends = [played(row, k) for k in range(20)]
                off.append(np.concatenate(outcomes).mean(axis=0) - np.mean(ends, axis=0))
    assert np.abs(np.mean(off)) < 0.5
    assert np.abs(off).mean() < 6.0


def test_of_two_seats_one_loses_what_the_other_gains() -> None:
    outcomes = foreseen(turns(1, 2)[3], 5)
    assert len(outcomes) == DRAWS
    assert np.ptp(outcomes.sum(axis=1)) <= 2  # rounded
    assert np.all(np.diff(outcomes[:, 0]) >= 0)


def test_a_drawn_result_counts_all_outcomes() -> None:
    """The share of the victory is that of the outcomes in which the seat is ahead."""
    sample = turns(2, 2)[5].copy()
    s = sample.view(STATE)[0]
    s.horizon = s.round_number
    DIAMS.kernels.playout(sample, generator(3), INFORMED)
    results = np.zeros((RESULT_ROWS, MAX_SEATS))
    DIAMS.kernels.evaluate(sample, results)
    margins = s.outcomes[:, 0] - s.outcomes[:, 1].astype(int)
    assert results[WIN_SHARE, 0] == pytest.approx(((margins > 0) + 0.5 * (margins == 0)).mean())
    again = np.zeros((RESULT_ROWS, MAX_SEATS))
    DIAMS.kernels.evaluate(sample, again)
    assert np.array_equal(results, again)
