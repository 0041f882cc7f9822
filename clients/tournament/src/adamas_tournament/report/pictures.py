"""Figures of matplotlib as inline SVG that takes the page's colours."""

import io
import re
import warnings
from typing import Any

import matplotlib as mpl
from markupsafe import Markup, escape
from matplotlib.axes import Axes
from matplotlib.figure import Figure

INK, SOFT, LINE, ACCENT = "#010203", "#040506", "#070809", "#0a0b0c"
"""Stand for the page's colours of these names, which differ by day and night."""
_VARIABLES = {INK: "--ink", SOFT: "--soft", LINE: "--line", ACCENT: "--accent"}
WIDTH = 7.6
"""Inches, which only set how large letters are: a picture is shown as wide as there is room."""
_STYLE: dict[Any, Any] = {
    "font.family": "sans-serif",
    "font.size": 9.5,
    "text.color": INK,
    "axes.edgecolor": LINE,
    "axes.labelcolor": INK,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": LINE,
    "xtick.color": LINE,
    "ytick.color": LINE,
    "xtick.labelcolor": SOFT,
    "ytick.labelcolor": INK,
    "svg.fonttype": "none",
    "svg.hashsalt": "adamas",
}
_NOTHING = dict.fromkeys(("Creator", "Date", "Format", "Type"))
_NAMELESS = re.compile(r'<g id="[A-Za-z0-9.]+_\d+">')


def figure(height: float, rows: int = 1) -> tuple[Figure, list[Axes]]:
    """An empty figure of so many inches, and its axes, one below the other, on one scale."""
    with mpl.rc_context(_STYLE):
        found = Figure(figsize=(WIDTH, height), layout="constrained")
        axes = found.subplots(rows, 1, sharex=True, squeeze=False)
    return found, [row[0] for row in axes]


def svg(drawn: Figure, title: str) -> Markup:
    """A figure as HTML.

    Args:
        drawn: The figure.
        title: What it shows, for people who can't see it.
    """
    written = io.StringIO()
    with mpl.rc_context({**_STYLE, "svg.id": title}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # the browser has more letters
        drawn.savefig(written, format="svg", transparent=True, metadata=_NOTHING)
    text = written.getvalue()
    for colour, variable in _VARIABLES.items():
        text = text.replace(colour, f"var({variable})")
    start = text.index("<svg") + len("<svg")
    described = f'<svg role="img" aria-label="{escape(title)}"' + text[start:]
    return Markup(_NAMELESS.sub("<g>", described))  # noqa: S704  (matplotlib escapes all texts)
