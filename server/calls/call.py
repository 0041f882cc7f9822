"""The call that is being handled, as whoever handles it sees it."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from server.access.guard import NOBODY, Caller


@dataclass
class Call:
    """One call, or one request of a stream: when it began and has to end, what its log line says.

    Times are of time.monotonic().
    """

    method: str
    peer: str
    started: float
    deadline: float | None
    size: int
    """How many bytes have been received."""
    request_id: str = ""
    """What the client calls its request."""
    fields: dict[str, Any] = field(default_factory=dict)
    caller: Caller = NOBODY

    @property
    def client(self) -> str:
        """Who is calling; all calls of a client together get a fair share."""
        return self.caller.name

    def note(self, **fields: Any) -> None:
        """Adds fields to the call's log line. Nothing hidden from a seat belongs there."""
        self.fields.update(fields)


current: ContextVar[Call] = ContextVar("call")


def current_call() -> Call:
    """The call that is being handled."""
    return current.get()
