"""Quality of play: ``make strength``. Prints each mark with its 95 % confidence interval.

The search plays two-seat games at a time a move on one core, each deal once from either seat,
against a random player and against each game's casual player. On a busy machine, or with more
processes than cores, the search gets less than its time; with --processor-time it gets all of it.
More time plays better, so a mark that is met with less than 100 ms is met. ARGS=--short is a first
look in some minutes, in which no mark can be missed.

It also plays against OpenSpiel's ISMCTS bot, twice: with the same time a move, and with the same
number of iterations. OpenSpiel is slow with games made in Python, as ours are to it, so the first
match shows more of that than of its search, and the second one says nothing of speed. Beside the
first one stands how many times the bot's iterations our search runs in the same time.

With --frozen ADDRESS it plays an earlier state of this project that is served there, in a
tournament of ours, at tables of two and of four (one seat against three).
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
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
from benchmarks.openspiel import UCT_C
from engines.registry import game_ids

RESULTS = Path("build/strength.json")
YARDSTICKS: dict[str, Player] = {
    "random": random_player,
    "casual": casual_player,
    "policy": policy_player,
}
OPENSPIEL_TIME = "openspiel_time"
OPENSPIEL_ITERATIONS = "openspiel_iterations"
OPENSPIEL = (OPENSPIEL_TIME, OPENSPIEL_ITERATIONS)
FROZEN = "frozen"
FROZEN_SEATS = (2, 4)
OPENSPIEL_GAMES = 100
"""Games a match at most, unless told otherwise: both players take their time."""
TARGETS = {
    "random": {"dao": 0.97, "diamonds": 0.92, "diams": 0.99, "diamonds_club": 0.99},
    "casual": {"dao": 0.85, "diamonds": 0.90, "diams": 0.97, "diamonds_club": 0.98},
    OPENSPIEL_ITERATIONS: {"dao": 0.55, "diamonds": 0.60, "diams": 0.85, "diamonds_club": 0.95},
    "frozen, 2 seats": {"dao": 0.53, "diamonds": 0.57, "diams": 0.80, "diamonds_club": 0.85},
    "frozen, 4 seats": {"dao": 0.27, "diamonds": 0.29, "diams": 0.45, "diamonds_club": 0.50},
}
"""Shares of the victories that the search must reach, by opponent and game: with 100 ms a move, and
with as many iterations as OpenSpiel's bot, 1,000."""


@dataclass(frozen=True)
class Terms:
    """The opponent, and what limits a move of those who search: time or iterations."""

    opponent: str
    seconds: float | None = None
    iterations: int | None = None
    of_processor: bool = False
    """Whether the time is the processor's."""
    uct_c: float = UCT_C
    """OpenSpiel's exploration constant, where it is the opponent."""

    def __str__(self) -> str:
        """The limit in words."""
        if self.seconds is None:
            return f"{self.iterations} iterations a move"
        return f"{1000 * self.seconds:g} ms a move"


@dataclass(frozen=True)
class Mark:
    """The result of one match."""

    game: str
    terms: Terms
    result: Share
    iteration_ratio: float | None = None
    """Our iterations by the opponent's in the same time, if it searches for the same time."""

    @property
    def target(self) -> float | None:
        """The share that is asked for, if any."""
        return TARGETS.get(self.terms.opponent, {}).get(self.game)

    @property
    def missed(self) -> bool:
        """Whether a target was missed."""
        return self.target is not None and self.result.share < self.target

    def __str__(self) -> str:
        """One line of the table."""
        notes = [f"{self.result.games} games", str(self.terms)]
        if self.iteration_ratio is not None:
            notes.append(f"{self.iteration_ratio:.3g} times the iterations")
        if self.target is not None:
            notes.append(f"at least {100 * self.target:.0f} %")
        if self.missed:
            notes.append("MISSED")
        opponent = f"against {self.terms.opponent}"
        return f"{self.game:14} {opponent:28} {self.result}   {'   '.join(notes)}"

    def as_json(self) -> dict[str, object]:
        """What is kept."""
        return {
            "game": self.game,
            **asdict(self.terms),
            "result": asdict(self.result),
            "iteration_ratio": self.iteration_ratio,
        }


