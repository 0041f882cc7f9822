"""A referee, and tournaments that are played in this process."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from adamas import Client
from adamas_tournament.config import Config, parse_config
from adamas_tournament.driver import Driver
from adamas_tournament.executor import LocalExecutor
from adamas_tournament.journal import Journal, create_journal
from adamas_tournament.plan import Plan, make_plan
from adamas_tournament.progress import Progress
from adamas_tournament.records import GameRecord
from adamas_tournament.referee import Referee
from adamas_tournament.schedule import ScheduledGame
from adamas_tournament.session import versions
from adamas_tournament.worker import Worker
from server.embedded import embedded_server

PlayTournament = Callable[[str], tuple[Progress, Journal]]


@pytest.fixture(scope="session")
def target() -> Iterator[str]:
    with embedded_server() as address:
        yield address


@pytest.fixture(scope="session")
def client(target: str) -> Iterator[Client]:
    with Client(target) as client:
        yield client


def planned(text: str, client: Client) -> tuple[Config, Plan]:
    """A configuration and what the referee says to it."""
    config = parse_config(text, "trial.toml")
    return config, make_plan(config, client, "trial.toml")


@pytest.fixture
def referee(client: Client) -> Callable[[Plan], Referee]:
    return lambda plan: Referee(client, plan)


class Silent:
    """A watcher that remembers what was lost, and shows nothing."""

    def __init__(self) -> None:
        self.lost: list[str] = []

    def game_started(self, game: ScheduledGame) -> None:
        pass

    def game_finished(self, game: GameRecord, progress: Progress) -> None:
        pass

    def game_lost(self, game: ScheduledGame, trouble: str) -> None:
        self.lost.append(trouble)

    def tick(self) -> None:
        pass


@pytest.fixture
def play_tournament(target: str, client: Client, tmp_path: Path) -> Iterator[PlayTournament]:
    """Plays the tournament of a configuration; the journal stays open until the test ends."""
    journals: list[Journal] = []

    def play(text: str) -> tuple[Progress, Journal]:
        text = text.replace("[tournament]", f'[tournament]\nreferee = "{target}"', 1)
        config, plan = planned(text, client)
        journal = create_journal(tmp_path / f"trial{len(journals)}.journal", text, plan)
        journals.append(journal)
        journal.begin_session(versions())
        progress = Progress(config, plan)
        executor = LocalExecutor(Worker(config, plan), config.tournament.parallel)
        try:
            Driver(journal, progress, executor, Silent()).run()
        finally:
            executor.close()
        return progress, journal

    yield play
    for journal in journals:
        journal.close()
