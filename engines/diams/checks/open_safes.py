"""Open safes of Diam's: whether the history leads to what lies in them."""

from __future__ import annotations

from typing import Any

from engines.diams.checks.contradictions import Contradiction
from engines.diams.checks.deposit_sets import is_deposit
from engines.diams.messages.cards import card_name
from engines.diams.messages.events import seated_notes
from engines.diams.rules.notes import (
    DEPOSITED,
    DRILL_STARTED,
    FOUND,
    GIVEN_UP,
    MISSED,
    SALE_STARTED,
    SHOPLIFTED,
    SPECIAL_DEPOSITED,
    STORED,
)
from engines.diams.rules.options import ONE_KIND, TO_SAFE
from engines.diams.rules.state import DIAMONDS, MAX_SEATS


class _OpenSafes:
    """What lies in the safes of all seats, note by note, as counts by card."""

    def __init__(self, record: Any) -> None:
        self._to_safe = record.drill_to == TO_SAFE
        self._one_kind = record.special_deposit_scope == ONE_KIND
        self._victim = 0
        self._special = False
        self._missing = 0
        self._deposit = [0] * DIAMONDS
        self.held = [[0] * DIAMONDS for _ in range(MAX_SEATS)]

    def follow(self, seat: int, note: int) -> None:
        """One note."""
        if DRILL_STARTED <= note < SHOPLIFTED:
            self._victim = note - DRILL_STARTED
        elif FOUND <= note < DEPOSITED:
            self._drill(seat, (note - FOUND) % DIAMONDS, found=note < MISSED)
        elif DEPOSITED <= note < SALE_STARTED:
            self._special = note >= SPECIAL_DEPOSITED
            self._missing = note - (SPECIAL_DEPOSITED if self._special else DEPOSITED)
            self._deposit = [0] * DIAMONDS
        elif STORED <= note < GIVEN_UP:
            self._deposit[note - STORED] += 1
            self._missing -= 1
            if self._missing == 0:
                self._store(seat)

    def _drill(self, seat: int, card: int, *, found: bool) -> None:
        safe, name = self.held[self._victim], card_name(card)
        if found and not safe[card]:
            raise Contradiction(f"seat {seat} found {name} in a safe, but it was not in there")
        if not found and safe[card]:
            raise Contradiction(f"seat {seat} found no {name} in a safe, but it was in there")
        if found:
            safe[card] -= 1
            self.held[seat][card] += self._to_safe

    def _store(self, seat: int) -> None:
        safe = self.held[seat]
        if not is_deposit(self._deposit, safe, special=self._special, one_kind=self._one_kind):
            raise Contradiction(
                f"seat {seat} put diamonds into its safe, but they make no "
                + ("special deposit" if self._special else "deposit")
            )
        for card, number in enumerate(self._deposit):
            safe[card] += number


def follow_open_safes(record: Any) -> None:
    """Raises Contradiction unless the history leads to the safes, if they are open."""
    if not record.open_safes:
        return
    safes = _OpenSafes(record)
    for seat, note in seated_notes(record):
        safes.follow(seat, note)
    for seat in range(int(record.seats)):
        if safes.held[seat] != record.safes[seat].tolist():
            raise Contradiction(f"it leads to other diamonds than those in the safe of seat {seat}")
