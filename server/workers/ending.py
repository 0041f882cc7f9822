"""How a worker process ended, and whose doing it was."""

from __future__ import annotations

import signal
from dataclasses import dataclass


@dataclass(frozen=True)
class Ending:
    """The end of a worker that nobody had told to end."""

    exit_code: int | None
    """Or the negative signal number; None if it can't be known any more."""
    hung: bool = False
    """Whether it was killed because it did not answer."""

    @property
    def from_within(self) -> bool:
        """Whether what ran in it ended it: no operator, and no system that is short of memory."""
        return self.hung or self.exit_code not in (None, -signal.SIGKILL)

    def fields(self) -> dict[str, object]:
        """For a log line."""
        if self.exit_code is None:
            return {}
        if self.exit_code < 0:
            return {"signal": signal.Signals(-self.exit_code).name}
        return {"exit_code": self.exit_code}
