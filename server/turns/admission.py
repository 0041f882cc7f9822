"""How many searches run at once; further ones wait their turn, and too many are refused.

The number bounds the memory of all searches together: each may take its whole share. It is high
enough that calls normally share the processors instead of waiting here. An eighth of the slots, and
at least one, is out of bounds for background searches, so that an interactive one seldom has to
wait for one of them to end. Where there is a single slot, the one that is kept comes on top of it.

Whoever is refused is refused at once. So nobody is let into the queue who would not get a slot in
time to think for half as long as was asked for, and whose time runs out goes first. When many wait,
no client may have more than its equal part of all slots and places, and the last eighth of the
places is for clients that have nothing waiting. The last half is not for clients that have had
clearly more slots lately than others.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from statistics import fmean

from adamas.v1 import advisor_service_pb2 as pb
from server import errors
from server.turns.fairness import FairQueue, Ticket
from server.turns.usage import Usage

_SHORTEST_RETRY, _LONGEST_RETRY = 0.1, 10.0
_KEPT_PART = 8
_FAIR_PART = 0.5
"""Of its thinking time, a search that had to wait for its slot gets at least so much."""
_GREED = 2
"""How many slots and places a client may have for each place that is free, whatever its part is."""
_SMOOTHING = 1 / 8
_GOLDEN_RATIO = (math.sqrt(5.0) - 1.0) / 2.0
"""Fractional parts of its multiples are spread evenly, however many there are."""


@dataclass(frozen=True)
class Claim:
    """Who wants a slot, and when. Times are of time.monotonic()."""

    client: str
    priority: pb.Priority.ValueType
    seconds: float
    """For how long the search would like to think."""
    may_end_early: bool
    """Whether something else than the time may end it."""
    last_moment: float
    """When it has to end in any case; after this a slot is of no use any more."""


@dataclass(frozen=True, eq=False)
class _Holder:
    claim: Claim
    began: float

    @property
    def ends(self) -> float:
        """When the slot will be free again, at the latest."""
        return min(self.began + self.claim.seconds, self.claim.last_moment)


class _Waiter:
    """Somebody who waits; ``turn`` is done when the slot is there."""

    ticket: Ticket[_Waiter]

    def __init__(self, claim: Claim, turn: asyncio.Future[None]) -> None:
        self.claim = claim
        self.turn = turn


class Slots:
    """A fair semaphore with a bounded queue."""

    def __init__(self, slots: int, max_waiting: int) -> None:
        self._slots = slots
        self._kept = max(1, slots // _KEPT_PART)
        self._most_background = max(1, slots - self._kept)
        self._max_waiting = max_waiting
        self._taken: Counter[pb.Priority.ValueType] = Counter()
        """By priority, those included that have just been given to a search that waited."""
        self._holders: set[_Holder] = set()
        self._refusals = 0
        self._usage = Usage()
        self._queue: FairQueue[_Waiter] = FairQueue()
        self._waiters: set[_Waiter] = set()
        self._mean_early_hold = 0.0

    @property
    def held(self) -> int:
        """How many slots are held."""
        return len(self._holders)

    @property
    def waiting(self) -> int:
        """How many searches wait for a slot."""
        return len(self._waiters)

    @asynccontextmanager
    async def hold(self, claim: Claim) -> AsyncIterator[None]:
        """Holds a slot; raises Refused if none is to be had by the claim's last moment."""
        await self._acquire(claim)
        holder = _Holder(claim, time.monotonic())
        self._holders.add(holder)
        self._usage.add(claim.client)
        try:
            yield
        finally:
            self._holders.discard(holder)
            self._learn(claim, time.monotonic() - holder.began)
            self._release(claim.priority)

    def retry_seconds(self) -> float:
        """When trying again may help: after about half of the running searches have ended.

        Or up to twice as late. Those who are refused one after another are told times that are far
        apart, or they would all come back at once, and whoever comes then would wait for them.
        """
        ends = self._expected_ends()
        wait = ends[len(ends) // 2] - time.monotonic() if ends else 0.0
        self._refusals += 1
        spread = 1.0 + self._refusals * _GOLDEN_RATIO % 1.0
        return min(max(wait, _SHORTEST_RETRY) * spread, _LONGEST_RETRY)

    async def _acquire(self, claim: Claim) -> None:
        if self._has_slot(claim.priority):
            # Whoever is alone is let in whatever was learnt in a rush, or nothing else would be.
            if self._holders and time.monotonic() > claim.last_moment:
                raise self._refusal("no answer could be there in time")
            self._taken[claim.priority] += 1
            return
        self._refuse_if_hopeless(claim)
        now = time.monotonic()
        waiter = _Waiter(claim, asyncio.get_running_loop().create_future())
        waiter.ticket = self._queue.ticket(claim.client, claim.priority, waiter, due=now)
        waiter.ticket.enqueue()
        self._waiters.add(waiter)
        try:
            async with asyncio.timeout(self._latest_start(claim) - now):
                await waiter.turn
        except BaseException as error:
            if waiter.turn.done() and not waiter.turn.cancelled():
                self._release(claim.priority)  # the slot came together with the end of waiting
            if isinstance(error, TimeoutError):
                raise self._refusal("no search could be started in time") from None
            raise
        finally:
            self._queue.leave(waiter.ticket)
            self._waiters.discard(waiter)

    def _has_slot(self, priority: pb.Priority.ValueType) -> bool:
        """Whether a slot is free for searches of a priority."""
        free = self._taken.total() < self._slots
        if priority == pb.PRIORITY_BACKGROUND:
            return free and self._taken[priority] < self._most_background
        return free or self._taken[priority] < self._kept

    def _release(self, priority: pb.Priority.ValueType) -> None:
        """Takes a slot back, and gives it to whose turn it is."""
        self._taken[priority] -= 1
        while (waiter := self._hasty() or self._next()) is not None:
            self._waiters.discard(waiter)
            self._queue.leave(waiter.ticket)
            if not waiter.turn.done():
                self._taken[waiter.claim.priority] += 1
                waiter.turn.set_result(None)
                return

    def _next(self) -> _Waiter | None:
        """Whose turn it is."""
        ticket = None
        if self._has_slot(pb.PRIORITY_BACKGROUND):
            ticket = self._queue.take(1.0)
        elif self._has_slot(pb.PRIORITY_INTERACTIVE):
            ticket = self._queue.take(1.0, only=pb.PRIORITY_INTERACTIVE)
        return ticket.item if ticket is not None else None

    def _hasty(self) -> _Waiter | None:
        """Who can't wait for the next slot, but for this one; it was let in on that promise."""
        if not self._waiters:
            return None
        ends = self._expected_ends()
        if not ends:
            return None
        hasty = [
            waiter
            for waiter in self._waiters
            if self._latest_start(waiter.claim) < ends[0] and self._has_slot(waiter.claim.priority)
        ]
        found = min(hasty, key=lambda waiter: self._latest_start(waiter.claim), default=None)
        if found is not None:
            found.ticket.charge(1.0)
        return found

    def _refuse_if_hopeless(self, claim: Claim) -> None:
        places = self._max_waiting - self.waiting
        if places <= 0:
            raise self._refusal("too many searches are waiting")
        clients = Counter(holder.claim.client for holder in self._holders)
        clients.update(waiter.claim.client for waiter in self._waiters)
        part = math.ceil((self._slots + self._max_waiting) / len({*clients, claim.client}))
        waits = any(waiter.claim.client == claim.client for waiter in self._waiters)
        kept = waits and places <= self._max_waiting // _KEPT_PART
        if kept or clients[claim.client] >= max(part, _GREED * places):
            raise self._refusal("too many searches of this client are running or waiting")
        if places <= self._max_waiting // 2 and self._usage.is_ahead(claim.client):
            raise self._refusal("this client has had more searches lately than others that ask")
        if self._expected_start(claim) > self._latest_start(claim):
            raise self._refusal("no search could be started in time")

    def _expected_start(self, claim: Claim) -> float:
        """When the claim would get a slot, if it waited."""
        rounds, position = divmod(self._ahead(claim), max(1, self.held))
        ends = self._expected_ends()
        start = ends[position] if ends else 0.0
        if rounds:
            start += rounds * fmean(self._expected_hold(waiter.claim) for waiter in self._waiters)
        return start

    def _latest_start(self, claim: Claim) -> float:
        """When a search has to have its slot, so that it can still think for its fair part."""
        return claim.last_moment - _FAIR_PART * self._expected_hold(claim)

    def _expected_hold(self, claim: Claim) -> float:
        """For how long a claim would have its slot."""
        return min(claim.seconds, self._mean_early_hold) if claim.may_end_early else claim.seconds

    def _ahead(self, claim: Claim) -> int:
        """How many of those who wait would get a slot before the claim."""
        alike: Counter[str] = Counter()
        ahead = 0
        for waiter in self._waiters:
            if waiter.claim.priority == claim.priority:
                alike[waiter.claim.client] += 1
            elif claim.priority == pb.PRIORITY_BACKGROUND:
                ahead += 1
        own = alike.pop(claim.client, 0)
        return ahead + own + sum(min(waiting, own + 1) for waiting in alike.values())

    def _expected_ends(self) -> list[float]:
        """When the slots will get free, in order."""
        return sorted(
            min(holder.ends, holder.began + self._mean_early_hold)
            if holder.claim.may_end_early
            else holder.ends
            for holder in self._holders
        )

    def _learn(self, claim: Claim, seconds: float) -> None:
        if claim.may_end_early:
            self._mean_early_hold += _SMOOTHING * (seconds - self._mean_early_hold)

    def _refusal(self, message: str) -> errors.Refused:
        return errors.overloaded(message, self.retry_seconds())
