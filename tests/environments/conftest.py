"""Which games, seats and variants the environments are tested with: all, at their extremes."""

from __future__ import annotations

from engines.registry import games
from environments.table import Setting


def settings() -> list[Setting]:
    """The standard rules at the fewest and the most seats, and each other variant once."""
    found = []
    for game in games().values():
        for variant in game.variants:
            seats = (min(variant.seats), max(variant.seats))
            most = seats if variant.variant_id == "standard" else seats[-1:]
            found += [Setting(game.game_id, n, variant.variant_id) for n in sorted(set(most))]
    return found


def name(setting: Setting) -> str:
    """Readable in a test's name."""
    return f"{setting.game_id}-{setting.seats}-{setting.variant}"
