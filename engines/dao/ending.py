"""Endings of DAO: what the solver needs where only the order of the deck is hidden.

Late in the game most elements can't become a seat's best any more. Cards of such elements differ in
their values only, which leaves far fewer ways for the cards to come.
"""

from __future__ import annotations

import numpy as np

from engines import contract
from engines.contract import CARDS_OF_A_KIND
from engines.dao.rules import (
    CARD_KINDS,
    ELEMENTS,
    NOBODY,
    STATE,
    VALUES,
    is_split_first_round,
    pile_cards,
    value_of,
)
from engines.jit import Int, Ints, Record, Row, entry, rule
from engines.rng import mix

MOST_CARDS_OF_TWO, MOST_CARDS_OF_MORE = 8, 6
"""Cards in the deck with which an ending is tried, by the number of seats."""
_BITS = 7
"""Room for what the cards of an element count: at most 23 and one for each card."""
_ROW_CHUNK = 11
"""Cards of the row that fit into one word, five bits each, beside a mark."""
_DECK = np.int64(0x2545F4914F6CDD1D)


@rule
def pile_points(pile: Row) -> Int:
    """What the cards of each element count in a pile if it is the best one, packed."""
    packed = np.int64(0)
    for element in range(ELEMENTS):
        points = np.int64(0)
        for value in range(VALUES):
            points += pile[element * VALUES + value] * (value + 1)
        packed |= points << (_BITS * element)
    return packed


@rule
def points_to_come(s: Record) -> Int:
    """What the cards of each element in the row and the deck count, packed."""
    packed = np.int64(0)
    for i in range(s.row_size):
        packed += np.int64(value_of(s.row[i]) + 1) << (_BITS * (s.row[i] // VALUES))
    for i in range(s.deck_size):
        packed += np.int64(value_of(s.deck[i]) + 1) << (_BITS * (s.deck[i] // VALUES))
    return packed


@rule
def points_of(packed: Int, element: Int) -> Int:
    """What is packed for an element."""
    return packed >> (_BITS * element) & ((1 << _BITS) - 1)


@rule
def best_points(packed: Int) -> Int:
    """What the best element counts."""
    best = np.int64(0)
    for element in range(ELEMENTS):
        best = max(best, points_of(packed, element))
    return best


@rule
def open_to(packed: Int, to_come: Int) -> Int:
    """Bit mask of the elements that may come to count more than a seat's best one does now."""
    best = best_points(packed)
    mask = np.int64(0)
    for element in range(ELEMENTS):
        if points_of(packed, element) + points_of(to_come, element) > best:
            mask |= np.int64(1) << element
    return mask


@rule
def open_elements(s: Record) -> Int:
    """Bit mask of the elements that are open to some seat."""
    to_come = points_to_come(s)
    mask = np.int64(0)
    for seat in range(s.seats):
        mask |= open_to(pile_points(s.piles[seat]), to_come)
    return mask


@rule
def kind_of(card: Int, open_: Int) -> Int:
    """Cards of elements that are not open differ in their values only. Below 32."""
    return card if open_ >> (card // VALUES) & 1 else CARD_KINDS + value_of(card)


@entry(contract.UNSEEN)
def unseen(row: Row, out: Ints) -> Int:
    """The deck from the top. Round 1 of a split is no ending: it hides which cards will come.

    A refill that ends the game turns cards that make no difference, unless somebody gets them.
    """
    s = row.view(STATE)[0]
    if s.over:
        return np.int64(s.refilled) if s.leftover_row == NOBODY else np.int64(0)
    most = MOST_CARDS_OF_TWO if s.seats == 2 else MOST_CARDS_OF_MORE
    if is_split_first_round(s) or s.deck_size > most:
        return -1
    open_ = open_elements(s)
    for i in range(s.deck_size):
        card = np.int64(s.deck[s.deck_size - 1 - i])
        out[i] = CARDS_OF_A_KIND * kind_of(card, open_) + card
    return np.int64(s.deck_size)


@entry(contract.REORDER)
def reorder(row: Row, cards: Ints, n: Int) -> None:
    """Lays the deck, the first card on top."""
    s = row.view(STATE)[0]
    for i in range(n):
        s.deck[n - 1 - i] = cards[i] % CARDS_OF_A_KIND


@rule
def pile_key(packed: Int, to_come: Int) -> Int:
    """What a pile can still come to: by how much its open elements are behind its best one."""
    best = best_points(packed)
    open_ = open_to(packed, to_come)
    key = np.int64(0)
    for element in range(ELEMENTS):
        behind = 1 + best - points_of(packed, element) if open_ >> element & 1 else np.int64(0)
        key = key << _BITS | behind
    return key


@rule
def row_key(s: Record, open_: Int) -> Int:
    """The kinds of the row's cards in order."""
    key = np.int64(0)
    packed = np.int64(1)
    for i in range(s.row_size):
        packed = packed * 32 + kind_of(s.row[i], open_)
        if i % _ROW_CHUNK == _ROW_CHUNK - 1:
            key = mix(key, packed)
            packed = np.int64(1)
    return mix(key, packed)


@rule
def deck_key(s: Record, open_: Int) -> Int:
    """Which kinds of cards are in the deck, in whatever order."""
    key = np.int64(0)
    for i in range(s.deck_size):
        key += mix(kind_of(s.deck[i], open_), _DECK) >> 5
    return key


@entry(contract.POSITION_KEY)
def position_key(row: Row) -> Int:
    """Turn, row, deck, what the piles can come to, and who is ahead by how much."""
    s = row.view(STATE)[0]
    to_come = points_to_come(s)
    key = np.int64(s.turn)
    open_ = np.int64(0)
    first_score = np.int64(0)
    first_cards = np.int64(0)
    for seat in range(s.seats):
        packed = pile_points(s.piles[seat])
        cards = pile_cards(s.piles[seat])
        score = best_points(packed) - cards
        if seat == 0:
            first_score = score
            first_cards = cards
        open_ |= open_to(packed, to_come)
        ahead = (score - first_score + 256) * 512 + cards - first_cards + 256
        key = mix(mix(key, pile_key(packed, to_come)), ahead)
    return mix(mix(key, row_key(s, open_)), deck_key(s, open_))
