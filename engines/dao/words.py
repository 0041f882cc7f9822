"""DAO in words: moves, events and reasons in English and Traditional Chinese."""

from __future__ import annotations

from collections.abc import Sequence

from adamas.v1 import dao_pb2 as pb
from engines.contract import CandidateFigures
from engines.dao import rules
from engines.dao.rules import ROW_LIMIT, STATE, VALUES, value_of
from engines.jit import Record, Row
from engines.reasons import comparison
from engines.wording import counted, number

ELEMENTS = {
    "en": ("Metal", "Fire", "Earth", "Wood", "Water"),
    "zh-TW": ("金", "火", "土", "木", "水"),
}
_TEXT = {
    "en": {
        "name": "DAO",
        "description": "Take the front card of the row or turn a new one; above 12 the whole row "
        "is yours. One element scores its values, every other card costs a point.",
        "card": "{element} {value}",
        "take": "takes {card}",
        "reveal": "turns a card",
        "points": "points",
        "gain": "+{points}",
        "loss": "−{points}",
        "no_gain": "0",
        "take_reason": "Takes {card} ({gain} now) where turning busts in {bust} of {unseen} "
        "cases: {comparison}.",
        "take_safe_reason": "Takes {card} ({gain} now), although no unseen card would bust: "
        "{comparison}.",
        "take_sure_reason": "Takes {card} ({gain} now), as any unseen card would bust: "
        "{comparison}.",
        "take_only_reason": "Takes {card} ({gain} now): {comparison}.",
        "safe_reason": "Turns at a row of {total}, where no unseen card would bust, and leaves "
        "{card} ({gain}) lying: {comparison}.",
        "risk_reason": "Turns at a row of {total}, which busts in {bust} of {unseen} cases, and "
        "leaves {card} ({gain}) lying: {comparison}.",
        "sure_reason": "Turns at a row of {total}, where any unseen card busts, and leaves {card} "
        "({gain}) lying: {comparison}.",
        "card_taken": "Seat {seat} takes {card}.",
        "card_revealed": "Seat {seat} turns {card}; the row is worth {total}.",
        "bust": "Seat {seat} goes above 12 and takes the whole row, {cards} cards.",
        "exception_held": "The card equals the one it is compared with: the row of {total} stays.",
        "row_refilled": "The row is refilled: {cards}.",
        "leftover_taken": "Seat {seat} takes the {cards} cards left in the row.",
        "leftover_taken_1": "Seat {seat} takes the card left in the row.",
        "round_scored": "Round {round} is over, points: {results}.",
        "result": "{score} for seat {seat}",
        "round_started": "Round {round} begins with seat {seat}; the row is {cards}.",
        "comma": ", ",
    },
    "zh-TW": {
        "name": "DAO 道",
        "description": "拿取展示區的第一張卡片，或翻開一張新卡片；總數值超過 12 就得把展示區的卡片"
        "都拿走。計分時挑選一種顏色得分，其他顏色的卡片每張扣 1 分。",
        "card": "「{element} {value}」",
        "take": "拿取{card}",
        "reveal": "翻開一張新卡片",
        "points": "分",
        "gain": "立即得 {points} 分",
        "loss": "立即扣 {points} 分",
        "no_gain": "目前分數不變",
        "take_reason": "拿取{card}，{gain}；若翻開新卡片，未出現的 {unseen} 張中有 {bust} 張"
        "會爆牌：{comparison}。",
        "take_safe_reason": "拿取{card}，{gain}；若翻開新卡片，未出現的卡片都不會爆牌："
        "{comparison}。",
        "take_sure_reason": "拿取{card}，{gain}；若翻開新卡片，一定會爆牌：{comparison}。",
        "take_only_reason": "拿取{card}，{gain}：{comparison}。",
        "safe_reason": "翻開一張新卡片，展示區總數值 {total}，未出現的卡片都不會爆牌；不拿{card}"
        "（{gain}）：{comparison}。",
        "risk_reason": "翻開一張新卡片，展示區總數值 {total}，未出現的 {unseen} 張中有 {bust} 張"
        "會爆牌；不拿{card}（{gain}）：{comparison}。",
        "sure_reason": "翻開一張新卡片，展示區總數值 {total}，一定會爆牌；不拿{card}（{gain}）："
        "{comparison}。",
        "card_taken": "{seat} 號座位拿取{card}。",
        "card_revealed": "{seat} 號座位翻開{card}，展示區總數值 {total}。",
        "bust": "{seat} 號座位爆牌，把展示區的 {cards} 張卡片都拿走。",
        "exception_held": "新卡片的數值與相比的卡片相同，所有的卡片留在展示區，總數值 {total}。",
        "row_refilled": "補充展示區：{cards}。",
        "leftover_taken": "{seat} 號座位拿走展示區剩餘的 {cards} 張卡片。",
        "round_scored": "第 {round} 局結束：{results}。",
        "result": "{seat} 號座位 {score} 分",
        "round_started": "第 {round} 局由 {seat} 號座位開始，展示區為{cards}。",
        "comma": "、",
    },
}