def search_against(terms: Terms) -> tuple[Player, Player]:
    """The search within its limit, and its opponent."""
    search = SearchPlayer(clock=time.thread_time if terms.of_processor else time.perf_counter)
    if terms.seconds is not None:
        search = replace(search, seconds=terms.seconds)
    if terms.iterations is not None:
        search = replace(search, iterations=terms.iterations)
    if terms.opponent not in OPENSPIEL:
        return search, YARDSTICKS[terms.opponent]
    from benchmarks.openspiel.player import OpenSpielPlayer

    return search, OpenSpielPlayer(search.seconds, search.iterations, terms.uct_c, search.clock)


def play(game_id: str, terms: Terms, games: int, processes: int) -> Mark:
    """Plays a match; measures the iterations of both if they have the same time."""
    pairs = play_deals(game_id, search_against, terms, max(1, games // 2), processes)
    ratio = None
    if terms.opponent == OPENSPIEL_TIME and terms.seconds is not None:
        from benchmarks.openspiel.rates import iterations_beside_openspiel

        ratio = iterations_beside_openspiel(game_id, terms.seconds).ratio
    return Mark(game_id, terms, share_of(pairs), ratio)


def frozen_marks(arguments: argparse.Namespace) -> Iterator[Mark]:
    """All matches against an earlier state."""
    from benchmarks.frozen import against_frozen

    limits = {"time": arguments.time}
    for seats in FROZEN_SEATS:
        terms = Terms(f"{FROZEN}, {seats} seats", arguments.time)
        for game_id in arguments.game or game_ids():
            share = against_frozen(game_id, seats, arguments.frozen, limits, arguments.games)
            yield Mark(game_id, terms, share)


def marks(arguments: argparse.Namespace) -> Iterator[Mark]:
    """All matches that were asked for, one after another."""
    few = arguments.openspiel_games or min(OPENSPIEL_GAMES, arguments.games)
    frozen = [FROZEN] if arguments.frozen else []
    for opponent in arguments.opponent or ("random", "casual", *OPENSPIEL, *frozen):
        if opponent == FROZEN:
            yield from frozen_marks(arguments)
            continue
        if opponent == OPENSPIEL_ITERATIONS:
            terms = Terms(opponent, iterations=arguments.openspiel_iterations)
        else:
            terms = Terms(opponent, arguments.time, of_processor=arguments.processor_time)
        terms = replace(terms, uct_c=arguments.openspiel_c)
        games = few if opponent in OPENSPIEL else arguments.games
        for game_id in arguments.game or game_ids():
            yield play(game_id, terms, games, arguments.processes)


def main() -> None:
    """Plays the matches, prints and keeps the marks; fails if one is missed."""
    parser = argparse.ArgumentParser(prog="make strength", description=__doc__)
    parser.add_argument("--games", type=int, default=400, help="games a match [%(default)s]")
    parser.add_argument("--time", type=float, default=0.1, help="seconds a move [%(default)s]")
    parser.add_argument(
        "--processor-time", action="store_true", help="the time is the processor's, not the clock's"
    )
    parser.add_argument("--game", choices=game_ids(), action="append", help="only these games")
    parser.add_argument(
        "--opponent",
        choices=sorted((*YARDSTICKS, *OPENSPIEL, FROZEN)),
        action="append",
        help="only these opponents [all but policy]",
    )
    parser.add_argument("--frozen", metavar="ADDRESS", help="where an earlier state is served")
    parser.add_argument(
        "--openspiel-games",
        type=int,
        help=f"games a match against OpenSpiel [--games, at most {OPENSPIEL_GAMES}]",
    )
    parser.add_argument(
        "--openspiel-iterations",
        type=int,
        default=1000,
        help="iterations a move in the match with as many for both [%(default)s]",
    )
    parser.add_argument(
        "--openspiel-c",
        type=float,
        default=UCT_C,
        help="OpenSpiel's exploration constant, for returns in [-1, 1] [%(default)s]",
    )
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--short", action="store_true", help="few games, little time: a first look")
    arguments = parser.parse_args()
    if arguments.short:
        arguments.games, arguments.time, arguments.processor_time = 20, 0.01, True
        arguments.openspiel_games, arguments.openspiel_iterations = 4, 100
    begin = time.time()
    found = []
    for mark in marks(arguments):
        print(mark, flush=True)
        found.append(mark)
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps([mark.as_json() for mark in found], indent=2) + "\n")
    print(f"{time.time() - begin:.0f} s; kept in {RESULTS}")
    if any(mark.missed for mark in found) and not arguments.short:
        sys.exit("a mark was missed")


if __name__ == "__main__":
    main()
