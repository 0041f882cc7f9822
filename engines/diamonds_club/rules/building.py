"""The building phase: prices, payments, and the bonus cards (sections 1.3, 1.5 and 3.3)."""

from __future__ import annotations

import numpy as np

from engines.diamonds_club.rules.exchange import GEM_BITS
from engines.diamonds_club.rules.park import NO_SPACE, place, space_for
from engines.diamonds_club.rules.state import (
    ALL_FOUR,
    BONUS_TAKEN,
    BUILDINGS,
    BUILT,
    CHARTS,
    COLORS,
    DIAMOND,
    FIVE_OF_A_KIND,
    FOREST,
    GEMS,
    JOKER,
    KINDS,
    THREE_OF_A_KIND,
    total,
)
from engines.events import emit
from engines.jit import Int, Ints, Log, Record, rule

PASS = 0
BUILD_MOVES = CHARTS + KINDS
"""PASS, and BUILD moves: ``1 + kind`` at the kind's own chart, ``6 + kind`` at the joker chart."""
GEM_MASK = (1 << GEM_BITS) - 1
PACK_SPACE = 8
"""A BUILT entry packs purchase and space as ``8 * purchase + space``."""
MAX_PAYMENTS = 3060
"""Multisets of 5 sorts of gems that make up the highest price, 8 gems and 6 of surcharge."""


@rule
def chart_of(purchase: Int) -> Int:
    """The chart of a BUILD move."""
    return min(purchase - 1, JOKER)


@rule
def kind_of(purchase: Int) -> Int:
    """The kind that a BUILD move builds."""
    return purchase - 1 if purchase <= JOKER else purchase - 1 - JOKER


@rule
def surcharge(s: Record, chart: Int) -> Int:
    """Gems of any colour to add for the markers that stand in the chart (section 1.3)."""
    markers = 0
    for seat in range(s.seats):
        markers += s.charts[seat] >> chart & 1
    return markers * s.surcharge_per_marker


@rule
def price(s: Record, chart: Int) -> Int:
    """All gems that the chart asks for now."""
    return total(s.prices[chart]) + surcharge(s, chart)


@rule
def can_pay(s: Record, seat: Int, chart: Int) -> bool:
    """Whether the seat has enough gems, diamonds standing in for missing colours."""
    missing = 0
    for color in range(COLORS):
        missing += max(0, s.prices[chart, color] - s.gems[seat, color])
    return missing <= s.gems[seat, DIAMOND] and total(s.gems[seat]) >= price(s, chart)


@rule
def has_tile(s: Record, kind: Int) -> bool:
    """Whether there is a tile to build: of the kind, or any for a forest."""
    if kind == FOREST:
        return total(s.stacks) > 0
    return s.stacks[kind] > 0


@rule
def can_build(s: Record, seat: Int, purchase: Int) -> bool:
    """Whether a BUILD move is legal."""
    chart = chart_of(purchase)
    kind = kind_of(purchase)
    return (
        s.charts[seat] >> chart & 1 == 0
        and has_tile(s, kind)
        and space_for(s, seat, kind) != NO_SPACE
        and can_pay(s, seat, chart)
    )


@rule
def can_build_any(s: Record, seat: Int) -> bool:
    """Whether the seat can build anything (section 10.1)."""
    for purchase in range(1, BUILD_MOVES):
        if can_build(s, seat, purchase):
            return True
    return False


@rule
def list_builds(s: Record, seat: Int, out: Ints) -> Int:
    """Lists PASS and every BUILD of the seat; returns their number."""
    out[0] = PASS
    n = 1
    for purchase in range(1, BUILD_MOVES):
        if can_build(s, seat, purchase):
            out[n] = purchase
            n += 1
    return n


@rule
def pack_payment(blue: Int, yellow: Int, green: Int, red: Int, diamonds: Int) -> Int:
    """A payment from its gems."""
    payment = np.int64(blue)
    payment = payment << GEM_BITS | yellow
    payment = payment << GEM_BITS | green
    payment = payment << GEM_BITS | red
    return payment << GEM_BITS | diamonds


@rule
def gems_in(payment: Int, gem: Int) -> Int:
    """How many gems of a sort a payment holds."""
    return payment >> (GEM_BITS * (GEMS - 1 - gem)) & GEM_MASK


