"""Shows how a tournament goes: a live display in a terminal, a line now and then elsewhere."""

import textwrap
import time
from types import TracebackType
from typing import Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from rich.text import Text

from adamas_tournament.processes.programs import Programs
from adamas_tournament.progress import Progress
from adamas_tournament.records import GameRecord
from adamas_tournament.schedule import ScheduledGame
from adamas_tournament.statistics.summary import Summary, summarize
from adamas_tournament.tables import questions_table, standings_table

LIVE_RESAMPLES = 100
SUMMARY_EVERY = 2.0
"""Seconds between two summaries while games are played."""
LINE_EVERY = 10.0
"""Seconds between two lines where the output is no terminal."""
LAST_TROUBLES = 5
MOST_TOLD = 160
"""Letters of the reason of a forfeit; the journal has all of it."""


def opening(progress: Progress) -> str:
    """What is about to be played, and how much of it."""
    schedule, config = progress.schedule, progress.config
    done = len(progress.finished)
    before = f", {done} of which are finished" if done else ""
    stop = "; fewer if the stopping rule is satisfied" if config.stop else ""
    return (
        f"{config.tournament.name}: {progress.plan.game_name}, {len(config.entrants)} entrants, "
        f"{schedule.deals} deals, at most {schedule.most_games} games{before}{stop}"
    )


def _span(minutes: float) -> str:
    """A time that is left: "40 s", "12 min", "3 h 20 min"."""
    if minutes < 1:
        return f"{60 * minutes:.0f} s"
    if minutes < 60:
        return f"{minutes:.0f} min"
    return f"{minutes // 60:.0f} h {minutes % 60:02.0f} min"


class LiveView:
    """A watcher for people; used as a context manager around the tournament.

    Args:
        console: Where to show it.
        progress: What was played before.
        programs: Programs of entrants, to tell of those that end by themselves.
    """

    def __init__(
        self, console: Console, progress: Progress, programs: Programs | None = None
    ) -> None:
        self._console = console
        self._progress = progress
        self._programs = programs
        self._begin = time.monotonic()
        self._before = len(progress.finished)
        self._bar = Bar(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("games"),
            TimeRemainingColumn(),
            console=console,
        )
        self._most = progress.schedule.most_games
        self._task = self._bar.add_task("at most", total=self._most, completed=self._before)
        self._running = 0
        self._troubles: list[str] = []
        self._summary: Summary | None = None
        self._summarized = -SUMMARY_EVERY
        self._said = self._begin
        self._live = Live(
            get_renderable=self._render, console=console, refresh_per_second=4, transient=True
        )

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._console.is_terminal:
            self._live.stop()

    def game_started(self, game: ScheduledGame) -> None:
        """Counts it."""
        self._running += 1

    def game_finished(self, game: GameRecord, progress: Progress) -> None:
        """Counts it, and remembers who forfeited."""
        self._running -= 1
        self._bar.update(self._task, completed=len(progress.finished))
        for forfeit in game.forfeits:
            entrant = game.sides[forfeit.side].entrant
            detail = textwrap.shorten(forfeit.detail, MOST_TOLD, placeholder=" …")
            self._trouble(f"game {game.key}: {entrant} forfeits: {forfeit.offence}: {detail}")

    def game_lost(self, game: ScheduledGame, trouble: str) -> None:
        """Remembers why."""
        self._running -= 1
        self._trouble(f"game {game.key} will be played again: {trouble}")

    def tick(self) -> None:
        """Says something where there is no live display."""
        for trouble in self._programs.take_troubles() if self._programs is not None else ():
            self._trouble(textwrap.shorten(trouble, MOST_TOLD, placeholder=" …"))
        now = time.monotonic()
        if self._console.is_terminal or now - self._said < LINE_EVERY:
            return
        self._said = now
        self._console.print(self._status(), highlight=False)

    def _trouble(self, text: str) -> None:
        self._troubles = [*self._troubles, text][-LAST_TROUBLES:]
        if not self._console.is_terminal:
            self._console.print(text, style="red", highlight=False, markup=False)

    def _status(self) -> str:
        done = len(self._progress.finished)
        minutes = (time.monotonic() - self._begin) / 60
        rate = (done - self._before) / minutes if minutes else 0.0
        left = f", at most {_span((self._most - done) / rate)} left" if rate else ""
        return (
            f"games: {done} of at most {self._most} finished, {self._running} running, "
            f"{rate:.1f} a minute; deals complete: {len(self._progress.deals)}{left}"
        )

    def _render(self) -> RenderableType:
        if time.monotonic() - self._summarized > SUMMARY_EVERY:
            self._summary = summarize(self._progress, resamples=LIVE_RESAMPLES)
            self._summarized = time.monotonic()
        config = self._progress.config
        parts: list[RenderableType] = [
            Text.assemble((config.tournament.name, "bold"), f"  {self._progress.plan.game_name}"),
            self._bar,
            Text(self._status(), style="dim"),
        ]
        if self._summary is not None:
            parts.append(standings_table(self._summary))
        if self._progress.rule.comparisons:
            parts.append(questions_table(self._progress))
        parts += [Text(text, style="red") for text in self._troubles]
        return Group(*parts)
