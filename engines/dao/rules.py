"""The rules of DAO (Dodekka), compiled. Section numbers are those of docs/rules/dao.md.

A card is a number ``5 * element + value`` (element 0 to 4, value 0 to 4). Equal cards are not told
apart, so that every position has one record only.
"""

from __future__ import annotations

import numpy as np

from engines import contract
from engines.contract import GAME_OVER, MAX_SEATS, SCORE, UTILITY, WIN_SHARE
from engines.dao import options
from engines.events import emit
from engines.jit import Floats, Int, Ints, Log, Record, Row, entry, rule
from engines.records import end_of, record_dtype
from engines.rng import mix
from engines.utility import best_other, blend

ELEMENTS = 5
VALUES = 5
CARD_KINDS = ELEMENTS * VALUES
COPIES = (1, 4, 3, 3, 1)
"""Copies of value 0 to 4 in each element (section 1)."""
DECK_SIZE = 60
HALF_DECK = 30
ROW_LIMIT = 12
REFILL = 3

TAKE = 0
REVEAL = 1
MAX_MOVES = 2
MAX_GAME_MOVES = 120
"""Each card is turned once and taken at most once."""
MARGIN_SCALE = 6.0
"""Score margin, in points, of a clear win."""

PREVIOUS, FRONT = options.PREVIOUS, options.FRONT
OTHER, SAME, LOSER = options.OTHER, options.SAME, options.LOSER
NOBODY, LAST_PLAYER = options.NOBODY, options.LAST_PLAYER
MOST_CARDS, FEWEST_CARDS = options.MOST_CARDS, options.FEWEST_CARDS

(
    CARD_TAKEN,
    CARD_REVEALED,
    BUST,
    EXCEPTION_HELD,
    ROW_REFILLED,
    LEFTOVER_TAKEN,
    ROUND_SCORED,
    ROUND_STARTED,
) = range(8)
"""Kinds of log entries. a and b: card and row total; number of cards; row total; cards packed in
base 32 and their number; number of cards; round; round and the first row packed likewise."""

OPTION_FIELDS = [(spec.name, np.int8) for spec in options.OPTIONS]
PUBLIC_FIELDS = [
    *OPTION_FIELDS,
    ("seats", np.int8),
    ("turn", np.int8),
    ("starter", np.int8),
    ("round_number", np.int8),
    ("over", np.int8),
    ("row_size", np.int8),
    ("deck_size", np.int8),
    ("row", np.uint8, (DECK_SIZE,)),
    ("piles", np.uint8, (MAX_SEATS, CARD_KINDS)),
    ("first_half", np.uint8, (CARD_KINDS,)),
    ("first_score", np.int16, (MAX_SEATS,)),
    ("first_cards", np.int16, (MAX_SEATS,)),
]
"""What everybody knows. ``first_*`` are zero but in round 2 of a split."""

STATE = record_dtype(
    [
        *PUBLIC_FIELDS,
        ("turned", np.int64),
        ("refilled", np.int64),
        ("deck", np.uint8, (DECK_SIZE,)),
        ("second_half", np.uint8, (HALF_DECK,)),
    ]
)
"""The full state. The next card of the deck is deck[deck_size - 1]; second_half (round 1 of a split
only) is stacked the same way. ``turned`` is a hash of the cards that the last move turned, and
``refilled`` says how many of them came into an empty row."""
PUBLIC_BYTES = end_of(STATE, "first_cards")
"""States and views start with the public fields."""
TRANSIENT_FIELDS = ("turned", "refilled")


@rule
def value_of(card: Int) -> Int:
    """The value of a card, 0 to 4."""
    return card % VALUES


@rule
def row_total(s: Record) -> Int:
    """Total value of the row."""
    total = 0
    for i in range(s.row_size):
        total += value_of(s.row[i])
    return total


@rule
def pile_cards(pile: Row) -> Int:
    """Number of cards of a pile."""
    cards = 0
    for card in range(CARD_KINDS):
        cards += pile[card]
    return cards


@rule
def pile_score(pile: Row) -> Int:
    """Score of a pile: the best element's values minus one for every other card (section 5)."""
    cards = 0
    best = -DECK_SIZE
    for element in range(ELEMENTS):
        points = 0
        for value in range(VALUES):
            copies = pile[element * VALUES + value]
            points += copies * (value + 1)
            cards += copies
        if points > best:
            best = points
    return best - cards


