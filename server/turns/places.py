"""How many slices may run at a time: places that slices take and give back.

A slice that is not over long after it should be has a worker that hangs. It gives its place back
then, or the processors would have nothing to do until that worker is killed.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass

PATIENCE = 1.0
"""Seconds after which a slice that should be over is no longer waited for."""


@dataclass(frozen=True, eq=False)
class Place:
    """The place of one slice."""

    interactive: bool
    due: float
    """When the slice should be over, by the clock of the places."""


class Places:
    """Counts. All methods are for one event loop."""

    def __init__(
        self,
        number: int,
        on_return: Callable[[], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``on_return`` is called when places have come back from slices that hang."""
        self._number = number
        self._clock = clock
        self._on_return = on_return
        self._taken: set[Place] = set()
        self._interactive = 0
        self._looking = False

    @property
    def free(self) -> int:
        """How many places are free; negative if more than there are have been taken."""
        return self._number - len(self._taken)

    @property
    def interactive(self) -> int:
        """How many are taken by slices that somebody waits for."""
        return self._interactive

    def take(self, seconds: float, *, interactive: bool) -> Place:
        """A place for a slice that takes so long."""
        place = Place(interactive, self._clock() + seconds)
        self._taken.add(place)
        self._interactive += interactive
        if not self._looking:
            self._look_later()
        return place

    def give_back(self, place: Place) -> None:
        """The slice is over; nothing new if its place has come back before."""
        if place in self._taken:
            self._taken.remove(place)
            self._interactive -= place.interactive

    def _look_later(self) -> None:
        self._looking = True
        asyncio.get_running_loop().call_later(PATIENCE, self._look)

    def _look(self) -> None:
        """Takes back the places of slices that hang."""
        self._looking = False
        long_ago = self._clock() - PATIENCE
        hanging = [place for place in self._taken if place.due < long_ago]
        for place in hanging:
            self.give_back(place)
        if self._taken:
            self._look_later()
        if hanging:
            self._on_return()
