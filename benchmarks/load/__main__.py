"""The service under load: ``make load``. Prints a table and writes build/service.json.

Ends with exit code 1 if a figure misses what is asked of it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.figures import Figure, Report
from benchmarks.load.scale import FULL, SHORT, Scale
from benchmarks.load.scenarios import (
    balanced,
    faults,
    gone,
    month,
    overload,
    priorities,
    quiet,
    throughput,
)

RESULTS = Path("build/service.json")
SCENARIOS: dict[str, Callable[[Scale], Iterator[Figure]]] = {
    "quiet": quiet.measure,
    "overload": overload.measure,
    "priorities": priorities.measure,
    "throughput": throughput.measure,
    "gone": gone.measure,
    "faults": faults.measure,
    "balanced": balanced.measure,
    "month": month.measure,
}
_LONG = ("month",)
"""Only when asked for: ``make soak``."""


def main() -> None:
    """Measures, prints, writes."""
    parser = argparse.ArgumentParser(prog="make load", description=__doc__)
    parser.add_argument(
        "scenarios",
        nargs="*",
        metavar="SCENARIO",
        help=f"{', '.join(SCENARIOS)} (default: all but {', '.join(_LONG)})",
    )
    parser.add_argument("--short", action="store_true", help="a few seconds each")
    parser.add_argument(
        "--any-pace",
        action="store_true",
        help="for busy machines: figures of pace are told, but may miss",
    )
    arguments = parser.parse_args()
    if unknown := sorted(set(arguments.scenarios) - SCENARIOS.keys()):
        parser.error(f"no scenario {', '.join(unknown)}; there are {', '.join(SCENARIOS)}")
    chosen = arguments.scenarios or [name for name in SCENARIOS if name not in _LONG]
    report = Report()
    try:
        for name in chosen:
            with report.measuring(name):
                report.add(SCENARIOS[name](SHORT if arguments.short else FULL))
    finally:
        report.print()
        report.keep(RESULTS)
    sys.exit(1 if report.missed(pace=not arguments.any_pace) else 0)


if __name__ == "__main__":
    main()
