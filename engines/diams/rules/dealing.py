"""The set-up of a round of Diam's (section 2)."""

from __future__ import annotations

from engines.diams.rules.market import pop, turn_for_market
from engines.diams.rules.notes import ROUND_STARTED
from engines.diams.rules.state import CARDS, CLOSING_CARD, DEALT, DRAW, copies_of
from engines.events import emit
from engines.jit import Log, Record, rule
from engines.rng import below, shuffle


@rule
def build_pile(s: Record) -> None:
    """Shuffles the pile, and the closing card into its bottom (sections 2.1 and 2.2)."""
    size = 0
    for card in range(CARDS):
        for _ in range(copies_of(s, card)):
            s.deck[size] = card
            size += 1
    shuffle(s.random_state, s.deck, size)
    position = below(s.random_state, s.closing_window + 1)
    s.deck[size] = s.deck[position]
    s.deck[position] = CLOSING_CARD
    s.deck_size = size + 1


@rule
def deal_round(s: Record, log: Log | None) -> None:
    """A new round: the starter, round number and generator are set (section 2)."""
    s.turn = s.starter
    s.closed = 0
    s.closer = 0
    s.market[:] = 0
    s.removed[:] = 0
    s.hands[:] = 0
    s.safes[:] = 0
    s.notes[:] = 0
    s.notes_size = 0
    s.noted_turn = 0
    build_pile(s)
    emit(log, ROUND_STARTED, s.starter, s.round_number, 0)
    for _ in range(DEALT):
        for seat in range(s.seats):
            s.hands[seat, pop(s)] += 1
    for _ in range(DEALT):
        turn_for_market(s, log)
    s.phase = DRAW
