"""What the service adds to the thinking time in the positions with the most ways to decide."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.iterations import Position
from benchmarks.service import Latency, measure_overhead
from engines.registry import game
from engines.violations import Report
from tests.engines import wide as positions

BUDGET = 0.3
"""Seconds to think."""
CALLS = 100
"""Calls for each game."""


def widest_positions() -> Iterator[Position]:
    """The widest position of every game that has wide ones, as its seat sees it."""
    for game_id, widest in positions.widest_positions().items():
        found = game(game_id)
        wide = widest()
        report = Report()
        row = found.codec.read_state(wide.state, "state", report)
        report.raise_if_any()
        view = found.new_view()
        found.kernels.project(row, wide.seat, view)
        yield Position(found, view, moves_per_playout=0.0)


def slowest(address: str) -> tuple[str, Latency]:
    """The game with the most overhead in its widest position, and how much that is."""
    measured = [
        (position.game.game_id, measure_overhead(address, position, budget=BUDGET, calls=CALLS))
        for position in widest_positions()
    ]
    return max(measured, key=lambda entry: entry[1].p99)
