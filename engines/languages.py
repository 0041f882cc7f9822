"""The languages that words come in, as BCP 47 tags."""

from __future__ import annotations

from typing import Final

ENGLISH: Final = "en"
TRADITIONAL_CHINESE: Final = "zh-TW"
LANGUAGES: Final = (ENGLISH, TRADITIONAL_CHINESE)
"""Every game's words exist in each. The first is the default."""
