"""Measured figures beside what is asked of them: printed as a table, kept as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

AT_LEAST, AT_MOST = "at least", "at most"
_PLAIN_WIDTH = 140
"""Columns where the output is no terminal."""


@dataclass(frozen=True)
class Figure:
    """One measured figure, and what it is measured against.

    Attributes:
        name: What it is of.
        value: What was measured.
        unit: Its unit.
        bound: AT_LEAST or AT_MOST; empty without a target.
        target: What is asked; None: nothing.
        note: How it was measured.
        pace: Whether other work on the machine can spoil it.
    """

    name: str
    value: float
    unit: str = ""
    bound: str = ""
    target: float | None = None
    note: str = ""
    pace: bool = False

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None without one."""
        if self.target is None:
            return None
        return self.value >= self.target if self.bound == AT_LEAST else self.value <= self.target


def at_least(
    name: str, value: float, target: float, unit: str = "", note: str = "", *, pace: bool = False
) -> Figure:
    """A figure that should reach its target."""
    return Figure(name, value, unit, AT_LEAST, target, note, pace)


def at_most(
    name: str, value: float, target: float, unit: str = "", note: str = "", *, pace: bool = False
) -> Figure:
    """A figure that should not go over its target."""
    return Figure(name, value, unit, AT_MOST, target, note, pace)


class Report:
    """Collects figures, prints them as a table, and keeps them in a JSON file."""

    def __init__(self) -> None:
        self.figures: list[Figure] = []
        self._console = Console()
        if not self._console.is_terminal:
            self._console = Console(width=_PLAIN_WIDTH)

    @contextmanager
    def measuring(self, what: str) -> Iterator[None]:
        """Says on a terminal what is being measured."""
        with self._console.status(f"measuring {what}"):
            yield

    def add(self, figures: Iterable[Figure]) -> None:
        """Takes figures as they are measured."""
        self.figures.extend(figures)

    def missed(self, *, pace: bool = True) -> list[Figure]:
        """The figures that do not reach what is asked; those of pace only if they count."""
        return [f for f in self.figures if f.met is False and (pace or not f.pace)]

    def print(self) -> None:
        """Prints the table."""
        table = Table("figure", "value", "asked for", "", "how")
        for figure in self.figures:
            wanted = "" if figure.target is None else f"{figure.bound} {figure.target:g}"
            met = {None: "", True: "met", False: "MISSED"}[figure.met]
            value = f"{figure.value:,.0f}" if figure.value >= 1000 else f"{figure.value:.2f}"
            table.add_row(figure.name, f"{value} {figure.unit}", wanted, met, figure.note)
        self._console.print(table)

    def keep(self, path: Path) -> None:
        """Writes the figures over those of the same names that the file has already."""
        path.parent.mkdir(exist_ok=True)
        kept = json.loads(path.read_text("utf-8")) if path.exists() else {}
        for figure in self.figures:
            # JSON has no word for what is infinite or could not be measured.
            value = figure.value if math.isfinite(figure.value) else None
            kept[figure.name] = asdict(figure) | {"value": value, "met": figure.met}
        path.write_text(json.dumps(kept, indent=2) + "\n", "utf-8")
        self._console.print(f"kept in {path}")
