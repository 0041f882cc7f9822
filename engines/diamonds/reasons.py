"""Why a move of Diamonds stands where it stands: what the mover sees, and the search's figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engines.contract import CandidateFigures
from engines.diamonds.messages.cards import members
from engines.diamonds.rules.state import (
    BONUS,
    DIAMONDS,
    HEARTS,
    PASS,
    PASS_COUNT,
    PERFECT_RANKS,
    RANKS,
    SPADES,
    STATE,
    VICTIM,
)
from engines.diamonds.rules.state import SUITS as SUIT_COUNT
from engines.diamonds.vocabulary import (
    SUITS,
    card_words,
    cards_words,
    joined,
    listed,
    plays_in_teams,
    side_words,
)
from engines.jit import Row
from engines.reasons import comparison
from engines.wording import counted, spaced

_TEXT = {
    "en": {
        "points": "points",
        "sentence": "{deed}: {comparison}.",
        "cards": "{count} cards",
        "cards_1": "1 card",
        "some": "{count} {suit}",
        "count_empties": "Has {cards} passed, enough to be rid of all its {suit} ({held})",
        "count_void": "Has {cards} passed, holding no {suit} anyway",
        "count_long": "Has {cards} passed, with {suit} as its shortest suit ({held})",
        "partner": "its partner",
        "pass_empties": "Passes {cards} to {receiver}, which leaves it without {suits}",
        "pass_keeps": "Passes {cards} to {receiver} and keeps {kept}",
        "lead_top": "Leads {card} for a {suit} action, as no unseen card beats it",
        "lead_high": "Leads {card} for a {suit} action, which {higher} of {unseen} unseen {suit} "
        "can foil",
        "lead_low": "Leads low with {card}, which {higher_cards}",
        "some_higher": "{higher} of {unseen} unseen {suit} beat",
        "all_higher": "all {unseen} unseen {suit} beat",
        "one_higher": "the only unseen card of {suit} beats",
        "wins": "Wins the trick with {card}, and with it a {suit} action",
        "above_top": "Goes above {best} with {card}, which no unseen card beats",
        "above": "Goes above {best} with {card}, which {higher_cards}",
        "own": "Leaves the trick to its own {best} and plays {card}",
        "partners": "Leaves the trick to its partner's {best} and plays {card}",
        "ducks": "Ducks under {best} with {card} and keeps {kept} for a later trick",
        "beaten": "Can't beat {best} and parts with {card}",
        "discard": "Discards {card} for its action, {effect} ({gain:+d} now)",
        "discard_idle": "Discards {card}, whose action moves nothing now",
        "bonus": "Chooses a {suit} action, {effect} ({gain:+d} now)",
        "bonus_idle": "Chooses a {suit} action, which moves nothing now",
        "effects": (
            "a crystal into the vault",
            "a crystal into the showroom",
            "a crystal from the showroom into the vault",
            "a crystal from another showroom",
        ),
        "victim_both": "Takes from {victim}, the strongest rival with {points} points and the "
        "fullest showroom ({showroom})",
        "victim_leader": "Takes from {victim}, the strongest rival with {points} points",
        "victim_richest": "Takes from {victim}, whose showroom is the fullest ({showroom})",
        "victim": "Takes from {victim}, which has {points} points and {showroom} in the showroom",
    },
    "zh-TW": {
        "points": "分",
        "sentence": "{deed}：{comparison}。",
        "cards": "{count} 張牌",
        "some": "{suit} {count} 張",
        "count_empties": "決定每人傳 {cards}，足以把手上的{suit}（{held} 張）全部傳走",
        "count_void": "決定每人傳 {cards}，手上本來就沒有{suit}",
        "count_long": "決定每人傳 {cards}，手上張數最少的花色是{suit}（{held} 張）",
        "partner": "夥伴",
        "pass_empties": "把{cards}傳給{receiver}，手上不再有{suits}",
        "pass_keeps": "把{cards}傳給{receiver}，留下{kept}",
        "lead_top": "以{card}引牌爭取{suit}花色行動，未出現的{suit}沒有比它大的",
        "lead_high": "以{card}引牌爭取{suit}花色行動，未出現的 {unseen} 張{suit}中有 {higher} 張"
        "比它大",
        "lead_low": "以小牌{card}引牌，{higher_cards}",
        "some_higher": "未出現的 {unseen} 張{suit}中有 {higher} 張比它大",
        "all_higher": "未出現的 {unseen} 張{suit}都比它大",
        "one_higher": "唯一未出現的{suit}比它大",
        "wins": "以{card}贏得這一墩，執行{suit}花色行動",
        "above_top": "以{card}蓋過{best}，未出現的{suit}沒有比它大的",
        "above": "以{card}蓋過{best}，{higher_cards}",
        "own": "打出{card}，讓自己的{best}繼續領先",
        "partners": "打出{card}，讓夥伴的{best}繼續領先",
        "ducks": "打出{card}讓過{best}，把{kept}留到之後的墩",
        "beaten": "蓋不過{best}，打出{card}",
        "discard": "無法跟牌，打出{card}，{effect}（立即得 {gain} 分）",
        "discard_idle": "無法跟牌，打出{card}，這個花色行動目前不會移動任何鑽石",
        "bonus": "選擇{suit}花色行動，{effect}（立即得 {gain} 分）",
        "bonus_idle": "選擇{suit}花色行動，目前不會移動任何鑽石",
        "effects": (
            "從供應區拿 1 顆鑽石到金庫",
            "從供應區拿 1 顆鑽石到展示間",
            "從展示間把 1 顆鑽石放到金庫",
            "從其他玩家的展示間偷 1 顆鑽石",
        ),
        "victim_both": "從{victim}偷 1 顆鑽石，這是分數最高的對手（{points} 分），"
        "展示間的鑽石也最多（{showroom} 顆）",
        "victim_leader": "從{victim}偷 1 顆鑽石，這是分數最高的對手（{points} 分）",
        "victim_richest": "從{victim}偷 1 顆鑽石，這位對手展示間的鑽石最多（{showroom} 顆）",
        "victim": "從{victim}偷 1 顆鑽石，對方目前有 {points} 分，展示間有 {showroom} 顆鑽石",
    },
}
_GAINS = (2, 1, 1, 1)
"""What a suit action is worth to its seat at once, in points."""


def reason(row: Row, candidates: Sequence[CandidateFigures], index: int, language: str) -> str:
    """One sentence: what the move does, and how it compares."""
    text: dict[str, Any] = _TEXT[language]
    mover = _Mover(row.view(STATE)[0], text, language)
    sentence = text["sentence"].format(
        deed=mover.deed(candidates[index].move),
        comparison=comparison(candidates, index, language, text["points"]),
    )
    return spaced(sentence)


class _Mover:
    """The seat to move and what it knows: its hand, what has been played, the crystals. Nothing
    else is read of the state, which is one of many that agree with that."""

    def __init__(self, s: Any, text: dict[str, Any], language: str) -> None:
        self.s = s
        self.text = text
        self.language = language
        self.seat = int(s.turn)
        self.teams = plays_in_teams(s)
        self.side = self.seat % int(s.sides)
        self.hand = int(s.hands[self.seat])

    def deed(self, move: int) -> str:
        """What a move does, as a sentence without its end."""
        phase = self.s.phase
        if phase == PASS_COUNT:
            return self.pass_count(move)
        if phase == PASS:
            return self.passing(move)
        if phase == VICTIM:
            return self.victim(move)
        if phase == BONUS:
            return self.action("bonus", move, suit=self.suit(move))
        suit = move // RANKS
        if self.s.trick_size == 0:
            return self.lead(move)
        if suit != self.s.led:
            return self.action("discard", suit, card=self.card(move))
        return self.follow(move)

    def say(self, form: str, **parts: Any) -> str:
        """A form filled in."""
        return str(self.text[form].format(**parts))

    def card(self, card: int) -> str:
        """A card in words."""
        return card_words(card, self.language)

    def suit(self, suit: int) -> str:
        """A suit in words."""
        return SUITS[self.language][suit]

    def some(self, suit: int, mask: int) -> str:
        """How many cards of a suit a set has, in words."""
        return self.say("some", count=len(_of_suit(mask, suit)), suit=self.suit(suit))

    # ------------------------------------------------------------------------------ passing

    def pass_count(self, count: int) -> str:
        """How many cards are passed, and what that does for the own hand."""
        cards = counted(self.text, "cards", count).format(count=count)
        held = {suit: len(_of_suit(self.hand, suit)) for suit in range(SUIT_COUNT)}
        none = [self.suit(suit) for suit in held if held[suit] == 0]
        shortest = min((suit for suit in held if held[suit]), key=lambda suit: held[suit])
        if none and held[shortest] > count:
            return self.say("count_void", cards=cards, suit=listed(none, self.language))
        form = "count_empties" if held[shortest] <= count else "count_long"
        return self.say(form, cards=cards, suit=self.suit(shortest), held=held[shortest])

    def passing(self, cards: int) -> str:
        """What the cards leave in the hand."""
        if self.teams:
            receiver = self.text["partner"]
        else:
            receiver = side_words((self.seat + 1) % int(self.s.seats), self.language, teams=False)
        kept = self.hand & ~cards
        parts = {"cards": cards_words(cards, self.language), "receiver": receiver}
        emptied = [
            suit for suit in range(SUIT_COUNT) if _of_suit(cards, suit) and not _of_suit(kept, suit)
        ]
        if emptied:
            suits = listed([self.suit(suit) for suit in emptied], self.language)
            return self.say("pass_empties", suits=suits, **parts)
        left = [self.some(suit, kept) for suit in range(SUIT_COUNT) if _of_suit(kept, suit)]
        return self.say("pass_keeps", kept=joined(left, self.language), **parts)

    # ------------------------------------------------------------------------------- tricks

    def unseen(self, suit: int) -> list[int]:
        """The cards of a suit that are neither played nor in the own hand."""
        s = self.s
        ranks = PERFECT_RANKS[int(s.seats)] if s.perfect else RANKS
        seen = {int(card) for card in s.plays[: s.played]} | set(members(self.hand))
        return [card for card in range(suit * RANKS, suit * RANKS + ranks) if card not in seen]

    def lead(self, card: int) -> str:
        """A card led: how many cards can beat it."""
        unseen = self.unseen(card // RANKS)
        higher = sum(other > card for other in unseen)
        form = "lead_low"
        if not higher:
            form = "lead_top"
        elif 2 * higher <= len(unseen):
            form = "lead_high"
        return self.say(
            form,
            card=self.card(card),
            suit=self.suit(card // RANKS),
            higher=higher,
            unseen=len(unseen),
            higher_cards=self.higher_cards(card // RANKS, higher, len(unseen)),
        )

    def higher_cards(self, suit: int, higher: int, unseen: int) -> str:
        """How many of the unseen cards of a suit beat a card, which some do."""
        form = "some_higher"
        if higher == unseen:
            form = "one_higher" if unseen == 1 else "all_higher"
        return self.say(form, higher=higher, unseen=unseen, suit=self.suit(suit))

    def follow(self, card: int) -> str:
        """A card of the led suit: above or below the best one so far."""
        s = self.s
        best, best_seat = int(s.best), int(s.best_seat)
        unseen = self.unseen(card // RANKS)
        higher = sum(other > card for other in unseen)
        above = [own for own in _of_suit(self.hand, card // RANKS) if own > best]
        kept = ""
        if card > best:
            form = "above" if higher else "above_top"
            if s.trick_size + 1 == s.trick_length:
                form = "wins"
        elif best_seat == self.seat:
            form = "own"
        elif best_seat % int(s.sides) == self.side:
            form = "partners"
        elif above:
            form, kept = "ducks", self.card(max(above))
        else:
            form = "beaten"
        return self.say(
            form,
            card=self.card(card),
            best=self.card(best),
            suit=self.suit(card // RANKS),
            higher_cards=self.higher_cards(card // RANKS, higher, len(unseen)),
            kept=kept,
        )

    # ----------------------------------------------------------------------------- crystals

    def action(self, form: str, earned: int, **parts: str) -> str:
        """A suit action that the move earns: what it moves and what that is worth at once."""
        if not self.moves_crystal(earned):
            return self.say(f"{form}_idle", **parts)
        return self.say(form, effect=self.text["effects"][earned], gain=_GAINS[earned], **parts)

    def moves_crystal(self, suit: int) -> bool:
        """Whether a suit action of the mover would move a crystal."""
        s = self.s
        if suit in (DIAMONDS, HEARTS):
            return not s.supply or s.supply_left > 0
        if suit == SPADES:
            return bool(s.showrooms[self.side] > 0)
        if s.thief_token:
            holder = int(s.thief) % int(s.sides)
            return holder != self.side and bool(s.showrooms[holder] > 0)
        return any(s.showrooms[side] > 0 for side in self.rivals())

    def rivals(self) -> list[int]:
        """The other sides."""
        return [side for side in range(int(self.s.sides)) if side != self.side]

    def victim(self, side: int) -> str:
        """Whom a clubs action takes from, and how that side stands."""
        s = self.s
        showrooms = {rival: int(s.showrooms[rival]) for rival in self.rivals()}
        points = {rival: 2 * int(s.vaults[rival]) + showrooms[rival] for rival in showrooms}
        leads = points[side] == max(points.values())
        is_richest = showrooms[side] == max(showrooms.values())
        form = "victim"
        if leads and is_richest:
            form = "victim_both"
        elif leads:
            form = "victim_leader"
        elif is_richest:
            form = "victim_richest"
        return self.say(
            form,
            victim=side_words(side, self.language, teams=self.teams),
            points=points[side],
            showroom=showrooms[side],
        )


def _of_suit(mask: int, suit: int) -> list[int]:
    """The cards of a suit in a set."""
    return [card for card in members(mask) if card // RANKS == suit]
