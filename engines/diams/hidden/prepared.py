"""What is worked out once for a view of Diam's before it is sampled."""

from __future__ import annotations

import numpy as np

from engines.diams.rules.state import CARDS, DIAMONDS, MAX_NOTES, MAX_SEATS, STATE
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

MAX_STEPS = MAX_NOTES + MAX_SEATS
MAX_SLOTS = 24
"""No hand is larger: 8 cards, and what one turn can bring."""
MAX_DEPOSITS = 10
MAX_PLANS = 4096
MAX_TOTALS = 100_000
"""Room for the plans and for their totals; searches copy it. Games that were played hardly ever
need a tenth, and where the totals need more, fewer deposits are counted (see ``number_states``)."""

PLAN_BITS = 6
"""A plan has 6 bits for each deposit: six times the pure diamonds plus the ordinary ones."""

STEP = record_dtype(
    [
        ("bound", np.float64),
        ("tilt", np.float64),
        ("slots", np.int64),
        ("what", np.int8),
        ("card", np.int8),
        ("pure", np.int8),
        ("ordinary", np.int8),
        ("certain_pure", np.int8),
        ("certain_ordinary", np.int8),
        ("most", np.int8),
        ("least", np.int8),
        ("cards", np.int16),
        ("number", np.int8),
    ]
)
"""One step of a seat's round. ``card``: the card, or the kind that is shown. ``pure`` and
``ordinary``: diamonds shown, and how many of them are certain to have been slots. ``pure`` alone:
cards dealt or put away; for HELD_NOTHING the bits of its note. ``cards`` in hand afterwards.
``slots``: a bit set of how many slots can be in hand before it, at most so many as ``most`` says,
of which at least ``least`` are used. ``number`` of a deposit, from 0. ``bound``: the most that a
special card can count for. ``tilt``: what a slot counts for, see ``slot_counts``."""

SEAT = record_dtype(
    [
        ("known", np.int8, (CARDS,)),
        ("safe", np.int8, (DIAMONDS,)),
        ("barred", np.int64, (MAX_SLOTS,)),
        ("given", np.int8, (MAX_SLOTS,)),
        ("slots", np.int8),
        ("cards", np.int16),
        ("most_spent", np.int16),
        ("least_spent", np.int16),
        ("unresolved", np.int16),
        ("certain", np.int8),
        ("known_specials", np.int8),
        ("slot_bound", np.float64),
        ("chance", np.float64),
        ("deposits", np.int8),
        ("sizes", np.int8, (MAX_DEPOSITS,)),
        ("special", np.int8, (MAX_DEPOSITS,)),
        ("radix", np.int32, (MAX_DEPOSITS,)),
        ("stride", np.int32, (MAX_DEPOSITS,)),
        ("plan", np.int64, (KINDS,)),
    ]
)
"""A seat. In its replay: cards known to be in hand, its safe, and for each slot the bit set of
cards that it can't be and the card it is being given (plus one).

``cards`` to ``known_specials`` are for ``follow``, which goes through the steps with the most that
can be true: ``known`` are then the most that can be in hand of ``cards`` cards. ``unresolved``
slots are not certain, and at least and at most so many of them can have been given free cards.
``certain`` tells that the known cards are exactly known, ``known_specials`` how many of them can be
special.

``slot_bound``: see ``bound_slots``; ``chance``: the share of what the plans have counted that the
replay has found true so far. From ``deposits`` on: the deposits with their sizes, and their digits
in the states of the totals; see ``advance``. ``plan``: the plan drawn for each kind."""

PLAN = record_dtype(
    [
        ("weight", np.float64),
        ("cards", np.int64, (MAX_SEATS,)),
        ("known", np.int8, (2,)),
        ("safe", np.int8, (2,)),
        ("spent", np.int8, (2,)),
    ]
)
"""A plan for a kind: what it counts for, what goes into each deposit of each seat; and while it is
being made, the pure and ordinary diamonds that one seat is known to have in hand and in its safe,
and how many of the free ones slots of all seats were given."""

TABLE = record_dtype(
    [
        ("template", np.uint8, (STATE.itemsize,)),
        ("last_sample", np.uint8, (STATE.itemsize,)),
        ("seats", SEAT, (MAX_SEATS,)),
        ("steps", STEP, (MAX_STEPS,)),
        ("first_step", np.int16, (MAX_SEATS + 1,)),
        ("steps_size", np.int16),
        ("free", np.int8, (CARDS,)),
        ("free_size", np.int8),
        ("scope", np.int8),
        ("slot_weight", np.float64),
        ("spent_bound", np.float64),
        ("pool", np.int8, (CARDS,)),
        ("lenient", np.int8),
        ("spent", np.int64),
        ("plans", PLAN, (MAX_PLANS,)),
        ("plans_size", np.int32),
        ("first_plan", np.int32, (KINDS + 1,)),
        ("totals", np.float64, (MAX_TOTALS,)),
        ("states", np.int32),
    ],
    raw=("template", "last_sample"),
)
"""Filled once for a view: the state without its hidden cards, one sample, the steps of every other
seat (those of seat p start at first_step[p]), the free cards (those that slots can be beside the
certain ones), what each slot that is given a free card counts for (see ``weigh_spent``), and the
plans (those for kind k start at first_plan[k]) with their totals, so many ``states`` a kind.

In a replay ``pool`` are the free cards that slots can still be, ``spent`` tells how many they have
been given. ``lenient``: what agrees is taken, without giving up for the sake of the right
chances."""

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


@rule
def power(base: float, exponent: Int) -> float:
    """A small power."""
    product = 1.0
    for _ in range(exponent):
        product *= base
    return product
