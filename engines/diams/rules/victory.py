"""Victory chips and the end of a game of Diam's (section 5), expected ones before the end."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engines.contract import SCORE, WIN_SHARE
from engines.diams.rules.options import QUICK, WORST_RANK
from engines.diams.rules.state import MAX_SEATS, OVER, ROUNDS
from engines.jit import Floats, Int, Record, rule

BEST_CHIPS = 4


@rule
def chips_of_round(s: Record, number: Int, seat: Int) -> Int:
    """Victory chips of a finished round: 4, 3, 2, 1, 0 by rank (section 5)."""
    own = s.points[number, seat]
    rank = 0
    for other in range(s.seats):
        if s.points[number, other] > own or (
            s.chip_ties == WORST_RANK and other != seat and s.points[number, other] == own
        ):
            rank += 1
    return np.int64(BEST_CHIPS - rank)


@rule
def finished_rounds(s: Record) -> Int:
    """How many rounds have been scored."""
    return np.int64(s.round_number) - (0 if s.phase == OVER else 1)


@rule
def score_of(s: Record, seat: Int) -> Int:
    """Victory chips so far; in a quick game the points of the round."""
    if s.rounds == QUICK:
        return np.int64(s.points[0, seat])
    chips = np.int64(0)
    for number in range(finished_rounds(s)):
        chips += chips_of_round(s, number, seat)
    return chips


@rule
def victory_rank(s: Record, seat: Int) -> Int:
    """Compares results: chips, then points of the second round; in a quick game points alone."""
    score = score_of(s, seat)
    if s.rounds == QUICK:
        return score
    return (score << 16) + s.points[1, seat]


@rule
def share_victory(s: Record, out: Floats) -> None:
    """The winner, or those who share the victory (section 5)."""
    best = victory_rank(s, 0)
    sharers = 1
    for seat in range(1, s.seats):
        rank = victory_rank(s, seat)
        if rank > best:
            best = rank
            sharers = 1
        elif rank == best:
            sharers += 1
    for seat in range(s.seats):
        out[WIN_SHARE, seat] = 1.0 / sharers if victory_rank(s, seat) == best else 0.0


def chance_of_loss(seats: int, rounds: int, lost: int) -> float:
    """Chance to end so many chips below the most that one or two more rounds can bring, if every
    rank is equally likely in each."""
    if lost < 0 or lost > rounds * (seats - 1):
        return 0.0
    if rounds == 1:
        return 1.0 / seats
    return (seats - abs(lost - (seats - 1))) / (seats * seats)


TIES = (0.1127016653792583, 0.5, 0.8872983346207417)
"""Of k seats with equal chips each wins 1/k, the integral of t**(k - 1) over [0, 1]. Three points
of Gauss and Legendre give it exactly up to k = 6: these, with weights 5, 8 and 5 of 18."""
MOST_LOST = (ROUNDS - 1) * (MAX_SEATS - 1)


def _chances() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    lose = np.zeros((MAX_SEATS + 1, ROUNDS, MOST_LOST + 1))
    stay = np.zeros((MAX_SEATS + 1, ROUNDS, MOST_LOST + 3, len(TIES)))
    for seats in range(2, MAX_SEATS + 1):
        for rounds in range(1, ROUNDS):
            chances = [chance_of_loss(seats, rounds, lost) for lost in range(MOST_LOST + 1)]
            lose[seats, rounds] = chances
            for level in range(-1, MOST_LOST + 2):
                equal = chance_of_loss(seats, rounds, level)
                for i, ties in enumerate(TIES):
                    stay[seats, rounds, level + 1, i] = sum(chances[level + 1 :], equal * ties)
    return lose, stay


LOSE, STAY = _chances()
"""Chances by seats and rounds to come. LOSE: that a seat loses so many chips (see
``chance_of_loss``). STAY: that it loses more than a level, or exactly that, which counts with the
weight of a point of TIES; by the level plus one, for levels from -1 to one above MOST_LOST."""


@rule
def share_of(s: Record, seat: Int, rounds: Int, chips: Floats) -> float:
    """The share of the victory to be expected with rounds left: that of no other seat ending with
    more chips, over all that this one can lose."""
    share = 0.0
    for lost in range(rounds * (s.seats - 1) + 1):
        first = second = third = 1.0
        for other in range(s.seats):
            if other != seat:
                level: Int = lost + np.int64(chips[SCORE, other]) - np.int64(chips[SCORE, seat])
                place = min(max(level, -1), MOST_LOST + 1) + 1
                first *= STAY[s.seats, rounds, place, 0]
                second *= STAY[s.seats, rounds, place, 1]
                third *= STAY[s.seats, rounds, place, 2]
        share += LOSE[s.seats, rounds, lost] * (5.0 * first + 8.0 * second + 5.0 * third)
    return share / 18.0


@rule
def expect_victory(s: Record, rounds: Int, out: Floats) -> None:
    """Expected shares with rounds left: ranks to come are taken as equally likely for every seat,
    and for each seat on its own. The chips so far stand in the scores."""
    total = 0.0
    for seat in range(s.seats):
        out[WIN_SHARE, seat] = share_of(s, seat, rounds, out)
        total += out[WIN_SHARE, seat]
    for seat in range(s.seats):
        out[WIN_SHARE, seat] /= total
        out[SCORE, seat] += rounds * (BEST_CHIPS - (s.seats - 1) / 2.0)


@rule
def margin_of(s: Record, seat: Int) -> float:
    """Points of the last scored round above the best other seat's."""
    number = max(finished_rounds(s) - 1, 0)
    best = np.int64(-1)
    for other in range(s.seats):
        if other != seat:
            best = max(best, np.int64(s.points[number, other]))
    return float(s.points[number, seat] - best)
