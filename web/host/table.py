"""One table: what has been played at it, and what its people may do."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any

from adamas import Position
from adamas.records import Played, Record
from adamas.v1.game_pb2 import GameOptions, Move
from web.host import wording
from web.host.seats import Kind, Seat


class UndoRule(StrEnum):
    """What may be taken back."""

    NONE = "none"
    FAIR = "fair"
    """One's own last decision, if nothing hidden came to light and no other person decided."""
    ANY = "any"
    """Also otherwise, if all other people agree."""


@dataclass(frozen=True)
class Step:
    """A move, or the deal, and what came of it.

    Attributes:
        seat: Who moved; None: the deal.
        move: The move; None: the deal.
        position: The full position after it, with the events.
        words: The events in words, by language.
    """

    seat: int | None
    move: Move | None
    position: Position[Any]
    words: Mapping[str, tuple[str, ...]]

    @cached_property
    def told(self) -> list[dict[str, Any]]:
        """The events as JSON, made once: the log is told after every move."""
        return [wording.event(event.event) for event in self.position.events]

    @property
    def played(self) -> Move:
        """The move; raises ValueError for the deal."""
        if self.move is None:
            raise ValueError("the deal is no move")
        return self.move


@dataclass
class Table:
    """A table. Whoever changes it holds its lock.

    Attributes:
        key: Its id.
        owner: The browser that opened it.
        options: What is played.
        seed: Of the deal and all later chance.
        seats: Who sits where.
        steps: The deal and every move.
        undo_rule: What may be taken back.
        hints: Whether people may ask for hints.
        imported: Whether it came from a record, and is only looked at.
        speed: How fast bots play among themselves, 1 for their natural pace; 0 pauses.
        undone: How often something has been taken back.
        version: Grows with every change.
        changed: When it last changed, in Unix time.
        asks: The seat that asks the others to take something back.
        agreed: Seats that have agreed to that.
        trouble: Which of the host's sentences says why nothing goes on; empty: all is well.
        unsaved: The first step that is not kept as it is.
    """

    key: str
    owner: str
    options: GameOptions
    seed: int
    seats: list[Seat]
    steps: list[Step]
    undo_rule: UndoRule = UndoRule.FAIR
    hints: bool = True
    imported: bool = False
    speed: float = 1.0
    undone: int = 0
    version: int = 0
    changed: float = field(default_factory=time.time)
    asks: int | None = None
    agreed: set[int] = field(default_factory=set)
    trouble: str = ""
    unsaved: int = 0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def game(self) -> str:
        """The game's id."""
        return str(self.options.WhichOneof("game"))

    @property
    def position(self) -> Position[Any]:
        """How it stands."""
        return self.steps[-1].position

    @property
    def plies(self) -> int:
        """How many moves have been played."""
        return len(self.steps) - 1

    @property
    def bots_alone(self) -> bool:
        """Whether nobody but bots plays, and nobody is expected."""
        return not self.imported and all(seat.kind is Kind.BOT for seat in self.seats)

    @property
    def open_to_view(self) -> bool:
        """Whether every seat's view may be seen by whoever may see the table."""
        return self.position.over or self.imported or self.bots_alone

    @property
    def people(self) -> list[int]:
        """The seats that people hold and play themselves."""
        return [
            number
            for number, seat in enumerate(self.seats)
            if seat.kind is Kind.PERSON and seat.stand_in is None
        ]

    def seat_of(self, browser: str) -> int | None:
        """The seat of a browser."""
        for number, seat in enumerate(self.seats):
            if seat.kind is Kind.PERSON and seat.browser == browser:
                return number
        return None

    def concerns(self, browser: str) -> bool:
        """Whether a browser may know of the table."""
        return browser == self.owner or self.seat_of(browser) is not None

    def turn_of(self, seat: int) -> str:
        """The name of the decision that a seat has to make, or made last before it waits."""
        return f"{self.undone}.{sum(step.seat == seat for step in self.steps)}"

    def add(self, step: Step) -> None:
        """Adds a move that was played."""
        self.steps.append(step)
        self.asks = None
        self.agreed.clear()

    def back_to(self, plies: int) -> None:
        """Takes back all moves but the first so many."""
        del self.steps[plies + 1 :]
        self.undone += 1
        self.asks = None
        self.agreed.clear()
        self.unsaved = min(self.unsaved, len(self.steps))

    def last_decision(self, seat: int) -> int | None:
        """How many moves had been played when a seat made its last decision."""
        for ply in range(self.plies, 0, -1):
            if self.steps[ply].seat == seat:
                return ply - 1
        return None

    def others_decided_since(self, seat: int, plies: int) -> bool:
        """Whether another person has decided after the first so many moves."""
        people = set(self.people) - {seat}
        return any(step.seat in people for step in self.steps[plies + 1 :])

    def record(self) -> Record:
        """The game from its deal on."""
        moves = tuple(
            Played(step.seat, step.move)
            for step in self.steps
            if step.seat is not None and step.move is not None
        )
        return Record(self.options, len(self.seats), self.seed, moves)
