"""Ratings of levels as an SVG: one panel a game, a point a level, intervals as bars."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

_WIDTH, _HEIGHT = 360, 260
"""Of a panel."""
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 14, 34, 40
_COLUMNS = 2
_TICKS = (50, 100, 200, 250, 500)
"""Distances of the rating axis's lines to choose from."""
_STYLE = (
    "text{font:12px sans-serif;fill:#333}.title{font-weight:bold;font-size:14px}"
    ".grid{stroke:#ddd}.bar{stroke:#1f5fa8;stroke-width:2}.point{fill:#1f5fa8}"
    ".line{fill:none;stroke:#1f5fa8;stroke-opacity:.35}"
)


def plot(games: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """The picture for each game's levels, as in levels.json."""
    rows = max(1, math.ceil(len(games) / _COLUMNS))
    width, height = _COLUMNS * _WIDTH, rows * _HEIGHT
    panels = [
        f'<g transform="translate({_WIDTH * (i % _COLUMNS)} {_HEIGHT * (i // _COLUMNS)})">'
        f"{_panel(game_id, levels)}</g>"
        for i, (game_id, levels) in enumerate(games.items())
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img">'
        "<title>Rating of each level with its 95 % interval, by game</title>"
        f"<style>{_STYLE}</style>"
        f'<rect width="{width}" height="{height}" fill="white"/>\n'
        + "\n".join(panels)
        + "\n</svg>\n"
    )


def _panel(game_id: str, levels: Sequence[Mapping[str, Any]]) -> str:
    highest = max(level["high"] for level in levels)
    step = next((tick for tick in _TICKS if highest / tick <= 8), _TICKS[-1])
    top: int = step * math.ceil(highest / step)

    def x(level: float) -> float:
        return round(_LEFT + (level - 0.5) / len(levels) * (_WIDTH - _LEFT - _RIGHT), 1)

    def y(rating: float) -> float:
        return round(_HEIGHT - _BOTTOM - rating / top * (_HEIGHT - _TOP - _BOTTOM), 1)

    parts = [f'<text class="title" x="{_LEFT}" y="20">{escape(game_id)}</text>']
    for rating in range(0, top + 1, step):
        parts.append(
            f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" '
            f'y1="{y(rating)}" y2="{y(rating)}"/>'
            f'<text x="{_LEFT - 6}" y="{y(rating) + 4}" text-anchor="end">{rating}</text>'
        )
    points = " ".join(f"{x(level['level'])},{y(level['rating'])}" for level in levels)
    parts.append(f'<polyline class="line" points="{points}"/>')
    for level in levels:
        at = x(level["level"])
        parts.append(
            f'<line class="bar" x1="{at}" x2="{at}" '
            f'y1="{y(level["low"])}" y2="{y(level["high"])}"/>'
            f'<circle class="point" cx="{at}" cy="{y(level["rating"])}" r="3.5"/>'
            f'<text x="{at}" y="{_HEIGHT - _BOTTOM + 16}" text-anchor="middle">'
            f"{level['level']}</text>"
        )
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    parts.append(
        f'<text x="{middle}" y="{_HEIGHT - 8}" text-anchor="middle">level; rating in Elo points, '
        "random moves have 0</text>"
    )
    return "".join(parts)
