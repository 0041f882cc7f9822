"""Quality of play: ``make strength``. Prints each mark with its 95 % confidence interval.

Marks are played at a time a move on one core, two games a deal with the seats swapped, and one
process a core. ARGS="--games 40 --time 0.05" makes it short.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from benchmarks.matches import (
    Player,
    SearchPlayer,
    play_pairs,
    policy_player,
    random_player,
    wilson_interval,
)
from engines.registry import game, game_ids, options_message

RESULTS = Path("build/strength.json")
OPPONENTS: dict[str, Player] = {"random": random_player, "policy": policy_player}
TARGETS = {("dao", "random"): 0.97, ("diamonds", "random"): 0.92}
"""Win shares that a search at 200 ms must reach in two-seat games."""


@dataclass(frozen=True)
class Mark:
    """The result of one match."""

    game: str
    opponent: str
    games: int
    seconds: float
    share: float
    low: float
    high: float

    @property
    def target(self) -> float | None:
        """The share that is asked for, if any."""
        return TARGETS.get((self.game, self.opponent))

    def __str__(self) -> str:
        """One line of the table."""
        target = "" if self.target is None else f"   at least {100 * self.target:.0f} %"
        return (
            f"{self.game:14} against {self.opponent:8} {100 * self.share:6.2f} %"
            f"   [{100 * self.low:.2f}, {100 * self.high:.2f}]   {self.games} games{target}"
        )


def _play_share(job: tuple[str, str, float, Sequence[int]]) -> list[float]:
    game_id, opponent, seconds, seeds = job
    found = game(game_id)
    players = (SearchPlayer(seconds=seconds), OPPONENTS[opponent])
    return play_pairs(found, options_message(game_id), players, seeds)


def _batches(deals: int, size: int = 5) -> Iterator[range]:
    for start in range(0, deals, size):
        yield range(start, min(deals, start + size))


def play_match(game_id: str, opponent: str, games: int, seconds: float, cores: int) -> Mark:
    """A match of two-seat games: every deal once with each order of the seats."""
    jobs = [(game_id, opponent, seconds, batch) for batch in _batches(games // 2)]
    shares: list[float] = []
    with ProcessPoolExecutor(cores) as pool:
        for done in pool.map(_play_share, jobs):
            shares += done
            print(f"\r{game_id}: {len(shares)}/{games} games", end="", file=sys.stderr)
    print(file=sys.stderr)
    share = sum(shares) / len(shares)
    low, high = wilson_interval(share, len(shares))
    return Mark(game_id, opponent, len(shares), seconds, share, low, high)


def main() -> None:
    """Plays the matches, prints and keeps the marks; fails if one is missed."""
    parser = argparse.ArgumentParser(prog="make strength", description=__doc__)
    parser.add_argument("--games", type=int, default=400, help="games a match [%(default)s]")
    parser.add_argument("--time", type=float, default=0.2, help="seconds a move [%(default)s]")
    parser.add_argument("--game", choices=game_ids(), action="append", help="only these games")
    parser.add_argument("--opponent", choices=sorted(OPPONENTS), default="random")
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    marks = []
    begin = time.time()
    for game_id in arguments.game or game_ids():
        mark = play_match(
            game_id, arguments.opponent, arguments.games, arguments.time, arguments.cores
        )
        print(mark, flush=True)
        marks.append(mark)
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps([mark.__dict__ for mark in marks], indent=2) + "\n")
    print(f"{time.time() - begin:.0f} s; kept in {RESULTS}")
    if any(mark.target is not None and mark.share < mark.target for mark in marks):
        sys.exit("a mark was missed")


if __name__ == "__main__":
    main()
