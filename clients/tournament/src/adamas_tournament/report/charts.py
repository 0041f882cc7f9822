"""The charts of the report."""

from collections.abc import Mapping, Sequence

import numpy as np
from markupsafe import Markup

from adamas_tournament.report.svg import Picture, Scale, around
from adamas_tournament.statistics.pairwise import Interval
from adamas_tournament.statistics.summary import EntrantSummary

WIDTH = 760.0
LEFT = 190.0
RIGHT = WIDTH - 24.0
ROW = 38.0
MOST_BINS = 40

Colours = Mapping[str, str]


def rating_chart(ranked: Sequence[EntrantSummary], colours: Colours) -> Markup:
    """Each entrant's rating with its interval, best first."""
    ends = [end for entrant in ranked for end in (entrant.rating.low, entrant.rating.high)]
    scale = Scale(*around(ends), LEFT, RIGHT)
    bottom = 12 + ROW * len(ranked)
    picture = Picture(WIDTH, bottom + 30, "Ratings with 95 % intervals")
    picture.horizontal_axis(scale, bottom, 6, [(tick, f"{tick:g}") for tick in scale.ticks()])
    for row, entrant in enumerate(ranked):
        y, rating = 12 + ROW * (row + 0.5), entrant.rating
        colour = colours[entrant.name]
        told = f"{entrant.name}: {rating.value:.0f}, {rating.low:.0f} to {rating.high:.0f}"
        picture.text(LEFT - 16, y + 4, shortened(entrant.name), "label end")
        picture.bar(
            scale(rating.low), y - 4, scale(rating.high) - scale(rating.low), 8, "interval",
            colour, told,
        )  # fmt: skip
        picture.dot(scale(rating.value), y, 7, "mark", colour, told)
    return picture.markup()


def score_chart(scores: Mapping[str, Sequence[float]], colours: Colours) -> Markup:
    """How often each entrant reached which score: a histogram each, on one scale."""
    everything = np.concatenate([np.asarray(values) for values in scores.values()])
    edges = _edges(everything)
    scale = Scale(float(edges[0]), float(edges[-1]), LEFT, RIGHT)
    height = 74.0
    bottom = 10 + height * len(scores)
    picture = Picture(WIDTH, bottom + 30, "Distribution of scores")
    picture.horizontal_axis(scale, bottom, 6, [(tick, f"{tick:g}") for tick in scale.ticks(9)])
    counts = {name: np.histogram(values, edges)[0] for name, values in scores.items()}
    parts = {name: count / max(1, count.sum()) for name, count in counts.items()}
    tallest = max(float(part.max()) for part in parts.values()) or 1.0
    for row, (name, values) in enumerate(scores.items()):
        base = 10 + height * (row + 1) - 6
        picture.text(LEFT - 16, base - 22, shortened(name), "label end")
        mean = float(np.mean(values))
        picture.text(LEFT - 16, base - 6, f"mean {mean:.1f}", "tick end")
        for index, part in enumerate(parts[name]):
            if not part:
                continue
            low, high = float(edges[index]), float(edges[index + 1])
            tall = (height - 16) * float(part) / tallest
            told = f"{name}: {low:g} to {high:g} in {100 * part:.1f} % of games"
            picture.bar(
                scale(low) + 0.5, base - tall, scale(high) - scale(low) - 1, tall, "column",
                colours[name], told,
            )  # fmt: skip
        picture.line(LEFT, base, RIGHT, base, "base")
        picture.line(scale(mean), base, scale(mean), base - height + 14, "mean")
    return picture.markup()


def _edges(values: np.ndarray) -> np.ndarray:
    """Edges of bins of equal width; of whole numbers where the values are whole."""
    low, high = float(values.min()), float(values.max())
    if np.array_equal(values, np.round(values)):
        width = max(1.0, float(np.ceil((high - low + 1) / MOST_BINS)))
        return np.arange(low - 0.5, high + 0.5 + width, width)
    return np.linspace(low, high if high > low else low + 1, MOST_BINS + 1)


