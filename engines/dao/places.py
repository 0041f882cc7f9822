"""Where DAO hides cards: in the deck, and in the second half of a split."""

from __future__ import annotations

from typing import Any

from engines.contract import HiddenCards, Place
from engines.dao.hidden import VIEW
from engines.dao.messages.cards import write_card
from engines.dao.rules import CARD_KINDS, is_split_first_round
from engines.dao.words import card_words
from engines.hidden_cards import count_listed
from engines.jit import Row

NEXT_CARD, DECK, SECOND_HALF = "next_card", "deck", "second_half"
_WORDS = {
    "en": {
        NEXT_CARD: "the next card",
        DECK: "the deck below it",
        SECOND_HALF: "the second half of the deck",
    },
    "zh-TW": {NEXT_CARD: "下一張卡片", DECK: "其餘的牌庫", SECOND_HALF: "後半副牌"},
}


def places(view: Row, samples: Any) -> list[Place]:
    """The next card is a place of its own, as it is what turning one is about."""
    v = view.view(VIEW)[0]
    size = int(v.deck_size)
    deck = samples["deck"][:, :size]
    found = []
    if size:
        found.append(Place(NEXT_CARD, None, count_listed(deck[:, -1:], CARD_KINDS)))
    if size > 1:
        found.append(Place(DECK, None, count_listed(deck[:, :-1], CARD_KINDS)))
    if is_split_first_round(v):
        half = samples["second_half"]
        found.append(Place(SECOND_HALF, None, count_listed(half, CARD_KINDS)))
    return found


def place_words(name: str, seat: int | None, language: str) -> str:
    """A place in words."""
    return _WORDS[language][name]


HIDDEN_CARDS = HiddenCards(places, write_card, card_words, place_words)
