"""Quality of play: ``make strength``. Prints each mark with its 95 % confidence interval.

The search plays two-seat games at a time a move on one core, each deal once from either seat,
against a random player and against each game's casual player. On a busy machine, or with more
processes than cores, the search gets less than its time; with --processor-time it gets all of it.
More time plays better, so a mark that is met with less than 200 ms is met. ARGS="--games 40 --time
0.05" makes it short.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.intervals import Share, share_of
from benchmarks.matches import (
    Player,
    SearchPlayer,
    casual_player,
    play_deals,
    policy_player,
    random_player,
)
from engines.registry import game_ids

RESULTS = Path("build/strength.json")
OPPONENTS: dict[str, Player] = {
    "random": random_player,
    "casual": casual_player,
    "policy": policy_player,
}
TARGETS = {
    ("dao", "random"): 0.97,
    ("diamonds", "random"): 0.92,
    ("diams", "random"): 0.99,
    ("diamonds_club", "random"): 0.99,
    **{(game_id, "casual"): 0.70 for game_id in game_ids()},
}
"""Win shares that a search at 200 ms must reach in two-seat games."""


@dataclass(frozen=True)
class Mark:
    """The result of one match."""

    game: str
    opponent: str
    seconds: float
    result: Share

    @property
    def target(self) -> float | None:
        """The share that is asked for, if any."""
        return TARGETS.get((self.game, self.opponent))

    @property
    def missed(self) -> bool:
        """Whether a target was missed."""
        return self.target is not None and self.result.share < self.target

    def __str__(self) -> str:
        """One line of the table."""
        target = "" if self.target is None else f"   at least {100 * self.target:.0f} %"
        return (
            f"{self.game:14} against {self.opponent:8} {self.result}"
            f"   {self.result.games} games{target}{'   MISSED' if self.missed else ''}"
        )


def search_against(setting: tuple[str, float, bool]) -> tuple[Player, Player]:
    """The search at a time a move, the clock's or the processor's, and its opponent."""
    opponent, seconds, of_processor = setting
    clock = time.thread_time if of_processor else time.perf_counter
    return SearchPlayer(seconds=seconds, clock=clock), OPPONENTS[opponent]


def main() -> None:
    """Plays the matches, prints and keeps the marks; fails if one is missed."""
    parser = argparse.ArgumentParser(prog="make strength", description=__doc__)
    parser.add_argument("--games", type=int, default=400, help="games a match [%(default)s]")
    parser.add_argument("--time", type=float, default=0.2, help="seconds a move [%(default)s]")
    parser.add_argument(
        "--processor-time", action="store_true", help="the time is the processor's, not the clock's"
    )
    parser.add_argument("--game", choices=game_ids(), action="append", help="only these games")
    parser.add_argument(
        "--opponent",
        choices=sorted(OPPONENTS),
        action="append",
        help="only these opponents [random and casual]",
    )
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    marks = []
    begin = time.time()
    for opponent in arguments.opponent or ("random", "casual"):
        for game_id in arguments.game or game_ids():
            setting = (opponent, arguments.time, arguments.processor_time)
            deals = max(1, arguments.games // 2)
            pairs = play_deals(game_id, search_against, setting, deals, arguments.processes)
            mark = Mark(game_id, opponent, arguments.time, share_of(pairs))
            print(mark, flush=True)
            marks.append(mark)
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps([asdict(mark) for mark in marks], indent=2) + "\n")
    print(f"{time.time() - begin:.0f} s; kept in {RESULTS}")
    if any(mark.missed for mark in marks):
        sys.exit("a mark was missed")


if __name__ == "__main__":
    main()
