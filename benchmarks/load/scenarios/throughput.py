"""How much of the machine's searching gets through to many callers."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator

import numpy as np

from adamas.v1 import game_pb2
from benchmarks.figures import Figure, at_least
from benchmarks.iterations import Position, first_real_decision, run_for
from benchmarks.load.calls import Outcome, Question
from benchmarks.load.clients import Identity
from benchmarks.load.generator import ClosedLoad, Generator, generator
from benchmarks.load.positions import AskedPosition
from benchmarks.load.processes import Processes
from benchmarks.load.scale import CORES, Scale
from benchmarks.load.summaries import answered, codes
from benchmarks.pairs import compare
from search import Search
from tools.server_process import ServerProcess, serving

_CALLERS = 32
_THINK = 1.0
_GAME, _SEATS = "diamonds", 4


def measure(scale: Scale) -> Iterator[Figure]:
    """32 callers together get 90 % of the iterations that the bare search does on all cores.

    Both are measured in turn, the search while the server has nothing to do. The callers stand for
    programs on other machines: what they take of this one's processors is not the server's fault
    and is left out.
    """
    position = first_real_decision(_GAME, _SEATS)
    shares: list[float] = []
    seconds = scale.throughput_calls * _THINK
    with serving() as server, generator(1) as load:
        compared = compare(
            lambda: _served(load, server, position, scale.throughput_calls, shares),
            lambda: _bare(position, seconds),
            pairs=scale.throughput_pairs,
        )
    note = (
        f"{compared.first:,.0f} against {compared.second:,.0f} iterations/s; "
        f"{100 * np.median(shares):.1f} % of the machine for the callers"
    )
    yield at_least("throughput.served_to_bare", compared.ratio, 0.9, "", note, pace=True)


def _served(
    load: Generator, server: ServerProcess, position: Position, calls: int, shares: list[float]
) -> float:
    """Iterations per second that the callers got while all of them were asking.

    As if all of the machine had been there for them; ``shares`` gets the part of it that the
    callers took themselves. They begin one after another: callers in step would all have their
    answers made up at once, while no search runs.
    """
    asked = AskedPosition(position.game.game_id, _view(position), frozenset())
    caller = ClosedLoad(
        Identity("crowd"),
        [Question(0, _THINK, timeout=30.0, trees=1)],
        callers=_CALLERS,
        calls=calls + 1,
        spread=_THINK,
    )
    begin, used = time.monotonic(), _callers_seconds(server)
    outcomes = load.run(server.address, [asked], [caller], seconds=3600.0)
    shares.append((_callers_seconds(server) - used) / (CORES * (time.monotonic() - begin)))
    if len(answered(outcomes)) < len(outcomes):
        raise RuntimeError(f"not all calls were answered: {codes(outcomes)}")
    begin = max(outcomes[:_CALLERS], key=lambda o: o.sent).sent
    end = begin + (calls - 1) * _THINK
    found = sum(_iterations_between(outcome, begin, end) for outcome in outcomes)
    return found / (end - begin) / (1.0 - shares[-1])


def _callers_seconds(server: ServerProcess) -> float:
    """Processor time of all processes here but the server's, in seconds."""
    everything = Processes(os.getpid()).processor_seconds()
    return everything - Processes(server.pid).processor_seconds()


def _iterations_between(outcome: Outcome, begin: float, end: float) -> float:
    """The part of a call's iterations that falls between two times, as if they came evenly."""
    both = min(outcome.done, end) - max(outcome.sent, begin)
    return outcome.iterations * max(0.0, both) / outcome.seconds


def _view(position: Position) -> bytes:
    view = game_pb2.PlayerView()
    getattr(view, position.game.game_id).CopyFrom(position.game.codec.write_view(position.view))
    return view.SerializeToString()


def _bare(position: Position, seconds: float) -> float:
    """Iterations per second of one search a core, begun anew as often as the served ones."""
    rates = np.zeros(CORES)

    def work(core: int) -> None:
        begin, done = time.perf_counter(), 0
        while (took := time.perf_counter() - begin) < seconds:
            tree = Search(position.game, position.view, seed=core, trees=1).trees[0]
            run_for(tree, _THINK * CORES / _CALLERS)
            done += tree.iterations
        rates[core] = done / took

    threads = [threading.Thread(target=work, args=(core,)) for core in range(CORES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return float(rates.sum())
