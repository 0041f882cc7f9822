"""Where Diam's hides cards: in the other hands and safes, and in the pile."""

from __future__ import annotations

from typing import Any

from engines.contract import HiddenCards, Place
from engines.diams import words
from engines.diams.hidden.view import VIEW
from engines.diams.messages.cards import write_card
from engines.diams.rules.state import CARDS, CLOSING_CARD
from engines.hidden_cards import count_listed
from engines.jit import Row

HAND, SAFE, DECK = "hand", "safe", "deck"
_WORDS = {
    "en": {
        HAND: "the hand of seat {seat}",
        SAFE: "the safe of seat {seat}",
        DECK: "the pile",
        "closing_card": "the closing card",
    },
    "zh-TW": {
        HAND: "{seat} 號座位的手牌",
        SAFE: "{seat} 號座位的保險箱",
        DECK: "牌堆",
        "closing_card": "「結束營業卡」",
    },
}


def places(view: Row, samples: Any) -> list[Place]:
    """The hands of the others, their safes unless those are open, and the pile."""
    v = view.view(VIEW)[0]
    others = [seat for seat in range(int(v.seats)) if seat != v.seat]
    found = [Place(HAND, seat, samples["hands"][:, seat]) for seat in others]
    if not v.open_safes:
        found += [Place(SAFE, seat, samples["safes"][:, seat]) for seat in others]
    deck = samples["deck"][:, : int(v.deck_size)]
    found.append(Place(DECK, None, count_listed(deck, CARDS + 1)))
    return [place for place in found if place.counts[0].any()]


def card_words(card: int, language: str) -> str:
    """A card in words, the closing card too."""
    if card == CLOSING_CARD:
        return _WORDS[language]["closing_card"]
    return words.card_words(card, language)


def place_words(name: str, seat: int | None, language: str) -> str:
    """A place in words."""
    return _WORDS[language][name].format(seat=seat)


HIDDEN_CARDS = HiddenCards(places, write_card, card_words, place_words)
