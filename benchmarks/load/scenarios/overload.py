"""Ten times the load that the machine can carry.

A call asks for one tree and, on average, 0.75 seconds, so it asks for 0.75 seconds of one core. The
machine carries as many such calls a second as it has cores divided by 0.75; ten times as many are
sent, whether or not they are answered. The server has room for a few searches a core, so that it
has to make searches shorter first and to refuse calls then.

Eight clients send; the first asks for three times as much as each other one, and each asks for more
than an eighth of what there is.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

import grpc
import numpy as np

from benchmarks.figures import Figure, at_least, at_most
from benchmarks.load.calls import Outcome, Question
from benchmarks.load.clients import identities, known_to_server
from benchmarks.load.generator import ClosedLoad, Generator, OpenLoad, gathered, generator
from benchmarks.load.positions import AskedPosition, positions
from benchmarks.load.scale import CORES, ELSEWHERE, Scale
from benchmarks.load.summaries import answered, codes, lateness, percentile, refused
from tools.server_process import ServerProcess, serving

_SEARCHES, _WAITING = 4 * CORES, 2 * CORES
_ROOM = _SEARCHES + _WAITING
_BY_LIMIT = (0.5, 5.0)
"""Time limit and deadline of every other call, in seconds."""
_BY_DEADLINE = (10.0, 1.0)
"""And of the others, which the deadline ends."""
_MEAN = (_BY_LIMIT[0] + _BY_DEADLINE[1]) / 2
_CARRIED = CORES / _MEAN
"""Calls a second that the machine can give all that they ask for."""
_TIMES = 10
_CLIENTS, _GREED = 8, 3
_ALONE_CALLS = 3
_RAMP_STEPS = 6
_LATEST_REFUSAL, _LATEST_HEALTH = 50.0, 100.0
_SHORTENED = 0.5
_LATE = grpc.StatusCode.DEADLINE_EXCEEDED.name
_LETTING_IN = 0.01
"""Seconds after its arrival for which a call may not have been let in yet."""


def measure(scale: Scale) -> Iterator[Figure]:
    """Every call is answered in time and legally, or refused at once with a hint.

    Nobody is starved, the health check answers throughout, the server never holds more calls than
    it has room for, and searches have become shorter before the first call is refused.
    """
    clients = identities(_CLIENTS)
    flags = ("--max-searches", f"{_SEARCHES}", "--max-waiting", f"{_WAITING}")
    with (
        serving(*flags, environment=known_to_server(clients), niceness=ELSEWHERE) as server,
        generator(2) as load,
    ):
        asked = positions(server.address, identity=clients[0])
        alone = _lengths_alone(load, server.address, asked)
        growing = [_TIMES * step / _RAMP_STEPS for step in range(1, _RAMP_STEPS + 1)]
        ramp = load.run(server.address, asked, _loads(growing, len(asked)), scale.ramp_seconds)
        seconds = scale.overload_seconds
        begin, futures = load.start(server.address, asked, _loads([_TIMES], len(asked)), seconds)
        health = load.probe_health(server.address, begin, seconds)
        outcomes, beats = gathered(futures), health.result()
        inside = _most_inside(server, outcomes)
    yield from _answers(outcomes)
    yield from _refusals(outcomes)
    yield from _fairness(outcomes)
    yield at_most(
        "overload.health_ms_max",
        1000 * max(beats),
        _LATEST_HEALTH,
        "ms",
        f"{len(beats)} checks",
        pace=True,
    )
    yield at_most(
        "overload.calls_inside_at_once",
        inside,
        _ROOM,
        "",
        f"room for {_SEARCHES} searches and {_WAITING} waiting, by the server's log",
    )
    yield _shortening(ramp, alone)
    yield lateness("overload", outcomes)


def _loads(times_carried: Sequence[float], positions_asked: int) -> list[OpenLoad]:
    """The clients' loads, which grow and shrink together."""
    limits = itertools.cycle((_BY_LIMIT, _BY_DEADLINE))
    questions = [
        Question(number % positions_asked, *next(limits), trees=1)
        for number in range(2 * positions_asked + 1)
    ]
    part = _CARRIED / (_CLIENTS - 1 + _GREED)
    return [
        OpenLoad(
            client,
            questions,
            [part * times * (_GREED if number == 0 else 1) for times in times_carried],
            seed=number,
        )
        for number, client in enumerate(identities(_CLIENTS))
    ]


