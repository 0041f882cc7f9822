"""Two workers of a Ray cluster against one: ``make bench-tournament``.

Every worker has a server of its own with one search thread. The same games are played by one worker
and by two in turn, so that a noisy machine troubles both alike. Needs two free cores.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from itertools import islice

from adamas.client import Client
from adamas_tournament.cluster import RayExecutor
from adamas_tournament.config import Config, parse_config
from adamas_tournament.plan import Plan, make_plan
from adamas_tournament.processes.server import ServerProcess
from adamas_tournament.progress import make_schedule
from adamas_tournament.schedule import ScheduledGame
from benchmarks.pairs import compare

TARGET = 1.8
CONFIG = """
[tournament]
seed = 1
deals = {deals}
[game]
id = "{game}"
seats = 2
[[entrants]]
name = "one"
kind = "service"
iterations = {iterations}
[[entrants]]
name = "two"
kind = "service"
iterations = {iterations}
"""


def planned(text: str) -> tuple[Config, Plan]:
    """A configuration, and what a referee says to it."""
    config = parse_config(text, "benchmark")
    server = ServerProcess()
    try:
        with Client(server.address) as client:
            return config, make_plan(config, client, "benchmark")
    finally:
        server.stop()


def start_workers(executor: RayExecutor, count: int) -> None:
    """Waits until that many workers are ready."""
    while executor.capacity < count:
        executor.wait(0.2)


def games_per_second(executor: RayExecutor, games: Sequence[ScheduledGame], workers: int) -> float:
    """Plays the games, never more than `workers` at the same time."""
    left = iter(games)
    begin = time.perf_counter()
    for game in islice(left, workers):
        executor.submit(game)
    finished = 0
    while finished < len(games):
        for outcome in executor.wait(1.0):
            assert outcome.record is not None, outcome.trouble
            finished += 1
            for game in islice(left, 1):
                executor.submit(game)
    return len(games) / (time.perf_counter() - begin)


def main() -> None:
    """Measures and prints; fails if two workers are not worth it."""
    parser = argparse.ArgumentParser(prog="make bench-tournament", description=__doc__)
    parser.add_argument("--game", default="dao", help="[%(default)s]")
    parser.add_argument("--iterations", type=int, default=5000, help="a move [%(default)s]")
    parser.add_argument("--deals", type=int, default=8, help="two games each [%(default)s]")
    parser.add_argument("--pairs", type=int, default=3, help="measurements of both [%(default)s]")
    arguments = parser.parse_args()
    text = CONFIG.format(
        deals=arguments.deals, game=arguments.game, iterations=arguments.iterations
    )
    config, plan = planned(text)
    games = list(make_schedule(config, plan))
    executor = RayExecutor(config, plan, "local", most=2)
    try:
        start_workers(executor, 2)
        found = compare(
            lambda: games_per_second(executor, games, 2),
            lambda: games_per_second(executor, games, 1),
            arguments.pairs,
        )
    finally:
        executor.close()
    print(
        f"{arguments.game}, {arguments.iterations} iterations a move: two workers "
        f"{found.first:.3f} games/s, one {found.second:.3f} games/s, ratio {found.ratio:.2f} "
        f"(at least {TARGET})"
    )
    if found.ratio < TARGET:
        sys.exit("the target was missed")


if __name__ == "__main__":
    main()
