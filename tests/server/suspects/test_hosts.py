"""Which worker a search gets, and what is learnt from what became of it there."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable, Iterator

import grpc
import pytest

from engines.violations import invalid
from server.errors import Refused
from server.log import LineWriter, make_logger
from server.suspects.hosts import Hosts
from server.suspects.quarantine import MOST_TRIALS_ALIKE, Quarantine, Quarantined
from server.workers.connection import SearchFailed, Worker, WorkerDied
from server.workers.ending import Ending
from server.workers.pool import Workers
from tests.server.positions import Memory

CRASHED = Ending(-signal.SIGSEGV)
SHARED = Worker(1, lambda _: None)


class FakeWorkers(Workers):
    """A pool without processes. An isolated worker ends as the test says, when it says so."""

    def __init__(self) -> None:
        self.isolated_workers = 0
        self.can_fork = True
        self.ending: Ending | None = None
        """How isolated workers end."""
        self.settled = asyncio.Event()
        """Whether isolated workers have answered everything."""
        self.settled.set()
        self._retiring: set[asyncio.Task[None]] = set()

    def present(self, *, background: bool) -> Worker | None:
        return SHARED

    async def isolated(self) -> Worker:
        if not self.can_fork:
            raise WorkerDied
        self.isolated_workers += 1
        return Worker(100 + self.isolated_workers, lambda _: None)

    def retire(self, worker: Worker, on_end: Callable[[Ending | None], None]) -> None:
        async def end() -> None:
            await self.settled.wait()
            self.isolated_workers -= 1
            on_end(self.ending)

        self._retiring.add(asyncio.create_task(end()))

    async def retired(self) -> None:
        """Waits until all that are to end have ended."""
        await asyncio.gather(*self._retiring)


class Ground:
    """Hosts with fake workers, and a suspect."""

    def __init__(self) -> None:
        self.writer = LineWriter(Memory())
        self.quarantine = Quarantine(make_logger(self.writer, "json", "info"))
        self.quarantine.suspect(["suspect"])
        self.workers = FakeWorkers()
        self._hosts = Hosts(self.workers, self.quarantine)

    async def search(
        self, error: BaseException | None = None, *, name: str = "suspect", seconds: float = 60.0
    ) -> Worker:
        """Where a search runs that ends with an error, or with an answer."""
        last_moment = time.monotonic() + seconds
        async with self._hosts.host(name, last_moment=last_moment, background=False) as worker:
            if error is not None:
                raise error
            return worker

    async def is_suspected(self) -> bool:
        """Whether the suspect still is one; it may be refused, too."""
        trial = await self.quarantine.admit("suspect")
        if trial is not None:
            trial.end()
        return trial is not None


@pytest.fixture
def ground() -> Iterator[Ground]:
    found = Ground()
    yield found
    found.writer.close()


async def test_only_a_suspect_has_a_worker_of_its_own(ground: Ground) -> None:
    assert await ground.search(name="other") is SHARED
    assert await ground.search() is not SHARED
    await ground.workers.retired()
    assert ground.workers.isolated_workers == 0
    assert await ground.search() is SHARED, "it has been cleared"


@pytest.mark.parametrize("error", [invalid("query.view", "is odd"), SearchFailed("KeyError")])
async def test_an_error_is_an_answer(ground: Ground, error: Exception) -> None:
    with pytest.raises(type(error)):
        await ground.search(error)
    assert not await ground.is_suspected()


@pytest.mark.parametrize("error", [asyncio.CancelledError(), TimeoutError()])
async def test_giving_up_is_no_answer(ground: Ground, error: BaseException) -> None:
    with pytest.raises(type(error)):
        await ground.search(error)
    await ground.workers.retired()
    assert await ground.is_suspected()


async def test_a_search_that_ends_its_own_worker_is_refused_at_once(ground: Ground) -> None:
    ground.workers.ending = CRASHED
    for error in (WorkerDied(), None):
        with pytest.raises(Quarantined):
            await ground.search(error)


async def test_a_search_that_was_lost_without_its_fault_is_just_lost(ground: Ground) -> None:
    ground.workers.ending = Ending(-signal.SIGKILL)
    with pytest.raises(WorkerDied):
        await ground.search(WorkerDied())
    assert await ground.is_suspected()


async def test_a_search_that_was_given_up_is_found_guilty_later(ground: Ground) -> None:
    ground.workers.settled.clear()
    ground.workers.ending = Ending(-signal.SIGKILL, hung=True)
    with pytest.raises(TimeoutError):
        await ground.search(TimeoutError())
    assert await ground.is_suspected()
    ground.workers.settled.set()
    await ground.workers.retired()
    with pytest.raises(Quarantined):
        await ground.search()


async def test_a_worker_that_can_not_be_had_takes_no_place(ground: Ground) -> None:
    ground.workers.can_fork = False
    for _ in range(MOST_TRIALS_ALIKE + 1):
        with pytest.raises(WorkerDied):
            await ground.search()
    ground.workers.can_fork = True
    assert await ground.search() is not SHARED


async def test_whoever_finds_no_place_in_time_is_told_to_come_back(ground: Ground) -> None:
    ground.workers.settled.clear()
    for _ in range(MOST_TRIALS_ALIKE):
        with pytest.raises(TimeoutError):
            await ground.search(TimeoutError())
    with pytest.raises(Refused) as refused:
        await ground.search(seconds=0.05)
    assert refused.value.code == grpc.StatusCode.RESOURCE_EXHAUSTED
    ground.workers.settled.set()
    await ground.workers.retired()
    assert await ground.search() is not SHARED
