"""Where a search ends, and what it makes of the table there."""

from __future__ import annotations

import numpy as np
import pytest

from engines.contract import GAME_OVER, INFORMED, MAX_SEATS, RESULT_ROWS, SCORE, WIN_SHARE
from engines.diamonds_club.rules import kernels
from engines.diamonds_club.rules.state import EXCHANGE, HORIZON, KEEP, MARKET, OVER, STATE
from engines.jit import Row
from engines.registry import game
from engines.rng import generator
from tests.contract.play import Setting, plies, view_of

CLUB = game("diamonds_club")


def sampled(row: Row, seed: int) -> Row:
    """A determinization for the seat to move."""
    view, table, sample = view_of(CLUB, row, 0), CLUB.new_table(), CLUB.new_row()
    CLUB.kernels.prepare(view, table)
    CLUB.kernels.determinize(view, table, generator(seed), sample)
    return sample


def results(row: Row) -> np.ndarray:
    found = np.zeros((RESULT_ROWS, MAX_SEATS))
    CLUB.kernels.evaluate(row, found)
    return found


def first_of_phase(phase: int) -> Row:
    """An early position in a phase."""
    return next(
        row
        for seed in range(20)
        for row, _ in plies(Setting(CLUB, 3, "standard"), seed)
        if row.view(STATE)[0].phase == phase
    )


@pytest.mark.parametrize(("phase", "rounds"), [(MARKET, 0), (EXCHANGE, 1), (KEEP, 1)])
def test_a_determinization_ends_with_the_round_that_the_decision_serves(
    phase: int, rounds: int
) -> None:
    row = first_of_phase(phase)
    sample = sampled(row, 1)
    CLUB.kernels.playout(sample, generator(1), INFORMED)
    assert CLUB.kernels.seat_to_move(sample) == GAME_OVER
    s = sample.view(STATE)[0]
    assert s.phase == HORIZON
    assert s.round_number == row.view(STATE)[0].round_number + rounds


def test_a_game_that_ends_before_the_horizon_is_scored_exactly() -> None:
    *_, (last, _) = (
        (row, move)
        for row, move in plies(Setting(CLUB, 2, "standard", (("max_rounds", 1),)), 3)
        if move >= 0
    )
    sample = sampled(last, 1)
    CLUB.kernels.playout(sample, generator(1), INFORMED)
    assert sample.view(STATE)[0].phase == OVER


def test_estimated_shares_add_up_and_follow_the_expected_scores() -> None:
    row = Setting(CLUB, 4, "standard").deal(1)
    for seed in range(20):
        sample = sampled(row, seed)
        CLUB.kernels.playout(sample, generator(seed), INFORMED)
        found = results(sample)[:, :4]
        assert found[WIN_SHARE].sum() == pytest.approx(1)
        assert np.argsort(found[SCORE]).tolist() == np.argsort(found[WIN_SHARE]).tolist()


@pytest.mark.parametrize("seats", [2, 4])
def test_estimated_shares_come_true_on_average(seats: int) -> None:
    """The favourite of the estimate wins about as often as the estimate says."""
    said, won = [], []
    for seed in range(400):
        row = Setting(CLUB, seats, "standard").deal(seed)
        row.view(STATE)[0].horizon = 3
        CLUB.kernels.playout(row, generator(seed), INFORMED)
        s = row.view(STATE)[0]
        if s.phase == OVER:
            continue
        estimated = results(row)[WIN_SHARE, :seats]
        favourite = int(estimated.argmax())
        said.append(estimated[favourite])
        resumed = played_on(row, seed)
        won.append(results(resumed)[WIN_SHARE, favourite])
    assert len(said) > 300
    assert np.mean(won) == pytest.approx(np.mean(said), abs=0.08)


def played_on(row: Row, seed: int) -> Row:
    """A table at its horizon, played to the end of the game."""
    after = row.copy()
    s = after.view(STATE)[0]
    s.horizon = 0
    s.starter = s.order[0]
    kernels.line_up(s)
    s.round_number += 1
    kernels.start_round(s, None)
    CLUB.kernels.playout(after, generator(seed, 1), INFORMED)
    return after
