"""Finds each search the worker that it runs in: among others, or alone if it is suspected."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from engines.violations import InvalidMessage
from server import errors
from server.suspects.quarantine import Quarantine, Trial
from server.workers.connection import SearchFailed, Worker, WorkerDied
from server.workers.pool import Workers

_RETRY_SECONDS = 1.0


class Hosts:
    """Brings the workers and the quarantine together. All methods are for one event loop."""

    def __init__(self, workers: Workers, quarantine: Quarantine) -> None:
        self._workers = workers
        self._quarantine = quarantine

    def check(self, fingerprint: str) -> None:
        """Raises Quarantined if a search is refused."""
        self._quarantine.check(fingerprint)

    @asynccontextmanager
    async def host(
        self, fingerprint: str, *, last_moment: float, background: bool
    ) -> AsyncIterator[Worker]:
        """The worker for a search, which has to leave it before the block ends.

        Raises WorkerDied if there is none by the last moment, a time of time.monotonic(). Raises
        Quarantined if the search is refused, and that in place of WorkerDied too if it is refused
        from now on; Refused if it has to be tried alone, and too many are.
        """
        trial = await self._admit(fingerprint, last_moment)
        if trial is None:
            yield await self._shared(last_moment, background=background)
            return
        try:
            async with self._alone(trial, last_moment) as worker:
                yield worker
        except WorkerDied:
            await trial.over()
            self._quarantine.check(fingerprint)
            raise

    async def _admit(self, fingerprint: str, last_moment: float) -> Trial | None:
        if not self._quarantine.suspects(fingerprint):
            return None
        try:
            async with asyncio.timeout(last_moment - time.monotonic()):
                return await self._quarantine.admit(fingerprint)
        except TimeoutError:
            raise errors.overloaded(
                "a worker died that had this search; it has to be tried alone, as have too many",
                _RETRY_SECONDS,
            ) from None

    async def _shared(self, last_moment: float, *, background: bool) -> Worker:
        if (worker := self._workers.present(background=background)) is not None:
            return worker
        try:
            async with asyncio.timeout(last_moment - time.monotonic()):
                return await self._workers.for_search(background=background)
        except TimeoutError:
            raise WorkerDied from None

    @asynccontextmanager
    async def _alone(self, trial: Trial, last_moment: float) -> AsyncIterator[Worker]:
        """A worker for a suspect, whose trial ends with it."""
        try:
            async with asyncio.timeout(last_moment - time.monotonic()):
                worker = await self._workers.isolated()
        except BaseException as error:
            trial.end()
            if isinstance(error, TimeoutError):
                raise WorkerDied from None
            raise
        try:
            yield worker
            trial.survived()
        except (InvalidMessage, SearchFailed):  # an answer, if not the one that was hoped for
            trial.survived()
            raise
        finally:
            # Whoever gives up a search that hangs does not wait here; its trial goes on.
            self._workers.retire(worker, trial.end)
