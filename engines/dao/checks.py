"""Whether a position of DAO can have come about. Section numbers are those of docs/rules/dao.md.

Each check relies on fields that have been read without a violation; where one of those is wrong,
what follows from it is not reported as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from adamas.v1 import dao_pb2 as pb
from engines.dao import rules
from engines.dao.messages.cards import card_name
from engines.dao.rules import (
    CARD_KINDS,
    COPIES,
    DECK_SIZE,
    ELEMENTS,
    FRONT,
    HALF_DECK,
    LAST_PLAYER,
    LOSER,
    OTHER,
    REFILL,
    ROW_LIMIT,
    VALUES,
)
from engines.violations import Report

SMALLEST_BUST = 4
"""Cards of a row above 12: none is worth more than 4."""
VALUE_OF_KIND = np.arange(CARD_KINDS) % VALUES


def check_state(state: pb.DaoState, record: Any, path: str, report: Report) -> None:
    """Notes what can't be in a state that has been read into a record."""
    checks = _TableChecks(record, path, f"{path}.deck", report)
    if report.sound(path):
        face_down = [*record.deck[: record.deck_size]]
        if rules.is_split_first_round(record):
            face_down += [*record.second_half]
        checks.check_copies(face_down, exact=True)
    checks.check_table()


def check_view(view: pb.DaoView, record: Any, path: str, report: Report) -> None:
    """Notes what can't be in a view that has been read into a record."""
    checks = _TableChecks(record, path, f"{path}.deck_size", report)
    checks.check_copies([], exact=False)
    checks.check_number_of_cards()
    checks.check_table()


