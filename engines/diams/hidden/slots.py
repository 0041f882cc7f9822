"""Slots: the cards that came to a hand of Diam's unseen."""

from __future__ import annotations

import numpy as np

from engines.jit import Int, Record, Rng, rule
from engines.rng import below


@rule
def give(h: Record, card: Int, rng: Rng) -> bool:
    """Chooses a slot that is being given the card; False if there is none left."""
    waiting = 0
    for slot in range(h.slots):
        waiting += h.given[slot] == 0
    if waiting == 0:
        return False
    skip = below(rng, waiting)
    for slot in range(h.slots):
        if h.given[slot] == 0:
            if skip == 0:
                h.given[slot] = card + 1
                return True
            skip -= 1
    return False


@rule
def give_free(t: Record, h: Record, card: Int, rng: Rng) -> bool:
    """The same with a free card."""
    t.pool[card] -= 1
    return give(h, card, rng)


@rule
def settle(h: Record) -> bool:
    """Takes the slots that have been given cards off the hand; False if one is barred from its
    card. Older slots that stay are barred from it."""
    kept = 0
    for slot in range(h.slots):
        card = np.int64(h.given[slot]) - 1
        h.given[slot] = 0
        if card < 0:
            h.barred[kept] = h.barred[slot]
            kept += 1
        else:
            if (h.barred[slot] >> card) & 1:
                return False
            for older in range(kept):
                h.barred[older] |= np.int64(1) << card
    h.slots = kept
    return True
