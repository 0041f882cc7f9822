"""How words are set that all games share: numbers, percentages, and the spaces of Chinese."""

from __future__ import annotations

import re

_SEAM = re.compile(r"(?<=[\u4e00-\u9fff])(?=\d)|(?<=\d)(?=[\u4e00-\u9fff])")


def number(whole: int) -> str:
    """A whole number that may be negative: "1", "−4"."""
    return str(whole).replace("-", "−")


def percent(share: float) -> str:
    """A share as a whole percentage: "63 %"."""
    return f"{100 * share:.0f} %"


def spaced(words: str) -> str:
    """Chinese with the space that goes between characters and digits."""
    return _SEAM.sub(" ", words)
