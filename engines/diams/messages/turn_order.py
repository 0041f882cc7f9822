"""The order in which a round of Diam's is told: turn by turn, a draw, one play, cards given up.

Events come here one by one. What is told of a play has an order of its own, in which the referee
tells it; docs/views.md has it as a table.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engines.diams.messages.cards import card_name
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
)
from engines.diams.rules.options import TO_HAND
from engines.diams.rules.state import (
    DEALT,
    DRAW,
    LIMIT,
    MAX_SEATS,
    NAME,
    OFFER,
    OVER,
    PLAY,
    TAKE,
    digit_of,
    kind_of,
)

STEP_BY_STEP = "can't follow the event before it; sales and drills are told step by step"


@dataclass
class Turn:
    """What has been told of one turn."""

    seat: int
    draw: str = ""
    """The path of the event that told of a draw to the hand."""
    play: int = -1
    """The note that began the play."""
    placed: int = -1
    """The card that was placed for a visit or offered."""
    named: bool = False
    """Whether a drill has named its card."""
    taken: list[int] = field(default_factory=list)
    sold: list[int] = field(default_factory=list)
    given_up: list[int] = field(default_factory=list)

    def is_visit(self) -> bool:
        """Whether the play is a visit to the market."""
        return PLACED <= self.play < TAKEN

    def is_sale(self) -> bool:
        """Whether the play is a forced sale."""
        return SALE_STARTED <= self.play < DRILL_STARTED

    def is_drill(self) -> bool:
        """Whether the play is a drill."""
        return DRILL_STARTED <= self.play < SHOPLIFTED

    def missing(self) -> int:
        """What is missing to the digit of a placed card for which others are taken; else 0."""
        if not self.is_visit() or not self.taken or self._takes_kind():
            return 0
        return int(digit_of(self.placed)) - sum(int(digit_of(card)) for card in self.taken)

    def lacks(self) -> str:
        """What the turn still lacks before it can be over; empty if nothing."""
        if self.play < 0:
            return "has not played anything"
        if self.is_sale() and self.placed < 0:
            return "has offered no diamond for its forced sale"
        if self.is_drill() and not self.named:
            return "has named no diamond for its drill"
        if self.play == SHOPLIFTED and not self.taken:
            return "has taken no diamond for its special card"
        if self.missing():
            return f"has taken cards that are {self.missing()} short of the placed card's digit"
        wanted = len(self.sold) + 1 if self.sold else 2 if self.taken and self._takes_kind() else 0
        if len(self.taken) < wanted or (wanted and self.placed not in self.taken):
            return f"has not taken all cards of kind {kind_of(self.placed) + 1}"
        return ""

    def take(self, card: int) -> str:
        """Tells of a card taken from the market; what is wrong about it, if anything."""
        name = card_name(card)
        first = self.taken[0] if self.taken else card
        if self.given_up or not (self.is_visit() or self.sold or self.play == SHOPLIFTED):
            return "can't come here: cards are taken after one has been placed or sold, or with X3"
        if self.play == SHOPLIFTED:
            if self.taken:
                return "can't come here: X3 takes one diamond"
        elif self.sold or kind_of(first) == kind_of(self.placed):
            if kind_of(card) != kind_of(self.placed):
                return f"takes {name}, but cards of kind {kind_of(self.placed) + 1} are taken"
            if self.taken and card < self.taken[-1]:
                return f"takes {name} after {card_name(self.taken[-1])}; tell of pure ones first"
        elif card > self.taken[-1] if self.taken else False:
            return (
                f"takes {name} after {card_name(self.taken[-1])}; tell of the highest kind first, "
                "of a kind of the ordinary ones first"
            )
        elif kind_of(card) == kind_of(self.placed) or (
            self.missing() if self.taken else int(digit_of(self.placed))
        ) < int(digit_of(card)):
            return (
                f"takes {name}, which is too much for a placed {card_name(self.placed)}; what is "
                "taken has to add up to its digit"
            )
        self.taken.append(card)
        return ""

    def _takes_kind(self) -> bool:
        return bool(kind_of(self.taken[0]) == kind_of(self.placed))


class TurnOrder:
    """The turns of a round, told note by note."""

    def __init__(self, record: Any) -> None:
        self._record = record
        self._turns: list[Turn] = []
        self._hands = [DEALT] * int(record.seats)

    def follow(self, seat: int, note: int, path: str) -> str:
        """Tells of a note that was read at a path; what is wrong about it, if anything."""
        if SOLD <= note < STORED:
            return self._sell(seat, note - SOLD)
        if not self._turns or self._turns[-1].seat != seat:
            if reason := self._cannot_begin(seat):
                return reason
            self._turns.append(Turn(seat))
        turn = self._turns[-1]
        if reason := self._add(turn, note, path):
            return reason
        self._hands[seat] += self._gain(note)
        return "" if self._hands[seat] >= 0 else f"can't be: seat {seat} has not so many cards"

    def _next_seat(self) -> int:
        if not self._turns:
            return int(self._record.starter)
        return (self._turns[-1].seat + 1) % int(self._record.seats)

    def _unfinished(self) -> str:
        """What the last turn still lacks, in words that go on with the seat."""
        if not self._turns:
            return ""
        turn, limit = self._turns[-1], int(self._record.hand_limit)
        if lacks := turn.lacks():
            return f"seat {turn.seat} {lacks}"
        hand = self._hands[turn.seat]
        return f"seat {turn.seat} has {hand} cards, more than {limit}" if hand > limit else ""

    def _cannot_begin(self, seat: int) -> str:
        """Why a turn of the seat can't begin."""
        last = self._turns[-1] if self._turns else None
        if last and ((last.is_sale() and last.placed < 0) or (last.is_drill() and not last.named)):
            return STEP_BY_STEP
        if reason := self._unfinished():
            return f"can't come here: {reason}"
        if seat != self._next_seat():
            return f"can't come here: it is the turn of seat {self._next_seat()}"
        return ""

    def _add(self, turn: Turn, note: int, path: str) -> str:
        """Adds a note to a turn; what is wrong about it, if anything."""
        in_sale = turn.is_sale() and turn.placed < 0
        in_drill = turn.is_drill() and not turn.named
        if OFFERED <= note < SOLD:
            if not in_sale:
                return STEP_BY_STEP
            turn.placed = note - OFFERED
        elif FOUND <= note < DEPOSITED:
            if not in_drill:
                return STEP_BY_STEP
            turn.named = True
        elif in_sale or in_drill:
            return STEP_BY_STEP
        elif note == DREW:
            if turn.draw or turn.play >= 0:
                done = "played" if turn.play >= 0 else "drawn"
                return f"can't come here: seat {turn.seat} has already {done} in this turn"
            turn.draw = path
        elif TAKEN <= note < OFFERED:
            return turn.take(note - TAKEN)
        elif GIVEN_UP <= note < FOUND:
            return self._give_up(turn, note - GIVEN_UP)
        else:
            if turn.play >= 0:
                return f"can't come here: seat {turn.seat} has already played in this turn"
            turn.play = note
            turn.placed = note - PLACED if turn.is_visit() else -1
        return ""

    def _give_up(self, turn: Turn, card: int) -> str:
        if lacks := turn.lacks():
            return f"can't come here: seat {turn.seat} {lacks}"
        if self._hands[turn.seat] <= self._record.hand_limit:
            return f"can't come here: seat {turn.seat} is not over the hand limit"
        if turn.given_up and card < turn.given_up[-1]:
            return (
                f"gives up {card_name(card)} after {card_name(turn.given_up[-1])}; tell of the "
                "lowest kind first, of a kind of pure ones first, of special cards last"
            )
        turn.given_up.append(card)
        return ""

    def _sell(self, seat: int, card: int) -> str:
        """A card of the other seat of a forced sale."""
        turn = self._turns[-1] if self._turns else Turn(-1)
        opponent = (turn.play - SALE_STARTED) % MAX_SEATS if turn.is_sale() else -1
        if turn.placed < 0 or turn.taken or turn.given_up or seat != opponent:
            return STEP_BY_STEP
        if turn.sold and card < turn.sold[-1]:
            name, before = card_name(card), card_name(turn.sold[-1])
            return f"sells {name} after {before}; tell of pure ones first"
        turn.sold.append(card)
        self._hands[seat] -= 1
        return "" if self._hands[seat] >= 0 else f"can't be: seat {seat} has not so many cards"

    def _gain(self, note: int) -> int:
        """By how much a note changes the hand of the seat that acts."""
        if note == DREW or TAKEN <= note < OFFERED:
            return 1
        if FOUND <= note < MISSED:
            return int(self._record.drill_to == TO_HAND)
        if MISSED <= note < DEPOSITED or note >= NOTHING_PLAYED:
            return 0
        if SPECIAL_DEPOSITED <= note < SALE_STARTED:
            return SPECIAL_DEPOSITED - note - 1
        if DEPOSITED <= note < SPECIAL_DEPOSITED:
            return DEPOSITED - note
        return -1

    def drawn_after_closing(self) -> str:
        """The path of a draw that came after the closing card; empty if there is none."""
        closer = int(self._record.closer)
        if not self._record.closed or not self._has_played(closer):
            return ""
        for turn in reversed(self._turns):
            if turn.seat == closer:
                return "" if self._record.refill_empty_market else turn.draw
            if turn.draw:
                return turn.draw
        return ""

    def _has_played(self, closer: int) -> bool:
        """Whether the turn in which the closing card came up has been told of."""
        waits = self._record.turn == closer and self._record.phase == PLAY
        return not waits or (bool(self._turns) and self._turns[-1].seat == closer)

    def end(self) -> tuple[str, str]:
        """What does not agree with the seat to move and the phase: a field and what is wrong."""
        turn, phase = int(self._record.turn), int(self._record.phase)
        last = self._turns[-1] if self._turns else None
        unfinished, following = self._unfinished(), self._next_seat()
        if last and last.seat == turn and (unfinished or phase not in (DRAW, PLAY)):
            over = phase == OVER and not unfinished
            fits = over or self._is_phase(last, phase)
            return "" if fits else "phase", "is not the one in which the history ends"
        if last and unfinished:
            return "turn", f"is {turn}, but the history ends in the turn of seat {last.seat}"
        if turn != following and not last:
            problem = f"is empty, but turn is {turn} and starter {following}"
            return "history", f"{problem}; give all events of this round"
        if turn != following:
            return "turn", f"is {turn}, but by the history it is the turn of seat {following}"
        begins = phase in (DRAW, PLAY)
        return "" if begins else "phase", f"is another one, but seat {turn} has done nothing yet"

    def _is_phase(self, turn: Turn, phase: int) -> bool:
        if phase == PLAY:
            return turn.play < 0
        if phase == TAKE:
            return turn.is_visit() and (not turn.taken or turn.missing() > 0)
        if phase == OFFER:
            return turn.is_sale() and turn.placed < 0
        if phase == NAME:
            return turn.is_drill() and not turn.named
        return phase == LIMIT and not turn.lacks()
