"""Time controls, and the clock of one seat in one game."""

from dataclasses import dataclass

from adamas_tournament.config import TimeControl
from adamas_tournament.records import Offence

MOVES_AHEAD = 20
"""A seat with a budget and no limit of its own spends this fraction of the rest on a move."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a seat has for its next move.

    Attributes:
        think: Seconds that a player should think at most; None: as long as it likes.
        wait: Seconds after which the referee stops waiting.
        offence: What it is called if no answer has come by then.
        remaining: Seconds left of the budget for the game; None without one.
        increment: Seconds added to the budget after the move.
    """

    think: float | None
    wait: float
    offence: Offence
    remaining: float | None
    increment: float


class SeatClock:
    """Measures the time of one seat in one game."""

    def __init__(self, control: TimeControl) -> None:
        self._control = control
        self._remaining = control.total

    @property
    def remaining(self) -> float | None:
        """Seconds left of the budget; None without one."""
        return self._remaining

    def allowance(self) -> Allowance:
        """What there is for the next move."""
        control = self._control
        hard = self._hard_limit()
        waits = control.hang if hard is None else min(hard + control.lag, control.hang)
        return Allowance(
            think=self._thinking_time(),
            wait=waits,
            offence=Offence.HANG if hard is None or waits < hard else Offence.TIME,
            remaining=self._remaining,
            increment=control.increment,
        )

    def charge(self, seconds: float) -> bool:
        """Takes the time of a move off the budget; false if it was too much.

        Args:
            seconds: What the move took on the referee's clock. The lag is not charged.
        """
        charged = max(0.0, seconds - self._control.lag)
        hard = self._hard_limit()
        if hard is not None and charged > hard:
            return False
        if self._remaining is not None:
            self._remaining += self._control.increment - charged
        return True

    def _hard_limit(self) -> float | None:
        limits = [limit for limit in (self._control.move, self._remaining) if limit is not None]
        return min(limits, default=None)

    def _thinking_time(self) -> float | None:
        shares = []
        if self._control.move is not None:
            shares.append(self._control.move)
        if self._remaining is not None:
            share = self._remaining / MOVES_AHEAD + self._control.increment
            shares.append(min(share, self._remaining))
        return min(shares, default=None)
