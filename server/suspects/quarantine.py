"""Which searches are suspected of ending the worker that runs them, and which are known to.

When a worker dies, nobody knows which of its searches did it: even one that was not running just
then may have left the memory in disorder. So all of them are suspects. Clients try again, and
a suspect is tried alone, in a worker that has no other search. If it is answered there, it is
cleared. If that worker dies too, it was the search, and it is refused for a while; then it is a
suspect again. A worker that was killed from outside proves nothing, unless that happens again and
again: the system that is short of memory kills whoever takes too much of it.

Searches are known by their fingerprints (see ``fingerprints``).
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from server.log import Logger
from server.telemetry.metrics import NO_METRICS, Gauge, Metrics
from server.workers.ending import Ending

SUSPICION = 600.0
"""For how many seconds a suspect is one, after the death of a worker or the end of a refusal."""
REFUSAL = 600.0
"""For how many seconds a search that has ended its own worker is refused."""
MOST_TRIALS, MOST_TRIALS_ALIKE = 16, 4
"""At once, in all and of one fingerprint; about as many as are lost with a worker of a busy server.
The second bound leaves room for others when one search is asked for again and again."""
KILLED_TOO_OFTEN = 3
"""So many times alone in a worker that was killed from outside is proof enough."""
MOST_RECORDS = 4096


class Quarantined(Exception):
    """The search is refused, as it has ended a worker that it had for itself."""

    def __init__(self, fingerprint: str, seconds: float) -> None:
        super().__init__(fingerprint, seconds)
        self.fingerprint = fingerprint
        self.seconds = seconds
        """For how long it will still be refused."""


@dataclass
class _Record:
    """What is known of a suspect. Times are those of the clock."""

    deaths: int = 0
    """At how many deaths of workers it was there."""
    killed_alone: int = 0
    """How many of them were its own and came from outside."""
    refused_until: float = 0.0
    forgotten_at: float = 0.0


class Trial:
    """The leave of a suspect to be tried alone. It takes a place until ``end``."""

    def __init__(self, quarantine: Quarantine, fingerprint: str) -> None:
        self.fingerprint = fingerprint
        self._quarantine = quarantine
        self._over = asyncio.Event()

    def survived(self) -> None:
        """The search has been answered."""
        self._quarantine.clear(self.fingerprint)

    def end(self, ending: Ending | None = None) -> None:
        """Its worker has gone, and how, if nobody had told it to."""
        self._quarantine.end_trial(self.fingerprint, ending)
        self._over.set()

    async def over(self) -> None:
        """Waits for the end."""
        await self._over.wait()


class Quarantine:
    """Keeps the records. All methods are for one event loop."""

    def __init__(
        self,
        logger: Logger,
        metrics: Metrics = NO_METRICS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._logger = logger
        self._clock = clock
        self._records: dict[str, _Record] = {}
        self._trials: Counter[str] = Counter()
        self._changed = asyncio.Event()
        metrics.observe(Gauge.SUSPECTED_SEARCHES, lambda: self._count(refused=False))
        metrics.observe(Gauge.QUARANTINED_SEARCHES, lambda: self._count(refused=True))

    def check(self, fingerprint: str) -> None:
        """Raises Quarantined if the search is refused."""
        record = self._record(fingerprint)
        if record is not None and (left := record.refused_until - self._clock()) > 0.0:
            raise Quarantined(fingerprint, left)

    def suspects(self, fingerprint: str) -> bool:
        """Whether the search may not run beside others."""
        return self._record(fingerprint) is not None

    async def admit(self, fingerprint: str) -> Trial | None:
        """None if the search may run beside others; otherwise its trial, once there is a place.

        Raises Quarantined if it is refused.
        """
        while True:
            self.check(fingerprint)
            if self._record(fingerprint) is None:
                return None
            if self._trials.total() < MOST_TRIALS and self._trials[fingerprint] < MOST_TRIALS_ALIKE:
                self._trials[fingerprint] += 1
                return Trial(self, fingerprint)
            self._changed.clear()
            await self._changed.wait()

    def suspect(self, fingerprints: Iterable[str]) -> None:
        """A worker that had these searches has died."""
        for fingerprint in fingerprints:
            record = self._note_death(fingerprint)
            self._logger.warning("search suspected", fingerprint=fingerprint, deaths=record.deaths)

    def clear(self, fingerprint: str) -> None:
        """A search was answered when tried alone."""
        if self._records.pop(fingerprint, None) is not None:
            self._logger.info("search cleared", fingerprint=fingerprint)
            self._changed.set()

    def end_trial(self, fingerprint: str, ending: Ending | None) -> None:
        """The worker of a trial has gone, and how, if nobody had told it to."""
        self._trials[fingerprint] -= 1
        if not self._trials[fingerprint]:
            del self._trials[fingerprint]
        if ending is not None:
            record = self._note_death(fingerprint)
            record.killed_alone += not ending.from_within
            if ending.from_within or record.killed_alone >= KILLED_TOO_OFTEN:
                self._refuse(fingerprint, record, ending)
        self._changed.set()

    def _refuse(self, fingerprint: str, record: _Record, ending: Ending) -> None:
        record.refused_until = self._clock() + REFUSAL
        record.forgotten_at = record.refused_until + SUSPICION
        self._logger.error(
            "search quarantined",
            fingerprint=fingerprint,
            deaths=record.deaths,
            seconds=REFUSAL,
            hung=ending.hung,
            **ending.fields(),
        )

    def _record(self, fingerprint: str) -> _Record | None:
        """What is known of a search, unless it is to be forgotten."""
        record = self._records.get(fingerprint)
        if record is not None and record.forgotten_at <= self._clock():
            del self._records[fingerprint]
            return None
        return record

    def _note_death(self, fingerprint: str) -> _Record:
        record = self._record(fingerprint)
        if record is None:
            self._make_room()
            record = self._records[fingerprint] = _Record()
        record.deaths += 1
        record.forgotten_at = max(record.forgotten_at, self._clock() + SUSPICION)
        return record

    def _make_room(self) -> None:
        """Forgets what is to be forgotten; of too many records, the next that would be."""
        for fingerprint in tuple(self._records):
            self._record(fingerprint)
        if len(self._records) >= MOST_RECORDS:
            del self._records[min(self._records, key=lambda one: self._records[one].forgotten_at)]

    def _count(self, *, refused: bool) -> int:
        """How many suspects there are, or how many that are refused; from any thread."""
        now = self._clock()
        return sum(
            (record.refused_until > now) is refused
            for record in tuple(self._records.values())
            if record.forgotten_at > now
        )