def time_chart(seconds: Mapping[str, Sequence[float]], colours: Colours) -> Markup:
    """How long moves took: median, middle half, nine tenths, and the longest, logarithmic."""
    shown = {name: np.maximum(values, 1e-4) for name, values in seconds.items() if len(values)}
    everything = np.concatenate(list(shown.values()))
    low = 10 ** np.floor(np.log10(everything.min()))
    high = 10 ** np.ceil(np.log10(everything.max() * 1.01))
    scale = Scale(float(low), float(high), LEFT, RIGHT, logarithmic=True)
    bottom = 12 + ROW * len(shown)
    picture = Picture(WIDTH, bottom + 30, "Time a move")
    ticks = [(tick, _time_words(tick)) for tick in scale.ticks()]
    picture.horizontal_axis(scale, bottom, 6, ticks)
    for row, (name, values) in enumerate(shown.items()):
        y = 12 + ROW * (row + 0.5)
        p5, p25, p50, p75, p95 = (float(q) for q in np.quantile(values, [0.05, 0.25, 0.5, 0.75,
                                                                          0.95]))  # fmt: skip
        told = (
            f"{name}: median {_time_words(p50)}, 95 % below {_time_words(p95)}, "
            f"longest {_time_words(float(values.max()))}"
        )
        picture.text(LEFT - 16, y + 4, shortened(name), "label end")
        picture.line(scale(p5), y, scale(p95), y, "whisker", colours[name])
        picture.bar(scale(p25), y - 9, max(scale(p75) - scale(p25), 2), 18, "box", colours[name],
                    told)  # fmt: skip
        picture.line(scale(p50), y - 11, scale(p50), y + 11, "median")
        picture.dot(scale(float(values.max())), y, 3, "mark", colours[name], told)
    return picture.markup()


def _time_words(seconds: float) -> str:
    return f"{1000 * seconds:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


def seat_chart(shares: Sequence[Interval], labels: Sequence[str]) -> Markup:
    """Mean share of the victory at each place of the table, against an even share."""
    even = 1 / len(shares)
    high = max(2 * even, *(share.high for share in shares))
    scale = Scale(0, min(1.0, high), 250, 16)
    picture = Picture(WIDTH, 300, "Share of the victory by seat")
    ticks = [(tick, f"{100 * tick:.0f} %") for tick in scale.ticks(5)]
    picture.vertical_axis(scale, 60, RIGHT, ticks)
    step = (RIGHT - 60) / len(shares)
    for seat, (share, label) in enumerate(zip(shares, labels, strict=True)):
        x = 60 + step * (seat + 0.5)
        told = f"{label}: {100 * share.mean:.1f} %, {100 * share.low:.1f} to {100 * share.high:.1f}"
        wide = min(70.0, step * 0.5)
        picture.bar(x - wide / 2, scale(share.mean), wide, 250 - scale(share.mean), "seat", "",
                    told)  # fmt: skip
        picture.line(x, scale(share.low), x, scale(share.high), "error")
        picture.text(x, 272, label, "label middle")
    picture.line(60, scale(even), RIGHT, scale(even), "even")
    picture.text(RIGHT, scale(even) - 6, f"even: {100 * even:.1f} %", "tick end")
    return picture.markup()


def evidence_chart(traces: Mapping[str, Sequence[float]], threshold: float) -> Markup:
    """How the evidence for each question grew with the deals, and where it is enough."""
    longest = max(len(trace) for trace in traces.values())
    top = max(threshold * 2, *(max(trace) for trace in traces.values()))
    least = min(0.1, *(min(trace) for trace in traces.values()))
    across = Scale(0, max(2, longest), 60, RIGHT)
    up = Scale(max(least, 1e-6), top, 250, 16, logarithmic=True)
    picture = Picture(WIDTH, 290, "Evidence by deal")
    picture.vertical_axis(up, 60, RIGHT, [(tick, f"{tick:g}") for tick in up.ticks()])
    whole = [tick for tick in across.ticks() if tick == int(tick)]
    picture.horizontal_axis(across, 250, 250, [(tick, f"{tick:g}") for tick in whole])
    for number, (question, trace) in enumerate(traces.items()):
        points = [(across(0), up(1.0))]
        points += [(across(deal), up(value)) for deal, value in enumerate(trace, 1)]
        picture.path(points, f"trace trace{number % 4}")
        picture.text(RIGHT, points[-1][1] - 8, question, "tick end")
    picture.line(60, up(threshold), RIGHT, up(threshold), "even")
    picture.text(66, up(threshold) - 6, f"known: {threshold:g} to 1", "tick")
    return picture.markup()


def shortened(name: str, most: int = 24) -> str:
    """A name that fits beside a chart."""
    return name if len(name) <= most else name[: most - 1] + "…"
