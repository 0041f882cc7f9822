"""Where Diamonds hides cards: in the other hands, and among those put aside."""

from __future__ import annotations

from typing import Any

import numpy as np

from engines.contract import HiddenCards, Place
from engines.diamonds.hidden.sampling import deck
from engines.diamonds.hidden.view import VIEW
from engines.diamonds.messages.cards import write_card
from engines.diamonds.rules.state import CARDS, bit
from engines.diamonds.vocabulary import card_words
from engines.hidden_cards import count_members
from engines.jit import Row

HAND, ASIDE = "hand", "aside"
_WORDS = {
    "en": {HAND: "the hand of seat {seat}", ASIDE: "the cards put aside"},
    "zh-TW": {HAND: "{seat} 號座位的手牌", ASIDE: "蓋在一旁的牌"},
}


def places(view: Row, samples: Any) -> list[Place]:
    """The hands of the others, and what nobody has been dealt."""
    v = view.view(VIEW)[0]
    hands = samples["hands"][:, : v.seats]
    seen = np.int64(0)
    for card in v.plays[: v.played]:
        seen |= bit(np.int64(card))
    aside = deck(v) & ~(np.bitwise_or.reduce(hands, axis=1) | seen)
    found = [
        Place(HAND, seat, count_members(hands[:, seat], CARDS))
        for seat in range(int(v.seats))
        if seat != v.seat
    ]
    found.append(Place(ASIDE, None, count_members(aside, CARDS)))
    return [place for place in found if place.counts[0].any()]


def place_words(name: str, seat: int | None, language: str) -> str:
    """A place in words."""
    return _WORDS[language][name].format(seat=seat)


HIDDEN_CARDS = HiddenCards(places, write_card, card_words, place_words)
