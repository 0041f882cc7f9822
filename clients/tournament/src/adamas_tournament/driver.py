"""Plays a tournament to its end: hands games out, writes them down, and stops when told to."""

import time
from collections import deque
from collections.abc import Callable
from typing import Protocol

from adamas_tournament.executor import Executor, Outcome
from adamas_tournament.journal import Journal
from adamas_tournament.progress import Progress
from adamas_tournament.records import GameRecord
from adamas_tournament.schedule import ScheduledGame

MOST_LOSSES = 20
"""After so many games in a row without a referee the tournament gives up, to be resumed later."""
AHEAD = 100
"""Games that are looked up in the schedule at once."""
PAUSE = 0.5
"""Seconds to wait after a game has been lost, if nothing else is said."""


class RefereeGone(Exception):
    """The referee does not come back; the journal has all that was finished."""


class Watcher(Protocol):
    """Is told how a tournament goes."""

    def game_started(self, game: ScheduledGame) -> None:
        """A game was begun."""

    def game_finished(self, game: GameRecord, progress: Progress) -> None:
        """A game was finished and written down."""

    def game_lost(self, game: ScheduledGame, trouble: str) -> None:
        """A game could not be played, and will be played again."""

    def tick(self) -> None:
        """Called several times a second."""


class Driver:
    """Plays what is missing of a tournament.

    Args:
        journal: The journal, open for writing, with a session begun.
        progress: Knows all games of the journal.
        executor: Where games are played.
        watcher: Is told about everything.
        pause: Seconds to wait after a game has been lost.
        interrupted: Whether somebody wants it to stop; asked several times a second.
    """

    def __init__(
        self,
        journal: Journal,
        progress: Progress,
        executor: Executor,
        watcher: Watcher,
        pause: float = PAUSE,
        interrupted: Callable[[], bool] = lambda: False,
    ) -> None:
        self._pause = pause
        self._interrupted = interrupted
        self._journal = journal
        self._progress = progress
        self._executor = executor
        self._watcher = watcher
        self._queue: deque[ScheduledGame] = deque()
        self._running: set[ScheduledGame] = set()
        self._losses = 0

    def run(self) -> None:
        """Returns when the last game has been written down, or the stopping rule is satisfied.

        Games that still run then, of deals that don't count any more, are given up.

        Raises:
            RefereeGone: If the referee does not come back.
            KeyboardInterrupt: If it was interrupted.
        """
        while not self._progress.over:
            if self._interrupted():
                raise KeyboardInterrupt
            self._hand_out()
            for outcome in self._executor.wait(0.25):
                self._take(outcome)
            self._watcher.tick()

    def _hand_out(self) -> None:
        while len(self._running) < self._executor.capacity:
            game = self._next()
            if game is None:
                return
            self._running.add(game)
            self._executor.submit(game)
            self._watcher.game_started(game)

    def _next(self) -> ScheduledGame | None:
        if not self._queue:
            missing = self._progress.missing(2 * self._executor.capacity + AHEAD)
            self._queue.extend(game for game in missing if game not in self._running)
        return self._queue.popleft() if self._queue else None

    def _take(self, outcome: Outcome) -> None:
        self._running.discard(outcome.game)
        if outcome.record is not None:
            self._losses = 0
            self._journal.add(outcome.record)
            self._progress.add(outcome.record)
            self._watcher.game_finished(outcome.record, self._progress)
            return
        self._queue.appendleft(outcome.game)
        self._watcher.game_lost(outcome.game, outcome.trouble)
        if outcome.blameless:
            return
        self._losses += 1
        if self._losses >= MOST_LOSSES:
            raise RefereeGone(outcome.trouble)
        time.sleep(self._pause)