class DaoWords:
    """The words of DAO; see engines.contract.Words."""

    def name(self, language: str) -> str:
        """The game's name."""
        return _TEXT[language]["name"]

    def description(self, language: str) -> str:
        """What the game is about."""
        return _TEXT[language]["description"]

    def move(self, row: Row, move: int, language: str) -> str:
        """A move in words."""
        if move == rules.TAKE:
            s = row.view(STATE)[0]
            return _TEXT[language]["take"].format(card=card_words(int(s.row[0]), language))
        return _TEXT[language]["reveal"]

    def hidden_move(self, row: Row, language: str) -> str:
        """No move of DAO is hidden; said as the one whose result is open."""
        return _TEXT[language]["reveal"]

    def event(self, event: pb.DaoEvent, language: str) -> str:
        """An event in words."""
        text = _TEXT[language]
        kind = event.WhichOneof("event")
        if kind is None:
            return ""
        body = getattr(event, kind)
        parts = {
            field.name: getattr(body, field.name)
            for field in body.DESCRIPTOR.fields
            if not field.is_repeated and field.message_type is None
        }
        if kind in ("card_taken", "card_revealed"):
            parts["card"] = _message_words(body.card, language)
            parts["total"] = getattr(body, "row_total", 0)
        elif kind == "exception_held":
            parts["total"] = body.row_total
        elif kind == "row_refilled":
            parts["cards"] = text["comma"].join(_message_words(c, language) for c in body.cards)
        elif kind == "round_started":
            parts["cards"] = text["comma"].join(_message_words(c, language) for c in body.row)
            parts["seat"] = body.starter
        elif kind == "round_scored":
            parts["results"] = text["comma"].join(
                text["result"].format(seat=seat, score=number(result.score))
                for seat, result in enumerate(body.results)
            )
        alone = kind == "leftover_taken" and body.cards == 1
        return counted(text, kind, 1 if alone else 0).format(**parts)

    def reason(
        self, row: Row, candidates: Sequence[CandidateFigures], index: int, language: str
    ) -> str:
        """Why a candidate stands where it stands."""
        s = row.view(STATE)[0]
        text = _TEXT[language]
        bust, unseen = bust_chance(s)
        move = candidates[index].move
        risk = 0 if bust == 0 else 2 if bust == unseen else 1
        if move != rules.TAKE:
            form = ("safe_reason", "risk_reason", "sure_reason")[risk]
        elif s.deck_size > 0:
            form = ("take_safe_reason", "take_reason", "take_sure_reason")[risk]
        else:
            form = "take_only_reason"
        return text[form].format(
            card=card_words(int(s.row[0]), language),
            gain=_gain_words(_front_gain(s), language),
            bust=bust,
            unseen=unseen,
            total=int(rules.row_total(s)),
            comparison=comparison(candidates, index, language, text["points"]),
        )


def card_words(card: int, language: str) -> str:
    """A card in words."""
    return _TEXT[language]["card"].format(
        element=ELEMENTS[language][card // VALUES], value=card % VALUES
    )


def _message_words(card: pb.DaoCard, language: str) -> str:
    return card_words((card.element - 1) * VALUES + card.value, language)


def bust_chance(s: Record) -> tuple[int, int]:
    """How many of the unseen cards would bust the mover, and how many unseen cards there are.

    Only the multiset of the face-down cards is used, never their order (section 6).
    """
    unseen = [int(card) for card in s.deck[: s.deck_size]]
    if rules.is_split_first_round(s):
        unseen += [int(card) for card in s.second_half]
    total = int(rules.row_total(s))
    compared = s.row[0] if s.exception_card == rules.FRONT else s.row[s.row_size - 1]
    protected = s.deck_size > 1 or s.exception_on_last_card
    bust = sum(
        total + value_of(card) > ROW_LIMIT
        and not (protected and value_of(card) == value_of(compared))
        for card in unseen
    )
    return bust, len(unseen)


def _gain_words(points: int, language: str) -> str:
    """Points that a card brings or costs at once, in words."""
    form = "gain" if points > 0 else "loss" if points < 0 else "no_gain"
    return _TEXT[language][form].format(points=abs(points))


def _front_gain(s: Record) -> int:
    pile = s.piles[s.turn].copy()
    before = rules.pile_score(pile)
    pile[s.row[0]] += 1
    return int(rules.pile_score(pile) - before)
