"""Threads or processes for searches: ``make isolation``.

The same scheduler and the same worker code run many searches, in turn with a worker that is a
thread of this process and with worker processes as the server has them; beside both, the bare
search on as many threads. Prints what processes cost: in iterations, for each slice, in memory, and
how long the death of one is felt. Writes build/isolation.json.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import statistics
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from io import StringIO
from pathlib import Path

from adamas.v1 import advisor_service_pb2 as pb
from benchmarks.figures import Figure, Report
from benchmarks.iterations import Position, first_real_decision, run_for
from benchmarks.pairs import compare
from search import Search
from server.log import LineWriter, make_logger
from server.requests.messages import View
from server.settings import MIB, Settings
from server.turns.scheduler import Scheduler
from server.workers.connection import Worker
from server.workers.messages import Opened, Task
from server.workers.pool import Workers
from server.workers.process import serve
from server.workers.search import RemoteSearch

SEARCHES = 32
SECONDS = 2.0
GAMES = {"dao": 2, "diamonds": 4}
"""Games with cheap and with dear iterations, and their seats."""
ROUND_TRIPS = 2000
PATIENCE = 30.0
RESULTS = Path("build/isolation.json")
MEMORY = 64 * MIB
CORES = os.cpu_count() or 1

Pick = Callable[[], Awaitable[Worker]]
"""Gives the worker for the next search."""


async def thread_worker() -> tuple[Worker, threading.Thread]:
    """A worker that is no process of its own."""
    ours, theirs = socket.socketpair()
    thread = threading.Thread(target=serve, args=(theirs, CORES + 1), daemon=True)
    thread.start()
    return await Worker.connect(ours, os.getpid(), lambda _: None), thread


async def opened(pick: Pick, position: Position, seed: int) -> tuple[RemoteSearch, Opened]:
    query = pb.SearchQuery(view=View(position.game, position.view).message())
    task = Task(
        query=query.SerializeToString(),
        language="en",
        candidates=1,
        seed=seed,
        trees=2,
        memory_bytes=MEMORY,
        started=time.monotonic(),
    )
    search = RemoteSearch(await pick(), task)
    return search, await search.open()


async def rate(pick: Pick, position: Position) -> float:
    """Iterations per second of many searches together."""
    scheduler = Scheduler(CORES)
    searches = [await opened(pick, position, seed) for seed in range(SEARCHES)]
    begin = time.monotonic()
    jobs = [
        scheduler.submit(
            search,
            found.trees,
            client=str(client),
            priority=pb.PRIORITY_INTERACTIVE,
            stop_at=begin + SECONDS,
        )
        for client, (search, found) in enumerate(searches)
    ]
    for job in jobs:
        await job.finished(begin + 2 * SECONDS)
    seconds = time.monotonic() - begin
    found = [
        pb.Advice.FromString((await search.advise(pb.STOP_REASON_TIME, 1)).advice)
        for search, _ in searches
    ]
    for search, _ in searches:
        search.close()
    return sum(advice.search.iterations for advice in found) / seconds


def bare_rate(position: Position) -> float:
    """Iterations per second of one tree on each core, without any scheduler."""
    trees = Search(position.game, position.view, seed=1, trees=CORES).trees
    rates = [0.0] * CORES

    def run(i: int) -> None:
        rates[i] = run_for(trees[i], SECONDS)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(CORES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(rates)


async def round_trip(pick: Pick, position: Position) -> float:
    """Microseconds from asking for a slice to its answer, for slices that have no time to run."""
    search, _ = await opened(pick, position, 1)
    loop = asyncio.get_running_loop()
    took = []
    for _ in range(ROUND_TRIPS):
        answered = loop.create_future()
        begin = time.perf_counter()
        search.run(0, 0.0, 0.0, answered.set_result)
        await answered
        took.append(time.perf_counter() - begin)
    search.close()
    return statistics.median(took) * 1e6


async def seconds_of_death(workers: Workers) -> float:
    """From the death of a worker until there are as many as before."""
    begin = time.monotonic()
    before = set(workers.pids)
    os.kill(workers.pids[0], signal.SIGKILL)
    async with asyncio.timeout(PATIENCE):
        while set(workers.pids) == before or len(workers.pids) < len(before):  # noqa: ASYNC110
            await asyncio.sleep(0.0005)  # the pool tells nobody
    return time.monotonic() - begin


def memory_mib(pid: int) -> float | None:
    """A process's share of the memory in use, in MiB; None where the system does not tell."""
    rollup = Path(f"/proc/{pid}/smaps_rollup")
    if not rollup.exists():
        return None
    for line in rollup.read_text("ascii").splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    return None


class Bench:
    """The same searches in threads and in processes."""

    def __init__(self, runner: asyncio.Runner) -> None:
        self._run = runner.run
        self._writer = LineWriter(StringIO())
        logger = make_logger(self._writer, "json", "error")
        self._workers = Workers(Settings().workers, CORES + 1, logger)
        self._run(self._workers.start())
        self._run(self._workers.load())
        self._worker, self._thread = self._run(thread_worker())

    def measure(self) -> Iterator[Figure]:
        """All figures, one after another."""
        for game_id, seats in GAMES.items():
            position = first_real_decision(game_id, seats)
            yield from self._rates(position)
        yield self._round_trips(position)
        memory = list(filter(None, map(memory_mib, self._workers.pids)))
        if memory:
            note = "what is shared is divided among those who share it"
            yield Figure("isolation.worker_memory", statistics.mean(memory), "MiB", note=note)
        seconds = self._run(seconds_of_death(self._workers))
        yield Figure("isolation.dead_worker_replaced", 1000 * seconds, "ms", note="once")

    def close(self) -> None:
        """Ends the workers."""
        self._worker.close()
        self._run(self._workers.close())
        self._thread.join()
        self._writer.close()

    async def _of_threads(self) -> Worker:
        return self._worker

    def _rates(self, position: Position) -> Iterator[Figure]:
        """Iterations of many searches in processes, beside threads and beside the bare search."""

        def processes() -> float:
            return self._run(rate(self._workers.for_search, position))

        def threads() -> float:
            return self._run(rate(self._of_threads, position))

        for name, found in {
            "threads": compare(processes, threads),
            "bare": compare(processes, lambda: bare_rate(position)),
        }.items():
            yield Figure(
                f"isolation.processes_to_{name}.{position.game.game_id}",
                found.ratio,
                note=f"{found.first:,.0f} against {found.second:,.0f} iterations/s, "
                f"{SEARCHES} searches",
            )

    def _round_trips(self, position: Position) -> Figure:
        """What telling a worker to run a slice takes."""
        found = compare(
            lambda: self._run(round_trip(self._workers.for_search, position)),
            lambda: self._run(round_trip(self._of_threads, position)),
        )
        note = f"{found.first:.0f} µs against {found.second:.0f} µs from asking to the answer"
        return Figure("isolation.slice_processes_to_threads", found.ratio, note=note)


def main() -> None:
    """Measures, prints, writes."""
    report = Report()
    with asyncio.Runner() as runner:
        bench = Bench(runner)
        try:
            with report.measuring("isolation"):
                report.add(bench.measure())
        finally:
            bench.close()
    report.print()
    report.keep(RESULTS)


if __name__ == "__main__":
    main()
