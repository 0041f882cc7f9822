"""Several servers behind a load balancer, one of which dies."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack

from benchmarks.figures import Figure, at_least, at_most
from benchmarks.load.balancers import BALANCERS, NotInstalled
from benchmarks.load.calls import OK, Outcome, Question
from benchmarks.load.clients import Identity
from benchmarks.load.generator import ClosedLoad, gathered, generator
from benchmarks.load.positions import positions
from benchmarks.load.scale import Scale
from benchmarks.load.summaries import answered, codes, lateness, percentile
from tools.server_process import serving, start_server

_SERVERS, _CLIENTS, _CALLERS = 3, 3, 4
_LIMIT = 0.2
_FLAGS = ("--threads", "1")


def measure(scale: Scale) -> Iterator[Figure]:
    """Clients with the shipped service config lose no call when one of three servers is killed.

    With HAProxy and nginx as shipped, and with clients that take turns themselves.
    """
    for name in BALANCERS:
        try:
            outcomes, killed = _one_dies(name, scale.balanced_seconds)
        except NotInstalled as error:
            yield Figure(f"balanced.{name}.lost", float("nan"), note=f"not measured: {error}")
            continue
        lost = [outcome for outcome in outcomes if outcome.code != OK]
        note = "; ".join([codes(outcomes), *sorted({outcome.text for outcome in lost})])
        yield at_most(f"balanced.{name}.lost", len(lost), 0, "calls", note)
        yield _in_flight(name, outcomes, killed)
        yield lateness(f"balanced.{name}", outcomes)


def _one_dies(balancer: str, seconds: float) -> tuple[Sequence[Outcome], float]:
    """What came of all calls, and when a server was killed."""
    with ExitStack() as stack:
        servers = [stack.enter_context(serving(*_FLAGS)) for _ in range(_SERVERS - 1)]
        victim = start_server(*_FLAGS)
        stack.callback(victim.kill)
        addresses = [victim.address, *(server.address for server in servers)]
        target = stack.enter_context(BALANCERS[balancer](addresses))
        load = stack.enter_context(generator(1))
        asked = positions(servers[0].address, per_game=1)
        questions = [Question(number, _LIMIT, timeout=10.0) for number in range(len(asked))]
        callers = [
            ClosedLoad(Identity(f"client-{i}", shipped=True), questions, _CALLERS)
            for i in range(_CLIENTS)
        ]
        begin, futures = load.start(target, asked, callers, seconds)
        # Not on the beat of the calls, so that some are under way.
        time.sleep(begin + seconds / 2 + _LIMIT / 2 - time.monotonic())
        killed = time.monotonic()
        victim.kill()
        return gathered(futures), killed


def _in_flight(name: str, outcomes: Sequence[Outcome], killed: float) -> Figure:
    """Without calls under way, nothing could have been lost."""
    under_way = [o for o in outcomes if o.sent < killed < o.done]
    longest = percentile((o.seconds for o in answered(under_way)), 100)
    note = f"the slowest of them took {longest:.2f} s in all"
    return at_least(f"balanced.{name}.under_way_at_the_kill", len(under_way), 1, "calls", note)
