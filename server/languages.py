"""The languages that words come in, and which of them a language tag asks for."""

from __future__ import annotations

from engines.violations import Report, quoted

LANGUAGES = ("en", "zh-TW")
DEFAULT = "en"


def match(tag: str) -> str | None:
    """The supported language that fits a BCP 47 tag best, or None.

    An empty tag asks for the default. Traditional Chinese serves "zh", every "zh-Hant-..." and the
    regions that write it; simplified Chinese is not the same script, so it has no match.
    """
    parts = tag.replace("_", "-").lower().split("-")
    if parts == [""]:
        return DEFAULT
    if parts[0] == "en":
        return "en"
    if parts[0] == "zh":
        if "hant" in parts:
            return "zh-TW"
        if "hans" in parts:
            return None
        if len(parts) == 1 or parts[1] in {"tw", "hk", "mo"}:
            return "zh-TW"
    return None


def read_language(tag: str, path: str, report: Report) -> str:
    """The supported language for a tag; the default after a violation."""
    language = match(tag)
    if language is None:
        report.add(path, f"is {quoted(tag)}; supported are {', '.join(LANGUAGES)}")
        return DEFAULT
    return language
