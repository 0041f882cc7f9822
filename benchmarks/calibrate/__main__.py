"""Calibrates the strength levels: ``make calibrate``. Writes engines/<game>/levels.json.

1. Strengths of a family with one parameter play one another and a random player on shared deals;
   their ratings are fitted by maximum likelihood, with the random player at 0.
2. Nine parameters are chosen whose ratings, with full strength above them, are evenly spaced.
3. Each level plays the one below it (level 1 the random player) on fresh deals, until it is known
   at 95 % to win or the games are used up. The ratings that are kept come from these games alone.

Then docs/levels.md and docs/levels.svg are made anew from all games' files.
"""

from __future__ import annotations

import argparse
import datetime as dt
import os
import sys
import time
from collections.abc import Sequence
from contextlib import closing

import numpy as np

from benchmarks.calibrate.family import Family
from benchmarks.calibrate.hall import Hall, Pairing
from benchmarks.calibrate.ratings import Match, bootstrap, elo_of_share, fit
from benchmarks.calibrate.record import Calibration, write
from benchmarks.calibrate.report import write_docs
from benchmarks.calibrate.steps import even_steps
from benchmarks.calibrate.validate import Step, validate
from benchmarks.matches import Player, SearchPlayer, random_player
from engines.registry import game_ids
from search.levels import HIGHEST_LEVEL, BadLevels

_POINTS = 9
"""Parameters of the family whose ratings are measured, evenly spaced from 0 to 1."""
_FIRST_FRESH_DEAL = 1 << 20
_BOOTSTRAPS = 400
_SEED = 1


def measured_curve(hall: Hall, family: Family, deals: int) -> tuple[np.ndarray, np.ndarray]:
    """Parameters and their ratings."""
    parameters = np.linspace(0.0, 1.0, _POINTS)
    players: list[Player] = [random_player]
    players += [SearchPlayer(strength=family.at(parameter)) for parameter in parameters]
    pairings: list[Pairing] = [
        (above, above - gap) for gap in (1, 2) for above in range(gap, len(players))
    ]
    played = hall.play(players, pairings, range(deals))
    matches = [Match(first, second, shares) for (first, second), shares in played.items()]
    return parameters, fit(len(players), matches)[1:]


def calibrate(
    game_id: str, *, iterations: int, lowest: float, games: int, most_games: int, processes: int
) -> Calibration:
    """Measures and chooses a game's levels, and validates them."""
    begin = time.time()
    family = Family(iterations)
    with closing(Hall(game_id, processes)) as hall:
        parameters, ratings = measured_curve(hall, family, games // 2)
        curve = ", ".join(f"{p:.3f}: {r:.0f}" for p, r in zip(parameters, ratings, strict=True))
        print(f"{game_id}: ratings by parameter: {curve}", flush=True)
        chosen = even_steps(parameters, ratings, lowest, HIGHEST_LEVEL)
        strengths = [family.at(float(parameter)) for parameter in chosen]
        players: list[Player] = [random_player]
        players += [SearchPlayer(strength=strength) for strength in strengths]
        steps = validate(hall, players, _FIRST_FRESH_DEAL, most_games)
        played = hall.games
    calibration = Calibration(
        game_id=game_id,
        date=dt.datetime.now(dt.UTC).date().isoformat(),
        iterations=iterations,
        games=played,
        seconds=round(time.time() - begin),
        strengths=tuple(strengths),
        steps=steps,
        **_ratings(steps),
    )
    _print_steps(calibration)
    return calibration


def _ratings(steps: Sequence[Step]) -> dict[str, np.ndarray]:
    """Ratings of the levels with their intervals, from their matches against one another."""
    players = len(steps) + 1
    matches = [Match(number, number - 1, step.deals) for number, step in enumerate(steps, 1)]
    low, high = bootstrap(players, matches, times=_BOOTSTRAPS, seed=_SEED)
    return {"ratings": fit(players, matches)[1:], "low": low[1:], "high": high[1:]}


def _print_steps(calibration: Calibration) -> None:
    for number, step in enumerate(calibration.steps, 1):
        below = "random" if number == 1 else f"level {number - 1}"
        known = "known" if step.known else "NOT known"
        print(
            f"{calibration.game_id:14} level {number:2} against {below:8} {step.share}  "
            f"{elo_of_share(step.share.share):5.0f} points  {step.share.games} games  {known}",
            flush=True,
        )


def main() -> None:
    """Calibrates the games asked for; writes each as soon as it is done."""
    parser = argparse.ArgumentParser(
        prog="make calibrate",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--game", choices=game_ids(), action="append", help="only these games")
    parser.add_argument(
        "--iterations",
        type=int,
        default=2000,
        help="iterations a move that stand for full strength [%(default)s]",
    )
    parser.add_argument(
        "--lowest", type=float, default=150.0, help="rating of level 1 [%(default)s]"
    )
    parser.add_argument(
        "--games", type=int, default=400, help="games a match, for the curve [%(default)s]"
    )
    parser.add_argument(
        "--most-games", type=int, default=4000, help="at most, for each level [%(default)s]"
    )
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    for game_id in arguments.game or game_ids():
        calibration = calibrate(
            game_id,
            iterations=arguments.iterations,
            lowest=arguments.lowest,
            games=arguments.games,
            most_games=arguments.most_games,
            processes=arguments.processes,
        )
        try:
            write(calibration)
        except BadLevels as error:
            sys.exit(f"not kept: {error}; play more games")
        write_docs()


if __name__ == "__main__":
    main()