class _TableChecks:
    """The checks of a table. ``deck`` is where its message tells of the deck."""

    def __init__(self, record: Any, path: str, deck: str, report: Report) -> None:
        self.record = record
        self.path = path
        self.deck = deck
        self.report = report

    def check_table(self) -> None:
        """What everybody sees, but for numbers of cards and copies."""
        if self._sound("row", "piles", "options"):
            self._check_row()
        if self._sound("row", "options") and self.report.sound(self.deck):
            self._check_end()
        if self._sound("options", "seats", "round", "first_half", "first_round"):
            if self.record.round_number == 2:
                self._check_first_round()
            if self._sound("starter"):
                self._check_starter()
        if self.report.sound(self.path):
            self._check_turns()

    def check_copies(self, face_down: Sequence[int], *, exact: bool) -> None:
        """No card kind more often than the deck has it; with ``exact`` not less often either."""
        r = self.record
        if not self._sound("row", "piles", "first_half"):
            return
        held = r.piles.astype(np.int64).sum(axis=0) + r.first_half
        for card in (*r.row[: r.row_size], *face_down):
            held[card] += 1
        for card in range(CARD_KINDS):
            copies = COPIES[card % VALUES]
            self.report.check(
                held[card] == copies if exact else held[card] <= copies,
                self.path,
                f"shows {card_name(card)} {held[card]} times; the deck has it {copies} times",
            )

    def check_number_of_cards(self) -> None:
        """Each card of the round lies in the deck, in the row or in a pile."""
        if not self._sound("row", "piles", "deck_size", "options", "seats"):
            return
        r = self.record
        row, deck, piles = int(r.row_size), int(r.deck_size), int(r.piles.sum())
        cards, found = HALF_DECK if r.two_round_split else DECK_SIZE, row + deck + piles
        self.report.check(
            found == cards,
            self.path,
            f"has {row} cards in row, {piles} in piles and {deck} in deck_size, {found} together; "
            f"a round is played with {cards}, so "
            + (
                f"{cards - found} are missing" if found < cards else f"{found - cards} are too many"
            ),
        )

    def _sound(self, *fields: str) -> bool:
        return self.report.sound(*(f"{self.path}.{field}" for field in fields))

    def _check_row(self) -> None:
        """A row goes above 12 only by the exception (section 3), and taking only lowers it. So
        each card with which the row as it lies is above 12 equalled the card it is compared with.
        """
        r = self.record
        row = [int(card) for card in r.row[: r.row_size]]
        total = 0
        for place, card in enumerate(row):
            value = card % VALUES
            total += value
            if total <= ROW_LIMIT:
                continue
            if r.exception_card == FRONT:
                taken = (r.piles.sum(axis=0) > 0) & (value == VALUE_OF_KIND)
                held, compared = row[0] % VALUES == value or bool(taken.any()), "the front card"
            else:
                held, compared = row[place - 1] % VALUES == value, "the card before it"
            if not self.report.check(
                held,
                f"{self.path}.row[{place}]",
                f"is {card_name(card)}, with which the row is worth {total}; above {ROW_LIMIT} it "
                f"stays only if the turned card is worth as much as {compared}",
            ):
                return

    def _check_end(self) -> None:
        """A game that goes on has an open row and, unless only takes are left, a deck (section 4);
        one that is over has turned the last card."""
        r = self.record
        row = int(r.row_size)
        if not r.over:
            self.report.check(
                row > 0, f"{self.path}.row", "is empty; a game that goes on has a row"
            )
            self.report.check(
                r.deck_size > 0 or not r.refill_ends_game,
                self.deck,
                "has no cards, but the game is not over; with refill_ends_game the last ends it",
            )
            self.report.check(
                r.deck_size > 0 or row <= REFILL,
                f"{self.path}.row",
                f"has {row} cards and the deck none; only a refill of up to {REFILL} cards lets a "
                "game go on after the last card",
            )
            return
        if not self._sound("seats", "round") or not self.report.check(
            r.deck_size == 0 and not rules.is_split_first_round(r),
            f"{self.path}.over",
            "is true, but cards are still to come",
        ):
            return
        self.report.check(
            row == 0 or r.leftover_row != LAST_PLAYER,
            f"{self.path}.row",
            f"has {row} cards, but at the end the last player has taken them (leftover_row)",
        )
        total = int(rules.row_total(r))
        self.report.check(
            total <= ROW_LIMIT or bool(r.exception_on_last_card),
            f"{self.path}.row",
            f"is worth {total}; the last card can't leave it above {ROW_LIMIT}",
        )

    def _check_starter(self) -> None:
        """Who starts a round, as far as it is no chance (sections 2 and 7)."""
        r = self.record
        first, why = 0, "without random_start seat 0 starts"
        if r.round_number == 2:
            others = [int(score) for score in r.first_score[: r.seats]]
            lowest = min(others)
            if r.split_second_starter == LOSER and others.count(lowest) == 1:
                first, why = others.index(lowest), "the loser of round 1 starts round 2"
            elif r.random_start:
                return
            elif r.split_second_starter in (OTHER, LOSER):
                first, why = 1, "seat 0 started round 1"
        elif r.random_start:
            return
        self.report.check(
            r.starter == first, f"{self.path}.starter", f"is {r.starter}; use {first}, as {why}"
        )

    def _check_first_round(self) -> None:
        """Whether the results of round 1 can be had with its cards."""
        r = self.record
        results = f"{self.path}.first_round"
        taken = int(r.first_cards.sum())
        self.report.check(
            taken <= HALF_DECK if r.leftover_row != LAST_PLAYER else taken == HALF_DECK,
            results,
            f"count {taken} cards together; round 1 has {HALF_DECK}"
            + (", all of which are taken (leftover_row)" if r.leftover_row == LAST_PLAYER else ""),
        )
        for seat in range(int(r.seats)):
            cards, score = int(r.first_cards[seat]), int(r.first_score[seat])
            least, most = score_range(r.first_half, cards)
            self.report.check(
                least <= score <= most,
                f"{results}[{seat}].score",
                f"is {score}; {cards} cards of first_half give {least} to {most} points",
            )
        points = int((r.first_half * (VALUE_OF_KIND + 1)).sum())
        named = int(r.first_score.sum()) + taken
        self.report.check(
            named <= points,
            results,
            f"are worth {named} points before those for other elements are taken off; the cards of "
            f"first_half are worth {points}",
        )
        if self._sound("first_round"):
            self._check_first_turns()

    def _check_turns(self) -> None:
        """Whether the seats can have taken the cards of their piles by turns."""
        r = self.record
        piles = r.piles[: r.seats].astype(np.int64)
        holdings = list(
            zip(piles.sum(axis=1).tolist(), (piles @ VALUE_OF_KIND).tolist(), strict=True)
        )
        deck = HALF_DECK if r.two_round_split else DECK_SIZE
        possible = Turns(
            seats=int(r.seats),
            starter=int(r.starter),
            cards=[n for n, _ in holdings],
            may_bust=[n >= SMALLEST_BUST and w > ROW_LIMIT for n, w in holdings],
            first_row=int(r.initial_row),
            opened=deck - int(r.deck_size),
            over=bool(r.over),
            lacking=_lacking(over=bool(r.over)) if r.deck_size == 0 else 0,
            leftover=bool(r.over) and r.leftover_row == LAST_PLAYER,
        ).possible()
        if int(r.turn) in possible:
            return
        if not possible:
            self.report.add(f"{self.path}.piles", NOT_BY_TURNS)
            return
        listed = " or ".join(str(seat) for seat in possible)
        does = "can have moved last" if r.over else "can be to move"
        self.report.add(
            f"{self.path}.turn",
            f"is {r.turn}; with these piles, and as many cards turned, only seat {listed} {does}",
        )

    def _check_first_turns(self) -> None:
        """Whether the seats can have taken as many cards by turns as they had in round 1."""
        r = self.record
        cards = [int(number) for number in r.first_cards[: r.seats]]
        starters = range(int(r.seats)) if r.random_start else (0,)
        self.report.check(
            any(
                Turns(
                    seats=int(r.seats),
                    starter=starter,
                    cards=cards,
                    may_bust=[number >= SMALLEST_BUST for number in cards],
                    first_row=int(r.initial_row),
                    opened=HALF_DECK,
                    over=True,
                    lacking=_lacking(over=True),
                    leftover=r.leftover_row == LAST_PLAYER,
                ).possible()
                for starter in starters
            ),
            f"{self.path}.first_round",
            NOT_BY_TURNS,
        )


