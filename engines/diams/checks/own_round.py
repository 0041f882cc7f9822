"""Whether a seat's own hand and safe agree with the history that it has seen (section 6).

A seat knows what it holds, but its view does not tell what it drew when and what it put away when.
So both are looked for, as for the other seats. Of the cards that came to the hand unseen the view
tells how many there were of each; open is only which of them came with which draw. Going through
the round in order, a card that leaves is one that is known to be there, if there is one that equals
it, and otherwise the oldest unseen card that may be one: a younger one can be whatever an older one
can be, and still be in hand where the older one is known not to be. So nothing has to be tried but
what went into the closed safe with each deposit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from engines.diams.checks.contradictions import Contradiction
from engines.diams.checks.deposit_sets import Deposits
from engines.diams.checks.holdings import Holdings
from engines.diams.hidden.plans import usable
from engines.diams.hidden.prepared import (
    DEALT_UNSEEN,
    GAINED,
    HELD_NOTHING,
    LOST,
    PUT_AWAY,
    PUT_AWAY_SPECIAL,
    SAFE_GAINED,
    SAFE_LACKS,
    SAFE_LOST,
    SHOWN,
    TABLE,
)
from engines.diams.hidden.steps import own_steps
from engines.diams.hidden.view import VIEW
from engines.diams.messages.cards import card_name
from engines.diams.rules.options import ONE_KIND
from engines.diams.rules.state import CARDS, DIAMONDS, X1, copies_of
from engines.jit import Row

MAX_DEPOSITS_TRIED = 500
"""Deposits tried after which the history is taken as it is, so that no message takes long to read.
Views of games that were played, with all options drawn at random, hardly ever need 50."""


class Step(NamedTuple):
    """A step as in engines.diams.hidden.prepared."""

    what: int
    card: int
    pure: int
    ordinary: int


class OwnRound:
    """The round of a view's seat: its steps and what it has come to."""

    def __init__(self, view: Any, steps: Sequence[Step]) -> None:
        self._steps = steps
        self._seat = f"seat {view.seat}"
        self._closed = not view.open_safes
        self._one_kind = view.special_deposit_scope == ONE_KIND
        self._copies = [int(copies_of(view, card)) for card in range(CARDS)]
        self._hand = view.hand.tolist()
        self._safe = view.safes[view.seat].tolist()
        self._tried = 0
        self._failed: set[tuple[Any, ...]] = set()
        self._furthest = -1
        self._reason = ""

    def follow(self) -> None:
        """Raises Contradiction unless the round can have come to the hand and the safe."""
        from_hand, from_safe = self._cards_left()
        to_store = [0] * DIAMONDS
        for card in range(CARDS):
            held, left = self._hand[card], from_hand[card]
            if self._closed and card < DIAMONDS:
                to_store[card] = self._stored(card, from_safe[card])
                held, left = held + self._safe[card], left + from_safe[card]
            self._check_unseen(card, held, left)
        if not self._reaches_end(Holdings(to_store), 0):
            raise Contradiction(self._reason)

    def _cards_left(self) -> tuple[list[int], list[int]]:
        """How often each card left the hand, and the safe by a drill, less how often it came."""
        hand, safe = [0] * CARDS, [0] * CARDS
        for what, card, pure, ordinary in self._steps:
            if what in (LOST, GAINED):
                hand[card] += 1 if what == LOST else -1
            elif what in (SAFE_LOST, SAFE_GAINED):
                safe[card] += 1 if what == SAFE_LOST else -1
            elif what == SHOWN:
                hand[2 * card] += pure
                hand[2 * card + 1] += ordinary
        return hand, safe

    def _check_unseen(self, card: int, held: int, left: int) -> None:
        """A card came to the hand unseen at least never, and at most as often as it exists."""
        if not 0 <= held + left <= self._copies[card]:
            least, most = max(0, -left), self._copies[card] - left
            places = "hand and safe" if self._closed else "hand"
            raise Contradiction(
                f"{self._seat} has {card_name(card)} {held} times in {places}, but the history "
                + (f"leads to {least} to {most}" if most >= 0 else "takes away more than there are")
            )

    def _stored(self, card: int, left: int) -> int:
        """How many of a diamond deposits brought into the closed safe."""
        stored = int(self._safe[card]) + left
        if stored < 0:
            raise Contradiction(
                f"a drill brought {card_name(card)} into the safe of {self._seat}, but it is not "
                "in there"
            )
        return stored

    def _reaches_end(self, held: Holdings, first: int) -> bool:
        """Whether the steps from the first one on can lead to the end; changes what is held."""
        for i in range(first, len(self._steps)):
            step = self._steps[i]
            if step.what in (PUT_AWAY, PUT_AWAY_SPECIAL):
                return self._deposits(held, i)
            if reason := self._contradiction(held, step):
                return self._fails(i, reason)
        return self._ends(held)

    def _fails(self, step: int, reason: str) -> bool:
        """Keeps the reason that is the last one in the round."""
        if step > self._furthest:
            self._furthest, self._reason = step, reason
        return False

    def _ends(self, held: Holdings) -> bool:
        """Whether the hand is left. As many cards as it has are, by the sizes."""
        for card in range(CARDS):
            if not all(held.lose(card) for _ in range(self._hand[card])):
                reason = (
                    f"{card_name(card)} is in the hand of {self._seat}, but it can't be by then"
                )
                return self._fails(len(self._steps), reason)
        return True

    def _deposits(self, held: Holdings, i: int) -> bool:
        """Whether some choice of a deposit's cards can lead to the end."""
        step = self._steps[i]
        place = i, held.key()
        if place in self._failed:
            return False
        deposits = Deposits(
            size=step.pure,
            known=held.hand[:DIAMONDS],
            unseen=len(held.unseen),
            most=[min(held.most(card), held.to_store[card]) for card in range(DIAMONDS)],
            safe=held.safe,
            special=step.what == PUT_AWAY_SPECIAL,
            one_kind=self._one_kind,
        )
        stored = f"{step.pure} diamond{'s' if step.pure > 1 else ''}"
        self._fails(i, f"{self._seat} put {stored} away, but those in its safe are no such deposit")
        for cards in deposits.listed():
            self._tried += 1
            if self._tried > MAX_DEPOSITS_TRIED:
                return True
            after = held.copy()
            if after.store(cards) and self._reaches_end(after, i + 1):
                return True
        self._failed.add(place)
        return False

    def _contradiction(self, held: Holdings, step: Step) -> str:
        """One step other than a deposit; what can't be about it, if anything."""
        seat, what, card = self._seat, step.what, step.card
        if what == DEALT_UNSEEN:
            held.unseen += [held.era] * step.pure
        elif what == GAINED:
            held.hand[card] += 1
        elif what == LOST:
            if not held.lose(card):
                return f"{card_name(card)} left the hand of {seat}, but it was not in there"
        elif what == SHOWN:
            return self._show(held, card, (step.pure, step.ordinary))
        elif what == SAFE_GAINED:
            held.safe[card] += 1
        elif what == SAFE_LOST:
            if not held.safe[card]:
                return (
                    f"a drill found {card_name(card)} in the safe of {seat}, but it was not there"
                )
            held.safe[card] -= 1
        elif what == SAFE_LACKS:
            if held.safe[card]:
                return f"a drill found no {card_name(card)} in the safe of {seat}, but it was there"
        elif what == HELD_NOTHING:
            bits = step.pure
            idle = [card for card in range(X1, CARDS) if not usable(card, bits)]
            if not held.lack([card for card in range(CARDS) if card not in idle]):
                return f"{seat} played nothing, but had a card to play"
        return ""

    def _show(self, held: Holdings, kind: int, sold: tuple[int, int]) -> str:
        """All diamonds of a kind had to be shown."""
        cards = 2 * kind, 2 * kind + 1
        for card, number in zip(cards, sold, strict=True):
            if not all(held.lose(card) for _ in range(number)):
                return f"{self._seat} sold {card_name(card)}, but it was not in its hand"
        if not held.lack(cards):
            return f"{self._seat} had to sell all of kind {kind + 1}, but had more of it"
        return ""


def follow_own_round(view: Any, table: Row) -> None:
    """Raises Contradiction unless the history agrees with the hand and the safe of a view's seat.

    The steps of the round are written into the table."""
    size = own_steps(view, table)
    steps = table.view(TABLE)[0].steps[list(Step._fields)][:size].tolist()
    OwnRound(view.view(VIEW)[0], [Step(*step) for step in steps]).follow()
