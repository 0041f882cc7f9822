"""One setting of the search against another: ``python -m benchmarks.choices``.

Two searches that differ in one setting play two-seat games, each deal once from either seat, and
the share of the first one is printed with its 95 % confidence interval:

    python -m benchmarks.choices --game dao --compare exploration=1.33,1.0

Settings: exploration (a number), policy (informed or random), trees,
iterations (a number each), horizon (shipped, game, or so many rounds after the running one), margin
(the margin scale of the utility, as a multiple of the game's; inf: victory alone counts).
The limit a move is processor time, so it means the same on a busy machine, or iterations.
"""

from __future__ import annotations

import argparse
import math
import os
import time
from typing import Any

from benchmarks.adapted import SHIPPED, with_horizon, with_margin_scale
from benchmarks.intervals import share_of
from benchmarks.matches import Player, SearchPlayer, play_deals
from engines.contract import INFORMED, RANDOM
from engines.registry import game_ids
from search.strength import Strength

POLICIES = {"informed": INFORMED, "random": RANDOM}
DEFAULTS = {
    "exploration": "",
    "policy": "informed",
    "trees": "1",
    "iterations": "",
    "time": "",
    "horizon": SHIPPED,
    "margin": "1",
}


def search_with(game_id: str, setting: dict[str, str]) -> SearchPlayer:
    """A search with these settings; raises ValueError or KeyError for one that does not exist."""
    model = None
    if setting["horizon"] != SHIPPED:
        model = with_horizon(game_id, setting["horizon"])
    elif float(setting["margin"]) != 1.0:
        model = with_margin_scale(game_id, float(setting["margin"]))
    return SearchPlayer(
        seconds=float(setting["time"] or math.inf),
        iterations=int(setting["iterations"] or 1 << 40),
        exploration=float(setting["exploration"]) if setting["exploration"] else None,
        strength=Strength(policy=POLICIES[setting["policy"]]),
        trees=int(setting["trees"]),
        clock=time.thread_time,
        model=model,
    )


def both(match: tuple[str, dict[str, str], dict[str, str]]) -> tuple[Player, Player]:
    """The two searches of a game."""
    game_id, first, second = match
    return search_with(game_id, first), search_with(game_id, second)


def read_comparison(text: str) -> tuple[str, tuple[str, str]]:
    """``name=first,second``."""
    name, _, values = text.partition("=")
    first, _, second = values.partition(",")
    if name not in DEFAULTS or not first or not second:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no comparison; write name=first,second with a name of "
            f"{', '.join(DEFAULTS)}"
        )
    return name, (first, second)


def main() -> None:
    """Plays the match and prints the share."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.choices",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--game", choices=game_ids(), required=True)
    parser.add_argument("--compare", type=read_comparison, required=True, metavar="NAME=A,B")
    parser.add_argument("--games", type=int, default=400, help="games [%(default)s]")
    limits = parser.add_mutually_exclusive_group()
    limits.add_argument("--time", default="", help="seconds of processor time a move [0.02]")
    limits.add_argument("--iterations", default="", help="iterations a move, not time")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    name, values = arguments.compare
    limit: dict[str, Any] = {"time": arguments.time, "iterations": arguments.iterations}
    if name in limit:
        limit = {}
    elif not any(limit.values()):
        limit = {"time": "0.02"}
    first, second = ({**DEFAULTS, **limit, name: value} for value in values)
    deals = max(1, arguments.games // 2)
    begin = time.time()
    pairs = play_deals(
        arguments.game, both, (arguments.game, first, second), deals, arguments.processes
    )
    told = ", ".join(f"{key} {value}" for key, value in limit.items() if value)
    print(
        f"{arguments.game:14} {name} {values[0]} against {values[1]}: {share_of(pairs)}"
        f"   {2 * deals} games{', ' + told if told else ''}   ({time.time() - begin:.0f} s)"
    )


if __name__ == "__main__":
    main()
