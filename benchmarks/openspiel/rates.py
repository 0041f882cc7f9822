"""How many iterations OpenSpiel's bot runs beside our search in the same time."""

from __future__ import annotations

import time

from benchmarks.iterations import Position, first_real_decision, search_rate
from benchmarks.openspiel.player import OpenSpielPlayer
from benchmarks.pairs import Comparison, compare


def simulation_rate(position: Position, seconds: float) -> float:
    """Simulations per second of OpenSpiel's bot, of one decision that may take so long."""
    start = time.perf_counter()
    _, simulations = OpenSpielPlayer(seconds=seconds).choose(position.game, position.view, seed=1)
    return simulations / (time.perf_counter() - start)


def iterations_beside_openspiel(game_id: str, seconds: float) -> Comparison:
    """Iterations per second of our search and of the bot, at a two-seat game's first decision."""
    position = first_real_decision(game_id, 2)
    return compare(
        lambda: search_rate(position, seconds), lambda: simulation_rate(position, seconds)
    )
