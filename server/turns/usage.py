"""How much each client has had lately."""

from __future__ import annotations

import math
import time

_MEMORY = 20.0
"""Seconds in which what a client has had counts for less and less, by a factor of e."""
_AHEAD, _GRACE = 1.25, 2.0
"""How many times the mean a client may have had, and how much more on top of that."""
_FORGOTTEN = 0.05


class Usage:
    """Counts what clients are given, and forgets it little by little."""

    def __init__(self) -> None:
        self._had: dict[str, float] = {}
        self._at = time.monotonic()

    def add(self, client: str) -> None:
        """Notes that a client has been given something."""
        self._fade()
        self._had[client] = self._had.get(client, 0.0) + 1.0

    def is_ahead(self, client: str) -> bool:
        """Whether a client has had clearly more than others that ask."""
        self._fade()
        own = self._had.get(client, 0.0)
        mean = sum(self._had.values()) / max(1, len(self._had))
        return own > _AHEAD * mean + _GRACE

    def _fade(self) -> None:
        now = time.monotonic()
        factor = math.exp((self._at - now) / _MEMORY)
        self._at = now
        self._had = {
            client: had * factor for client, had in self._had.items() if had * factor > _FORGOTTEN
        }
