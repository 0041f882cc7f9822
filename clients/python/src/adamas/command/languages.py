"""Which language a command speaks, where nobody says."""

import os
from collections.abc import Mapping

ENGLISH = "en"
TRADITIONAL_CHINESE = "zh-TW"
LANGUAGES = (ENGLISH, TRADITIONAL_CHINESE)
"""Those that the service has words in, and the commands too."""

_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""In the order in which systems read them: the first that is set counts."""
_CHINESE = {"zh", "cmn", "yue"}
_TRADITIONAL = {"hant", "tw", "hk", "mo"}


def preferred(environment: Mapping[str, str] = os.environ) -> str:
    """The language of the system's settings; English where the service has no words in that."""
    locale = next((found for name in _VARIABLES if (found := environment.get(name))), "")
    return known(locale)


def known(tag: str) -> str:
    """The language of the commands that is nearest to a tag or locale, such as "zh_TW.UTF-8"."""
    parts = tag.partition("@")[0].partition(".")[0].replace("_", "-").lower().split("-")
    if parts[0] in _CHINESE and (len(parts) == 1 or _TRADITIONAL.intersection(parts[1:])):
        return TRADITIONAL_CHINESE
    return ENGLISH
