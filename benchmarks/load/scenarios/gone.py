"""Clients that go away while the server searches for them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any

import grpc

from adamas.v1 import advisor_service_pb2 as pb
from adamas.v1.advisor_service_pb2_grpc import AdvisorServiceStub
from benchmarks.figures import Figure, at_least, at_most
from benchmarks.load.calls import Question, request_of
from benchmarks.load.positions import AskedPosition, positions
from benchmarks.load.processes import Processes
from benchmarks.load.scale import Scale
from benchmarks.load.summaries import percentile
from tools.server_process import serving

_WATCHED = 0.25
"""Seconds for which the server is watched after a client has gone."""
_STEP = 0.005
_BUSY = 0.5
"""Cores in use during a step from which on something is being searched."""
_STOPPED_MS = 50.0
_SEARCHED = 0.1
"""Seconds for which a client waits before it goes away."""
_SEARCHED_MS = 10.0
_IDLE = 0.05
_WARM_SHARE = 5
"""A fifth of the rounds come before memory and threads are counted."""


def measure(scale: Scale) -> Iterator[Figure]:
    """Searches of clients that cancel, are killed or run into their deadline stop within 50 ms.

    Afterwards nothing runs any more, and there are no more threads and not more memory than before.
    Seen from the processor time of the server's processes.
    """
    if not sys.platform.startswith("linux"):
        yield Figure("gone.stopped_ms_max", float("nan"), note="not measured: needs Linux")
        return
    with serving() as server, Departures(server.address) as departures:
        processes = Processes(server.pid)
        ways = (departures.cancel, departures.be_killed, departures.run_out_of_time)
        for way in ways:
            way()
        stopped: dict[str, list[float]] = {way.__name__: [] for way in ways}
        searched: list[float] = []
        threads = resident = 0.0
        for number in range(scale.gone_rounds):
            if number == scale.gone_rounds // _WARM_SHARE:
                threads, resident = processes.threads(), processes.resident_mib()
            way, used = ways[number % len(ways)], processes.processor_seconds()
            gone = way()
            searched.append(processes.processor_seconds() - used)
            stopped[way.__name__].append(1000 * _seconds_until_quiet(processes, gone))
        busy = processes.load(1.0)
        more_threads = processes.threads() - threads
        growth = 100 * (processes.resident_mib() / resident - 1)
    note = "processor time that each client's searches took before it went"
    yield at_least(
        "gone.searched_ms_min", 1000 * min(searched), _SEARCHED_MS, "ms", note, pace=True
    )
    for name, times in stopped.items():
        note = f"{len(times)} rounds, median {percentile(times, 50):.0f} ms"
        yield at_most(f"gone.{name}.stopped_ms_max", max(times), _STOPPED_MS, "ms", note, pace=True)
    yield at_most("gone.cores_busy_afterwards", busy, _IDLE, pace=True)
    yield at_most("gone.more_threads", more_threads, 0)
    yield at_most("gone.memory_growth_percent", growth, 5, "%", f"from {resident:.0f} MiB")


def _seconds_until_quiet(processes: Processes, gone: float) -> float:
    """How long after the client had gone the processors were last busy."""
    quiet_since = gone
    before, at = processes.processor_seconds(), time.monotonic()
    while at < gone + _WATCHED:
        time.sleep(_STEP)
        now_used, now = processes.processor_seconds(), time.monotonic()
        if now_used - before >= _BUSY * (now - at):
            quiet_since = now
        before, at = now_used, now
    return quiet_since - gone


class Departures:
    """Ways to go away. Each asks for a minute's search, waits a moment, goes, and says when."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._position = positions(address, per_game=1)[0]
        self._channel = grpc.insecure_channel(address)
        self._victim = Victim(address, self._position)

    def __enter__(self) -> Departures:
        return self

    def __exit__(self, *_: object) -> None:
        self._victim.kill()
        self._channel.close()

    def cancel(self) -> float:
        """A client that cancels a call and a stream."""
        calls = begin_calls(self._channel, self._position, timeout=60.0)
        time.sleep(_SEARCHED)
        gone = time.monotonic()
        for call in calls:
            call.cancel()
        return gone

    def be_killed(self) -> float:
        """A client process that dies."""
        victim, self._victim = self._victim, Victim(self._address, self._position)
        # The next one is ready before this one asks: starting it must not be seen as searching.
        self._victim.wait_ready()
        victim.ask()
        time.sleep(_SEARCHED)
        return victim.kill()

    def run_out_of_time(self) -> float:
        """A client whose deadline comes; the server may know before."""
        calls = begin_calls(self._channel, self._position, timeout=_SEARCHED)
        gone = time.monotonic() + _SEARCHED
        time.sleep(max(0.0, gone - time.monotonic()))
        for call in calls:
            call.cancel()  # what the deadline has left: nothing, most likely
        return gone


def begin_calls(channel: grpc.Channel, position: AskedPosition, timeout: float) -> list[Any]:
    """A call and a stream that would be searched for a minute."""
    request = request_of(Question(0, think=60.0, timeout=timeout), position)
    advisor = AdvisorServiceStub(channel)
    stream = advisor.Analyze(pb.AnalyzeRequest(query=request.query), timeout=timeout)
    return [advisor.Recommend.future(request, timeout=timeout), stream]


class Victim:
    """A client process that waits to be told to ask, and then to be killed."""

    def __init__(self, address: str, position: AskedPosition) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process: SpawnProcess = context.Process(
            target=_be_a_victim, args=(address, position, theirs), daemon=True
        )
        self._process.start()
        theirs.close()
        self._ready = False

    def wait_ready(self) -> None:
        """Waits until the process is connected."""
        if not self._ready:
            self._pipe.recv()
            self._ready = True

    def ask(self) -> None:
        """Lets the process ask; returns when its calls have been sent."""
        self.wait_ready()
        self._pipe.send("ask")
        self._pipe.recv()

    def kill(self) -> float:
        """Ends the process at once, and says when."""
        if self._process.pid is not None:
            os.kill(self._process.pid, signal.SIGKILL)
        gone = time.monotonic()
        self._process.join()
        self._process.close()
        self._pipe.close()
        return gone


def _be_a_victim(address: str, position: AskedPosition, pipe: Connection) -> None:
    with grpc.insecure_channel(address) as channel:
        grpc.channel_ready_future(channel).result(30.0)
        pipe.send("ready")
        pipe.recv()
        calls = begin_calls(channel, position, timeout=60.0)
        pipe.send("asked")
        calls[0].exception()
