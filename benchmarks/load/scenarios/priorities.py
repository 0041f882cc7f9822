"""Hints for people while tournaments keep the server busy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from adamas.v1 import advisor_service_pb2 as pb
from benchmarks.figures import Figure, at_least, at_most
from benchmarks.load.calls import Outcome, Question
from benchmarks.load.clients import identities, known_to_server
from benchmarks.load.generator import ClosedLoad, generator
from benchmarks.load.positions import positions
from benchmarks.load.scale import CORES, ELSEWHERE, Scale
from benchmarks.load.summaries import answered, codes, lateness, percentile, share
from tools.server_process import serving

_SEARCHES, _WAITING = 4 * CORES, 8 * CORES
_BUSY_CALLERS = 8 * CORES
_LIMIT, _ON_TIME = 0.1, 0.110
_PAUSE = 0.2
_MOVE = 1.0
"""Seconds that a tournament's move asks for."""


@dataclass(frozen=True)
class _Run:
    """What came of it: the hints with nothing else to do, then hints and moves together."""

    alone: Sequence[Outcome]
    hints: Sequence[Outcome]
    moves: Sequence[Outcome]


def measure(scale: Scale) -> Iterator[Figure]:
    """A hint does not wait behind tournament moves, and gets most of the machine.

    First, tournaments keep all cores busy, and there is room for more searches. Then they fill all
    room for searches and for waiting, and those that are refused ask again. Hints come now and
    then, from somebody else.
    """
    yield from _on_busy_cores(_run(scale.hints, (), _BUSY_CALLERS))
    limits = ("--max-searches", f"{_SEARCHES}", "--max-waiting", f"{_WAITING}")
    yield from _past_a_full_queue(_run(scale.hints, limits, _SEARCHES + _WAITING))


def _run(hints: int, flags: Sequence[str], callers: int) -> _Run:
    person, *tournaments = clients = identities(3)
    environment = known_to_server(clients)
    with (
        serving(*flags, environment=environment, niceness=ELSEWHERE) as server,
        generator(2) as load,
    ):
        asked = positions(server.address, identity=person)
        small = [
            Question(i, _LIMIT, timeout=5.0, priority=pb.PRIORITY_INTERACTIVE)
            for i in range(len(asked))
        ]
        large = [
            Question(i, _MOVE, timeout=60.0, priority=pb.PRIORITY_BACKGROUND)
            for i in range(len(asked))
        ]
        calm = ClosedLoad(person, small, callers=1, calls=2 * len(asked), pause=_PAUSE)
        alone = load.run(server.address, asked, [calm], seconds=3600.0)
        loads = [
            ClosedLoad(person, small, callers=1, pause=_PAUSE),
            *(ClosedLoad(one, large, callers) for one in tournaments),
        ]
        seconds = hints * (_LIMIT + _PAUSE) + _MOVE
        outcomes = load.run(server.address, asked, loads, seconds)
    # The first second is left out: until then the tournaments are only beginning.
    full = outcomes[0].sent + _MOVE
    outcomes = [outcome for outcome in outcomes if outcome.sent >= full]
    return _Run(
        answered(alone),
        [outcome for outcome in outcomes if outcome.client == person.name],
        [outcome for outcome in outcomes if outcome.client != person.name],
    )


def _on_busy_cores(run: _Run) -> Iterator[Figure]:
    found = answered(run.hints)
    on_time = [outcome for outcome in found if outcome.seconds <= _ON_TIME]
    took = [1000 * outcome.seconds for outcome in run.hints]
    note = f"median {percentile(took, 50):.1f} ms, 99 % within {percentile(took, 99):.1f} ms"
    yield at_least(
        "priorities.hints_within_110_ms", share(run.hints, on_time), 0.99, "", note, pace=True
    )
    lengths = [
        o.iterations / np.median([a.iterations for a in run.alone if a.question == o.question])
        for o in found
    ]
    note = f"median, beside the same hint alone; {2 * _BUSY_CALLERS} moves are searched meanwhile"
    yield at_least("priorities.hint_length", percentile(lengths, 50), 0.5, "", note, pace=True)
    illegal = sum(not o.legal for o in answered([*run.hints, *run.moves]))
    yield at_most("priorities.illegal_moves", illegal, 0)
    yield lateness("priorities", [*run.hints, *run.moves])


def _past_a_full_queue(run: _Run) -> Iterator[Figure]:
    found = answered(run.hints)
    yield at_least("priorities.hints_answered", share(run.hints, found), 1.0, "", codes(run.hints))
    on_time = share(run.hints, [hint for hint in found if hint.seconds <= _ON_TIME])
    waited = percentile([outcome.seconds for outcome in answered(run.moves)], 50)
    note = f"past {_WAITING} moves that wait; half of the moves take {waited:.2f} s or more"
    yield at_least(
        "priorities.hints_past_a_queue_within_110_ms", on_time, 0.99, "", note, pace=True
    )
    note = codes(run.moves)
    yield at_least("priorities.moves_answered", len(answered(run.moves)), 1, "moves", note)
