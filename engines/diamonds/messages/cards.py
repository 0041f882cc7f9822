"""Cards of Diamonds as messages and by name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adamas.v1 import diamonds_pb2 as pb
from engines.diamonds.rules.state import RANKS, SUITS
from engines.violations import Report

SUIT_NAMES = ("Diamonds", "Hearts", "Spades", "Clubs")
SUIT_FIELDS = ("diamonds", "hearts", "spades", "clubs")
"""The suits as fields of DiamondsCaptured."""
_SUIT_MASK = (1 << RANKS) - 1


def members(mask: int) -> Iterator[int]:
    """The members of a bit mask, ascending."""
    mask = int(mask)
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def card_name(card: int) -> str:
    """A card for error messages."""
    return f"{SUIT_NAMES[card // RANKS]} {card % RANKS + 1}"


def write_suit(suit: int) -> pb.DiamondsSuit.ValueType:
    """Suit number -> enum."""
    return pb.DiamondsSuit.ValueType(suit + 1)


def write_card(card: int) -> pb.DiamondsCard:
    """Card number -> message."""
    return pb.DiamondsCard(suit=write_suit(card // RANKS), rank=card % RANKS + 1)


def write_cards(mask: int) -> list[pb.DiamondsCard]:
    """Set of cards -> messages, by suit and rank."""
    return [write_card(card) for card in members(mask)]


def read_suit(suit: int, path: str, report: Report) -> int | None:
    """Enum -> suit number; None after a violation."""
    known = report.check(
        1 <= suit <= SUITS,
        path,
        f"is {suit}; use DIAMONDS_SUIT_DIAMONDS (1) to DIAMONDS_SUIT_CLUBS (4)",
    )
    return suit - 1 if known else None


def read_card(card: pb.DiamondsCard, ranks: int, path: str, report: Report) -> int | None:
    """Card message -> number, for a deck of so many ranks; None after a violation."""
    suit = read_suit(card.suit, f"{path}.suit", report)
    in_range = report.check(
        1 <= card.rank <= ranks, f"{path}.rank", f"is {card.rank}; this deck has 1 to {ranks}"
    )
    return suit * RANKS + card.rank - 1 if suit is not None and in_range else None


def captured_counts(record: Any) -> list[dict[str, int]]:
    """How many cards of each suit each side has captured, from a state or a view."""
    masks = [int(mask) for mask in record.captured[: record.seats]]
    sides = int(record.sides)
    if sides < len(masks):
        masks = [masks[side] | masks[side + sides] for side in range(sides)]
    return [
        {
            name: (mask >> RANKS * suit & _SUIT_MASK).bit_count()
            for suit, name in enumerate(SUIT_FIELDS)
        }
        for mask in masks
    ]
