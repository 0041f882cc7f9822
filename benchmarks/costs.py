"""What a call costs beside its search, and how many short ones are answered, also beside an older
server: that of another checkout, with an environment of its own, asked in turn in the same run.

Requests are sent and answers taken as bytes, so that the callers need as little of the machine as
they can.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grpc import aio

from adamas.v1 import advisor_service_pb2 as pb
from benchmarks.figures import AT_LEAST, AT_MOST, Figure
from benchmarks.iterations import first_real_decision, position_with_one_move
from benchmarks.load.processes import Processes
from benchmarks.pairs import compare
from engines.contract import Game
from engines.jit import Row
from engines.registry import games
from tools.server_process import ServerProcess, serving

_METHOD = "/adamas.v1.AdvisorService/Recommend"
_CALLERS = 16
_SEEDS = 4
_PAIRS = 3
_CALLS = 160
"""Of all callers together, for one measurement."""
_LEVEL = 5


@dataclass(frozen=True)
class _Taken:
    """What the calls of one measurement took."""

    wall: float
    processor: float
    """Of all processes of the server, in seconds."""
    latencies: list[float]


@dataclass(frozen=True)
class _Kind:
    """One kind of figure: what is asked, by how many callers, and what is made of what it took."""

    name: str
    unit: str
    callers: int
    request: Callable[[Game, int], bytes | None]
    """Of a game and a seed; None if the game has nothing of the kind."""
    figure: Callable[[_Taken], float]
    bound: str
    targets: dict[str, float]
    """What is asked of a game, here or beside the older server; of all others that of ""."""
    beside: bool
    """Whether the target is asked beside the older server."""
    note: str

    def target(self, game_id: str) -> float:
        """What is asked of a game."""
        return self.targets.get(game_id, self.targets[""])


def _processor_ms(taken: _Taken) -> float:
    return 1000.0 * taken.processor / len(taken.latencies)


def _rate(taken: _Taken) -> float:
    return len(taken.latencies) / taken.wall


def _median_ms(taken: _Taken) -> float:
    return 1000.0 * statistics.median(taken.latencies)


def _request(game: Game, view: Row, query: pb.SearchQuery) -> bytes:
    getattr(query.view, game.game_id).CopyFrom(game.codec.write_view(view))
    return pb.RecommendRequest(query=query).SerializeToString()


def _choice(game: Game, query: pb.SearchQuery) -> bytes:
    """A request about a decision with several moves, at a table of four if there is one."""
    position = first_real_decision(game.game_id, min(4, game.max_seats))
    return _request(game, position.view, query)


def _one_iteration(candidates: int) -> Callable[[Game, int], bytes | None]:
    limits = pb.SearchLimits(iterations=1)
    return lambda game, seed: _choice(
        game, pb.SearchQuery(limits=limits, candidates=candidates, trees=1, seed=seed)
    )


def _at_level(game: Game, seed: int) -> bytes:
    return _choice(game, pb.SearchQuery(level=_LEVEL, seed=seed))


def _single_move(game: Game, seed: int) -> bytes | None:
    view = position_with_one_move(game.game_id, min(4, game.max_seats))
    return None if view is None else _request(game, view, pb.SearchQuery(seed=seed))


_KINDS = (
    *(
        _Kind(
            f"call_processor_ms.{candidates}",
            "ms",
            _CALLERS,
            _one_iteration(candidates),
            _processor_ms,
            AT_MOST,
            {"": most},
            beside=False,
            note=f"one iteration, candidates {candidates}, {_CALLERS} callers",
        )
        for candidates, most in ((5, 1.5), (1, 1.0))
    ),
    _Kind(
        f"level_{_LEVEL}_calls_per_s",
        "calls/s",
        _CALLERS,
        _at_level,
        _rate,
        AT_LEAST,
        {"": 2.5, "dao": 2.0},
        beside=True,
        note=f"{_CALLERS} callers on this machine",
    ),
    _Kind(
        "single_move_ms_p50",
        "ms",
        1,
        _single_move,
        _median_ms,
        AT_MOST,
        {"": 2.0},
        beside=False,
        note="one legal move, one caller",
    ),
)


def measure(older: Path | None) -> Iterator[Figure]:
    """All figures; with an older version's checkout, also how they compare with its server's."""
    with ExitStack() as running:
        here = running.enter_context(serving())
        beside = running.enter_context(serving(checkout=older)) if older else None
        for kind in _KINDS:
            for game in games().values():
                yield from _figures(kind, game, here, beside)


def _figures(
    kind: _Kind, game: Game, here: ServerProcess, beside: ServerProcess | None
) -> Iterator[Figure]:
    name, target = f"{kind.name}.{game.game_id}", kind.target(game.game_id)
    requests = [r for seed in range(_SEEDS) if (r := kind.request(game, seed)) is not None]
    if not requests:
        return

    def taken(server: ServerProcess) -> float:
        return kind.figure(asyncio.run(_ask(server, requests, kind.callers)))

    here_only = None if kind.beside else target
    if beside is None:
        taken(here)
        value = statistics.median(taken(here) for _ in range(_PAIRS))
        yield Figure(name, value, kind.unit, kind.bound, here_only, kind.note)
        return
    compared = compare(lambda: taken(here), lambda: taken(beside), _PAIRS)
    yield Figure(name, compared.first, kind.unit, kind.bound, here_only, kind.note)
    yield Figure(
        f"{name}.to_older",
        compared.ratio,
        "",
        kind.bound if kind.beside else "",
        target if kind.beside else None,
        f"the older server: {compared.second:.2f} {kind.unit}",
    )


async def _ask(server: ServerProcess, requests: list[bytes], callers: int) -> _Taken:
    """Asks again and again, each caller one call after another."""
    latencies: list[float] = []
    processes = Processes(server.pid)
    async with aio.insecure_channel(server.address) as channel:
        call: Any = channel.unary_unary(_METHOD)

        async def caller(number: int) -> None:
            for turn in range(_CALLS // callers):
                begin = time.perf_counter()
                await call(requests[(number + turn) % len(requests)], timeout=30.0)
                latencies.append(time.perf_counter() - begin)

        await call(requests[0], timeout=30.0)
        used, begin = processes.processor_seconds(), time.perf_counter()
        await asyncio.gather(*(caller(number) for number in range(callers)))
        wall = time.perf_counter() - begin
        return _Taken(wall, processes.processor_seconds() - used, latencies)
