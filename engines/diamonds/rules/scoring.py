"""Scores and victory in Diamonds (section 5), expected ones before the end."""

from __future__ import annotations

import math

from engines.contract import SCORE, WIN_SHARE
from engines.diamonds.rules import gains
from engines.jit import Floats, Int, Record, rule


@rule
def score_of(s: Record, side: Int) -> Int:
    """Two points for each crystal in the vault, one in the showroom (section 5)."""
    return 2 * s.vaults[side] + s.showrooms[side]


@rule
def beats(s: Record, side: Int, other: Int) -> bool:
    """Whether a side is ahead: by score, then by vault (section 5)."""
    if score_of(s, side) != score_of(s, other):
        return score_of(s, side) > score_of(s, other)
    return s.vaults[side] > s.vaults[other]


@rule
def share_victory(s: Record, out: Floats) -> None:
    """Final scores and shares of the victory of all sides."""
    leader = 0
    for side in range(1, s.sides):
        if beats(s, side, leader):
            leader = side
    winners = 0
    for side in range(s.sides):
        out[SCORE, side] = score_of(s, side)
        winners += not beats(s, leader, side)
    for side in range(s.sides):
        out[WIN_SHARE, side] = 0.0 if beats(s, leader, side) else 1.0 / winners


@rule
def average_score(s: Record) -> float:
    """The mean of the scores of all sides."""
    total = 0.0
    for side in range(s.sides):
        total += score_of(s, side)
    return total / s.sides


@rule
def expect_victory(s: Record, rounds_left: Int, out: Floats) -> None:
    """Expected final scores and shares of the victory, some rounds before the end.

    Every round adds the measured mean to each side and wears down leads, while chance adds up. With
    the chance taken as Gumbel noise, the shares are the softmax of the expected scores.
    """
    mean = gains.MEAN[s.perfect, s.teams, s.seats]
    kept_a_round = gains.KEPT[s.perfect, s.teams, s.seats]
    sd = gains.SD[s.perfect, s.teams, s.seats]
    kept = 1.0
    variance = 0.0
    for _ in range(rounds_left):
        variance += (kept * sd) ** 2
        kept *= kept_a_round
    average = average_score(s)
    temperature = math.sqrt(6.0 * variance) / math.pi
    total = 0.0
    for side in range(s.sides):
        lead = kept * (score_of(s, side) - average)
        out[SCORE, side] = average + rounds_left * mean + lead
        out[WIN_SHARE, side] = math.exp(lead / temperature)
        total += out[WIN_SHARE, side]
    for side in range(s.sides):
        out[WIN_SHARE, side] /= total
