"""The charts of the report."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, PercentFormatter
from rich.cells import cell_len, set_cell_size

from adamas_tournament.report.pictures import ACCENT, INK, SOFT, figure
from adamas_tournament.statistics.pairwise import Interval
from adamas_tournament.statistics.summary import EntrantSummary

ROW = 0.38
"""Inches for an entrant."""
MARGIN = 0.5
MOST_BINS = 40
LONGEST_NAME = 24
"""Columns of a name beside a chart."""

Colours = Mapping[str, str]


def rating_chart(ranked: Sequence[EntrantSummary], colours: Colours) -> Figure:
    """Each entrant's rating with its interval, best first."""
    drawn, (axes,) = figure(MARGIN + ROW * len(ranked))
    for row, entrant in enumerate(ranked):
        rating, colour = entrant.rating, colours[entrant.name]
        axes.hlines(row, rating.low, rating.high, color=colour, linewidth=6, alpha=0.35)
        axes.plot(rating.value, row, "o", color=colour, markersize=8)
    _name_rows(axes, [entrant.name for entrant in ranked])
    return drawn


def score_chart(scores: Mapping[str, Sequence[float]], colours: Colours) -> Figure:
    """How often each entrant reached which score: a histogram each, on one scale; a line at the
    mean.
    """
    edges = _edges(np.concatenate([np.asarray(values) for values in scores.values()]))
    drawn, rows = figure(MARGIN + 0.7 * len(scores), len(scores))
    for axes, (name, values) in zip(rows, scores.items(), strict=True):
        axes.hist(values, edges.tolist(), color=colours[name], alpha=0.75, rwidth=0.92)
        axes.axvline(float(np.mean(values)), color=INK, linewidth=1.2, linestyle=":")
        label = f"{shortened(name)}\nmean {np.mean(values):.1f}"
        axes.set_ylabel(label, rotation=0, ha="right", va="center")
        axes.set_yticks([])
    return drawn


def _edges(values: np.ndarray) -> np.ndarray:
    """Edges of bins of equal width; of whole numbers where the values are whole."""
    low, high = float(values.min()), float(values.max())
    if np.array_equal(values, np.round(values)):
        width = max(1.0, float(np.ceil((high - low + 1) / MOST_BINS)))
        return np.arange(low - 0.5, high + 0.5 + width, width)
    return np.linspace(low, high if high > low else low + 1, MOST_BINS + 1)


def time_chart(seconds: Mapping[str, Sequence[float]], colours: Colours) -> Figure:
    """How long moves took: median, middle half, nine tenths, and the longest, logarithmic."""
    shown = {name: np.maximum(values, 1e-4) for name, values in seconds.items() if len(values)}
    drawn, (axes,) = figure(MARGIN + ROW * len(shown))
    boxes = axes.boxplot(
        list(shown.values()),
        positions=range(len(shown)),
        orientation="horizontal",
        whis=(5, 95),
        showfliers=False,
        showcaps=False,
        patch_artist=True,
        widths=0.45,
        medianprops={"color": INK, "linewidth": 1.8},
    )
    for row, (name, values) in enumerate(shown.items()):
        colour = colours[name]
        boxes["boxes"][row].set(facecolor=colour, edgecolor="none", alpha=0.5)
        for whisker in boxes["whiskers"][2 * row : 2 * row + 2]:
            whisker.set(color=colour, linewidth=2, alpha=0.6)
        axes.plot(float(values.max()), row, "o", color=colour, markersize=4)
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(LogLocator(numticks=8))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda tick, _: _time_words(tick)))
    axes.minorticks_off()
    _name_rows(axes, list(shown))
    return drawn


def _time_words(seconds: float) -> str:
    return f"{1000 * seconds:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


def seat_chart(shares: Sequence[Interval], labels: Sequence[str]) -> Figure:
    """Mean share of the victory at each place of the table, against an even share."""
    even = 1 / len(shares)
    drawn, (axes,) = figure(2.8)
    means = np.array([share.mean for share in shares])
    ends = np.array([[share.low, share.high] for share in shares]).T
    axes.bar(labels, means, width=0.5, color=ACCENT, alpha=0.7)
    axes.errorbar(labels, means, abs(ends - means), fmt="none", ecolor=INK, elinewidth=1.3)
    axes.axhline(even, color=SOFT, linestyle="--", label=f"even: {100 * even:.1f}%")
    axes.set_ylim(0, 1.08 * max(2 * even, *ends[1]))
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0, symbol=" %"))
    axes.grid(visible=False, axis="x")
    axes.tick_params("x", labelcolor=INK)
    _legend_above(axes)
    return drawn


def evidence_chart(
    traces: Mapping[str, Sequence[float]], threshold: float, palette: Sequence[str]
) -> Figure:
    """How the evidence for each question grew with the deals, and where it is enough."""
    drawn, (axes,) = figure(2.6 + 0.12 * len(traces))
    for number, (question, trace) in enumerate(traces.items()):
        colour = palette[number % len(palette)]
        axes.plot(range(len(trace) + 1), [1.0, *trace], color=colour, label=question)
    known = f"known: {threshold:g} to 1"
    axes.axhline(threshold, color=SOFT, linestyle="--", label=known)
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(FuncFormatter(lambda odds, _: f"{odds:g}"))
    axes.minorticks_off()
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("deals")
    _legend_above(axes)
    return drawn


def _legend_above(axes: Axes) -> None:
    """A legend above the axes: names at the ends of lines would cover each other."""
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1.02), ncols=2, borderaxespad=0, frameon=False)


def _name_rows(axes: Axes, names: Sequence[str]) -> None:
    """Names beside the rows of a chart, the first on top."""
    axes.set_yticks(range(len(names)), [shortened(name) for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params("y", length=0)
    axes.grid(visible=False, axis="y")


def shortened(name: str) -> str:
    """A name that fits beside a chart."""
    if cell_len(name) <= LONGEST_NAME:
        return name
    return set_cell_size(name, LONGEST_NAME - 1).rstrip() + "…"
