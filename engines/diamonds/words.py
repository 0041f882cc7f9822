"""Diamonds in words: moves, events and reasons in English and Traditional Chinese."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from adamas.v1 import diamonds_pb2 as pb
from engines.contract import CandidateFigures
from engines.diamonds import reasons
from engines.diamonds.messages.cards import read_card
from engines.diamonds.rules.state import BONUS, PASS, PASS_COUNT, PLAY, RANKS, STATE
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
from engines.violations import Report
from engines.wording import counted, spaced

_TEXT: dict[str, dict[str, Any]] = {
    "en": {
        "name": "Diamonds",
        "description": "Win tricks, or don't: every suit moves crystals its own way, and a crystal "
        "that reaches the vault counts twice and is safe from thieves.",
        "pass_count": "has {count} cards passed",
        "pass_count_1": "has 1 card passed",
        "pass": "passes {cards}",
        "hidden_pass": "passes {count} cards",
        "hidden_pass_1": "passes 1 card",
        "lead": "leads {card}",
        "follow": "plays {card}",
        "discard": "discards {card} for a {suit} action",
        "victim": "takes a crystal from {victim}",
        "bonus": "chooses a {suit} action",
        "round_started": "Round {round} begins; seat {dealer} deals.",
        "pass_count_chosen": "Seat {seat} has {pass_count} cards passed.",
        "pass_count_chosen_1": "Seat {seat} has 1 card passed.",
        "cards_passed": "Seat {seat} passes {count} cards to seat {receiver}.",
        "cards_passed_1": "Seat {seat} passes 1 card to seat {receiver}.",
        "card_played": "Seat {seat} plays {card}.",
        "suit_action": "{suit} action of seat {seat} ({reason}): {effect}.",
        "action_reason": ("", "off suit", "trick won", "most captured", "no tricks"),
        "gains": (
            "a crystal comes into the vault",
            "a crystal comes into the showroom",
            "a crystal goes from the showroom into the vault",
            "it takes a crystal from {victim}",
        ),
        "no_gain": "nothing moves",
        "token": "{effect}, the thief token goes to seat {thief}",
        "trick_won": "Seat {seat} wins the trick with {card}.",
        "majority": "Captured {suit}: {counts}; {actors} acts.",
        "majority_several": "Captured {suit}: {counts}; {actors} act.",
        "majority_none": "Captured {suit}: {counts}; nobody acts.",
        "side_cards": "{figure} by {side}",
        "side_points": "{figure} for {side}",
        "round_scored": "Round {round} is over: {figures}.",
        "crystals": "{side} has {vault} in the vault and {showroom} in the showroom",
        "semicolon": "; ",
        "game_over": "The game is over, points: {figures}; {winners} wins.",
        "game_over_shared": "The game is over, points: {figures}; {winners} share the victory.",
    },
    "zh-TW": {
        "name": "Diamonds 鑽石",
        "description": "吃墩有好處，不吃墩也有：每種花色的花色行動以不同的方式移動鑽石；"
        "金庫裡的鑽石分數加倍，而且不會被偷。",
        "pass_count": "決定每人傳 {count} 張牌",
        "pass": "傳出{cards}",
        "hidden_pass": "傳出 {count} 張牌",
        "lead": "以{card}引牌",
        "follow": "打出{card}",
        "discard": "打出{card}，執行{suit}花色行動",
        "victim": "從{victim}的展示間偷 1 顆鑽石",
        "bonus": "選擇{suit}花色行動",
        "round_started": "第 {round} 輪開始，{dealer} 號座位是發牌員。",
        "pass_count_chosen": "{seat} 號座位決定每人傳 {pass_count} 張牌。",
        "cards_passed": "{seat} 號座位傳 {count} 張牌給 {receiver} 號座位。",
        "card_played": "{seat} 號座位打出{card}。",
        "suit_action": "{seat} 號座位執行{suit}花色行動（{reason}）：{effect}。",
        "action_reason": ("", "無法跟牌", "贏得一墩", "吃到最多", "沒有贏得任何一墩"),
        "gains": (
            "從供應區拿 1 顆鑽石到金庫",
            "從供應區拿 1 顆鑽石到展示間",
            "從展示間把 1 顆鑽石放到金庫",
            "從{victim}的展示間偷 1 顆鑽石",
        ),
        "no_gain": "沒有移動任何鑽石",
        "token": "{effect}，盜賊標記移到 {thief} 號座位",
        "trick_won": "{seat} 號座位以{card}贏得這一墩。",
        "majority": "吃到的{suit}：{counts}；由{actors}執行花色行動。",
        "majority_several": "吃到的{suit}：{counts}；由{actors}執行花色行動。",
        "majority_none": "吃到的{suit}：{counts}；無人執行花色行動。",
        "side_cards": "{side} {figure} 張",
        "side_points": "{side} {figure} 分",
        "round_scored": "第 {round} 輪結束：{figures}。",
        "crystals": "{side}的金庫有 {vault} 顆、展示間有 {showroom} 顆",
        "semicolon": "；",
        "game_over": "遊戲結束：{figures}；{winners}獲勝。",
        "game_over_shared": "遊戲結束：{figures}；{winners}共享勝利。",
    },
}


class DiamondsWords:
    """The words of Diamonds; see engines.contract.Words."""

    def name(self, language: str) -> str:
        """The game's name."""
        return str(_TEXT[language]["name"])

    def description(self, language: str) -> str:
        """What the game is about."""
        return str(_TEXT[language]["description"])

    def move(self, row: Row, move: int, language: str) -> str:
        """A move in words."""
        return spaced(_move_words(row.view(STATE)[0], move, language))

    def hidden_move(self, row: Row, language: str) -> str:
        """Cards that somebody else passes."""
        count = int(row.view(STATE)[0].pass_count)
        return str(counted(_TEXT[language], "hidden_pass", count).format(count=count))

    def event(self, event: pb.DiamondsEvent, language: str) -> str:
        """An event in words."""
        kind = event.WhichOneof("event")
        return spaced(_EVENTS[kind](event, language)) if kind in _EVENTS else ""

    def reason(
        self, row: Row, candidates: Sequence[CandidateFigures], index: int, language: str
    ) -> str:
        """Why a candidate stands where it stands."""
        return reasons.reason(row, candidates, index, language)


