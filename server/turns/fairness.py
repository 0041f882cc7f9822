"""Whose turn it is: first by priority, then by client, then by search.

Start-time fair queueing (Goyal, Vin, Cheng 1996) on three levels. Everything that wants turns is a
flow with a virtual time that advances by what its turns cost, divided by its weight; the flow that
is furthest behind is next. A flow that comes back, or is new, starts at the present virtual time:
it is next, but can't claim turns for the time that it was away.

Interactive flows have nine times the weight of background ones. So they overtake them, and
background flows still have a tenth of all turns under any load.
"""

from __future__ import annotations

import heapq
from collections import Counter
from itertools import count
from typing import Generic, TypeAlias, TypeVar

from adamas.v1 import advisor_service_pb2 as pb

T = TypeVar("T")

_WEIGHTS = {pb.PRIORITY_INTERACTIVE: 9.0, pb.PRIORITY_BACKGROUND: 1.0}
_numbers = count()
_ClientKey: TypeAlias = tuple[pb.Priority.ValueType, str]


class _Flow:
    """Something that is given turns by the flow above it, and passes them on to flows below."""

    def __init__(self, above: _Flow | None, weight: float = 1.0) -> None:
        self._above = above
        self._weight = weight
        self._start = 0.0
        self._finish = 0.0
        self._queued = False
        self._now = 0.0
        self._below: list[tuple[tuple[float, ...], _Flow]] = []

    @property
    def queued(self) -> bool:
        """Whether it waits for a turn."""
        return self._queued

    def enqueue(self) -> None:
        """Wants a turn, and so does everything above."""
        above = self._above
        if self._queued or above is None:
            return
        self._queued = True
        self._start = max(self._finish, above._now)
        heapq.heappush(above._below, ((*self._rank(), next(_numbers)), self))
        above.enqueue()

    def descend(self, cost: float) -> _Flow:
        """Takes the flow at the bottom whose turn it is out of its queue, and charges for it."""
        if not self._below:
            return self
        _, flow = heapq.heappop(self._below)
        flow._queued = False
        self._now = max(self._now, flow._start)
        found = flow.descend(cost)
        if flow._below:
            flow.enqueue()
        return found

    def charge(self, cost: float) -> None:
        """Accounts for what a turn cost, here and above."""
        self._finish = max(self._finish, self._start) + cost / self._weight
        if self._above is not None:
            self._above.charge(cost)

    def _rank(self) -> tuple[float, ...]:
        """What the order among flows with the same flow above goes by."""
        return (self._start, -self._weight)


class Ticket(_Flow, Generic[T]):
    """A search's place in a fair queue. As long as it is ``fresh``, it goes before the others of
    its client, the one that is due soonest first."""

    def __init__(self, client: _Flow, key: _ClientKey, item: T, due: float) -> None:
        super().__init__(client)
        self.key = key
        self.item = item
        self.due = due
        self.fresh = True
        self.gone = False

    def descend(self, cost: float) -> _Flow:
        """Takes its turn."""
        self.charge(cost)
        return self

    def charge(self, cost: float) -> None:
        """Accounts for what a turn cost, unless the search has given up its place."""
        if not self.gone:
            super().charge(cost)

    def _rank(self) -> tuple[float, ...]:
        return (0.0, self.due) if self.fresh else (1.0, self._start)


class FairQueue(Generic[T]):
    """Gives turns to searches."""

    def __init__(self) -> None:
        self._root = _Flow(None)
        self._priorities = {kind: _Flow(self._root, weight) for kind, weight in _WEIGHTS.items()}
        self._clients: dict[_ClientKey, _Flow] = {}
        self._tickets: Counter[_ClientKey] = Counter()

    def ticket(
        self, client: str, priority: pb.Priority.ValueType, item: T, due: float
    ) -> Ticket[T]:
        """A place for a search, until ``leave``; it does not want a turn yet."""
        key = priority, client
        if key not in self._clients:
            self._clients[key] = _Flow(self._priorities[priority])
        self._tickets[key] += 1
        return Ticket(self._clients[key], key, item, due)

    def take(self, cost: float, only: pb.Priority.ValueType | None = None) -> Ticket[T] | None:
        """Whose turn it is, of those that want one, or of those of one priority only.

        It is charged at once.
        """
        top = self._root if only is None else self._priorities[only]
        while top._below:
            found = top.descend(cost)
            if isinstance(found, Ticket) and not found.gone:
                return found
        return None

    def leave(self, ticket: Ticket[T]) -> None:
        """Gives up a place."""
        if not ticket.gone:
            ticket.gone = True
            self._tickets[ticket.key] -= 1
            if not self._tickets[ticket.key]:
                del self._tickets[ticket.key], self._clients[ticket.key]
