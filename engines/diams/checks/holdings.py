"""What a seat of Diam's held in the course of a round, as far as its own cards now tell."""

from __future__ import annotations

from collections.abc import Sequence

from engines.diams.rules.state import CARDS, DIAMONDS


class Holdings:
    """What a seat holds, as counts by card: cards known to be in ``hand``, and for each ``unseen``
    one in hand the era in which it came, oldest first; a card of an era before ``since[card]`` is
    no such card. What lies in the ``safe``, and what deposits are still ``to_store`` there."""

    def __init__(self, to_store: Sequence[int]) -> None:
        self.hand = [0] * CARDS
        self.unseen: list[int] = []
        self.since = [0] * CARDS
        self.era = 0
        self.safe = [0] * DIAMONDS
        self.to_store = list(to_store)

    def copy(self) -> Holdings:
        """Holdings to change."""
        new = Holdings(self.to_store)
        new.hand, new.unseen, new.since = self.hand[:], self.unseen[:], self.since[:]
        new.era, new.safe = self.era, self.safe[:]
        return new

    def key(self) -> tuple[tuple[int, ...], ...]:
        """Equal for holdings at the same step that the rest of the round can't tell apart."""
        return tuple(self.hand), tuple(self.unseen), tuple(self.to_store)

    def most(self, card: int) -> int:
        """The most of a card that can be in hand."""
        return self.hand[card] + sum(era >= self.since[card] for era in self.unseen)

    def lose(self, card: int) -> bool:
        """A card leaves the hand; False if it can't have been there."""
        if self.hand[card]:
            self.hand[card] -= 1
            return True
        for i, era in enumerate(self.unseen):
            if era >= self.since[card]:
                del self.unseen[i]
                return True
        return False

    def store(self, cards: Sequence[int]) -> bool:
        """A deposit of counts by card; False if they can't all have been in hand."""
        for card, number in enumerate(cards):
            self.to_store[card] -= number
            self.safe[card] += number
            if not all(self.lose(card) for _ in range(number)):
                return False
        return True

    def lack(self, cards: Sequence[int]) -> bool:
        """No such card is in hand; False if one is."""
        self.era += 1
        for card in cards:
            self.since[card] = self.era
        return not any(self.hand[card] for card in cards)
