"""Names that people give themselves, cleaned."""

from __future__ import annotations

import unicodedata

LONGEST = 24
_UNSEEN = ("C", "Zl", "Zp")
"""Categories that have no shape of their own, or change how what follows is shown."""


def clean_name(text: str) -> str:
    """A name without anything unseen, in one line, of at most ``LONGEST`` characters.

    May be empty. What it says is up to people; the page shows it as text, whatever it is.
    """
    # More than this would be cut anyway, and normalising takes time.
    composed = unicodedata.normalize("NFC", text[: 8 * LONGEST])
    seen = "".join(
        " " if letter.isspace() else letter
        for letter in composed
        if letter.isspace() or not unicodedata.category(letter).startswith(_UNSEEN)
    )
    return " ".join(seen.split())[:LONGEST].strip()
