"""Counting of cards in places, for games that keep them in lists or in sets."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.integer[Any]]
"""How many of each kind of card, shape (samples, kinds)."""


def count_listed(cards: NDArray[np.integer[Any]], kinds: int) -> Counts:
    """Counts of lists of cards, shape (samples, length)."""
    samples = len(cards)
    slots = cards.astype(np.int64) + kinds * np.arange(samples)[:, np.newaxis]
    return np.bincount(slots.ravel(), minlength=samples * kinds).reshape(samples, kinds)


def count_members(sets: NDArray[np.int64], kinds: int) -> Counts:
    """Counts of sets of cards as bit masks, shape (samples,)."""
    return sets[:, np.newaxis] >> np.arange(kinds) & 1
