"""Pictures as inline SVG: just what the report's charts need."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from markupsafe import Markup, escape


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps values to pixels.

    Attributes:
        low: Value at `start`.
        high: Value at `end`.
        start: Pixel of `low`.
        end: Pixel of `high`.
        logarithmic: Whether equal ratios are equally far apart.
    """

    low: float
    high: float
    start: float
    end: float
    logarithmic: bool = False

    def __call__(self, value: float) -> float:
        """The pixel of a value; values beyond the ends are drawn at the ends."""
        low, high, at = self.low, self.high, min(max(value, self.low), self.high)
        if self.logarithmic:
            low, high, at = math.log(low), math.log(high), math.log(at)
        part = (at - low) / (high - low) if high > low else 0.5
        return self.start + part * (self.end - self.start)

    def ticks(self, count: int = 6) -> list[float]:
        """Round values between the ends, about `count` of them."""
        if self.logarithmic:
            first, last = math.ceil(math.log10(self.low)), math.floor(math.log10(self.high))
            return [10.0**power for power in range(first, last + 1)]
        step = _round_step((self.high - self.low) / max(1, count))
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [number * step for number in range(first, last + 1)]


def _round_step(least: float) -> float:
    """The least of 1, 2, 5, 10, 20, ... (times a power of ten) that is not below `least`."""
    if least <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(least))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least * 0.999)


def around(values: Sequence[float], margin: float = 0.06) -> tuple[float, float]:
    """A range that holds all values, with some room at both ends."""
    low, high = min(values), max(values)
    room = (high - low) * margin or 1.0
    return low - room, high + room


@dataclass(slots=True)
class Picture:
    """An SVG picture that grows by what is drawn.

    Attributes:
        width: In pixels of the picture; it is shown as wide as there is room.
        height: In pixels of the picture.
        title: What it shows, for people who can't see it.
    """

    width: float
    height: float
    title: str
    _parts: list[str] = field(default_factory=list)

    def line(self, x1: float, y1: float, x2: float, y2: float, kind: str, colour: str = "") -> None:
        """A straight line."""
        self._add("line", {"x1": x1, "y1": y1, "x2": x2, "y2": y2}, kind, colour, stroke=True)

    def path(self, points: Sequence[tuple[float, float]], kind: str, colour: str = "") -> None:
        """Lines through points."""
        text = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self._add("polyline", {"points": text}, kind, colour, stroke=True)

    def bar(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        kind: str,
        colour: str = "",
        told: str = "",
    ) -> None:
        """A rectangle, with words that show when it is pointed at."""
        values = {"x": x, "y": y, "width": max(width, 0.0), "height": max(height, 0.0)}
        self._add("rect", values, kind, colour, told=told)

    def dot(
        self, x: float, y: float, radius: float, kind: str, colour: str = "", told: str = ""
    ) -> None:
        """A filled circle."""
        self._add("circle", {"cx": x, "cy": y, "r": radius}, kind, colour, told=told)

    def text(self, x: float, y: float, words: str, kind: str = "label") -> None:
        """Words; `kind` also tells where they are anchored, see style.css."""
        self._parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" class="{escape(kind)}">{escape(words)}</text>'
        )

    def horizontal_axis(
        self, scale: Scale, y: float, top: float, words: Sequence[tuple[float, str]]
    ) -> None:
        """A grid line and a label for each tick of a horizontal scale."""
        for value, label in words:
            self.line(scale(value), top, scale(value), y, "grid")
            self.text(scale(value), y + 16, label, "tick middle")

    def vertical_axis(
        self, scale: Scale, x: float, right: float, words: Sequence[tuple[float, str]]
    ) -> None:
        """A grid line and a label for each tick of a vertical scale."""
        for value, label in words:
            self.line(x, scale(value), right, scale(value), "grid")
            self.text(x - 8, scale(value) + 4, label, "tick end")

    def markup(self) -> Markup:
        """The picture as HTML."""
        return Markup(  # noqa: S704  (every text in it has been escaped)
            f'<svg viewBox="0 0 {self.width:.0f} {self.height:.0f}" role="img" '
            f'aria-label="{escape(self.title)}">' + "".join(self._parts) + "</svg>"
        )

    def _add(
        self,
        shape: str,
        values: dict[str, float] | dict[str, str],
        kind: str,
        colour: str,
        *,
        stroke: bool = False,
        told: str = "",
    ) -> None:
        where = " ".join(
            f'{name}="{value if isinstance(value, str) else format(value, ".1f")}"'
            for name, value in values.items()
        )
        paint = f' style="{"stroke" if stroke else "fill"}:{escape(colour)}"' if colour else ""
        inner = f"<title>{escape(told)}</title>" if told else ""
        self._parts.append(f'<{shape} {where} class="{escape(kind)}"{paint}>{inner}</{shape}>')
