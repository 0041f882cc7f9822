"""A casual player of Diamonds.

It likes the vault most, so diamonds are what it discards first and passes last. It passes its short
suits to be free of them, leads cards that are likely to win, takes a trick cheaply as the last to
play, and stays without a trick if it has none when the round is nearly over.
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.diamonds.hidden.view import VIEW
from engines.diamonds.rules.state import (
    BONUS,
    CLUBS,
    DIAMONDS,
    HEARTS,
    MAX_PASS,
    MIN_PASS,
    PASS,
    PASS_COUNT,
    PERFECT_RANKS,
    RANKS,
    SPADES,
    SUITS,
    VICTIM,
)
from engines.jit import Record, Row

BEATABLE_BY = 4
"""A card is expected to win if at most so many higher ones are still out."""
LAST_CARDS = 3
"""With so many cards left and no trick, the bonus for no tricks is in reach."""


def casual_move(view: Row, moves: Sequence[int]) -> int:
    """What the rules of thumb of the phase say."""
    v = view.view(VIEW)[0]
    if len(moves) == 1:
        return moves[0]
    if v.phase == PASS_COUNT:
        return pass_count(cards_of(v.hand))
    if v.phase == PASS:
        return sum(1 << card for card in to_pass(cards_of(v.hand))[: int(v.pass_count)])
    if v.phase == VICTIM:
        return max(moves, key=lambda side: 2 * int(v.vaults[side]) + int(v.showrooms[side]))
    if v.phase == BONUS:
        return DIAMONDS
    if v.trick_size == 0:
        return lead(v, moves)
    if suit_of(moves[0]) == v.led:
        return follow(v, moves)
    return max(moves, key=lambda card: (action_points(v, suit_of(card)), -rank_of(card)))


def suit_of(card: int) -> int:
    """The suit of a card."""
    return card // RANKS


def rank_of(card: int) -> int:
    """The rank of a card, 0 for the lowest."""
    return card % RANKS


def cards_of(mask: int) -> list[int]:
    """The cards of a set, ascending."""
    return [card for card in range(SUITS * RANKS) if int(mask) >> card & 1]


# ------------------------------------------------------------------------------------ passing


def to_pass(hand: Sequence[int]) -> list[int]:
    """The hand in the order in which it is passed: short suits first, diamonds last; of a suit the
    middling cards first, neither the high ones that win nor the low ones that duck."""
    lengths = [sum(suit_of(card) == suit for card in hand) for suit in range(SUITS)]

    def order(card: int) -> tuple[bool, int, int, int]:
        suit = suit_of(card)
        return suit == DIAMONDS, lengths[suit], suit, abs(rank_of(card) - RANKS // 2)

    return sorted(hand, key=order)


def pass_count(hand: Sequence[int]) -> int:
    """As many as it takes to be rid of the shortest suit but diamonds, if that can be done."""
    lengths = [sum(suit_of(card) == suit for card in hand) for suit in (HEARTS, SPADES, CLUBS)]
    shortest = min(length for length in [*lengths, MAX_PASS + 1] if length > 0)
    return shortest if shortest <= MAX_PASS else MIN_PASS


# ------------------------------------------------------------------------------------- tricks


def action_points(v: Record, suit: int) -> float:
    """Points that an action of a suit brings, as a player feels it: what is safe in the vault
    counts a little more, what is stolen hurts somebody too."""
    own = side_of(v, int(v.seat))
    if suit == DIAMONDS:
        return 2.0
    if suit == HEARTS:
        return 0.9
    if suit == SPADES:
        return 1.0 if v.showrooms[own] > 0 else 0.0
    others = [int(v.showrooms[side]) for side in range(v.sides) if side != own]
    return 1.0 + 1.0 / len(others) if max(others) > 0 else 0.0


def side_of(v: Record, seat: int) -> int:
    """The side that a seat plays for."""
    return seat % int(v.sides)


def higher_cards_out(v: Record, card: int) -> int:
    """How many cards of its suit that are higher have neither been played nor are in the hand."""
    seen = set(cards_of(v.hand)) | {int(played) for played in v.plays[: v.played]}
    ranks = PERFECT_RANKS[v.seats] if v.perfect else RANKS
    top = suit_of(card) * RANKS + ranks
    return sum(other not in seen for other in range(card + 1, top))


def wants_no_trick(v: Record) -> bool:
    """Whether the bonus for no tricks is near."""
    return v.captured[v.seat] == 0 and len(cards_of(v.hand)) <= LAST_CARDS


def lead(v: Record, moves: Sequence[int]) -> int:
    """The likely winner of the best action; without one a low card of the suit that gives others
    least."""
    winners = [card for card in moves if higher_cards_out(v, card) <= BEATABLE_BY]
    if winners and not wants_no_trick(v):
        return max(winners, key=lambda card: (action_points(v, suit_of(card)), rank_of(card)))
    return min(moves, key=lambda card: (action_points(v, suit_of(card)), rank_of(card)))


def follow(v: Record, moves: Sequence[int]) -> int:
    """Wins cheaply if nobody plays after it, as high as it can otherwise; ducks if it can't win or
    does not want to."""
    winning = [card for card in moves if card > v.best]
    losing = [card for card in moves if card < v.best]
    partner_wins = side_of(v, int(v.best_seat)) == side_of(v, int(v.seat))
    avoids = wants_no_trick(v)
    if winning and not avoids and not partner_wins and action_points(v, int(v.led)) > 0:
        return min(winning) if v.trick_size + 1 == v.trick_length else max(winning)
    if losing:
        return max(losing) if avoids else min(losing)
    return min(winning)
