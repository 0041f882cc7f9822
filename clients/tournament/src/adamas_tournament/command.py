"""The command `adamas tournament`."""

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from rich.console import Console
from rich.text import Text

from adamas.command.output import writes_unicode
from adamas.command.terms import Terms
from adamas.errors import AdamasError
from adamas_tournament.config import ConfigError
from adamas_tournament.driver import RefereeGone
from adamas_tournament.export import as_json, as_text
from adamas_tournament.journal import Journal, JournalError, open_journal
from adamas_tournament.processes.server import ServerError
from adamas_tournament.progress import Progress
from adamas_tournament.records import GameKey, GameRecord
from adamas_tournament.referee import RefereeLost
from adamas_tournament.replay import ReplayError, replay, verify
from adamas_tournament.report.positions import changes as position_changes
from adamas_tournament.session import begin, heading, opened_referee, read_progress, resume
from adamas_tournament.statistics.summary import summarize
from adamas_tournament.tables import pairs_table, questions_table, standings_table

JOURNAL_SUFFIX = ".journal"
PLAIN_WIDTH = 120
"""Columns where the output is no terminal."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describes the command line."""
    commands = parser.add_subparsers(dest="action", required=True, metavar="ACTION")

    run = commands.add_parser("run", help="begin a tournament and play it")
    run.add_argument("config", type=Path, help="the configuration, a TOML file")
    run.add_argument("--journal", type=Path, help="the journal (default: beside the configuration)")
    run.set_defaults(run=_run)

    again = commands.add_parser("resume", help="go on with a tournament")
    again.set_defaults(run=_resume)
    status = commands.add_parser("status", help="print the standings")
    status.set_defaults(run=_status)
    report = commands.add_parser("report", help="write the report, an HTML file")
    report.add_argument("--output", type=Path, help="the file (default: beside the journal)")
    report.add_argument(
        "--games", type=int, default=200, help="how many games it opens move by move [%(default)s]"
    )
    report.add_argument(
        "--positions",
        action="store_true",
        help="show positions too; plays those games again, for which the referee is needed",
    )
    report.set_defaults(run=_report)
    export = commands.add_parser("export", help="write games as JSON or text")
    export.add_argument("--format", choices=("json", "text"), default="text")
    export.add_argument("--output", type=Path, help="the file (default: the standard output)")
    export.set_defaults(run=_export)
    check = commands.add_parser("replay", help="play games again, to check the journal")
    check.set_defaults(run=_replay)
    for command in (export, check):
        command.add_argument(
            "--game", action="append", metavar="DEAL.SEATING", help="only this game (repeatable)"
        )
    for command in (again, status, report, export, check):
        command.add_argument("journal", type=Path, help="the journal of the tournament")
    for command in (run, again):
        command.add_argument(
            "--ray", metavar="ADDRESS", help='play on this Ray cluster; "auto" is the one here'
        )


def main(arguments: argparse.Namespace) -> int:
    """Carries a command out; the exit code."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=PLAIN_WIDTH)
    try:
        arguments.run(arguments, console)
        sys.stdout.flush()
    except BrokenPipeError:  # who reads has seen enough, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (ConfigError, JournalError, ReplayError, ServerError, AdamasError, OSError) as error:
        Console(stderr=True).print(Text(f"adamas: {error}", style="red"), soft_wrap=True)
        return 2
    except (RefereeGone, RefereeLost) as error:
        Console(stderr=True).print(
            Text(f"adamas: the referee is gone: {error}", style="red"), soft_wrap=True
        )
        return 3
    return 0


def _run(arguments: argparse.Namespace, console: Console) -> None:
    journal = arguments.journal or arguments.config.with_suffix(JOURNAL_SUFFIX)
    _play(console, journal, lambda: begin(arguments.config, journal, console, arguments.ray))


def _resume(arguments: argparse.Namespace, console: Console) -> None:
    journal = arguments.journal
    _play(console, journal, lambda: resume(journal, console, arguments.ray))


def _status(arguments: argparse.Namespace, console: Console) -> None:
    with open_journal(arguments.journal) as journal:
        _show(console, read_progress(journal))


def _report(arguments: argparse.Namespace, console: Console) -> None:
    # Loading what draws takes a second, which only a report is worth.
    from adamas_tournament.report.page import report_page

    output = arguments.output or arguments.journal.with_suffix(".html")
    with open_journal(arguments.journal) as journal:
        if arguments.positions:
            with opened_referee(journal, console) as referee:
                plan, terms = journal.plan, Terms(journal.plan.language)
                page = report_page(
                    journal,
                    arguments.games,
                    lambda game: position_changes(replay(game, plan, referee), plan.sides, terms),
                )
        else:
            page = report_page(journal, arguments.games)
        output.write_text(page, encoding="utf-8")
    console.print(f"report: {output}", highlight=False, soft_wrap=True)


def _export(arguments: argparse.Namespace, console: Console) -> None:
    # A file is in UTF-8; what stands at the other end of standard output may not be.
    ascii_only = arguments.output is None and not writes_unicode()
    with open_journal(arguments.journal) as journal:
        chosen = _chosen(journal, arguments.game)
        pieces = (
            as_json(heading(journal), chosen, ascii_only=ascii_only)
            if arguments.format == "json"
            else as_text(heading(journal), chosen)
        )
        if arguments.output is None:
            sys.stdout.writelines(pieces)
        else:
            with arguments.output.open("w", encoding="utf-8") as file:
                file.writelines(pieces)


def _replay(arguments: argparse.Namespace, console: Console) -> None:
    wrong = right = 0
    with (
        open_journal(arguments.journal) as journal,
        opened_referee(journal, console) as referee,
    ):
        for game in _chosen(journal, arguments.game):
            try:
                verify(game, journal.plan, referee)
                right += 1
            except ReplayError as error:
                console.print(Text(str(error), style="red"))
                wrong += 1
    console.print(f"{right} games go as the journal says", highlight=False)
    if wrong:
        raise JournalError(f"{wrong} games don't")


def _chosen(journal: Journal, names: list[str] | None) -> Iterator[GameRecord]:
    if names is None:
        return journal.games()
    try:
        return iter([journal.game(GameKey.parse(name)) for name in names])
    except ValueError as error:
        raise JournalError(str(error)) from None


def _play(console: Console, journal: Path, play: Callable[[], Progress]) -> None:
    try:
        progress = play()
    except (KeyboardInterrupt, RefereeGone):
        if journal.exists():
            console.print(
                f"every finished game is in {journal}; go on with: "
                f"adamas tournament resume {journal}",
                highlight=False,
                soft_wrap=True,
            )
        raise
    _show(console, progress)
    console.print(f"journal: {journal}", highlight=False, soft_wrap=True)


def _show(console: Console, progress: Progress) -> None:
    summary = summarize(progress)
    if summary is None:
        console.print("no deal is complete yet")
        return
    ended = "stopped by its rule" if progress.stopped_early else (
        "complete" if progress.over else "not complete yet"
    )  # fmt: skip
    config = progress.config
    console.print(
        f"{config.tournament.name}: {progress.plan.game_name}, {summary.deals} deals, "
        f"{summary.games} games; {ended}",
        style="bold",
        highlight=False,
        markup=False,
    )
    console.print(standings_table(summary))
    console.print(pairs_table(summary))
    if progress.rule.comparisons:
        console.print(questions_table(progress))
