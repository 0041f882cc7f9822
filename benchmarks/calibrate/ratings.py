"""Elo ratings from matches, by maximum likelihood.

The model of Bradley and Terry (1952, "Rank analysis of incomplete block designs"), in which draws
and shared victories count as parts of a victory.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

SCALE = 400 / math.log(10)
"""Elo points of one unit of the logit."""
_PRIOR_GAMES = 1.0
"""Drawn games that every match is given beforehand, so that no rating is infinite."""


@dataclass(frozen=True)
class Match:
    """The deals that two players have played, each once from either seat."""

    first: int
    second: int
    deals: np.ndarray
    """The first player's mean share of the two games of each deal, in [0, 1]."""


def fit(players: int, matches: Sequence[Match]) -> np.ndarray:
    """The ratings of players that matches connect; player 0 has 0."""
    games = np.array([2.0 * len(match.deals) + _PRIOR_GAMES for match in matches])
    won = np.array([2.0 * match.deals.sum() + _PRIOR_GAMES / 2 for match in matches])
    first = np.array([match.first for match in matches])
    second = np.array([match.second for match in matches])

    def loss(free: np.ndarray) -> tuple[float, np.ndarray]:
        strengths = np.concatenate(([0.0], free))
        gaps = strengths[first] - strengths[second]
        value = (games * np.logaddexp(0.0, gaps) - won * gaps).sum()
        slopes = games / (1.0 + np.exp(-gaps)) - won
        gradient = np.zeros(players)
        np.add.at(gradient, first, slopes)
        np.add.at(gradient, second, -slopes)
        return float(value), gradient[1:]

    found = minimize(loss, np.zeros(players - 1), jac=True, method="BFGS")
    return SCALE * np.concatenate(([0.0], found.x))


def bootstrap(
    players: int, matches: Sequence[Match], *, times: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Lower and upper ends of the ratings' 95 % intervals, from deals drawn with replacement."""
    rng = np.random.default_rng(seed)
    drawn = [
        fit(
            players,
            [
                Match(match.first, match.second, rng.choice(match.deals, len(match.deals)))
                for match in matches
            ],
        )
        for _ in range(times)
    ]
    low, high = np.quantile(np.array(drawn), (0.025, 0.975), axis=0)
    return low, high


def elo_of_share(share: float) -> float:
    """How many points a player is ahead that wins this share."""
    bounded = min(1 - 1e-4, max(1e-4, share))
    return SCALE * math.log(bounded / (1 - bounded))
