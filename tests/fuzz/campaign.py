"""Sends many messages to one server and notes every answer that something is wrong with."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import grpc

from tests.fuzz.failures import FOLDER, Failure
from tests.fuzz.figures import REFUSAL_LIMIT, Figures
from tests.fuzz.messages import Case
from tests.fuzz.oracle import problems
from tests.fuzz.service import Outcome, Service

_TRIES = 4
"""A slow refusal counts only if it is slow each time."""


@dataclass
class Campaign:
    """One run against one server. Failures are saved as they are found."""

    service: Service
    seed: int
    timed: bool
    """Whether a slow refusal is a failure; compiled code with checks is slow everywhere."""
    folder: Path = FOLDER
    figures: Figures = field(default_factory=Figures)

    @property
    def current(self) -> Path:
        """Where the message that is being handled lies, for when the process dies of it."""
        return self.folder / f"current-{self.seed}.json"

    def send(self, case: Case) -> tuple[str, ...]:
        """Sends one message; returns what is wrong with the answer."""
        self._remember(case)
        outcome = self.service.call(case.method, case.data)
        self.figures.add(case, outcome)
        found = tuple(self._problems(case, outcome))
        if found:
            self.figures.failures += 1
            Failure(case, self.seed, found).save(self.folder)
        return found

    def finish(self) -> None:
        """The process has survived all messages."""
        self.current.unlink(missing_ok=True)

    def _problems(self, case: Case, outcome: Outcome) -> Iterator[str]:
        try:
            yield from problems(self.service, case.method, case.data, outcome)
        except Exception:
            yield traceback.format_exc()
        if self.timed and self._is_slow(case, outcome):
            self.figures.slow_refusals += 1
            yield f"the refusal took {1000 * outcome.busy:.1f} ms of the processor each time"

    def _is_slow(self, case: Case, outcome: Outcome) -> bool:
        """Whether a refusal takes long by itself, not for other programs on the machine."""
        if outcome.code is grpc.StatusCode.OK or outcome.busy <= REFUSAL_LIMIT:
            return False
        again = (self.service.call(case.method, case.data) for _ in range(_TRIES - 1))
        return all(repeated.busy > REFUSAL_LIMIT for repeated in again)

    def _remember(self, case: Case) -> None:
        Failure(case, self.seed, ("the process died",)).save_as(self.current)
