"""Reads states and views of Diamonds: the public part, then hands and passed cards."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from adamas.v1 import diamonds_pb2 as pb
from engines.diamonds.hidden.sampling import TABLE, prepare
from engines.diamonds.hidden.view import VIEW, project
from engines.diamonds.messages.cards import captured_counts, card_name
from engines.diamonds.messages.reading import PublicReader
from engines.diamonds.rules.state import OVER, PASS, PASS_COUNT
from engines.jit import Row
from engines.violations import Report

_Cards = Sequence[pb.DiamondsCard]


def read_state(message: pb.DiamondsState, path: str, report: Report) -> Row:
    """State message -> record."""
    reader = StateReader(message, path, report)
    reader.read()
    return reader.row


def read_view(message: pb.DiamondsView, path: str, report: Report) -> Row:
    """View message -> view record. Some deal agrees with a view that nothing is wrong with."""
    view = np.zeros(VIEW.itemsize, dtype=np.uint8)
    reader = ViewReader(message, path, report)
    if reader.read():
        project(reader.row, message.seat, view)
        table = np.zeros(TABLE.itemsize, dtype=np.uint8)
        report.check(
            prepare(view, table) == 1,
            f"{path}.tricks",
            "can't have come about: however the unseen cards are dealt, some seat holds a suit "
            "that it did not follow",
        )
    return view


class HandReader(PublicReader):
    """What states and views read alike of hands and passed cards."""

    def read_hand(self, seat: int, cards: _Cards, where: str, place: str) -> None:
        """The hand of a seat."""
        dealt = int(self.s.hand_size)
        left = dealt - self.played_by[seat].bit_count()
        if self.check(
            len(cards) == left, where, f"has {len(cards)} cards; {left} of {dealt} are left"
        ):
            numbers = self.read_cards(cards, where, place)
            if len(numbers) == left:
                for i, card in enumerate(numbers):
                    self.check_not_void(card, seat, f"{where}[{i}]")
                self.s.hands[seat] = sum(1 << card for card in numbers)

    def read_passed(
        self, giver: int, cards: _Cards, size: int, where: str, holder: int, outside: int
    ) -> None:
        """The cards that a seat has passed on. The holder, which has or had them, can't have those
        that lie outside."""
        if not self.check(len(cards) == size, where, f"has {len(cards)} cards; {size} are passed"):
            return
        passed = 0
        for i, card in enumerate(cards):
            number = self.read_card(card, f"{where}[{i}]")
            if number is None:
                continue
            found = self.places.get(number)
            self.check(
                not passed >> number & 1,
                f"{where}[{i}]",
                f"{card_name(number)} is in it twice; a card has one place",
            )
            self.check(
                not outside >> number & 1,
                f"{where}[{i}]",
                f"{card_name(number)} must be seat {holder}'s or played by it, but is "
                + (f"in {found}" if found else "unseen"),
            )
            passed |= 1 << number
        self.s.passed[giver] = passed

    def may_choose(self, cards: _Cards) -> int:
        """How many cards are passed while seats may not have chosen yet: none, or all."""
        return int(self.s.pass_count) if cards else 0


class StateReader(HandReader):
    """Reads the full state."""

    @property
    def ignores_turn(self) -> bool:
        """Nobody is to move once the game is over."""
        return bool(self.message.phase == OVER)

    def read_cards_alone(self) -> None:
        """Checks hands and passed cards, each card by itself."""
        for field in ("hands", "passed"):
            for seat, held in enumerate(getattr(self.message, field)[: self.seats]):
                self.read_each_card(held.cards, f"{field}[{seat}].cards")

    def read_hidden(self) -> None:
        """All hands, and the cards that have been passed on."""
        message, s, seats = self.message, self.s, self.seats
        self.check_seats("hands", len(message.hands))
        if s.phase != PASS_COUNT or message.passed:
            self.check_seats("passed", len(message.passed))
        if self.fine():
            for seat, hand in enumerate(message.hands):
                self.read_hand(seat, hand.cards, f"hands[{seat}].cards", f"seat {seat}'s hand")
        if self.fine():
            for seat, passed in enumerate(message.passed):
                self.read_state_passed(seat, passed.cards)
        if self.fine() and s.phase == PASS:
            waiting = [seat for seat in range(seats) if s.passed[seat] == 0]
            names = ", ".join(str(seat) for seat in waiting)
            if self.check(bool(waiting), "phase", "is DIAMONDS_PHASE_PASS, but all have chosen"):
                self.check(
                    int(s.turn) in waiting,
                    "turn",
                    f"is {s.turn}, but only {names} still have to choose what they pass",
                )
        s.random_state[0] = message.random_state

    def check_seats(self, field: str, length: int) -> None:
        """A list with one entry a seat."""
        self.check(
            length == self.seats,
            field,
            f"has {length} entries; give one a seat, {self.seats} (empty ones too)",
        )

    def read_state_passed(self, seat: int, cards: _Cards) -> None:
        """The cards that one seat passes or has passed on."""
        phase = self.s.phase
        size = int(self.s.pass_count) if phase != PASS else self.may_choose(cards)
        holder = seat if phase in (PASS_COUNT, PASS) else self.receivers[seat]
        outside = ~(int(self.s.hands[holder]) | self.played_by[holder])
        self.read_passed(seat, cards, size, f"passed[{seat}].cards", holder, outside)


class ViewReader(HandReader):
    """Reads a view, as a state that holds only what the viewing seat knows."""

    @property
    def ignores_turn(self) -> bool:
        """While passing several are to move, once the game is over nobody."""
        return self.message.phase in (PASS, OVER)

    def read_own_numbers(self) -> None:
        """The viewing seat."""
        self.check_number("seat", 0, self.seats - 1)

    def read_cards_alone(self) -> None:
        """Checks the hand and passed cards, each card by itself."""
        for field in ("hand", "passed", "received"):
            self.read_each_card(getattr(self.message, field), field)

    def read_hidden(self) -> None:
        """The hand, and the cards that the viewing seat has passed on and was passed."""
        message = self.message
        seat = message.seat
        self.read_hand(seat, message.hand, "hand", "the hand")
        if self.fine():
            self.read_given(seat)
            self.read_received(seat)
            self.read_captured()

    def read_given(self, seat: int) -> None:
        """The cards that the viewing seat passes or has passed on."""
        cards = self.message.passed
        if self.s.phase in (PASS_COUNT, PASS):
            size = self.may_choose(cards)
            self.read_passed(seat, cards, size, "passed", seat, ~int(self.s.hands[seat]))
            return
        receiver = self.receivers[seat]
        outside = int(self.s.hands[seat])
        for other in range(self.seats):
            outside |= self.played_by[other] if other != receiver else 0
        self.read_passed(seat, cards, int(self.s.pass_count), "passed", receiver, outside)
        if self.fine():
            self.check_still_held(receiver, int(self.s.passed[seat]))

    def check_still_held(self, receiver: int, given: int) -> None:
        """Cards that were passed and not played are in the receiver's hand."""
        held = given & ~self.played_by[receiver]
        left = int(self.s.hand_size) - self.played_by[receiver].bit_count()
        self.check(
            held.bit_count() <= left,
            "passed",
            f"has {held.bit_count()} cards that seat {receiver} has not played, but it has only "
            f"{left} cards left",
        )
        for i, message in enumerate(self.message.passed):
            card = self.read_card(message, f"passed[{i}]")
            if card is not None and held >> card & 1:
                self.check_not_void(card, receiver, f"passed[{i}]")

    def read_received(self, seat: int) -> None:
        """The cards that the viewing seat was passed."""
        cards = self.message.received
        if self.s.phase in (PASS_COUNT, PASS):
            self.check(not cards, "received", "has cards; none are received before all have chosen")
            return
        outside = ~(int(self.s.hands[seat]) | self.played_by[seat])
        giver = self.receivers.index(seat)
        self.read_passed(giver, cards, int(self.s.pass_count), "received", seat, outside)

    def read_captured(self) -> None:
        """The counts of captured cards, if the message has them."""
        captured = self.message.captured
        if not captured or not self.check(
            len(captured) == self.s.sides,
            "captured",
            f"has {len(captured)} entries; use {self.s.sides}, or leave it out",
        ):
            return
        for side, (told, counts) in enumerate(zip(captured, captured_counts(self.s), strict=True)):
            for name, count in counts.items():
                number = getattr(told, name)
                self.check(
                    number == count,
                    f"captured[{side}].{name}",
                    f"is {number}; by the tricks it is {count}",
                )
