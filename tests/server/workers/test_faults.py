"""Processes of the server die: what it costs, and what is left behind."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2
from grpc_health.v1.health_pb2_grpc import HealthStub

from adamas.v1 import advisor_service_pb2 as pb
from adamas.v1.advisor_service_pb2_grpc import AdvisorServiceStub
from adamas.v1.rules_service_pb2_grpc import RulesServiceStub
from server.awake import AwakeClock
from server.log import LineWriter, make_logger
from server.workers import pool
from server.workers.connection import SearchFailed, WorkerDied
from server.workers.ending import Ending
from server.workers.messages import Task
from server.workers.search import RemoteSearch
from tests.server.positions import Memory, eventually, failure, limits, query
from tests.server.program import ServerProcess, program

NOTHING = Task(b"", "en", 1, 0, 1, 1 << 20, 0.0)
SERVING = health_pb2.HealthCheckResponse.SERVING


@pytest.fixture
def running() -> Iterator[ServerProcess]:
    """A server with two workers."""
    with program("--workers", "2") as found:
        # Lines are written a little after what they tell.
        eventually(lambda: len(workers(found)) == 2)
        yield found


def request(channel: grpc.Channel, seconds: float) -> pb.RecommendRequest:
    asked = query(RulesServiceStub(channel), "dao", limits=limits(time=seconds))
    return pb.RecommendRequest(query=asked)


def workers(running: ServerProcess) -> list[int]:
    """The workers that have been started, the present ones last."""
    return [line["pid"] for line in running.lines if line["event"] == "worker started"]


def deaths(running: ServerProcess) -> int:
    """How many workers have died."""
    return sum(line["event"] == "worker died" for line in running.lines)


def parent(pid: int) -> int:
    """The process that made a process."""
    found = subprocess.run(
        ["ps", "-o", "ppid=", "-p", str(pid)], capture_output=True, text=True, check=True
    )
    return int(found.stdout)


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and waits for its parent does not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("ascii")
    except FileNotFoundError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
def test_a_dead_worker_costs_its_own_calls_only(running: ServerProcess, number: int) -> None:
    with running.channel() as channel:
        advisor, health = AdvisorServiceStub(channel), HealthStub(channel)
        asked = request(channel, 3.0)
        calls = [advisor.Recommend.future(asked) for _ in range(6)]
        time.sleep(0.5)
        victim = workers(running)[0]
        os.kill(victim, number)
        died = running.line("worker died")
        assert died["pid"] == victim
        assert died["searches"] == 3
        assert died["signal"] == signal.Signals(number).name
        assert health.Check(health_pb2.HealthCheckRequest()).status == SERVING
        lost = [call for call in calls if call.exception() is not None]
        assert len(lost) == 3
        for call in lost:
            failed = failure(call.result)
            assert failed.code == grpc.StatusCode.UNAVAILABLE
            assert failed.info.reason == "WORKER_DIED"
            assert failed.retry.HasField("retry_delay")
        for call in calls:
            assert call in lost or call.result().advice.search.iterations > 0
        assert advisor.Recommend(request(channel, 0.1)).advice.best_move.HasField("dao")
        eventually(lambda: len(workers(running)) == 3)
        assert health.Check(health_pb2.HealthCheckRequest()).status == SERVING
        assert not is_alive(victim)


def test_a_dead_worker_ends_its_streams(running: ServerProcess) -> None:
    with running.channel() as channel:
        asked = pb.AnalyzeRequest(query=request(channel, 20.0).query)
        stream = AdvisorServiceStub(channel).Analyze(asked)
        assert not next(stream).final
        for pid in workers(running):
            os.kill(pid, signal.SIGKILL)
        failed = failure(lambda: list(stream))
        assert failed.code == grpc.StatusCode.UNAVAILABLE
        assert failed.info.reason == "WORKER_DIED"


def test_the_next_call_waits_for_a_new_worker_if_there_is_none(running: ServerProcess) -> None:
    with running.channel() as channel:
        asked = request(channel, 0.1)
        for pid in workers(running):
            os.kill(pid, signal.SIGKILL)
        eventually(lambda: deaths(running) == 2)
        assert AdvisorServiceStub(channel).Recommend(asked).advice.search.iterations > 0


def test_the_fork_server_is_replaced_when_it_is_needed(running: ServerProcess) -> None:
    with running.channel() as channel:
        advisor = AdvisorServiceStub(channel)
        asked = request(channel, 0.1)
        first, second = workers(running)
        os.kill(parent(first), signal.SIGKILL)
        assert advisor.Recommend(asked).advice.search.iterations > 0
        os.kill(first, signal.SIGKILL)
        running.line("worker died")
        assert advisor.Recommend(asked).advice.search.iterations > 0
        running.line("fork server died")
        eventually(lambda: len(workers(running)) == 3, 60)
        os.kill(second, signal.SIGKILL)
        eventually(lambda: deaths(running) == 2)
        assert advisor.Recommend(asked).advice.search.iterations > 0
        assert running.stop() == 0
    eventually(lambda: not any(map(is_alive, workers(running))))


async def test_a_worker_that_hangs_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "_LONGEST_REQUEST", 0.5)
    writer = LineWriter(StringIO())
    workers = pool.Workers(1, 1, make_logger(writer, "json", "info"))
    try:
        await workers.start()
        await workers.load()
        hanging = await workers.for_search()
        os.kill(hanging.pid, signal.SIGSTOP)
        with pytest.raises(WorkerDied):
            await RemoteSearch(hanging, NOTHING).advise(pb.STOP_REASON_TIME, 1)
        other = await workers.for_search()
        assert other.pid != hanging.pid
        assert workers.deaths == 1
    finally:
        await workers.close()
        writer.close()
    assert not is_alive(hanging.pid)
    assert not is_alive(other.pid)


async def test_a_machine_that_sleeps_is_not_taken_for_a_worker_that_hangs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pool, "_LONGEST_REQUEST", 0.5)
    writer = LineWriter(StringIO())
    clock = AwakeClock()
    ticking = asyncio.create_task(clock.run())
    workers = pool.Workers(1, 1, make_logger(writer, "json", "info"), clock=clock.now)
    try:
        await workers.start()
        await workers.load()
        worker = await workers.for_search()
        os.kill(worker.pid, signal.SIGSTOP)
        asked = asyncio.create_task(RemoteSearch(worker, NOTHING).advise(pb.STOP_REASON_TIME, 1))
        await asyncio.sleep(0.1)
        time.sleep(2.0)  # noqa: ASYNC251  (this process sleeps too)
        os.kill(worker.pid, signal.SIGCONT)
        with pytest.raises(SearchFailed):  # an answer: it has no such search
            await asked
        assert workers.deaths == 0
    finally:
        ticking.cancel()
        await workers.close()
        writer.close()


@pytest.mark.slow
def test_a_server_goes_on_after_a_sleep() -> None:
    with program("--workers", "2", own_group=True) as running, running.channel() as channel:
        call = AdvisorServiceStub(channel).Recommend.future(request(channel, 2.0))
        time.sleep(0.5)
        pids = [running.process.pid, parent(workers(running)[0]), *workers(running)]
        for number in (signal.SIGSTOP, signal.SIGCONT):
            for pid in pids:
                os.kill(pid, number)
            time.sleep(14.0 if number == signal.SIGSTOP else 0.0)
        assert call.result().advice.search.iterations > 0
        assert AdvisorServiceStub(channel).Recommend(request(channel, 0.1)).advice.candidates
        assert deaths(running) == 0


async def test_interactive_searches_keep_away_from_background_ones() -> None:
    writer = LineWriter(StringIO())
    workers = pool.Workers(4, 1, make_logger(writer, "json", "info"))
    try:
        await workers.start()
        await workers.load()

        async def pids(count: int, *, background: bool) -> list[int]:
            found = []
            for _ in range(count):
                worker = await workers.for_search(background=background)
                RemoteSearch(worker, NOTHING, background=background)
                found.append(worker.pid)
            return found

        busy = await pids(4, background=True)
        assert len(set(busy)) == 2, "half of the workers"
        prompt = await pids(6, background=False)
        assert len(set(prompt)) == 2
        assert not set(prompt) & set(busy)
    finally:
        await workers.close()
        writer.close()


async def test_an_isolated_worker_ends_with_its_search() -> None:
    writer = LineWriter(StringIO())
    workers = pool.Workers(1, 1, make_logger(writer, "json", "info"))
    ends: asyncio.Queue[Ending | None] = asyncio.Queue()
    try:
        await workers.start()
        await workers.load()
        shared = workers.pids
        for kill in (False, True):
            isolated = await workers.isolated()
            assert (await workers.for_search()).pid in shared, "nobody else gets it"
            assert isolated.pid in workers.pids
            if kill:
                os.kill(isolated.pid, signal.SIGSEGV)
                with pytest.raises(WorkerDied):
                    await RemoteSearch(isolated, NOTHING).advise(pb.STOP_REASON_TIME, 1)
            workers.retire(isolated, ends.put_nowait)
            assert await ends.get() == (Ending(-signal.SIGSEGV) if kill else None)
            assert not is_alive(isolated.pid)
        assert workers.deaths == 1
    finally:
        await workers.close()
        writer.close()


async def test_an_isolated_worker_that_nobody_waits_for_any_more_ends() -> None:
    log = Memory()
    writer = LineWriter(log)
    workers = pool.Workers(1, 1, make_logger(writer, "json", "info"))
    try:
        await workers.start()
        await workers.load()
        shared = workers.pids
        making = asyncio.create_task(workers.isolated())
        await asyncio.sleep(0)
        making.cancel()
        await asyncio.wait([making])
        (made,) = await asyncio.to_thread(
            eventually, lambda: log.lines(event="isolated worker started")
        )
        await asyncio.to_thread(eventually, lambda: not is_alive(made["pid"]))
        assert workers.pids == shared
        assert workers.deaths == 0
    finally:
        await workers.close()
        writer.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left_behind(number: int) -> None:
    with program("--workers", "2") as running:
        with running.channel() as channel:
            asked = request(channel, 60.0)
            calls = [AdvisorServiceStub(channel).Recommend.future(asked) for _ in range(4)]
            time.sleep(0.3)
            pids = [parent(workers(running)[0]), *workers(running)]
            assert all(map(is_alive, pids))
            running.stop(number)
            for call in calls:
                call.cancel()
        eventually(lambda: not any(map(is_alive, pids)))


def test_a_signal_to_the_whole_group_answers_the_calls_that_run() -> None:
    """As Ctrl-C in a terminal does, and service managers do."""
    for number in (signal.SIGINT, signal.SIGTERM):
        with program("--workers", "2", own_group=True) as running, running.channel() as channel:
            asked = request(channel, 60.0)
            advisor = AdvisorServiceStub(channel)
            calls = [advisor.Recommend.future(asked) for _ in range(4)]
            watched = advisor.Analyze(pb.AnalyzeRequest(query=asked.query))
            assert not next(watched).final, "the calls before it run too"
            os.killpg(running.process.pid, number)
            for call in calls:
                advice = call.result(15).advice
                assert advice.search.stop_reason == pb.STOP_REASON_SHUTDOWN
                assert advice.search.iterations > 0
            assert list(watched)[-1].final
            assert running.process.wait(15) == 0
            assert not running.other
