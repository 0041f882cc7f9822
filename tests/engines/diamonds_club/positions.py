"""Positions of Diamonds Club that tests and benchmarks share."""

from __future__ import annotations

from math import comb

from tests.engines.wide import WidePosition
from tests.examples.diamonds_club import GEMS, JOKER, PAYMENT, build, player, position

JOKER_PRICE = 6


def widest() -> WidePosition:
    """A joker purchase, the last of four seats to make one, with the highest surcharge and all gems
    of the box: any of them pay for it."""
    surcharge = 2
    others = [player(forests=1, charts=[JOKER]) for _ in range(3)]
    state = position(
        player(gems=dict.fromkeys(GEMS, 20)),
        *others,
        phase=PAYMENT,
        track=[(seat, seat) for seat in reversed(range(4))],
        options={"surcharge_per_marker": surcharge},
        purchase=build(JOKER, 1).build,
    )
    price = JOKER_PRICE + surcharge * len(others)
    payments = comb(price + len(GEMS) - 1, len(GEMS) - 1)
    return WidePosition(state, seat=0, moves=payments, combinations=payments)
