"""All workers: as many as set, each replaced when it ends; isolated ones for single searches."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from typing import Any, TypeVar

from engines.jit import JIT_ENABLED
from server.log import Logger
from server.telemetry.memory import memory_bytes
from server.telemetry.metrics import NO_METRICS, Gauge, Metrics
from server.workers.connection import Worker, WorkerDied
from server.workers.ending import Ending
from server.workers.launcher import Launcher, LauncherGone

_LOOK_INTERVAL = 1.0
_LONGEST_REQUEST = 10.0 if JIT_ENABLED else 600.0
"""A worker that has not answered for longer hangs."""
_SHORT_LIFE = 10.0
_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.1, 5.0
"""Before a worker is replaced that lived for a short time only, as did others before it."""
_LAST_WORDS = 1.0
"""How long to wait for the exit code of a worker whose connection has ended."""
T = TypeVar("T")


class Workers:
    """The pool. All methods are for one event loop."""

    def __init__(
        self,
        size: int,
        lanes: int,
        logger: Logger,
        metrics: Metrics = NO_METRICS,
        on_loss: Callable[[Iterable[str]], None] = lambda _: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``lanes`` is how many slices a worker may run at a time.

        ``on_loss`` is called with the fingerprints of the searches that were in a worker that has
        died, before these hear of it; isolated workers are left out, see ``retire``.
        Patience with workers is measured by the clock.
        """
        self._metrics = metrics
        metrics.observe(Gauge.WORKERS, lambda: len(self._workers))
        metrics.observe(Gauge.WORKER_MEMORY, lambda: memory_bytes(self.pids))
        self._size = size
        self._lanes = lanes
        self._on_loss = on_loss
        self._clock = clock
        self._logger = logger
        self._launcher: Launcher | None = None
        self._launching = asyncio.Lock()
        self._workers: list[Worker] = []
        self._isolated: set[Worker] = set()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._changed = asyncio.Event()
        self._pause = 0.0
        self._closing = False
        self.deaths = 0
        """How many workers have ended, other than by ``close``."""

    @property
    def pids(self) -> tuple[int, ...]:
        """The process ids of the workers that are alive."""
        return tuple(worker.pid for worker in (*self._workers, *tuple(self._isolated)))

    async def start(self) -> None:
        """Starts the process that makes workers, which takes a while to load what it needs."""
        self._launcher = await Launcher.start()

    async def load(self) -> None:
        """Makes the workers; everything must have been compiled before."""
        assert self._launcher is not None, "start comes first"  # noqa: S101
        await self._launcher.load()
        for _ in range(self._size):
            await self._add()
        self._keep(self._watch())

    async def for_search(self, *, background: bool = False) -> Worker:
        """The worker for a search, as ``present`` chooses; waits for one if there is none."""
        while (worker := self.present(background=background)) is None:
            self._changed.clear()
            await self._changed.wait()
        return worker

    def present(self, *, background: bool) -> Worker | None:
        """The worker for a search: the one with the fewest.

        Threads with little priority run background searches. They may not hold up an interactive
        one by keeping the interpreter lock that it needs. So background searches keep to half of
        the workers, and interactive ones keep out of their way. All keep away from workers that
        seem to hang.
        """
        workers = [worker for worker in self._workers if not worker.silent] or self._workers
        if background:
            workers = workers[len(workers) // 2 :]
            return min(workers, key=lambda worker: worker.searches, default=None)
        return min(
            workers,
            key=lambda worker: (worker.background_searches > 0, worker.searches),
            default=None,
        )

    async def isolated(self) -> Worker:
        """A further worker, for one search alone, to be ended by ``retire``.

        Raises WorkerDied if none can be made.
        """
        making = self._keep(self._isolate())
        try:
            return await asyncio.shield(making)
        except asyncio.CancelledError:
            making.add_done_callback(self._retire_unused)
            raise
        except (LauncherGone, OSError) as error:
            self._logger.error("no new worker", reason=str(error))
            raise WorkerDied from None

    def retire(self, worker: Worker, on_end: Callable[[Ending | None], None]) -> None:
        """Ends an isolated worker, once it has answered all that it was asked.

        Then ``on_end`` is called, with how the worker ended if it died before that.
        """
        self._keep(self._retire(worker, on_end))

    async def close(self) -> None:
        """Ends all workers, and what makes them."""
        self._closing = True
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for worker in (*self._workers, *self._isolated):
            worker.close()
        if self._launcher is not None:
            await self._launcher.close()

    async def _add(self) -> None:
        worker = await self._fork(self._on_death)
        if worker.alive:
            self._logger.info("worker started", pid=worker.pid)
            self._workers.append(worker)
            self._changed.set()

    async def _fork(self, on_death: Callable[[Worker], None]) -> Worker:
        connection, pid = await (await self._ready_launcher()).fork(self._lanes)
        return await Worker.connect(connection, pid, on_death, self._clock)

    async def _isolate(self) -> Worker:
        worker = await self._fork(self._isolated.discard)
        if not worker.alive:
            raise WorkerDied
        self._logger.info("isolated worker started", pid=worker.pid)
        self._isolated.add(worker)
        return worker

    def _retire_unused(self, making: asyncio.Task[Worker]) -> None:
        """Nobody waited any longer for an isolated worker."""
        if not making.cancelled() and making.exception() is None:
            self.retire(making.result(), lambda _: None)

    async def _retire(self, worker: Worker, on_end: Callable[[Ending | None], None]) -> None:
        ending: Ending | None = None
        try:
            await worker.settled()
            if worker.alive:
                self._isolated.discard(worker)
                worker.close()
                await self._exit_code(worker.pid)
            elif not self._closing:
                self._count_death()
                ending = await self._report(worker, 1)
        finally:
            on_end(ending)

    async def _ready_launcher(self) -> Launcher:
        """The fork server; a new one, if it has ended."""
        async with self._launching:
            assert self._launcher is not None, "start comes first"  # noqa: S101
            if self._launcher.gone:
                self._logger.error("fork server died")
                await self._launcher.close()
                self._launcher = await Launcher.start()
                await self._launcher.load()
            return self._launcher

    def _on_death(self, worker: Worker) -> None:
        if worker in self._workers:
            self._workers.remove(worker)
        if not self._closing:
            self._count_death()
            self._on_loss(set(filter(None, worker.present)))
            self._keep(self._report(worker, worker.searches))
            self._keep(self._replace(worker))

    def _count_death(self) -> None:
        self.deaths += 1
        self._metrics.worker_died()

    async def _replace(self, worker: Worker) -> None:
        if time.monotonic() - worker.began > _SHORT_LIFE:
            self._pause = 0.0
        pause = self._pause
        self._pause = min(max(2 * pause, _SHORTEST_PAUSE), _LONGEST_PAUSE)
        await asyncio.sleep(pause)
        while True:
            try:
                await self._add()
            except (LauncherGone, OSError) as error:
                self._logger.error("no new worker", reason=str(error))
                await asyncio.sleep(_LONGEST_PAUSE)
            else:
                return

    async def _report(self, worker: Worker, searches: int) -> Ending:
        """Logs the end of a worker, and how many searches it had."""
        ending = Ending(await self._exit_code(worker.pid), worker.hung)
        self._logger.error("worker died", pid=worker.pid, searches=searches, **ending.fields())
        return ending

    async def _exit_code(self, pid: int) -> int | None:
        """Of a worker whose connection has ended, or its negative signal number, if known."""
        if self._launcher is not None:
            with suppress(TimeoutError):
                return await asyncio.wait_for(self._launcher.ended(pid), _LAST_WORDS)
        return None

    async def _watch(self) -> None:
        """Ends workers that hang."""
        while True:
            await asyncio.sleep(_LOOK_INTERVAL)
            for worker in (*self._workers, *self._isolated):
                if worker.longest_wait() > _LONGEST_REQUEST:
                    self._logger.error("worker hangs", pid=worker.pid)
                    worker.hung = True
                    with suppress(LauncherGone):
                        await (await self._ready_launcher()).kill(worker.pid)
                    worker.close()

    def _keep(self, coroutine: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
