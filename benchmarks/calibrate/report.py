"""docs/levels.md's table and docs/levels.svg, from the levels of all games."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from benchmarks.calibrate.plot import plot
from benchmarks.calibrate.ratings import elo_of_share
from engines.registry import game_ids
from search.levels import levels_file

DOCS = Path(__file__).resolve().parents[2] / "docs"
BEGIN, END = "<!-- Made by make calibrate. -->", "<!-- Until here. -->"
_COLUMNS = (
    "Level", "Rating", "Iterations", "Worlds", "Reach", "Blur", "Wins against the level below",
    "Step in points", "Games", "Known at 95 %",
)  # fmt: skip
_MADE = re.compile(f"{re.escape(BEGIN)}.*{re.escape(END)}", re.DOTALL)


def write_docs() -> None:
    """Renews both files."""
    found = {
        game_id: json.loads(levels_file(game_id).read_text("utf-8"))
        for game_id in game_ids()
        if levels_file(game_id).is_file()
    }
    path = DOCS / "levels.md"
    tables = "\n\n".join(table(game_id, data) for game_id, data in found.items())
    text, replaced = _MADE.subn(
        lambda _: f"{BEGIN}\n\n{tables}\n\n{END}", path.read_text("utf-8"), count=1
    )
    if not replaced:
        raise ValueError(f"{path} has no place for the tables, between {BEGIN} and {END}")
    path.write_text(text, encoding="utf-8")
    (DOCS / "levels.svg").write_text(
        plot({game_id: data["levels"] for game_id, data in found.items()}), encoding="utf-8"
    )


def table(game_id: str, data: dict[str, Any]) -> str:
    """One game's levels as a Markdown table."""
    made = data["provenance"]
    measured = (
        f"{made['date']}, {made['games']:,} games of {made['seats']} seats; full strength was "
        f"measured with {made['full_strength_iterations']:,} iterations a move."
    )
    head = (f"| {' | '.join(_COLUMNS)} |", "| --: " * (len(_COLUMNS) - 1) + "| :-- |")
    rows = [_row(level) for level in data["levels"]]
    return "\n".join((f"### {game_id}", "", measured, "", *head, *rows))


def _row(level: dict[str, Any]) -> str:
    step = level["against_the_level_below"]
    return (
        f"| {level['level']} | {level['rating']:.0f} [{level['low']:.0f}, {level['high']:.0f}] "
        f"| {level['iterations']:,} | {level['worlds']:,} | {level['reach']} | {level['blur']:.3f} "
        f"| {100 * step['share']:.1f} % [{100 * step['low']:.1f}, {100 * step['high']:.1f}] "
        f"| {elo_of_share(step['share']):.0f} | {step['games']:,} "
        f"| {'yes' if step['known'] else 'no'} |"
    )