@rule
def turn_card(s: Record) -> Int:
    """Turns the top card of the deck to the far end of the row."""
    s.deck_size -= 1
    card = s.deck[s.deck_size]
    s.deck[s.deck_size] = 0
    s.row[s.row_size] = card
    s.row_size += 1
    s.turned = mix(s.turned, card + 1)
    return card


@rule
def take_row(s: Record, seat: Int) -> Int:
    """Moves the whole row to a seat's pile; returns the number of cards."""
    cards = s.row_size
    for i in range(cards):
        s.piles[seat, s.row[i]] += 1
        s.row[i] = 0
    s.row_size = 0
    return cards


@rule
def fill_row(s: Record, wanted: Int) -> Int:
    """Turns up to ``wanted`` cards into the empty row; returns them packed in base 32."""
    packed = 0
    for i in range(min(wanted, s.deck_size)):
        packed |= (turn_card(s) + 1) << (5 * i)
    return packed


@rule
def start_round(s: Record, log: Log | None) -> None:
    """Turns the first row (section 2)."""
    packed = fill_row(s, s.initial_row)
    emit(log, ROUND_STARTED, s.starter, s.round_number, packed)


@rule
def is_split_first_round(s: Record) -> bool:
    """Whether another half of the deck is still to come."""
    return s.two_round_split == 1 and s.round_number == 1


@rule
def second_starter(s: Record) -> Int:
    """Who starts the second round (sections 7 and 10.2)."""
    other = (s.starter + 1) % s.seats
    if s.split_second_starter == SAME:
        return s.starter
    if s.split_second_starter == OTHER:
        return other
    lowest = s.first_score[0]
    loser = 0
    tied = False
    for seat in range(1, s.seats):
        if s.first_score[seat] < lowest:
            lowest = s.first_score[seat]
            loser = seat
            tied = False
        elif s.first_score[seat] == lowest:
            tied = True
    return other if tied else loser


@rule
def end_first_round(s: Record, log: Log | None) -> None:
    """Scores the first half, puts all its cards away, and starts the second (section 7)."""
    for seat in range(s.seats):
        s.first_score[seat] = pile_score(s.piles[seat])
        s.first_cards[seat] = pile_cards(s.piles[seat])
        for card in range(CARD_KINDS):
            s.first_half[card] += s.piles[seat, card]
            s.piles[seat, card] = 0
    for i in range(s.row_size):
        s.first_half[s.row[i]] += 1
        s.row[i] = 0
    s.row_size = 0
    for i in range(HALF_DECK):
        s.deck[i] = s.second_half[i]
        s.second_half[i] = 0
    s.deck_size = HALF_DECK
    s.starter = second_starter(s)
    s.turn = s.starter
    s.round_number = 2
    start_round(s, log)


@rule
def end_round(s: Record, log: Log | None) -> None:
    """The last card has been turned and its effect is done (section 4)."""
    if s.leftover_row == LAST_PLAYER and s.row_size > 0:
        emit(log, LEFTOVER_TAKEN, s.turn, take_row(s, s.turn), 0)
    emit(log, ROUND_SCORED, s.turn, s.round_number, 0)
    if is_split_first_round(s):
        end_first_round(s, log)
    else:
        s.over = 1


@rule
def refill(s: Record, log: Log | None) -> None:
    """Refills the empty row from what is left of the deck (section 3)."""
    cards = min(REFILL, s.deck_size)
    s.refilled = cards
    packed = fill_row(s, REFILL)
    if cards > 0:
        emit(log, ROW_REFILLED, s.turn, packed, cards)


@rule
def end_turn(s: Record, log: Log | None) -> None:
    """Ends the round, or passes the turn to the left."""
    only_takes_left = s.refill_ends_game == 0 and s.row_size > 0
    if s.deck_size == 0 and not only_takes_left:
        end_round(s, log)
    else:
        s.turn = (s.turn + 1) % s.seats


@rule
def take(s: Record, log: Log | None) -> None:
    """TAKE: the front card to the own pile, the rest moves up; no total is checked (section 3)."""
    card = s.row[0]
    s.piles[s.turn, card] += 1
    s.row_size -= 1
    for i in range(s.row_size):
        s.row[i] = s.row[i + 1]
    s.row[s.row_size] = 0
    emit(log, CARD_TAKEN, s.turn, card, 0)
    if s.row_size == 0:
        refill(s, log)
    end_turn(s, log)


@rule
def exception_holds(s: Record) -> bool:
    """Whether the card just turned equals the card that the exception compares it with."""
    if s.deck_size == 0 and s.exception_on_last_card == 0:
        return False
    turned = s.row[s.row_size - 1]
    compared = s.row[0] if s.exception_card == FRONT else s.row[s.row_size - 2]
    return value_of(turned) == value_of(compared)


