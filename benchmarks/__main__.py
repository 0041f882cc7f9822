"""Speed: ``make bench``. Prints a table and writes build/bench.json.

Every ratio comes from rates taken in turn in this one run, so that a noisy machine troubles both
sides alike.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks import iterations, service, wide
from benchmarks.playouts import against_cpp, playout_rate
from engines.registry import games

RESULTS = Path("build/bench.json")
PLAIN_WIDTH = 140
"""Columns where the output is no terminal."""
AT_LEAST, AT_MOST = "at least", "at most"


@dataclass(frozen=True)
class Figure:
    """One measured figure, and what it is measured against."""

    name: str
    value: float
    unit: str = ""
    bound: str = ""
    target: float | None = None
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None without one."""
        if self.target is None:
            return None
        return self.value >= self.target if self.bound == AT_LEAST else self.value <= self.target


def measure() -> Iterator[Figure]:
    """All figures, one after another."""
    yield from _playouts()
    yield from _iterations()
    yield from _service()


def _playouts() -> Iterator[Figure]:
    for game_id, found in games().items():
        seats = min(4, found.max_seats)
        rate = playout_rate(found, seats, 1.0)
        yield Figure(f"playout_moves_per_s.{game_id}", rate, "moves/s", note=f"{seats} seats")
    ratio = against_cpp()
    yield Figure(
        "playout_ratio_cpp.diamonds", ratio.ratio, "", AT_LEAST, 0.75,
        f"{ratio.first / 1e6:.1f} M against {ratio.second / 1e6:.1f} M moves/s of C++ -O3",
    )  # fmt: skip


def _iterations() -> Iterator[Figure]:
    for game_id, found in games().items():
        seats = min(4, found.max_seats)
        position = iterations.first_real_decision(game_id, seats)
        rate = iterations.search_rate(position, 1.0)
        note = f"{seats} seats, {position.moves_per_playout:.0f} moves a playout"
        yield Figure(f"iterations_per_s.{game_id}", rate, "it/s", note=note)
    diamonds = iterations.first_real_decision("diamonds", 4)
    beside = iterations.against_openspiel(diamonds)
    yield Figure(
        "iteration_ratio_openspiel.diamonds", beside.ratio, "", AT_LEAST, 4.0,
        f"{beside.first / 1e6:.1f} M against {beside.second / 1e6:.1f} M moves/s (Hearts)",
    )  # fmt: skip
    scaled = iterations.scaling(diamonds)
    yield Figure("scaling_2_cores", scaled.ratio, "", AT_LEAST, 1.8, "two trees, two threads")


def _service() -> Iterator[Figure]:
    position = iterations.first_real_decision("dao", 2)
    starts = []
    for run in range(3):
        with service.running_server() as (address, seconds):
            starts.append(seconds)
            if run == 2:
                latency = service.measure_overhead(address, position)
                widest, wide_latency = wide.slowest(address)
    note = f"{latency.calls} calls at 100 ms"
    yield Figure("overhead_ms_p50", latency.p50, "ms", AT_MOST, 2.0, note)
    yield Figure("overhead_ms_p99", latency.p99, "ms", AT_MOST, 10.0, note)
    note = f"{wide_latency.calls} calls at {wide.BUDGET * 1000:.0f} ms, {widest}, the slowest game"
    yield Figure("wide_overhead_ms_p50", wide_latency.p50, "ms", AT_MOST, 20.0, note)
    yield Figure("wide_overhead_ms_p99", wide_latency.p99, "ms", AT_MOST, 20.0, note)
    yield Figure("warm_start_s", sorted(starts)[1], "s", AT_MOST, 3.0, "process start to SERVING")


def main() -> None:
    """Measures, prints, writes."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.parse_args()
    console = Console()
    if not console.is_terminal:
        console = Console(width=PLAIN_WIDTH)
    table = Table("figure", "value", "asked for", "", "how")
    found = []
    with console.status("measuring"):
        for figure in measure():
            found.append(figure)
            wanted = "" if figure.target is None else f"{figure.bound} {figure.target:g}"
            met = {None: "", True: "met", False: "MISSED"}[figure.met]
            value = f"{figure.value:,.0f}" if figure.value >= 1000 else f"{figure.value:.2f}"
            table.add_row(figure.name, f"{value} {figure.unit}", wanted, met, figure.note)
    console.print(table)
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps({f.name: asdict(f) for f in found}, indent=2) + "\n")
    console.print(f"kept in {RESULTS}")


if __name__ == "__main__":
    main()
