"""Ratings of levels as an SVG: one panel a game, a point a level, intervals as bars."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

_COLUMNS = 2
_PANEL = (3.6, 2.6)
"""Width and height in inches."""
_COLOUR = "#1f5fa8"
_STYLE: dict[Any, Any] = {
    "font.family": "sans-serif",
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": "#dddddd",
    "svg.fonttype": "none",
    "svg.hashsalt": "levels",
}


def plot(games: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """The picture for each game's levels, as in levels.json."""
    rows = max(1, -(-len(games) // _COLUMNS))
    with mpl.rc_context(_STYLE):
        figure = Figure((_COLUMNS * _PANEL[0], rows * _PANEL[1]), layout="constrained")
        panels = figure.subplots(rows, _COLUMNS, squeeze=False).flat
        for axes, (game_id, levels) in zip(panels, games.items(), strict=False):
            numbers = [level["level"] for level in levels]
            ratings = np.array([level["rating"] for level in levels])
            ends = np.array([[level["low"], level["high"]] for level in levels]).T
            axes.errorbar(
                numbers, ratings, abs(ends - ratings), fmt="none", ecolor=_COLOUR, elinewidth=2
            )
            axes.plot(numbers, ratings, "o-", color=_COLOUR, linewidth=0.8, ms=4, gid=game_id)
            axes.set_title(game_id, fontweight="bold", fontsize="medium", loc="left")
            axes.set_xticks(numbers)
            axes.set_ylim(bottom=0)
        for axes in list(panels)[len(games) :]:
            axes.remove()
        figure.supxlabel("level; rating in Elo points, random moves have 0", fontsize="medium")
        written = io.StringIO()
        figure.savefig(written, format="svg", metadata={"Date": None})
    return written.getvalue()
