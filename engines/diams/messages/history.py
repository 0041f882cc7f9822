"""The history of a view or state of Diam's: from event messages back to notes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adamas.v1 import diams_pb2 as pb
from engines.diams.messages.cards import SPECIAL_NAMES, read_card, read_diamond
from engines.diams.messages.events import seated_notes
from engines.diams.messages.turn_order import TurnOrder
from engines.diams.rules.notes import (
    DEPOSITED,
    DREW,
    DRILL_STARTED,
    FOUND,
    GIVEN_UP,
    MISSED,
    NOTHING_PLAYED,
    OFFERED,
    PLACED,
    SALE_STARTED,
    SHOPLIFTED,
    SOLD,
    SPECIAL_DEPOSITED,
    STORED,
    TAKEN,
    TURN_OF,
)
from engines.diams.rules.options import OUT_OF_GAME, TO_HAND
from engines.diams.rules.state import (
    CARDS,
    CLOSING_CARD,
    DEALT,
    MAX_HAND,
    MAX_NOTES,
    MAX_SEATS,
    SET_SIZE,
    SPECIALS,
    X1,
    X2,
    X3,
)
from engines.violations import Report

_IGNORED = ("card_turned", "closing", "round_started", "round_scored")
"""Events that touch no hand and no safe."""


class HistoryReader:
    """Reads events into the notes of a record, and checks that they come in a possible order."""

    def __init__(self, target: Any, report: Report) -> None:
        self._target = target
        self._report = report
        self._last = -1
        self._order: TurnOrder | None = TurnOrder(target)
        self.size = 0

    def read(self, event: pb.DiamsEvent, path: str) -> None:
        """Adds one event."""
        kind = event.WhichOneof("event")
        if kind is None:
            self._report.add(f"{path}.event", f"is not set; use one of {', '.join(_READERS)}")
        elif kind not in _IGNORED:
            body = getattr(event, kind)
            path = f"{path}.{kind}"
            seats = int(self._target.seats)
            if self._report.check(
                0 <= body.seat < seats, f"{path}.seat", f"is {body.seat}; use 0 to {seats - 1}"
            ):
                _READERS[kind](self, body, path)

    @property
    def _actor(self) -> int:
        return int(self._target.noted_turn) - 1

    def _note(self, seat: int, note: int, path: str) -> None:
        """Adds a note about the seat that acts, told by the event at a path."""
        self._check_order(seat, note, path)
        if self._target.noted_turn != seat + 1:
            self._append(TURN_OF + seat)
            self._target.noted_turn = seat + 1
        self._append(note)
        self._last = note

    def _check_order(self, seat: int, note: int, path: str) -> None:
        """Only the first event out of order is named: what follows it is its consequence."""
        if self._order is not None and (reason := self._order.follow(seat, note, path)):
            self._report.add(path, reason)
            self._order = None

    def finish(self, path: str) -> None:
        """All events have been read: do they lead to the seat to move and the phase?"""
        if self._order is None:
            return
        if late := self._order.drawn_after_closing():
            self._report.add(late, "can't have happened: the closing card was out before this turn")
            return
        field, problem = self._order.end()
        self._report.check(not field, f"{path}.{field}", problem)

    def _append(self, code: int) -> None:
        if self.size < MAX_NOTES:
            self._target.notes[self.size] = code
            self._target.notes_size = self.size + 1
        self.size += 1

    def read_drawn(self, body: Any, path: str) -> None:
        """card_drawn."""
        self._note(body.seat, DREW, path)

    def read_diamond_note(self, first: int, body: Any, path: str) -> None:
        """card_placed, card_taken and card_offered."""
        card = read_diamond(body.diamond, f"{path}.diamond", self._report)
        self._note(body.seat, first + card, path)

    def read_sold(self, body: Any, path: str) -> None:
        """card_sold: about the other seat of a sale."""
        card = read_diamond(body.diamond, f"{path}.diamond", self._report)
        self._check_order(body.seat, SOLD + card, path)
        if not OFFERED <= self._last < STORED:
            return
        offered = self._last - (SOLD if self._last >= SOLD else OFFERED)
        if self._report.check(
            card // 2 == offered // 2,
            f"{path}.diamond.kind",
            f"is {card // 2 + 1}, but kind {offered // 2 + 1} was offered",
        ):
            self._append(SOLD + card)
            self._last = SOLD + card

    def read_given_up(self, body: Any, path: str) -> None:
        """card_given_up."""
        card = read_card(body.card, f"{path}.card", self._report)
        if self._report.check(
            card != CLOSING_CARD,
            f"{path}.card",
            "can't be the closing card; use a diamond or a special card",
        ):
            self._note(body.seat, GIVEN_UP + card, path)

    def read_deposit(self, first: int, least: int, body: Any, path: str) -> None:
        """Deposited and special_deposited."""
        if not self._report.check(
            least <= body.count <= MAX_HAND,
            f"{path}.count",
            f"is {body.count}; use {least} to {MAX_HAND}",
        ):
            return
        wanted = body.count if self._target.open_safes else 0
        if not self._report.check(
            len(body.diamonds) == wanted,
            f"{path}.diamonds",
            f"has {len(body.diamonds)} entries; with these options it has {wanted}",
        ):
            return
        self._note(body.seat, first + body.count, path)
        cards = [
            read_diamond(diamond, f"{path}.diamonds[{i}]", self._report)
            for i, diamond in enumerate(body.diamonds)
        ]
        for card in sorted(cards):
            self._append(STORED + card)

    def _other_seat(self, body: Any, path: str) -> bool:
        seats = int(self._target.seats)
        fits = 0 <= body.opponent < seats and body.opponent != body.seat
        return self._report.check(
            fits, f"{path}.opponent", f"is {body.opponent}; name another seat, 0 to {seats - 1}"
        )

    def read_sale(self, body: Any, path: str) -> None:
        """sale_started."""
        if self._report.check(
            1 <= body.special <= SPECIALS,
            f"{path}.special",
            f"is {body.special}; use {SPECIAL_NAMES}",
        ) and self._other_seat(body, path):
            number = (body.special - 1) * MAX_SEATS + body.opponent
            self._note(body.seat, SALE_STARTED + number, path)

    def read_drill(self, body: Any, path: str) -> None:
        """drill_started."""
        if self._other_seat(body, path):
            self._note(body.seat, DRILL_STARTED + body.opponent, path)

    def read_named(self, body: Any, path: str) -> None:
        """drill_named."""
        card = read_diamond(body.diamond, f"{path}.diamond", self._report)
        self._note(body.seat, (FOUND if body.found else MISSED) + card, path)

    def read_shoplifted(self, body: Any, path: str) -> None:
        """Shoplifted."""
        self._note(body.seat, SHOPLIFTED, path)

    def read_nothing(self, body: Any, path: str) -> None:
        """nothing_played."""
        bits = 2 * body.market_empty + body.other_safes_empty
        self._note(body.seat, NOTHING_PLAYED + bits, path)


_READERS: dict[str, Callable[[HistoryReader, Any, str], None]] = {
    "card_drawn": HistoryReader.read_drawn,
    "card_placed": lambda r, body, path: r.read_diamond_note(PLACED, body, path),
    "card_taken": lambda r, body, path: r.read_diamond_note(TAKEN, body, path),
    "card_offered": lambda r, body, path: r.read_diamond_note(OFFERED, body, path),
    "card_sold": HistoryReader.read_sold,
    "card_given_up": HistoryReader.read_given_up,
    "deposited": lambda r, body, path: r.read_deposit(DEPOSITED, SET_SIZE, body, path),
    "special_deposited": lambda r, body, path: r.read_deposit(SPECIAL_DEPOSITED, 1, body, path),
    "sale_started": HistoryReader.read_sale,
    "drill_started": HistoryReader.read_drill,
    "drill_named": HistoryReader.read_named,
    "shoplifted": HistoryReader.read_shoplifted,
    "nothing_played": HistoryReader.read_nothing,
}


def sizes_by_history(record: Any) -> tuple[list[int], list[int]]:
    """Sizes of all hands and safes that the notes of a record lead to."""
    hands = [DEALT if seat < record.seats else 0 for seat in range(MAX_SEATS)]
    safes = [0] * MAX_SEATS
    actor = victim = 0
    for seat, note in seated_notes(record):
        if not SOLD <= note < STORED:
            actor = seat
        if SALE_STARTED <= note < DRILL_STARTED:
            victim = (note - SALE_STARTED) % MAX_SEATS
        elif DRILL_STARTED <= note < SHOPLIFTED:
            victim = note - DRILL_STARTED
        if note == DREW or TAKEN <= note < OFFERED:
            hands[seat] += 1
        elif PLACED <= note < STORED or GIVEN_UP <= note < FOUND:
            hands[seat] -= 1
        elif FOUND <= note < MISSED:
            safes[victim] -= 1
            (hands if record.drill_to == TO_HAND else safes)[actor] += 1
        elif DEPOSITED <= note < SALE_STARTED:
            special = note >= SPECIAL_DEPOSITED
            count = note - (SPECIAL_DEPOSITED if special else DEPOSITED)
            hands[seat] -= count + special
            safes[seat] += count
        elif SALE_STARTED <= note <= SHOPLIFTED:
            hands[seat] -= 1
    return hands, safes


def removed_by_history(record: Any) -> list[int]:
    """How often each card left the game by the notes of a record."""
    removed = [0] * CARDS
    for _, note in seated_notes(record):
        if GIVEN_UP <= note < FOUND:
            card = note - GIVEN_UP
            removed[card] += card >= X1 or record.overflow_to == OUT_OF_GAME
        elif SALE_STARTED <= note < DRILL_STARTED:
            removed[X1 + (note - SALE_STARTED) // MAX_SEATS] += 1
        elif SPECIAL_DEPOSITED <= note < SALE_STARTED:
            removed[X2] += 1
        elif DRILL_STARTED <= note < SHOPLIFTED:
            removed[X1] += 1
        elif note == SHOPLIFTED:
            removed[X3] += 1
    return removed
