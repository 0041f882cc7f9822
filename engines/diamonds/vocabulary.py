"""Cards and sides of Diamonds in words, for moves, events and reasons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from engines.diamonds.messages.cards import members
from engines.diamonds.rules.state import RANKS

SUITS = {
    "en": ("Diamonds", "Hearts", "Spades", "Clubs"),
    "zh-TW": ("方塊", "紅心", "黑桃", "梅花"),
}
_TEXT = {
    "en": {
        "card": "{suit} {rank}",
        "seat": "seat {side}",
        "team": "team {side}",
        "comma": ", ",
        "and": " and ",
    },
    "zh-TW": {
        "card": "「{suit} {rank}」",
        "seat": "{side} 號座位",
        "team": "第 {side} 隊",
        "comma": "、",
        "and": "和",
    },
}


def card_words(card: int, language: str) -> str:
    """A card in words."""
    suit, rank = divmod(int(card), RANKS)
    return _TEXT[language]["card"].format(suit=SUITS[language][suit], rank=rank + 1)


def cards_words(mask: int, language: str) -> str:
    """A set of cards in words."""
    return listed([card_words(card, language) for card in members(mask)], language)


def side_words(side: int, language: str, *, teams: bool) -> str:
    """A seat or a team in words."""
    return _TEXT[language]["team" if teams else "seat"].format(side=int(side))


def listed(parts: Sequence[str], language: str) -> str:
    """Several things as one phrase: "a, b and c"."""
    text = _TEXT[language]
    if len(parts) < 2:
        return "".join(parts)
    return text["comma"].join(parts[:-1]) + text["and"] + parts[-1]


def joined(parts: Iterable[str], language: str) -> str:
    """Several things with nothing but commas between them."""
    return _TEXT[language]["comma"].join(parts)


def plays_in_teams(record: Any) -> bool:
    """Whether partners share vault and showroom, from a state."""
    return bool(record.sides < record.seats)
