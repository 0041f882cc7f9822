"""What a result is worth to a seat: the share of the victory first, then the score margin."""

from __future__ import annotations

import math

from engines.jit import Floats, Int, rule

WIN_WEIGHT = 0.9
"""Weight of the win share; the rest goes to the margin, which tells equally (un)likely wins apart
and keeps a lost game from being thrown away."""


@rule
def blend(win_share: float, margin: float, scale: float) -> float:
    """Utility in [0, 1]. ``margin`` is the own score minus the best other score (of another team),
    ``scale`` the margin, in points, that counts as a clear win."""
    return WIN_WEIGHT * win_share + (1.0 - WIN_WEIGHT) * 0.5 * (1.0 + math.tanh(margin / scale))


@rule
def best_other(scores: Floats, row: Int, seat: Int, seats: Int, step: Int) -> float:
    """The highest of scores[row] among seats that are not partners of the seat.

    Partners sit ``step`` seats apart; step 0 means that nobody has a partner.
    """
    best = -1e9
    for other in range(seats):
        partner = other == seat if step == 0 else other % step == seat % step
        if not partner and scores[row, other] > best:
            best = scores[row, other]
    return best
