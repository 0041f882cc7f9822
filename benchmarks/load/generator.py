"""Load from processes of their own, so that asking takes nothing from measuring.

Open load: calls are sent when they are due, whether or not earlier ones have been answered, as a
crowd does that knows nothing of the server. Closed load: callers that each ask again as soon as
they have an answer. Each process runs one event loop and tells how late it was itself.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import random
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

import grpc
from grpc_health.v1.health_pb2 import HealthCheckRequest
from grpc_health.v1.health_pb2_grpc import HealthStub

from benchmarks.load.calls import OK, Outcome, Question, ask, stub_on
from benchmarks.load.clients import Identity
from benchmarks.load.positions import AskedPosition

_LEAD = 2.0
"""Seconds between giving a process its task and the moment when it begins; imports take one."""


@dataclass(frozen=True)
class OpenLoad:
    """Calls at random times.

    Attributes:
        client: Who asks.
        questions: Asked in turn.
        rates: Calls per second in each equally long part of the time, one after another.
        seed: Seed of the times.
    """

    client: Identity
    questions: Sequence[Question]
    rates: Sequence[float]
    seed: int

    def times(self, seconds: float) -> Iterator[float]:
        """When calls are due, in seconds from the beginning: a Poisson process."""
        chooser, part = random.Random(self.seed), seconds / len(self.rates)
        for number, rate in enumerate(self.rates):
            at = number * part
            while rate > 0 and (at := at + chooser.expovariate(rate)) < (number + 1) * part:
                yield at


@dataclass(frozen=True)
class ClosedLoad:
    """Callers that ask again and again.

    Attributes:
        client: Who asks, over one connection.
        questions: Asked in turn, each caller beginning with another.
        callers: How many ask at the same time.
        calls: How often each asks; 0: until the time is over.
        pause: Seconds between an answer and the next call.
        patience: Seconds after a failed call; at least what its RetryInfo says.
        spread: Seconds over which the callers begin, one after another.
    """

    client: Identity
    questions: Sequence[Question]
    callers: int
    calls: int = 0
    pause: float = 0.0
    patience: float = 0.1
    spread: float = 0.0


@dataclass(frozen=True)
class Task:
    """What one process does."""

    address: str
    positions: Sequence[AskedPosition]
    loads: Sequence[OpenLoad | ClosedLoad]
    begin: float
    seconds: float


class Generator:
    """Processes that ask. Made by `generator`."""

    def __init__(self, pool: ProcessPoolExecutor, processes: int) -> None:
        self._pool = pool
        self._processes = processes

    def start(
        self,
        address: str,
        positions: Sequence[AskedPosition],
        loads: Sequence[OpenLoad | ClosedLoad],
        seconds: float,
    ) -> tuple[float, list[Future[list[Outcome]]]]:
        """Begins asking; gives the moment when it begins, and what will come of it."""
        begin = time.monotonic() + _LEAD
        shares = [loads[i :: self._processes] for i in range(self._processes)]
        return begin, [
            self._pool.submit(_run, Task(address, positions, share, begin, seconds))
            for share in shares
            if share
        ]

    def run(
        self,
        address: str,
        positions: Sequence[AskedPosition],
        loads: Sequence[OpenLoad | ClosedLoad],
        seconds: float,
    ) -> list[Outcome]:
        """Asks until the time is over, and gives every outcome in the order of sending."""
        return gathered(self.start(address, positions, loads, seconds)[1])

    def probe_health(self, address: str, begin: float, seconds: float) -> Future[list[float]]:
        """Asks the health service again and again; will give the seconds that each answer took.

        They are infinite where there was none.
        """
        return self._pool.submit(_probe_health, address, begin, seconds)


def gathered(futures: Sequence[Future[list[Outcome]]]) -> list[Outcome]:
    """All outcomes in the order of sending."""
    return sorted((o for future in futures for o in future.result()), key=lambda o: o.sent)


@contextmanager
def generator(processes: int = 2) -> Iterator[Generator]:
    """Starts the processes; one more than asked for probes the health service."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes + 1, mp_context=context) as pool:
        yield Generator(pool, processes)


def _run(task: Task) -> list[Outcome]:
    return asyncio.run(_run_loads(task))


async def _run_loads(task: Task) -> list[Outcome]:
    runs = [
        _run_open(task, load) if isinstance(load, OpenLoad) else _run_closed(task, load)
        for load in task.loads
    ]
    return [outcome for outcomes in await asyncio.gather(*runs) for outcome in outcomes]


async def _run_open(task: Task, load: OpenLoad) -> list[Outcome]:
    async with load.client.channel(task.address) as channel:
        await channel.channel_ready()
        stub, asked = stub_on(channel), []
        for number, at in enumerate(load.times(task.seconds)):
            due = task.begin + at
            await asyncio.sleep(due - time.monotonic())
            question = load.questions[number % len(load.questions)]
            position = task.positions[question.position]
            asked.append(asyncio.create_task(ask(stub, load.client, question, position, due)))
        return list(await asyncio.gather(*asked))


async def _run_closed(task: Task, load: ClosedLoad) -> list[Outcome]:
    async with load.client.channel(task.address) as channel:
        await channel.channel_ready()
        stub = stub_on(channel)
        end = task.begin + task.seconds

        async def caller(first: int) -> list[Outcome]:
            outcomes: list[Outcome] = []
            due = task.begin + load.spread * first / load.callers
            while due < end and (not load.calls or len(outcomes) < load.calls):
                await asyncio.sleep(due - time.monotonic())
                question = load.questions[(first + len(outcomes)) % len(load.questions)]
                position = task.positions[question.position]
                found = await ask(stub, load.client, question, position, due)
                outcomes.append(found)
                wait = load.pause
                if found.code != OK:
                    wait = max(load.patience, found.retry_after or 0.0)
                due = found.done + wait
            return outcomes

        callers = await asyncio.gather(*(caller(number) for number in range(load.callers)))
        return [outcome for outcomes in callers for outcome in outcomes]


def _probe_health(address: str, begin: float, seconds: float) -> list[float]:
    took = []
    with grpc.insecure_channel(address, (("grpc.use_local_subchannel_pool", 1),)) as channel:
        check = HealthStub(channel).Check
        check(HealthCheckRequest(), timeout=10.0, wait_for_ready=True)
        time.sleep(max(0.0, begin - time.monotonic()))
        while (sent := time.monotonic()) < begin + seconds:
            try:
                check(HealthCheckRequest(), timeout=10.0)
                took.append(time.monotonic() - sent)
            except grpc.RpcError:
                took.append(float("inf"))
            time.sleep(0.02)
    return took
