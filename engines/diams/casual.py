"""A casual player of Diam's.

It collects the kinds of which it holds most, puts sets of three into the safe as soon as it has
them, and prefers pure diamonds. It remembers what the others took from the market and asks for that
in forced sales and drills. In its last turn it goes for digits in hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engines.diams.hidden.view import VIEW
from engines.diams.rules.moves import (
    ARGUMENT,
    DEPOSIT,
    DRAW_HAND,
    DRAW_MARKET,
    DRAW_MOVE,
    DRILL,
    KIND_BITS,
    MODES,
    MOVE_SHIFT,
    PURE_UNIT,
    SALE,
    SAME_KIND,
    SHOPLIFT,
    SPECIAL_DEPOSIT,
    SUM,
    TAKE_CARD,
    VISIT,
)
from engines.diams.rules.notes import (
    DEPOSITED,
    DRILL_STARTED,
    FOUND,
    GIVEN_UP,
    MISSED,
    OFFERED,
    PLACED,
    SALE_STARTED,
    SHOPLIFTED,
    SOLD,
    STORED,
    TAKEN,
)
from engines.diams.rules.state import DIAMONDS, DRAW, LIMIT, MAX_SEATS, NAME, OFFER, SET_SIZE, TAKE
from engines.diams.rules.tables import COPIES, KINDS
from engines.jit import Record, Row

PROMISE = (0.0, 0.12, 0.4)
"""What none, one or two of a kind in hand are worth, as a share of a set of three."""
IN_HAND = 0.9
"""What a set in hand is worth, as a share of what it brings in the safe."""
ADDITION = 1.2
"""Points that a diamond in hand is worth whose kind is in the safe already."""
PURITY = 0.4
"""Points that a pure diamond is worth more than an ordinary one."""
SPECIAL = 2.0
"""Points that a special card is worth in hand."""
LAST_DIGIT = 0.2
"""Points that a digit in hand is worth in the last turn."""


def casual_move(view: Row, moves: Sequence[int]) -> int:
    """What the rules of thumb of the phase say."""
    v = view.view(VIEW)[0]
    if len(moves) == 1:
        return moves[0]
    player = Table(v)
    if v.phase == DRAW:
        full = sum(player.hand) >= v.hand_limit
        return int(DRAW_MOVE) + (DRAW_MARKET if full else DRAW_HAND)
    if v.phase == TAKE:
        return int(TAKE_CARD) + player.best_sum(int(v.missing), int(v.last_card))[1][0]
    if v.phase == OFFER:
        return max(moves, key=lambda move: player.sale_worth(move & ARGUMENT, int(v.opponent)))
    if v.phase == NAME:
        return max(moves, key=lambda move: player.drill_worth(move & ARGUMENT, int(v.opponent)))
    if v.phase == LIMIT:
        return max(moves, key=lambda move: player.worth_without(move & ARGUMENT))
    return max(moves, key=player.play_worth)


def kind_of(card: int) -> int:
    """The kind of a diamond, 0 to 9."""
    return card // 2


def digit_of(card: int) -> int:
    """The digit of a diamond."""
    return card // 2 + 1


class Table:
    """What the player sees and remembers, and what it makes of it."""

    def __init__(self, v: Record) -> None:
        self.v = v
        self.hand = [int(n) for n in v.hand]
        self.safe = [int(n) for n in v.safes[v.seat]]
        self.market = [int(n) for n in v.market]
        self.taken, self.stored = remembered(v)

    # ------------------------------------------------------------------------------ worth

    def set_value(self, kind: int, number: int) -> int:
        """Points of so many diamonds of a kind in the safe."""
        if number < SET_SIZE:
            return 0
        return int(self.v.collection_values[kind][min(number, COPIES) - SET_SIZE])

    def worth(self, hand: Sequence[int]) -> float:
        """What a hand promises, in points; in the last turn only its digits and pairs count."""
        if self.v.closed:
            return LAST_DIGIT * sum(digit_of(card) * hand[card] for card in range(DIAMONDS))
        total = SPECIAL * sum(hand[DIAMONDS:])
        for kind in range(KINDS):
            number = hand[2 * kind] + hand[2 * kind + 1]
            stored = self.safe[2 * kind] + self.safe[2 * kind + 1]
            if number == 0:
                continue
            total += PURITY * hand[2 * kind]
            if stored > 0:
                total += ADDITION * number
            elif number >= SET_SIZE:
                total += IN_HAND * self.set_value(kind, number)
            else:
                total += PROMISE[number] * self.set_value(kind, SET_SIZE)
        return total

    def with_cards(self, more: Sequence[int], less: Sequence[int] = ()) -> list[int]:
        """The hand with some cards more and some less."""
        hand = list(self.hand)
        for card in more:
            hand[card] += 1
        for card in less:
            hand[card] -= 1
        return hand

    def worth_without(self, card: int) -> float:
        """What is left of the hand without a card."""
        return self.worth(self.with_cards((), (card,)))

    def gain(self, more: Sequence[int], less: Sequence[int] = ()) -> float:
        """What some cards more and some less change."""
        return self.worth(self.with_cards(more, less)) - self.worth(self.hand)

    # ------------------------------------------------------------------------------ plays

    def play_worth(self, move: int) -> float:
        """What one of the plays of a turn brings, in points."""
        sort = move >> MOVE_SHIFT << MOVE_SHIFT
        argument = move & ARGUMENT
        if sort == VISIT:
            return self.visit_worth(argument // MODES, argument % MODES)
        if sort == DEPOSIT:
            return self.deposit_worth(move)
        if sort == SPECIAL_DEPOSIT:
            return self.deposit_worth(move) - self.special_cost()
        if sort == SALE:
            opponent = argument % MAX_SEATS
            offers = [card for card in range(DIAMONDS) if self.hand[card] > 0]
            return max(self.sale_worth(card, opponent) for card in offers) - self.special_cost()
        if sort == DRILL:
            names = range(DIAMONDS)
            return max(self.drill_worth(card, argument) for card in names) - self.special_cost()
        if sort == SHOPLIFT:
            return self.gain((argument,)) - self.special_cost()
        return 0.0

    def special_cost(self) -> float:
        """What a special card could still be used for."""
        return 0.0 if self.v.closed else SPECIAL

    def visit_worth(self, card: int, mode: int) -> float:
        """Placing a diamond and taking its kind, the best sum, or nothing."""
        if mode == SAME_KIND:
            return self.gain(self.cards_of_kind(kind_of(card)))
        if mode == SUM:
            return self.best_sum(digit_of(card), DIAMONDS - 1, placed=card)[0]
        return self.gain((), (card,))

    def cards_of_kind(self, kind: int) -> list[int]:
        """The market's diamonds of a kind."""
        pair = (2 * kind, 2 * kind + 1)
        return [card for card in pair for _ in range(self.market[card])]

    def best_sum(
        self, total: int, highest: int, placed: int | None = None
    ) -> tuple[float, list[int]]:
        """The market cards up to ``highest`` that add up to a total and help the hand most; what
        they change, and the cards in descending order."""
        less = () if placed is None else (placed,)
        kind = kind_of(int(self.v.placed) if placed is None else placed)
        sums = (cards for cards in self.sums(total, highest) if kind not in map(kind_of, cards))
        rated = [(self.gain(cards, less), cards) for cards in sums]
        return max(rated, key=lambda found: found[0])

    def sums(self, total: int, highest: int) -> Iterator[list[int]]:
        """All ways to make a total from the market's cards up to ``highest``, descending."""
        if total == 0:
            yield []
        for card in range(highest, -1, -1):
            if self.market[card] > 0 and digit_of(card) <= total:
                self.market[card] -= 1
                for rest in self.sums(total - digit_of(card), card):
                    yield [card, *rest]
                self.market[card] += 1

    def deposit_worth(self, move: int) -> float:
        """What a deposit adds to the safe, less what its cards promised in hand."""
        hand, safe = list(self.hand), list(self.safe)
        for kind in range(KINDS):
            cards = move >> (KIND_BITS * kind) & ((1 << KIND_BITS) - 1)
            for card, number in ((2 * kind, cards // PURE_UNIT), (2 * kind + 1, cards % PURE_UNIT)):
                hand[card] -= number
                safe[card] += number
        return self.safe_worth(safe) - self.safe_worth(self.safe)

    def safe_worth(self, safe: Sequence[int]) -> float:
        """What a safe is worth: its sets, its pure diamonds, and a little for what may become one
        again."""
        worth = 0.0
        for kind in range(KINDS):
            worth += self.set_value(kind, safe[2 * kind] + safe[2 * kind + 1])
            worth += PURITY * safe[2 * kind]
        return worth

    def sale_worth(self, card: int, opponent: int) -> float:
        """Offering a diamond to an opponent: sure of what it was seen to take, else a risk."""
        kind = kind_of(card)
        if self.taken[opponent][kind] == 0:
            return self.gain((), (card,))
        remembered_ones = [2 * kind + 1] * self.taken[opponent][kind]
        return self.gain([*self.cards_of_kind(kind), *remembered_ones])

    def drill_worth(self, card: int, opponent: int) -> float:
        """Drilling for a diamond: likely if the opponent took that kind before a deposit."""
        if self.v.open_safes:
            return self.gain((card,)) if self.v.safes[opponent][card] > 0 else 0.0
        likely = min(self.stored[opponent][kind_of(card)], SET_SIZE) / (SET_SIZE + 1)
        return likely * (self.gain((card,)) + (0.0 if self.v.closed else 1.0))


def remembered(v: Record) -> tuple[list[list[int]], list[list[int]]]:
    """How many diamonds of each kind the seats were seen to take and have not been seen to give
    away: since their last deposit, and up to it."""
    taken = [[0] * KINDS for _ in range(MAX_SEATS)]
    stored = [[0] * KINDS for _ in range(MAX_SEATS)]
    actor = opponent = 0
    for note in map(int, v.notes[: v.notes_size]):
        if note < MAX_SEATS:
            actor = note
        elif PLACED <= note < TAKEN:
            change(taken[actor], kind_of(note - PLACED), -1)
        elif TAKEN <= note < OFFERED:
            change(taken[actor], kind_of(note - TAKEN), 1)
        elif OFFERED <= note < SOLD:
            change(taken[actor], kind_of(note - OFFERED), -1)
        elif SOLD <= note < STORED:
            change(taken[opponent], kind_of(note - SOLD), -1)
        elif GIVEN_UP <= note < GIVEN_UP + DIAMONDS:
            change(taken[actor], kind_of(note - GIVEN_UP), -1)
        elif FOUND <= note < MISSED:
            change(stored[opponent], kind_of(note - FOUND), -1)
            change(taken[actor], kind_of(note - FOUND), 1)
        elif MISSED <= note < DEPOSITED:
            stored[opponent][kind_of(note - MISSED)] = 0
        elif DEPOSITED <= note < SALE_STARTED:
            for kind in range(KINDS):
                stored[actor][kind] += taken[actor][kind]
                taken[actor][kind] = 0
        elif SALE_STARTED <= note < DRILL_STARTED:
            opponent = (note - SALE_STARTED) % MAX_SEATS
        elif DRILL_STARTED <= note < SHOPLIFTED:
            opponent = note - DRILL_STARTED
    return taken, stored


def change(numbers: list[int], kind: int, more: int) -> None:
    """Counts up or down, not below 0: what came unseen was never counted."""
    numbers[kind] = max(0, numbers[kind] + more)
