"""A month in an hour: many games through one server, half of them left midway."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from adamas import AsyncClient, AsyncTable, GameSummary, Limit
from adamas.errors import AdamasError
from adamas.v1 import game_pb2
from benchmarks.figures import Figure, at_least, at_most
from benchmarks.load.calls import Question
from benchmarks.load.clients import Identity
from benchmarks.load.generator import ClosedLoad, Generator, generator
from benchmarks.load.positions import AskedPosition, positions
from benchmarks.load.processes import Processes
from benchmarks.load.scale import Scale
from benchmarks.load.summaries import answered, codes, percentile
from benchmarks.pairs import compare
from tools.server_process import serving

_TABLES = 8
"""Games at the same time."""
_ITERATIONS = 60
_PROBES, _PAIRS = 100, 9
_PROBE_ITERATIONS = 2000
_WARM_SHARE, _WARM_ROUNDS = 10, 2
"""A tenth of the games comes before memory and threads are counted, and at least two games at each
table: the last threads that gRPC starts are there then."""
_LEAVING_SHARE = 2
_LEAVE_WITHIN = 30
_LAST_SEARCH = 60.0


def measure(scale: Scale) -> Iterator[Figure]:
    """The server needs less than 5 % more memory after all games than after the first ones.

    Calls then take no longer than the first calls of a server that has just been started, measured
    in turn, and no call fails.
    """
    with serving() as server, generator(1) as load:
        processes = Processes(server.pid)
        probe = positions(server.address, per_game=1)
        warm = max(scale.games // _WARM_SHARE, _WARM_ROUNDS * _TABLES)
        played = asyncio.run(_play(server.address, range(warm)))
        _probe(load, server.address, probe)  # so that asking like this is no growth later
        resident, threads = processes.resident_mib(), processes.threads()
        begin = time.monotonic()
        played += asyncio.run(_play(server.address, range(warm, scale.games)))
        took = time.monotonic() - begin
        time.sleep(1.0)
        growth = 100 * (processes.resident_mib() / resident - 1)
        more_threads = processes.threads() - threads
        with serving() as fresh:
            compared = compare(
                lambda: _probe(load, server.address, probe),
                lambda: _probe(load, fresh.address, probe),
                pairs=_PAIRS,
            )
    finished = sum(game.finished for game in played)
    moves = sum(game.moves for game in played)
    note = f"{len(played) - finished} left midway; {moves:,} moves, {took:.0f} s"
    yield at_least("month.games", len(played), scale.games, "games", note)
    failed = [game.failure for game in played if game.failure]
    yield at_most("month.failed", len(failed), 0, "games", "; ".join(failed[:2]))
    yield at_most("month.memory_growth_percent", growth, 5, "%", f"from {resident:.0f} MiB")
    yield at_most("month.more_threads", more_threads, 0)
    last, first = 1000 * compared.first, 1000 * compared.second
    note = f"{_PAIRS} times {_PROBES} calls each: {first:.1f} ms first, {last:.1f} ms last"
    yield at_most("month.last_to_first_calls", compared.ratio, 1.1, "", note, pace=True)


@dataclass(frozen=True)
class _Game:
    """How one game went."""

    moves: int
    finished: bool
    failure: str = ""


async def _play(address: str, numbers: Sequence[int]) -> list[_Game]:
    """Plays games, several at a time, each client at a table of its own."""
    left = iter(numbers)

    async def table() -> list[_Game]:
        async with AsyncClient(address) as client:
            games = await client.games()
            return [await _one_game(client, games[n % len(games)], n) for n in left]

    rounds = await asyncio.gather(*(table() for _ in range(_TABLES)))
    return [game for games in rounds for game in games]


async def _one_game(client: AsyncClient, game: GameSummary, number: int) -> _Game:
    chooser = random.Random(number)
    leaves_after = chooser.randrange(_LEAVE_WITHIN) if number % _LEAVING_SHARE else None
    options = game_pb2.GameOptions()
    getattr(options, game.game_id).SetInParent()
    seats = chooser.randint(game.min_seats, game.max_seats)
    moves = 0
    try:
        table = await client.table(options, seats, seed=number)
        while not table.over:
            for seat in table.seats_to_move:
                if moves == leaves_after:
                    await _leave(client, table, seat)
                    return _Game(moves, finished=False)
                view = await table.view(seat)
                advice = await client.recommend(
                    view, Limit(iterations=_ITERATIONS), candidates=1, seed=number
                )
                await table.play(advice.best_move, seat)
                moves += 1
    except AdamasError as error:
        return _Game(moves, finished=False, failure=f"{game.game_id} {number}: {error}")
    return _Game(moves, finished=True)


async def _leave(client: AsyncClient, table: AsyncTable, seat: int) -> None:
    """Goes away in the middle of a search, as somebody who closes a window."""
    asking = asyncio.create_task(
        client.recommend(await table.view(seat), Limit(time=_LAST_SEARCH), candidates=1)
    )
    await asyncio.sleep(0.02)
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)


def _probe(load: Generator, address: str, asked: Sequence[AskedPosition]) -> float:
    """Seconds that a search of fixed length takes, in the median."""
    questions = [
        Question(i, think=60.0, timeout=60.0, iterations=_PROBE_ITERATIONS)
        for i in range(len(asked))
    ]
    caller = ClosedLoad(Identity("probe"), questions, callers=1, calls=_PROBES)
    outcomes = load.run(address, asked, [caller], seconds=3600.0)
    if len(answered(outcomes)) < len(outcomes):
        raise RuntimeError(f"not all calls were answered: {codes(outcomes)}")
    by_question = [
        percentile([o.seconds for o in outcomes if o.question == question], 50)
        for question in questions
    ]
    return float(np.mean(by_question))