@rule
def covers(s: Record, chart: Int, payment: Int) -> bool:
    """Whether the payment's diamonds stand in for all gems that the chart's colours lack in it."""
    missing = 0
    for color in range(COLORS):
        missing += max(0, s.prices[chart, color] - gems_in(payment, color))
    return missing <= gems_in(payment, DIAMOND)


@rule
def list_payments(s: Record, seat: Int, chart: Int, out: Ints, limit: Int) -> Int:
    """Lists up to ``limit`` ways to pay for a chart; returns their number.

    The loops run over the gems of one sort each, from the fewest that the other sorts allow.
    """
    total = price(s, chart)
    gems = s.gems[seat]
    n = 0
    after_blue = gems[1] + gems[2] + gems[3] + gems[4]
    after_yellow = gems[2] + gems[3] + gems[4]
    after_green = gems[3] + gems[4]
    for blue in range(max(0, total - after_blue), min(total, gems[0]) + 1):
        left = total - blue
        for yellow in range(max(0, left - after_yellow), min(left, gems[1]) + 1):
            left = total - blue - yellow
            for green in range(max(0, left - after_green), min(left, gems[2]) + 1):
                left = total - blue - yellow - green
                for red in range(max(0, left - gems[4]), min(left, gems[3]) + 1):
                    payment = pack_payment(blue, yellow, green, red, left - red)
                    if covers(s, chart, payment):
                        if n == limit:
                            return n
                        out[n] = payment
                        n += 1
    return n


@rule
def only_payment(s: Record, seat: Int, chart: Int) -> Int:
    """The payment for a chart if there is only one, else -1."""
    found = np.empty(2, dtype=np.int64)
    return found[0] if list_payments(s, seat, chart, found, 2) == 1 else np.int64(-1)


@rule
def largest_stack(s: Record) -> Int:
    """The stack that gives the forests: the largest, the first of equal ones (section 10.5)."""
    largest = 0
    for kind in range(1, BUILDINGS):
        if s.stacks[kind] > s.stacks[largest]:
            largest = kind
    return largest


@rule
def claim(s: Record, seat: Int, card: Int, log: Log | None) -> None:
    """Takes a bonus card."""
    s.bonus_owner[card] = seat + 1
    emit(log, BONUS_TAKEN, seat, card, 0)


@rule
def claim_of_pair(s: Record, seat: Int, first: Int, achieved: Int, log: Log | None) -> None:
    """Takes the first or the second card of a pair for an achievement that has no card yet.

    A seat needs as many achievements as it takes cards (section 1.5).
    """
    own = seat + 1
    held = (s.bonus_owner[first] == own) + (s.bonus_owner[first + 1] == own)
    if achieved <= held:
        return
    if s.bonus_owner[first] == 0:
        claim(s, seat, first, log)
    elif s.bonus_owner[first + 1] == 0 and (held == 0 or s.second_bonus_same_player == 1):
        claim(s, seat, first + 1, log)


@rule
def claim_bonuses(s: Record, seat: Int, kind: Int, log: Log | None) -> None:
    """Takes the bonus cards that a new building of this kind earns."""
    if s.landscape[seat, kind] >= 3 and s.bonus_owner[THREE_OF_A_KIND + kind] == 0:
        claim(s, seat, THREE_OF_A_KIND + kind, log)
    full_sets = s.landscape[seat, kind]
    fives = 0
    for other in range(BUILDINGS):
        full_sets = min(full_sets, s.landscape[seat, other])
        if s.landscape[seat, other] >= 5:
            fives += 1
    claim_of_pair(s, seat, ALL_FOUR, full_sets, log)
    claim_of_pair(s, seat, FIVE_OF_A_KIND, fives, log)


@rule
def build(s: Record, purchase: Int, payment: Int, log: Log | None) -> None:
    """Pays, puts a marker into the chart and the tile into the park."""
    seat = s.turn
    kind = kind_of(purchase)
    for gem in range(GEMS):
        s.gems[seat, gem] -= gems_in(payment, gem)
        s.gem_supply[gem] += gems_in(payment, gem)
    s.charts[seat] |= 1 << chart_of(purchase)
    s.stacks[largest_stack(s) if kind == FOREST else kind] -= 1
    s.landscape[seat, kind] += 1
    emit(log, BUILT, seat, PACK_SPACE * purchase + space_for(s, seat, kind), payment)
    place(s, seat, kind, log)
    if kind < BUILDINGS:
        claim_bonuses(s, seat, kind, log)
