"""Hints for people while a tournament keeps the server full."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from adamas.v1 import advisor_service_pb2 as pb
from benchmarks.figures import Figure, at_least, at_most
from benchmarks.load.calls import Question
from benchmarks.load.clients import identities, known_to_server
from benchmarks.load.generator import ClosedLoad, gathered, generator
from benchmarks.load.positions import positions
from benchmarks.load.scale import CORES, Scale
from benchmarks.load.summaries import answered, codes, lateness, percentile, share
from benchmarks.server_process import serving

_SEARCHES, _WAITING = 4 * CORES, 8 * CORES
_LIMIT, _ON_TIME = 0.1, 0.110
_PAUSE = 0.2
_MOVE = 1.0
"""Seconds that a tournament's move asks for."""


def measure(scale: Scale) -> Iterator[Figure]:
    """A hint does not wait behind queued tournament moves, and gets most of the machine.

    The tournaments' moves fill all room for searches and for waiting, and those that are refused
    ask again. Hints come now and then, from somebody else.
    """
    seconds = scale.hints * (_LIMIT + _PAUSE)
    person, *tournaments = clients = identities(3)
    flags = ("--max-searches", f"{_SEARCHES}", "--max-waiting", f"{_WAITING}")
    with (
        serving(*flags, environment=known_to_server(clients)) as server,
        generator(2) as load,
    ):
        asked = positions(server.address, identity=person)
        hints = [
            Question(i, _LIMIT, timeout=5.0, priority=pb.PRIORITY_INTERACTIVE)
            for i in range(len(asked))
        ]
        moves = [
            Question(i, _MOVE, timeout=60.0, priority=pb.PRIORITY_BACKGROUND)
            for i in range(len(asked))
        ]
        calm = ClosedLoad(person, hints, callers=1, calls=2 * len(asked), pause=_PAUSE)
        alone = answered(load.run(server.address, asked, [calm], seconds=3600.0))
        loads = [
            ClosedLoad(person, hints, callers=1, pause=_PAUSE),
            *(ClosedLoad(one, moves, callers=_SEARCHES + _WAITING) for one in tournaments),
        ]
        outcomes = gathered(load.start(server.address, asked, loads, seconds + _MOVE)[1])
    # The first second is left out: until then the queue is not full.
    full = outcomes[0].sent + _MOVE
    outcomes = [outcome for outcome in outcomes if outcome.sent >= full]
    asked_for = [o for o in outcomes if o.client == person.name]
    found = answered(asked_for)
    on_time = [o for o in found if o.seconds <= _ON_TIME]
    yield at_least("priorities.hints_answered", share(asked_for, found), 1.0, "", codes(asked_for))
    took = [1000 * o.seconds for o in asked_for]
    note = f"median {percentile(took, 50):.1f} ms, 99 % within {percentile(took, 99):.1f} ms"
    yield at_least(
        "priorities.hints_within_110_ms", share(asked_for, on_time), 0.99, "", note, pace=True
    )
    lengths = [
        o.iterations / np.median([a.iterations for a in alone if a.question == o.question])
        for o in found
    ]
    note = "median, beside the same hint with nothing else to do"
    yield at_least("priorities.hint_length", percentile(lengths, 50), 0.5, "", note, pace=True)
    background = [o for o in outcomes if o.client != person.name]
    yield at_least(
        "priorities.background_answered", len(answered(background)), 1, "", codes(background)
    )
    illegal = sum(not o.legal for o in answered(outcomes))
    yield at_most("priorities.illegal_moves", illegal, 0)
    yield lateness("priorities", outcomes)
