"""The end of a round of Diam's (sections 4 and 5)."""

from __future__ import annotations

from engines.diams.rules.dealing import deal_round
from engines.diams.rules.notes import ROUND_SCORED
from engines.diams.rules.scoring import round_points
from engines.diams.rules.state import OVER, rounds_of
from engines.events import emit
from engines.jit import Log, Record, rule


@rule
def end_round(s: Record, log: Log | None) -> None:
    """Scores the round; deals the next, unless the game or the sample is over."""
    for seat in range(s.seats):
        s.points[s.round_number - 1, seat] = round_points(s, seat)
    emit(log, ROUND_SCORED, s.turn, s.round_number, 0)
    if s.round_number == rounds_of(s) or s.round_number == s.horizon:
        s.phase = OVER
    else:
        s.round_number += 1
        s.starter = (s.starter + 1) % s.seats
        deal_round(s, log)
