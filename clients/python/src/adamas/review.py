"""What a search says about a game that was played: mistakes, and where the odds turned.

Who reviews a game asks for advice about what each mover knew, with `MOST_CANDIDATES`, and gives it
to `decisions_of`. A bad move has been tried a few times only, so what it costs is not known well:
those that `mistakes_of` finds are searched again, `DEEPER` times as long, before they are called
so.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from adamas.envelopes import unwrap
from adamas.limits import Limit
from adamas.records import Played
from adamas.search import Advice, Candidate

ITERATIONS = 2000
"""How long a decision is searched, unless somebody says otherwise."""
DEEPER = 8
"""How many times as long a mistake is searched, before it is called one."""
MOST_CANDIDATES = 1000
MISTAKE = 5.0
"""Percentage points of the odds whose loss is called a mistake, unless somebody says otherwise."""
TURN = 0.1
"""By how much a seat's odds have to change between two of its decisions to be told."""
MOST_TURNS = 5


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of a game, and what a search says about it.

    Attributes:
        ply: The move's number, from 0.
        seat: Who decided.
        played: The move as the search ranks it.
        best: The best move.
        loss: By how much the best one is likelier to win, in [0, 1].
    """

    ply: int
    seat: int
    played: Candidate[Any]
    best: Candidate[Any]
    loss: float


@dataclass(frozen=True, slots=True)
class Turn:
    """A change of a seat's odds between two of its decisions.

    Attributes:
        seat: Whose odds.
        first: The ply of the first decision.
        then: The ply of the next one.
        before: How likely the seat was to win, in [0, 1], had it played the best move.
        after: And then.
    """

    seat: int
    first: int
    then: int
    before: float
    after: float


def deeper(limit: Limit) -> Limit:
    """The limit of the second search of what may be a mistake."""
    return Limit(limit.time and DEEPER * limit.time, limit.iterations and DEEPER * limit.iterations)


def decisions_of(moves: Sequence[Played], found: Mapping[int, Advice[Any]]) -> tuple[Decision, ...]:
    """The decisions that there was advice about, ascending by ply.

    Those with a single legal move are left out, and those with so many that the search never tried
    the one that was played.

    Args:
        moves: What was played, in order.
        found: What the search said about the position before a move, by ply.
    """
    return tuple(_decisions(moves, found))


def mistakes_of(decisions: Iterable[Decision], least: float = MISTAKE) -> tuple[Decision, ...]:
    """Those that lose at least so many percentage points."""
    return tuple(decision for decision in decisions if 100 * decision.loss >= least)


def turns_of(decisions: Sequence[Decision]) -> tuple[Turn, ...]:
    """The greatest changes of the odds, in the order of the game."""
    turns = []
    for seat in {decision.seat for decision in decisions}:
        for first, then in pairwise(each for each in decisions if each.seat == seat):
            before, after = first.best.win_probability, then.best.win_probability
            if abs(after - before) >= TURN:
                turns.append(Turn(seat, first.ply, then.ply, before, after))
    turns.sort(key=lambda turn: -abs(turn.after - turn.before))
    return tuple(sorted(turns[:MOST_TURNS], key=lambda turn: (turn.first, turn.seat)))


def _decisions(moves: Sequence[Played], found: Mapping[int, Advice[Any]]) -> Iterator[Decision]:
    for ply, advice in sorted(found.items()):
        if advice.legal_moves < 2:
            continue
        played = moves[ply]
        move = unwrap(played.move)
        ranked = next((each for each in advice.candidates if each.move == move), None)
        if ranked is None or not ranked.visits:
            continue
        best = max(advice.best, ranked, key=lambda each: each.win_probability)
        loss = best.win_probability - ranked.win_probability
        yield Decision(ply, played.seat, ranked, best, loss)
