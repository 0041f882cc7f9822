"""Beginning a tournament, going on with one, and playing it."""

import platform
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from rich.console import Console

from adamas_tournament.channels import access_of, access_trouble, referee_client
from adamas_tournament.config import Config, ConfigError, load_config
from adamas_tournament.driver import Driver
from adamas_tournament.executor import Executor, LocalExecutor
from adamas_tournament.export import Heading
from adamas_tournament.interrupts import interruption
from adamas_tournament.journal import Journal, create_journal, open_journal
from adamas_tournament.levels import check_levels
from adamas_tournament.live import LiveView, opening
from adamas_tournament.plan import check_referee, make_plan
from adamas_tournament.processes.programs import ProgramError, Programs
from adamas_tournament.processes.server import ServerProcess
from adamas_tournament.progress import Progress
from adamas_tournament.referee import Referee
from adamas_tournament.trial import try_service
from adamas_tournament.worker import Worker

REACHABLE_WITHIN = 10.0
"""Seconds that an entrant's address has to answer before the first game."""


def begin(config_path: Path, journal_path: Path, console: Console, ray: str | None) -> Progress:
    """Begins a tournament and plays it.

    Args:
        config_path: The configuration.
        journal_path: The journal to be made.
        console: For people.
        ray: Address of a Ray cluster to play on; None: play here.

    Returns:
        What was played.

    Raises:
        ConfigError: If the configuration can't be used.
        JournalError: If the journal can't be made.
        ServerError: If a server is needed here and can't be started.
        RefereeGone: If the referee is lost for good; the tournament can be resumed.
    """
    config, text = load_config(config_path)
    _check_entrants(config, str(config_path))
    with referee_server(config, console) as (address, server):
        with referee_client(address, str(config_path)) as client:
            check_referee(client, address)
            plan = make_plan(config, client, str(config_path))
            check_levels(config, client, str(config_path))
            try_service(config, plan, client, address, str(config_path))
        with (
            entrants_programs(config, str(config_path), ray) as programs,
            create_journal(journal_path, text, plan) as journal,
        ):
            return _play(journal, console, _executor(journal, ray, server, programs), programs)


def resume(journal_path: Path, console: Console, ray: str | None) -> Progress:
    """Goes on with a tournament; as `begin`."""
    with open_journal(journal_path, read_only=False) as journal:
        config, plan = journal.config, journal.plan
        if read_progress(journal).over:
            return read_progress(journal)
        _check_entrants(config, str(journal_path))
        if ray is not None:
            return _play(journal, console, _executor(journal, ray, None, None), None)
        with referee_server(config, console) as (address, server):
            with referee_client(address, str(journal_path)) as client:
                check_referee(client, address)
                check_levels(config, client, str(journal_path))
                try_service(config, plan, client, address, str(journal_path))
            with entrants_programs(config, str(journal_path), ray) as programs:
                return _play(journal, console, _executor(journal, ray, server, programs), programs)


@contextmanager
def opened_referee(journal: Journal, console: Console) -> Iterator[Referee]:
    """A referee for the games of a journal, which has to be running or is started here."""
    config = journal.config
    with referee_server(config, console) as (address, _):
        client = referee_client(address, str(journal.path))
        check_referee(client, address)
        referee = Referee(client, journal.plan)
        try:
            yield referee
        finally:
            referee.close()


def heading(journal: Journal) -> Heading:
    """What the games of a journal have in common."""
    config = journal.config
    return Heading(
        config.tournament.name, journal.created, journal.plan, config.entrants, journal.versions()
    )


def read_progress(journal: Journal) -> Progress:
    """The progress that a journal tells of; its games come without their moves."""
    progress = Progress(journal.config, journal.plan)
    for game in journal.games(with_moves=False):
        progress.add(game)
    return progress


@contextmanager
def referee_server(config: Config, console: Console) -> Iterator[tuple[str, ServerProcess | None]]:
    """The referee's address, and its server if it is one that was started here."""
    if config.tournament.referee is not None:
        yield config.tournament.referee, None
        return
    with console.status("starting a server; the first start compiles the rules"):
        server = ServerProcess()
    try:
        yield server.address, server
    finally:
        server.stop()


@contextmanager
def entrants_programs(config: Config, source: str, ray: str | None) -> Iterator[Programs | None]:
    """The programs of entrants that have a command, running; None on a cluster, whose nodes start
    their own.

    Raises:
        ConfigError: If one does not start.
    """
    if ray is not None:
        yield None
        return
    try:
        programs = Programs(config.entrants)
    except ProgramError as error:
        raise ConfigError(f"{source}: {error}") from None
    try:
        yield programs
    finally:
        programs.close()


def _check_entrants(config: Config, source: str) -> None:
    """Before the first game a player that can't be reached is most likely a slip of the pen."""
    for index, entrant in enumerate(config.entrants):
        key = f"{source}: entrants[{index}].address"
        try:
            access = access_of(entrant)
        except (ValueError, OSError) as error:
            raise ConfigError(f"{key}: {access_trouble(error)}") from None
        if access is not None and not access.answers_within(REACHABLE_WITHIN):
            raise ConfigError(f"{key}: nothing answers there; start {entrant.name!r} first")


def _play(
    journal: Journal, console: Console, executor: Executor, programs: Programs | None
) -> Progress:
    progress = read_progress(journal)
    journal.begin_session(versions())
    console.print(opening(progress), highlight=False, markup=False)
    try:
        with interruption() as interrupted, LiveView(console, progress, programs) as view:
            Driver(journal, progress, executor, view, interrupted=interrupted).run()
    finally:
        executor.close()
    return progress


def _executor(
    journal: Journal, ray: str | None, server: ServerProcess | None, programs: Programs | None
) -> Executor:
    config, plan = journal.config, journal.plan
    if ray is None:
        return LocalExecutor(Worker(config, plan, server, programs), config.tournament.parallel)
    from adamas_tournament.cluster import RayExecutor

    return RayExecutor(config, plan, ray)


def versions() -> dict[str, str]:
    """What plays: versions of the packages, of Python, and the machine."""
    found = {"python": platform.python_version(), "platform": platform.platform()}
    for package in ("adamas", "adamas-tournament", "adamas-server"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed here"
    return found