def _move_words(s: Any, move: int, language: str) -> str:
    text = _TEXT[language]
    if s.phase == PASS_COUNT:
        return str(counted(text, "pass_count", move).format(count=move))
    if s.phase == PASS:
        return str(text["pass"].format(cards=cards_words(move, language)))
    if s.phase == PLAY:
        suit = move // RANKS
        form = "lead" if s.trick_size == 0 else "follow" if suit == s.led else "discard"
        card = card_words(move, language)
        return str(text[form].format(card=card, suit=SUITS[language][suit]))
    if s.phase == BONUS:
        return str(text["bonus"].format(suit=SUITS[language][move]))
    victim = side_words(move, language, teams=plays_in_teams(s))
    return str(text["victim"].format(victim=victim))


def _card_words(card: pb.DiamondsCard, language: str) -> str:
    """A card message in words."""
    number = read_card(card, RANKS, "", Report())
    return "" if number is None else card_words(number, language)


def _suit_words(suit: int, language: str) -> str:
    """A suit's enum in words."""
    return SUITS[language][suit - 1]


def _sides(figures: Sequence[Any], event: pb.DiamondsEvent, language: str) -> list[str]:
    """The names of the sides that a list has one entry for."""
    return [side_words(side, language, teams=event.teams) for side in range(len(figures))]


def _listed_figures(
    form: str, figures: Sequence[int], event: pb.DiamondsEvent, language: str
) -> str:
    """What each side has, in words."""
    side_form = _TEXT[language][form]
    names = _sides(figures, event, language)
    pairs = zip(names, figures, strict=True)
    return joined([side_form.format(side=name, figure=figure) for name, figure in pairs], language)


def _round_started(event: pb.DiamondsEvent, language: str) -> str:
    body = event.round_started
    return str(_TEXT[language]["round_started"].format(round=body.round, dealer=body.dealer))


def _pass_count_chosen(event: pb.DiamondsEvent, language: str) -> str:
    body = event.pass_count_chosen
    form = counted(_TEXT[language], "pass_count_chosen", body.pass_count)
    return str(form.format(seat=body.seat, pass_count=body.pass_count))


def _cards_passed(event: pb.DiamondsEvent, language: str) -> str:
    body = event.cards_passed
    form = counted(_TEXT[language], "cards_passed", body.count)
    return str(form.format(seat=body.seat, receiver=body.receiver, count=body.count))


def _card_played(event: pb.DiamondsEvent, language: str) -> str:
    body = event.card_played
    card = _card_words(body.card, language)
    return str(_TEXT[language]["card_played"].format(seat=body.seat, card=card))


def _suit_action(event: pb.DiamondsEvent, language: str) -> str:
    text, body = _TEXT[language], event.suit_action
    effect = text["no_gain"]
    if body.moved:
        victim = side_words(body.victim, language, teams=event.teams)
        effect = text["gains"][body.suit - 1].format(victim=victim)
    if body.HasField("thief"):
        effect = text["token"].format(effect=effect, thief=body.thief)
    return str(
        text["suit_action"].format(
            seat=body.seat,
            suit=_suit_words(body.suit, language),
            reason=text["action_reason"][body.reason],
            effect=effect,
        )
    )


def _trick_won(event: pb.DiamondsEvent, language: str) -> str:
    body = event.trick_won
    card = _card_words(body.card, language)
    return str(_TEXT[language]["trick_won"].format(seat=body.seat, card=card))


def _majority(event: pb.DiamondsEvent, language: str) -> str:
    body = event.majority
    forms = ("majority_none", "majority")
    form = forms[len(body.seats)] if len(body.seats) < len(forms) else "majority_several"
    actors = [side_words(seat, language, teams=False) for seat in body.seats]
    return str(
        _TEXT[language][form].format(
            suit=_suit_words(body.suit, language),
            counts=_listed_figures("side_cards", body.captured, event, language),
            actors=listed(actors, language),
        )
    )


def _round_scored(event: pb.DiamondsEvent, language: str) -> str:
    text, body = _TEXT[language], event.round_scored
    figures = [
        text["crystals"].format(side=side, vault=vault, showroom=showroom)
        for side, vault, showroom in zip(
            _sides(body.vaults, event, language), body.vaults, body.showrooms, strict=True
        )
    ]
    return str(
        text["round_scored"].format(round=body.round, figures=text["semicolon"].join(figures))
    )


def _game_over(event: pb.DiamondsEvent, language: str) -> str:
    body = event.game_over
    form = "game_over" if len(body.winners) == 1 else "game_over_shared"
    winners = [side_words(side, language, teams=event.teams) for side in body.winners]
    return str(
        _TEXT[language][form].format(
            figures=_listed_figures("side_points", body.scores, event, language),
            winners=listed(winners, language),
        )
    )


_EVENTS: dict[str | None, Callable[[pb.DiamondsEvent, str], str]] = {
    "round_started": _round_started,
    "pass_count_chosen": _pass_count_chosen,
    "cards_passed": _cards_passed,
    "card_played": _card_played,
    "suit_action": _suit_action,
    "trick_won": _trick_won,
    "majority": _majority,
    "round_scored": _round_scored,
    "game_over": _game_over,
}
