"""How words are set that all games share: numbers, percentages, and the spaces of Chinese."""

from __future__ import annotations

import re
from collections.abc import Mapping

_SEAM = re.compile(r"(?<=[\u4e00-\u9fff])(?=\d)|(?<=\d)(?=[\u4e00-\u9fff])")


def number(whole: int) -> str:
    """A whole number that may be negative: "1", "−4"."""
    return str(whole).replace("-", "−")


def percent(share: float) -> str:
    """A share as a percentage: "62.6%". No space, at which a line could break."""
    return f"{100 * share:.1f}%"


def counted(text: Mapping[str, str], form: str, count: int) -> str:
    """The form for so many things: some have one of their own for a single thing, named `_1`."""
    return text.get(f"{form}_1", text[form]) if count == 1 else text[form]


def spaced(words: str) -> str:
    """Chinese with the space that goes between characters and digits."""
    return _SEAM.sub(" ", words)
