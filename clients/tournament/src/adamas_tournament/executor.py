"""Where games are played. The driver hands games out and takes records back; it alone writes."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Protocol

from adamas_tournament.match import Abandoned
from adamas_tournament.processes.programs import ProgramError
from adamas_tournament.processes.server import ServerError
from adamas_tournament.records import GameRecord
from adamas_tournament.referee import RefereeLost
from adamas_tournament.schedule import ScheduledGame
from adamas_tournament.worker import Worker


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a game that was handed out.

    Attributes:
        game: The game.
        record: Its record; None if it was lost and has to be played again.
        trouble: Why it was lost, for people.
        blameless: Whether the loss says nothing about the referee: the machine that played the
            game has gone.
    """

    game: ScheduledGame
    record: GameRecord | None
    trouble: str = ""
    blameless: bool = False


class Executor(Protocol):
    """Plays several games at the same time."""

    @property
    def capacity(self) -> int:
        """How many games it can play at the same time now."""

    def submit(self, game: ScheduledGame) -> None:
        """Begins a game."""

    def wait(self, timeout: float) -> Sequence[Outcome]:
        """Waits for games to end; empty if none has within `timeout` seconds."""

    def close(self) -> None:
        """Ends everything; games that still run are lost."""


class LocalExecutor:
    """Plays games in threads of this process; the searches are the servers' work.

    Args:
        worker: What plays them; closed with the executor.
        parallel: How many at the same time.
    """

    def __init__(self, worker: Worker, parallel: int) -> None:
        self._worker = worker
        self._parallel = parallel
        self._pool = ThreadPoolExecutor(parallel, thread_name_prefix="game")
        self._running: dict[Future[GameRecord], ScheduledGame] = {}
        self._closing = threading.Event()

    @property
    def capacity(self) -> int:
        """How many games are played at the same time."""
        return self._parallel

    def submit(self, game: ScheduledGame) -> None:
        """Begins a game."""
        self._running[self._pool.submit(self._worker.play, game, self._closing.is_set)] = game

    def wait(self, timeout: float) -> Sequence[Outcome]:
        """Waits for games to end."""
        done, _ = wait(self._running, timeout, FIRST_COMPLETED)
        return [outcome_of(self._running.pop(future), future.result) for future in done]

    def close(self) -> None:
        """Ends everything."""
        self._closing.set()
        self._worker.close()
        self._pool.shutdown(cancel_futures=True)


def outcome_of(game: ScheduledGame, result: Callable[[], GameRecord]) -> Outcome:
    """The outcome of a game that has ended, one way or the other."""
    try:
        return Outcome(game, result())
    except Abandoned:
        return Outcome(game, None, "the game was abandoned", blameless=True)
    except (RefereeLost, ServerError, ProgramError) as error:
        return Outcome(game, None, str(error))
