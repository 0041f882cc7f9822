"""Which of the languages that words come in a language tag asks for."""

from __future__ import annotations

from engines.languages import ENGLISH, LANGUAGES, TRADITIONAL_CHINESE
from engines.violations import Report, quoted

_DEFAULT = LANGUAGES[0]
_CHINESE = {"zh", "cmn", "yue"}
"""Chinese, and its forms that have tags of their own: Mandarin, Cantonese."""
_NO_LANGUAGE = {"", "c", "posix"}
"""What systems say that have not been told a language."""
_TRADITIONAL_REGIONS = {"tw", "hk", "mo"}


def match(tag: str) -> str | None:
    """The supported language that fits a tag best, or None.

    The tag is one of BCP 47, or a locale as systems name it ("zh_TW.UTF-8"). Traditional Chinese
    serves "zh", every "zh-Hant-..." and the regions that write it; simplified Chinese is not the
    same script, so it has no match.
    """
    locale = tag.partition("@")[0].partition(".")[0]
    language, *others = locale.replace("_", "-").lower().split("-")
    if language in _NO_LANGUAGE and not others:
        return _DEFAULT
    if language == "en":
        return ENGLISH
    if language not in _CHINESE:
        return None
    if "hant" in others:
        return TRADITIONAL_CHINESE
    if "hans" in others:
        return None
    if _TRADITIONAL_REGIONS.intersection(others) or not [part for part in others if len(part) == 2]:
        return TRADITIONAL_CHINESE
    return None


def read_language(tag: str, path: str, report: Report) -> str:
    """The supported language for a tag; the default after a violation."""
    language = match(tag)
    if language is None:
        report.add(path, f"is {quoted(tag)}; supported are {', '.join(LANGUAGES)}")
        return _DEFAULT
    return language
