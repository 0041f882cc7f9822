"""What an answer is going to cost, foreseen from what was asked for.

Ranking, words and lines take about the same for each candidate of a game, in processor time. That
is learnt for each kind of answer; how long a list was, and how busy the machine, is left out of it.
So whoever asks for a thousand candidates pays for them, and nobody else does.
"""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

_FIXED = 2.0
"""What an answer takes beside its candidates, as if it had so many more."""
_WEIGHT = 1 / 8
"""Of the newest answer."""
_FIRST_GUESS = 0.0005
"""Processor time of a candidate, in seconds, until it is known better: rather too much."""
_CAUTION = 1.25
"""How many times as long an answer may take as one usually does."""


class Kind(NamedTuple):
    """Answers that take as long as one another, by the candidate."""

    game_id: str
    detail: int
    """An adamas.v1.Detail."""


class Forecast:
    """Learns what a candidate costs. For one event loop."""

    def __init__(self) -> None:
        self._unit: defaultdict[Kind, float] = defaultdict(lambda: _FIRST_GUESS)

    def seconds(self, kind: Kind, candidates: int) -> float:
        """Processor time that an answer with so many candidates will take."""
        return _CAUTION * self._unit[kind] * (candidates + _FIXED)

    def candidates(self, kind: Kind, seconds: float) -> int:
        """How many candidates there is time for; at least one."""
        return max(1, int(seconds / (_CAUTION * self._unit[kind]) - _FIXED))

    def learn(self, kind: Kind, candidates: int, seconds: float) -> None:
        """Notes what an answer took."""
        error = seconds / (candidates + _FIXED) - self._unit[kind]
        self._unit[kind] += _WEIGHT * error
