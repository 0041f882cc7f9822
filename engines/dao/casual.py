"""A casual player of DAO.

It takes a card that scores, turns cards while nothing can happen, and after that weighs the chance
of a bust against the card in front of it. It knows the deck by heart but counts no cards.
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.dao.hidden import VIEW
from engines.dao.options import FRONT
from engines.dao.rules import COPIES, ELEMENTS, REVEAL, ROW_LIMIT, TAKE, VALUES
from engines.jit import Row

CARDS_OF_AN_ELEMENT = sum(COPIES)


def casual_move(view: Row, moves: Sequence[int]) -> int:
    """Whichever of taking and turning promises more points; taking if they promise the same."""
    if REVEAL not in moves:
        return TAKE
    v = view.view(VIEW)[0]
    row = [int(card) for card in v.row[: v.row_size]]
    pile = [int(copies) for copies in v.piles[v.seat]]
    by_taking = gain(pile, row[:1])
    compared = row[0] if v.exception_card == FRONT else row[-1]
    by_turning = bust_chance(row, compared) * gain(pile, row)
    return TAKE if by_taking >= by_turning else REVEAL


def score(pile: Sequence[int]) -> int:
    """The best element's values, less one point for each card of the others."""
    best = max(
        sum((value + 1) * pile[element * VALUES + value] for value in range(VALUES))
        for element in range(ELEMENTS)
    )
    return best - sum(pile)


def gain(pile: Sequence[int], cards: Sequence[int]) -> int:
    """What some cards would add to the score of a pile."""
    after = list(pile)
    for card in cards:
        after[card] += 1
    return score(after) - score(pile)


def bust_chance(row: Sequence[int], compared: int) -> float:
    """The chance that a card of a full deck pushes the row above the limit, and the exception,
    which asks for the value of the card compared, does not help."""
    total = sum(card % VALUES for card in row)
    busting = sum(
        COPIES[value]
        for value in range(VALUES)
        if total + value > ROW_LIMIT and value != compared % VALUES
    )
    return busting / CARDS_OF_AN_ELEMENT