def _lengths_alone(
    load: Generator, address: str, asked: Sequence[AskedPosition]
) -> dict[Question, float]:
    """The iterations of each question when nobody else asks anything."""
    questions = sorted({q for one in _loads([1], len(asked)) for q in one.questions}, key=repr)
    caller = ClosedLoad(
        identities(_CLIENTS)[1], questions, callers=1, calls=_ALONE_CALLS * len(questions)
    )
    found = answered(load.run(address, asked, [caller], seconds=3600.0))
    return {
        question: float(np.median([o.iterations for o in found if o.question == question]))
        for question in questions
    }


def _answers(outcomes: Sequence[Outcome]) -> Iterator[Figure]:
    late = sum(outcome.code == _LATE for outcome in outcomes)
    yield at_most("overload.deadlines_missed", late, 0, "calls", codes(outcomes), pace=True)
    failed = len(outcomes) - len(answered(outcomes)) - len(refused(outcomes)) - late
    yield at_most("overload.failed", failed, 0, "calls", "neither answered nor refused")
    latest = max(o.seconds - o.question.timeout for o in answered(outcomes))
    yield at_most("overload.latest_answer_past_deadline_ms", 1000 * latest, 0, "ms", pace=True)
    illegal = sum(not outcome.legal for outcome in answered(outcomes))
    yield at_most("overload.illegal_moves", illegal, 0)


def _refusals(outcomes: Sequence[Outcome]) -> Iterator[Figure]:
    found = refused(outcomes)
    unhinted = sum(outcome.retry_after is None for outcome in found)
    yield at_least("overload.refused", len(found), 1, "calls")
    yield at_most("overload.refused_without_retry_info", unhinted, 0)
    took = [1000 * outcome.seconds for outcome in found]
    note = f"99 % within {percentile(took, 99):.1f} ms"
    yield at_most(
        "overload.refusal_ms_max", max(took, default=0.0), _LATEST_REFUSAL, "ms", note, pace=True
    )


def _fairness(outcomes: Sequence[Outcome]) -> Iterator[Figure]:
    names = sorted({outcome.client for outcome in outcomes})
    searches = [sum(o.client == name for o in answered(outcomes)) for name in names]
    note = f"{', '.join(map(str, searches))} searches; the first asks for {_GREED} times as much"
    yield at_least(
        "overload.least_to_best_served", min(searches) / max(searches), 0.5, "", note, pace=True
    )


def _most_inside(server: ServerProcess, outcomes: Sequence[Outcome]) -> int:
    """The most calls that the server certainly had let in at the same time.

    A call is inside from shortly after its arrival, which the server's log tells, for as long as
    its own answer says.
    """
    inside = {outcome.call: outcome.inside for outcome in answered(outcomes)}
    stays = []
    for line in server.log("call"):
        if (seconds := inside.get(line.get("request_id", ""))) is not None:
            logged = datetime.fromisoformat(line["timestamp"]).timestamp()
            arrived = logged - line["elapsed_ms"] / 1000
            stays.append((arrived + _LETTING_IN, arrived + seconds))
    return most_at_once(stays)


def most_at_once(stays: Iterable[tuple[float, float]]) -> int:
    """How many of the intervals, each a beginning and an end, have a moment in common at most."""
    steps = [step for begin, end in stays if begin < end for step in ((begin, 1), (end, -1))]
    return max(itertools.accumulate(step for _, step in sorted(steps)), default=0)


def _shortening(ramp: Sequence[Outcome], alone: dict[Question, float]) -> Figure:
    """How long searches were, just before the first refusal, beside those of a lone caller."""
    first = min((o.done for o in refused(ramp)), default=float("inf"))
    before = [o for o in answered(ramp) if o.done <= first][-2 * CORES :]
    lengths = [outcome.iterations / alone[outcome.question] for outcome in before]
    return at_most(
        "overload.search_length_before_first_refusal",
        percentile(lengths, 50),
        _SHORTENED,
        "",
        "beside the same search of a lone caller",
        pace=True,
    )