NOT_BY_TURNS = (
    "hold cards that can't have been taken by turns: in a turn a seat takes one card, or turns one "
    "and takes none or, if that makes the row worth over 12, all of it"
)


def _lacking(*, over: bool) -> int:
    """How many cards refills may have lacked once the deck is empty: all but one of the last one
    that turned cards, and those of a row that was emptied after it."""
    return REFILL - 1 + (REFILL if over else 0)


def score_range(copies: Any, cards: int) -> tuple[int, int]:
    """Bounds of the score of so many cards of a stock (section 5).

    Args:
        copies: Copies of each card kind in the stock, of which there are at least ``cards``.
        cards: How many cards the pile has.

    Returns:
        The most points that it can have, and fewest it has at least.
    """
    stock = [
        sorted(
            (value + 1 for value in range(VALUES) for _ in range(int(copies[e * VALUES + value]))),
            reverse=True,
        )
        for e in range(ELEMENTS)
    ]
    most = max(sum(points[:cards]) for points in stock)
    lowest = sorted(point for points in stock for point in points)[:cards]
    least = max(-(-sum(lowest) // ELEMENTS), lowest[0]) if lowest else 0
    return least - cards, most - cards


@dataclass(frozen=True)
class Turns:
    """The turns of a round: who can have moved last, or be to move, given what each seat has taken.

    With T turns, of which A took one card each and B were busts, the deck has lost the first row, a
    card for each turn that took none, and three for each row that was emptied, E by a take:
    ``opened = first_row + (T - A) + 3 * (E + B)``, but for the cards that the last refills lacked.
    """

    seats: int
    starter: int
    cards: Sequence[int]
    """Cards of each pile."""
    may_bust: Sequence[bool]
    """Whether a pile may hold a row that busted."""
    first_row: int
    opened: int
    """Cards that the deck has lost."""
    over: bool
    lacking: int
    """Cards that refills may have lacked as the deck ran out."""
    leftover: bool
    """Whether whoever moved last has also taken the row that was left."""

    def possible(self) -> list[int]:
        """The seats that can be to move, or if the round is over can have moved last."""
        return [seat for seat in range(self.seats) if self._fits(seat)]

    def _fits(self, last: int) -> bool:
        first = (last - self.starter) % self.seats + self.over
        most = self.opened - self.first_row + sum(self.cards) + self.lacking
        return any(self._agrees(turns, last) for turns in range(first, most + 1, self.seats))

    def _agrees(self, turns: int, last: int) -> bool:
        """Whether each seat has turns enough, and so many turns open so many cards."""
        spare = self.opened - self.first_row + sum(self.cards) - turns
        busts, can_bust = 0, False
        for seat in range(self.seats):
            own = -(-(turns - (seat - self.starter) % self.seats) // self.seats)
            missing = self.cards[seat] - own
            if missing <= 0:
                can_bust |= self.may_bust[seat] and own > 0
            elif self.leftover and seat == last:
                spare -= missing
            elif self.may_bust[seat] and own > 0:
                spare -= max(SMALLEST_BUST, missing + 1) + REFILL
                busts += 1
            else:
                return False
        most = spare + self.lacking
        if most < 0 or busts or self.leftover:
            return most >= 0
        if can_bust and most >= SMALLEST_BUST + REFILL:
            return True
        emptied = 1 + (sum(self.cards) - self.first_row) // REFILL
        return any(
            left % REFILL == 0 and left // REFILL <= max(emptied, 0)
            for left in range(max(spare, 0), most + 1)
        )