@rule
def reveal(s: Record, log: Log | None) -> None:
    """REVEAL: turns a card; above 12 the whole row must be taken, but for the exception."""
    card = turn_card(s)
    total = row_total(s)
    last_card = s.deck_size == 0
    emit(log, CARD_REVEALED, s.turn, card, total)
    if total > ROW_LIMIT:
        if exception_holds(s):
            emit(log, EXCEPTION_HELD, s.turn, total, 0)
        else:
            emit(log, BUST, s.turn, take_row(s, s.turn), 0)
            refill(s, log)
    if last_card:
        end_round(s, log)
    else:
        end_turn(s, log)


@entry(contract.SEAT_TO_MOVE)
def seat_to_move(row: Row) -> Int:
    """The seat that decides, or GAME_OVER."""
    s = row.view(STATE)[0]
    return np.int64(GAME_OVER) if s.over else np.int64(s.turn)


@entry(contract.SEATS_TO_MOVE)
def seats_to_move(row: Row) -> Int:
    """Bit mask of the seats that may decide: one at a time."""
    s = row.view(STATE)[0]
    return np.int64(0) if s.over else np.int64(1) << s.turn


@entry(contract.CLAIM_TURN)
def claim_turn(row: Row, seat: Int) -> Int:
    """Whether the seat is the one to move."""
    s = row.view(STATE)[0]
    return np.int64(1) if not s.over and s.turn == seat else np.int64(0)


@entry(contract.LEGAL_MOVES)
def legal_moves(row: Row, out: Ints) -> Int:
    """TAKE always; REVEAL while the deck has cards (sections 3 and 10.1)."""
    s = row.view(STATE)[0]
    if s.over:
        return 0
    out[0] = TAKE
    out[1] = REVEAL
    return 2 if s.deck_size > 0 else 1


@rule
def play(s: Record, move: Int, log: Log | None) -> None:
    """Plays a legal move."""
    s.turned = 0
    s.refilled = 0
    if move == TAKE:
        take(s, log)
    else:
        reveal(s, log)


@entry(contract.APPLY_MOVE)
def apply_move(row: Row, move: Int, log: Log) -> None:
    """Plays a legal move in place."""
    play(row.view(STATE)[0], move, log)


@entry(contract.MOVE_KEY)
def move_key(row: Row, move: Int, observer: Int) -> Int:
    """Both choices are made in the open."""
    return move


@entry(contract.OUTCOME_KEY)
def outcome_key(row: Row, observer: Int) -> Int:
    """Everybody sees the cards that a move turned."""
    return row.view(STATE)[0].turned


@rule
def breaks_tie(s: Record, cards: Int, other_cards: Int) -> bool:
    """Whether a pile of ``cards`` beats one of ``other_cards`` at equal scores (section 5)."""
    if s.tie_break == MOST_CARDS:
        return cards > other_cards
    if s.tie_break == FEWEST_CARDS:
        return cards < other_cards
    return False


@entry(contract.EVALUATE)
def evaluate(row: Row, out: Floats) -> None:
    """Scores of both rounds, victory by score and tie-break, and utilities (section 5)."""
    s = row.view(STATE)[0]
    winner = 0
    winner_cards = 0
    sharers = 0
    for seat in range(s.seats):
        score = pile_score(s.piles[seat]) + s.first_score[seat]
        cards = pile_cards(s.piles[seat]) + s.first_cards[seat]
        out[SCORE, seat] = score
        out[WIN_SHARE, seat] = cards
        ahead = seat == 0 or score > out[SCORE, winner]
        level = seat > 0 and score == out[SCORE, winner]
        if ahead or (level and breaks_tie(s, cards, winner_cards)):
            winner = seat
            winner_cards = cards
            sharers = 1
        elif level and not breaks_tie(s, winner_cards, cards):
            sharers += 1
    for seat in range(s.seats):
        cards = np.int64(out[WIN_SHARE, seat])
        wins = (
            out[SCORE, seat] == out[SCORE, winner]
            and not breaks_tie(s, winner_cards, cards)
            and not breaks_tie(s, cards, winner_cards)
        )
        out[WIN_SHARE, seat] = 1.0 / sharers if wins else 0.0
    for seat in range(s.seats):
        margin = out[SCORE, seat] - best_other(out, SCORE, seat, s.seats, 0)
        out[UTILITY, seat] = blend(out[WIN_SHARE, seat], margin, MARGIN_SCALE)
