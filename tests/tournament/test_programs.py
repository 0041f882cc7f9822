"""Programs that a tournament starts: they listen, come back when they end, and end with it."""

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from adamas_tournament.channels import Access
from adamas_tournament.config import parse_config
from adamas_tournament.processes.programs import ProgramError, Programs
from tests.tournament.configs import ENTRANTS, config_text
from tests.tournament.conftest import PlayTournament

LISTENING = """
import os, sys, time, grpc
from concurrent import futures
server = grpc.server(futures.ThreadPoolExecutor(1))
server.add_insecure_port(f"127.0.0.1:{sys.argv[1]}")
server.start()
with open(sys.argv[2], "a") as file:
    print(os.getpid(), file=file)
time.sleep(600)
"""


def entrant(*command: object) -> str:
    parts = json.dumps([str(part) for part in command])
    return f'\n[[entrants]]\nname = "mine"\nkind = "endpoint"\ncommand = {parts}\n'


def programs(*command: object) -> Programs:
    config = parse_config(config_text(entrants=ENTRANTS + entrant(*command)), "trial.toml")
    return Programs(config.entrants)


def wait_for(reached: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not reached():
        assert time.monotonic() < end
        time.sleep(0.02)


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """Where a program notes its process number each time it is started."""
    return tmp_path / "processes"


@pytest.fixture
def running(notes: Path) -> Iterator[Programs]:
    found = programs(sys.executable, "-c", LISTENING, "{port}", notes)
    yield found
    found.close()


def processes(notes: Path) -> list[int]:
    return [int(line) for line in notes.read_text(encoding="utf-8").split()]


def test_a_program_listens_at_its_port_and_ends_with_the_tournament(
    running: Programs, notes: Path
) -> None:
    mine = running.address_of("mine")
    assert mine is not None
    assert running.address_of("random") is None
    assert Access(mine).answers_within(10)
    wait_for(lambda: notes.exists() and len(processes(notes)) == 1)
    (process,) = processes(notes)
    assert is_running(process)
    running.close()
    wait_for(lambda: not is_running(process))
    assert running.take_troubles() == []


def test_a_program_that_ends_is_started_again_at_the_same_address(
    running: Programs, notes: Path
) -> None:
    wait_for(lambda: notes.exists() and len(processes(notes)) == 1)
    os.kill(processes(notes)[0], signal.SIGKILL)
    wait_for(lambda: len(processes(notes)) == 2)
    mine = running.address_of("mine")
    assert mine is not None
    assert Access(mine).answers_within(30)
    (trouble,) = running.take_troubles()
    assert trouble == "mine ended by SIGKILL; it said: it said nothing (it is started again)"


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (("no-such-program", "{port}"), "exit code 127; it said: no-such-program: No such file"),
        (
            (sys.executable, "-c", "print('no model'); exit(4)", "{port}"),
            "mine ended with exit code 4; it said: no model",
        ),
    ],
)
def test_a_program_that_does_not_start(command: tuple[str, ...], told: str) -> None:
    with pytest.raises(ProgramError) as caught:
        programs(*command)
    assert told in str(caught.value)


def test_a_tournament_with_a_program_that_ends_now_and_then(
    play_tournament: PlayTournament, target: str
) -> None:
    """It is asked again once it is back, within the time that players are waited for."""
    command = (sys.executable, "-m", "tests.tournament.program", "{port}", target, 40)
    progress, journal = play_tournament(
        config_text(deals=1, entrants=ENTRANTS + entrant(*command), rest="[time]\npatience = 60")
    )
    assert progress.over
    games = list(journal.games())
    mine = [
        move
        for game in games
        for move in game.moves
        for side in game.sides
        if side.entrant == "mine" and move.seat in side.seats
    ]
    assert len(mine) > 40  # so it has ended at least once
    assert not any(game.forfeits for game in games)
