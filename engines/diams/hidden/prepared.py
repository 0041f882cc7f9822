"""What is worked out once for a view of Diam's before it is sampled."""

from __future__ import annotations

import numpy as np

from engines.diams.rules.state import (
    CARDS,
    DIAMONDS,
    MAX_NOTES,
    MAX_SEATS,
    SPECIALS,
    STATE,
)
from engines.diams.rules.tables import KINDS
from engines.jit import Int, rule
from engines.records import record_dtype

(
    DEALT_UNSEEN,
    GAINED,
    LOST,
    LOST_KNOWN,
    LOST_SLOT,
    SHOWN,
    PUT_AWAY,
    PUT_AWAY_SPECIAL,
    SAFE_GAINED,
    SAFE_LOST,
    SAFE_LACKS,
    HELD_NOTHING,
) = range(12)
"""What happens to a seat. LOST may be a known card or a slot; LOST_KNOWN and LOST_SLOT are
certain."""

PLANNED = KINDS + 1
"""The kinds, and after them the special cards as one more."""
MAX_STEPS = MAX_NOTES + MAX_SEATS
MAX_SLOTS = 24
"""No hand is larger: 8 cards, and what one turn can bring."""
MAX_CHOICES = 32
"""Steps of all other seats whose cards have to be chosen. Each deposit takes a set of a kind of its
own, but for what a drill, the special deposit and special cards that can't be played add."""
MAX_PLANS = 4096
MAX_STATES = 1 << 14
MAX_WAYS = 1 << 15
"""Room for the plans and for the ways to combine them; searches copy it. Rounds that were played
hardly ever need a tenth."""
KEY_WORDS = 4
IMPOSSIBLE, POSSIBLE, UNDECIDED = range(3)
"""Verdicts about a view. IMPOSSIBLE is proved; of UNDECIDED ones no history has been found, or they
have more ways than there is room for."""

STEP = record_dtype(
    [
        ("what", np.int8),
        ("card", np.int8),
        ("pure", np.int8),
        ("ordinary", np.int8),
        ("certain_pure", np.int8),
        ("certain_ordinary", np.int8),
        ("most", np.int8),
        ("cards", np.int16),
        ("number", np.int8),
        ("word", np.int8),
        ("place", np.int8),
    ]
)
"""One step of a seat's round. ``card``: the card, or the kind that is shown. ``pure`` and
``ordinary``: diamonds shown, and how many of them are certain to have been slots. ``pure`` alone:
cards dealt or put away; for HELD_NOTHING the bits of its note. ``cards`` in hand afterwards.
``most``: of a step that may use slots or known cards, the most slots that it can use. ``number`` of
a choice, from 0. ``word`` and ``place``: where the keys of ``keys`` tell of it."""

SEAT = record_dtype(
    [
        ("known", np.int8, (CARDS,)),
        ("safe", np.int8, (DIAMONDS,)),
        ("barred", np.int64, (MAX_SLOTS,)),
        ("given", np.int8, (MAX_SLOTS,)),
        ("slots", np.int8),
        ("cards", np.int16),
        ("unresolved", np.int16),
        ("certain", np.int8),
    ]
)
"""A seat. In its replay: cards known to be in hand, its safe, and for each slot the bit set of
cards that it can't be and the card it is being given (plus one).

``cards`` to ``certain`` are for ``follow``, which goes through the steps with the most that can be
true: ``known`` are then the most that can be in hand of ``cards`` cards, and ``unresolved`` the
most slots. ``certain`` tells that the known cards are exactly known."""

PLAN = record_dtype(
    [
        ("weight", np.float64),
        ("uses", np.int64, (KEY_WORDS,)),
        ("cards", np.int8, (MAX_CHOICES,)),
        ("known", np.int8, (SPECIALS,)),
        ("safe", np.int8, (2,)),
        ("spent", np.int8, (SPECIALS,)),
        ("room", np.int8),
    ]
)
"""A plan for a kind: in how many ways its free cards can be chosen, what it adds to a key (see
``keys``), and its cards for each choice: six times the pure diamonds plus the ordinary ones, or a
bit set of special cards. While it is being made: the cards that one seat is known to have in hand
and in its safe, how many of the free ones slots of all seats were given, and in how many of the
seat's slots there is room for more of the kind, at most."""

WAY = record_dtype([("share", np.float64), ("next", np.int32), ("plan", np.int16)])
"""One plan that can be chosen for a kind: its share among those that can be, once those for the
kinds before it are, and the state that it leads to."""

TABLE = record_dtype(
    [
        ("template", np.uint8, (STATE.itemsize,)),
        ("last_sample", np.uint8, (STATE.itemsize,)),
        ("start", np.int64, (KEY_WORDS,)),
        ("guards", np.int64, (KEY_WORDS,)),
        ("ways", WAY, (MAX_WAYS,)),
        ("plans", PLAN, (MAX_PLANS,)),
        ("seats", SEAT, (MAX_SEATS,)),
        ("steps", STEP, (MAX_STEPS,)),
        ("first_step", np.int16, (MAX_SEATS + 1,)),
        ("steps_size", np.int16),
        ("choices", np.int16),
        ("choice_steps", np.int16, (MAX_CHOICES,)),
        ("free", np.int8, (CARDS,)),
        ("free_size", np.int8),
        ("scope", np.int8),
        ("pool", np.int8, (CARDS,)),
        ("chosen", np.int16, (PLANNED,)),
        ("verdict", np.int8),
        ("plans_size", np.int32),
        ("first_plan", np.int32, (PLANNED + 1,)),
        ("first_way", np.int32, (MAX_STATES + 1,)),
    ],
    raw=("template", "last_sample"),
)
"""Filled once for a view: the state without its hidden cards, one sample, the steps of every other
seat (those of seat p start at first_step[p]), which of them are choices, the free cards (those that
slots can be beside the certain ones), the plans (those for kind k start at first_plan[k]), and the
ways to combine them (those from state i start at first_way[i]; state 0 is the start of the first
kind).

In a replay ``pool`` are the free cards that slots can still be, and ``chosen`` the plan of each
kind. ``verdict`` tells whether what the view shows can have happened."""

CHOOSE = np.array(
    [[1, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0], [1, 2, 1, 0, 0, 0], [1, 3, 3, 1, 0, 0],
     [1, 4, 6, 4, 1, 0], [1, 5, 10, 10, 5, 1]],
    dtype=np.float64,
)  # fmt: skip
"""Binomial coefficients."""


@rule
def falling(n: Int, k: Int) -> float:
    """N (n - 1) ... over k factors."""
    product = 1.0
    for i in range(k):
        product *= n - i
    return product
