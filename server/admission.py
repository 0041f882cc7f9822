"""How many searches run at once; further ones wait their turn, and too many are refused.

The number bounds the memory of all searches together: each may take its whole share. It is high
enough that calls normally share the processors instead of waiting here.

Whoever is refused is refused at once. So nobody is let into the queue who would not get a slot in
time, and no client may fill the queue: it may have as many waiting as twice the free places, after
the dynamic thresholds of packet switches (Choudhury, Hahne 1998). A few places are always free for
clients that have none, then.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from adamas.v1 import advisor_service_pb2 as pb
from server import errors
from server.fairness import FairQueue

_SHORTEST_RETRY, _LONGEST_RETRY = 0.1, 10.0
_GREED = 2
"""How many places in the queue a client may have for each that is free."""
_SMOOTHING = 1 / 8


@dataclass(frozen=True)
class Claim:
    """Who wants a slot, and when. Times are of time.monotonic()."""

    client: str
    priority: pb.Priority.ValueType
    ends: float
    """When the slot will be free again, at the latest."""
    may_end_early: bool
    last_moment: float
    """After this a slot is of no use any more."""


@dataclass(frozen=True, eq=False)
class _Holder:
    claim: Claim
    began: float


class Slots:
    """A fair semaphore with a bounded queue."""

    def __init__(self, slots: int, max_waiting: int) -> None:
        self._free = slots
        self._max_waiting = max_waiting
        self._holders: set[_Holder] = set()
        self._queue: FairQueue[asyncio.Future[None]] = FairQueue()
        self._waiting: Counter[tuple[pb.Priority.ValueType, str]] = Counter()
        self._mean_hold = 0.0
        self._mean_early_hold = 0.0

    @property
    def held(self) -> int:
        """How many slots are held."""
        return len(self._holders)

    @property
    def waiting(self) -> int:
        """How many searches wait for a slot."""
        return self._waiting.total()

    @asynccontextmanager
    async def hold(self, claim: Claim) -> AsyncIterator[None]:
        """Holds a slot; raises Refused if none is to be had by the claim's last moment."""
        await self._acquire(claim)
        holder = _Holder(claim, time.monotonic())
        self._holders.add(holder)
        try:
            yield
        finally:
            self._holders.discard(holder)
            self._learn(claim, time.monotonic() - holder.began)
            self._release()

    def retry_seconds(self) -> float:
        """When trying again may help: after about half of the running searches have ended."""
        ends = self._expected_ends()
        wait = ends[len(ends) // 2] - time.monotonic() if ends else 0.0
        return min(max(wait, _SHORTEST_RETRY), _LONGEST_RETRY)

    async def _acquire(self, claim: Claim) -> None:
        if self._free > 0:
            self._free -= 1
            return
        self._refuse_if_hopeless(claim)
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        now = time.monotonic()
        ticket = self._queue.ticket(claim.client, claim.priority, turn, due=now)
        ticket.enqueue()
        key = claim.priority, claim.client
        self._waiting[key] += 1
        try:
            async with asyncio.timeout(claim.last_moment - now):
                await turn
        except BaseException as error:
            if turn.done() and not turn.cancelled():
                self._release()  # the slot came together with the end of waiting
            if isinstance(error, TimeoutError):
                raise self._refusal("no search could be started in time") from None
            raise
        finally:
            self._queue.leave(ticket)
            self._waiting[key] -= 1
            if not self._waiting[key]:
                del self._waiting[key]

    def _release(self) -> None:
        """Gives the slot to whose turn it is."""
        while (ticket := self._queue.take(1.0)) is not None:
            if not ticket.item.done():
                ticket.item.set_result(None)
                return
        self._free += 1

    def _refuse_if_hopeless(self, claim: Claim) -> None:
        places = self._max_waiting - self.waiting
        if places <= 0:
            raise self._refusal("too many searches are waiting")
        if self._waiting[claim.priority, claim.client] >= _GREED * places:
            raise self._refusal("too many searches of this client are waiting")
        if self._expected_start(claim) > claim.last_moment:
            raise self._refusal("no search could be started in time")

    def _expected_start(self, claim: Claim) -> float:
        """When the claim would get a slot, if it waited."""
        rounds, position = divmod(self._ahead(claim), max(1, self.held))
        ends = self._expected_ends()
        first_round = ends[position] if ends else 0.0
        return first_round + rounds * self._mean_hold

    def _ahead(self, claim: Claim) -> int:
        """How many of those who wait would get a slot before the claim."""
        own = self._waiting[claim.priority, claim.client]
        ahead = own
        for (priority, client), waiting in self._waiting.items():
            if priority == claim.priority:
                ahead += min(waiting, own + 1) if client != claim.client else 0
            elif priority == pb.PRIORITY_INTERACTIVE:
                ahead += waiting
        return ahead

    def _expected_ends(self) -> list[float]:
        """When the slots will get free, in order."""
        return sorted(
            min(holder.claim.ends, holder.began + self._mean_early_hold)
            if holder.claim.may_end_early
            else holder.claim.ends
            for holder in self._holders
        )

    def _learn(self, claim: Claim, seconds: float) -> None:
        self._mean_hold += _SMOOTHING * (seconds - self._mean_hold)
        if claim.may_end_early:
            self._mean_early_hold += _SMOOTHING * (seconds - self._mean_early_hold)

    def _refusal(self, message: str) -> errors.Refused:
        return errors.overloaded(message, self.retry_seconds())
