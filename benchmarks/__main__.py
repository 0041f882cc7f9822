"""Speed: ``make bench``. Prints a table and writes build/bench.json.

Every ratio comes from rates taken in turn in this one run, so that a noisy machine troubles both
sides alike.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from benchmarks import costs, fronts, iterations, parts, service, wide
from benchmarks.figures import AT_LEAST, AT_MOST, Figure, Report
from benchmarks.playouts import against_cpp, playout_rate
from engines.registry import games
from tools.server_process import serving

RESULTS = Path("build/bench.json")


def measure(older: Path | None) -> Iterator[Figure]:
    """All figures, one after another."""
    yield from _playouts()
    yield from _iterations()
    yield from _service()
    yield from costs.measure(older)


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
        for part, microseconds in parts.parts(position)._asdict().items():
            yield Figure(f"iteration_us.{game_id}.{part}", microseconds, "µs", note=note)
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
        with serving("--web-port", "0") as server:
            starts.append(server.start_seconds)
            if run == 2:
                latency = service.measure_overhead(server.address, position)
                ways = fronts.call_times(server.address, server.web_port, position)
                widest, wide_latency = wide.slowest(server.address)
    note = f"{latency.calls} calls at 100 ms"
    yield Figure("overhead_ms_p50", latency.p50, "ms", AT_MOST, 2.0, note)
    yield Figure("overhead_ms_p99", latency.p99, "ms", AT_MOST, 10.0, note)
    note = f"{wide_latency.calls} calls at {wide.BUDGET * 1000:.0f} ms, {widest}, the slowest game"
    yield Figure("wide_overhead_ms_p50", wide_latency.p50, "ms", AT_MOST, 20.0, note)
    yield Figure("wide_overhead_ms_p99", wide_latency.p99, "ms", AT_MOST, 20.0, note)
    for way, median in ways.items():
        note = "a Recommend of one iteration, from a client in Python"
        yield Figure(f"call_ms_p50.{way}", median, "ms", note=note)
    yield Figure("warm_start_s", sorted(starts)[1], "s", AT_MOST, 3.0, "process start to SERVING")


def main() -> None:
    """Measures, prints, writes."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument(
        "--beside",
        type=Path,
        metavar="CHECKOUT",
        help="an older version, set up by `make warm`, whose server is asked in turn with this one",
    )
    parser.add_argument("--costs", action="store_true", help="only what calls cost")
    arguments = parser.parse_args()
    report = Report()
    with report.measuring("speed"):
        report.add((costs.measure if arguments.costs else measure)(arguments.beside))
    report.print()
    report.keep(RESULTS)


if __name__ == "__main__":
    main()
