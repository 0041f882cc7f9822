"""The load generator: what it sends, and that its observers see what is there."""

from __future__ import annotations

import itertools
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator

import pytest

from benchmarks.load.calls import OK, Outcome, Question
from benchmarks.load.clients import ANYBODY, identities, known_to_server
from benchmarks.load.generator import ClosedLoad, OpenLoad, generator
from benchmarks.load.positions import positions
from benchmarks.load.processes import Processes
from benchmarks.load.scenarios.overload import most_at_once
from benchmarks.load.summaries import codes, percentile, share
from server.embedded import embedded_server
from server.log import LineWriter
from server.settings import Settings
from tests.server.positions import Memory

_SPIN = "import time\nwhile True: pass"
_SLEEP = "import time\ntime.sleep(600)"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    settings = Settings(port=0, threads=1, max_searches=1, max_waiting=0)
    with embedded_server(settings, LineWriter(Memory())) as found:
        yield found


def test_an_open_load_comes_at_its_rate_in_every_part() -> None:
    load = OpenLoad(ANYBODY, [Question(0, 0.1, 1.0)], rates=[10.0, 0.0, 100.0], seed=3)
    times = list(load.times(60.0))
    assert times == sorted(times)
    assert times == list(load.times(60.0))
    parts = [sum(20 * i <= at < 20 * (i + 1) for at in times) for i in range(3)]
    assert parts[0] == pytest.approx(200, rel=0.3)
    assert parts[1] == 0
    assert parts[2] == pytest.approx(2000, rel=0.1)


def test_calls_are_answered_or_refused_and_checked(address: str) -> None:
    asked = positions(address, per_game=1)
    questions = [Question(i, think=0.2, timeout=20.0, trees=1) for i in range(len(asked))]
    load = [ClosedLoad(one, questions, callers=2, calls=2) for one in identities(2)]
    with generator(2) as source:
        outcomes = source.run(address, asked, load, seconds=60.0)
    assert len(outcomes) == 8
    assert len({outcome.call for outcome in outcomes}) == 8
    assert {outcome.client for outcome in outcomes} == {"client-0", "client-1"}
    answered = [outcome for outcome in outcomes if outcome.code == OK]
    refused = [outcome for outcome in outcomes if outcome.code != OK]
    assert answered
    assert refused
    for outcome in answered:
        assert outcome.legal
        assert outcome.iterations > 0
        assert 0 < outcome.inside <= outcome.seconds
    for outcome in refused:
        assert outcome.code == "RESOURCE_EXHAUSTED"
        assert outcome.retry_after is not None


def test_positions_know_their_legal_moves(address: str) -> None:
    asked = positions(address, per_game=2)
    games = [position.game_id for position in asked]
    assert games == 2 * list(dict.fromkeys(games))
    for position in asked:
        assert len(position.legal) > 1


def test_clients_have_tokens_that_the_server_can_be_told() -> None:
    known = tomllib.loads(known_to_server(identities(3))["ADAMAS_TOKENS"])["client"]
    assert [client["name"] for client in known] == ["client-0", "client-1", "client-2"]
    assert [client["token"] for client in known] == [one.token for one in identities(3)]
    assert len({client["token"] for client in known}) == 3


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Linux")
def test_a_busy_process_is_seen_with_its_children() -> None:
    parent = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {_SPIN!r}])"
    process = subprocess.Popen([sys.executable, "-c", parent])
    try:
        processes = Processes(process.pid)
        while not processes.workers():
            time.sleep(0.01)
        assert len(processes.all()) == 2
        assert processes.threads() == 2
        assert processes.resident_mib() > 5
        assert processes.load(1.0) > 0.05
        processes.workers()[0].kill()
    finally:
        process.kill()
        process.wait()
    assert not processes.workers()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Linux")
def test_an_idle_process_is_seen_to_be_idle() -> None:
    process = subprocess.Popen([sys.executable, "-c", _SLEEP])
    try:
        time.sleep(1.0)
        assert Processes(process.pid).load(1.0) < 0.05
    finally:
        process.kill()
        process.wait()


def test_calls_at_once_are_counted_as_intervals() -> None:
    assert most_at_once([]) == 0
    assert most_at_once([(0.0, 1.0), (1.0, 2.0)]) == 1
    assert most_at_once([(0.0, 3.0), (1.0, 2.0), (1.5, 4.0), (5.0, 6.0)]) == 3


def test_sums_of_nothing_meet_no_target() -> None:
    assert not share([], []) >= 0.0
    assert not percentile([], 99) <= 1e9


def test_codes_are_counted() -> None:
    numbers = itertools.count()
    outcomes = [
        Outcome("one", f"{next(numbers)}", Question(0, 1.0, 1.0), 0.0, 0.0, 1.0, code)
        for code in ("OK", "CANCELLED", "OK")
    ]
    assert codes(outcomes) == "OK 2, CANCELLED 1"
