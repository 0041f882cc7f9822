"""Diam's in words: moves, events and reasons in English and Traditional Chinese."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from adamas.v1 import diams_pb2 as pb
from engines.contract import CandidateFigures
from engines.diams.messages.cards import read_card, read_diamond
from engines.diams.rules.moves import (
    DEPOSIT,
    DRAW_MOVE,
    DRILL,
    GIVE_UP,
    MODES,
    NAME_CARD,
    NO_PLAY,
    OFFER_CARD,
    SALE,
    SAME_KIND,
    SHOPLIFT,
    SPECIAL_DEPOSIT,
    TAKE_CARD,
    VISIT,
    argument_of,
    ordinary_in,
    pure_in,
    sort_of,
)
from engines.diams.rules.options import QUICK
from engines.diams.rules.state import DIAMONDS, MAX_SEATS, SET_SIZE, STATE
from engines.diams.rules.tables import COPIES, KINDS
from engines.jit import Record, Row
from engines.reasons import comparison
from engines.violations import Report
from engines.wording import counted

_SPECIALS = {
    "en": ("X1", "X2", "X3"),
    "zh-TW": ("「特殊牌 1」", "「特殊牌 2」", "「特殊牌 3」"),
}
_TEXT = {
    "en": {
        "name": "Diam's",
        "description": "Buy diamonds on the market with diamonds and lock three or more of a kind "
        "in your safe, before the closing card ends the round.",
        "ordinary": "{digit}",
        "pure": "pure {digit}",
        "comma": ", ",
        "points": "points",
        "chips": "chips",
        "draw_hand": "draws a card",
        "draw_market": "turns two cards for the market",
        "no_play": "can play nothing",
        "same_kind": "places {card} and takes all of that kind",
        "sum": "places {card} to take cards worth {digit}",
        "nothing": "places {card} and takes nothing",
        "deposit": "puts {cards} into the safe",
        "sale": "plays {special} for a forced sale by seat {opponent}",
        "drill": "plays X1 to drill the safe of seat {opponent}",
        "special_deposit": "plays X2 to put {cards} into the safe",
        "shoplift": "plays X3 to take {card} from the market",
        "take": "takes {card}",
        "offer": "offers {card}",
        "name_card": "looks for {card}",
        "give_up": "gives up {card}",
        "hidden": "puts diamonds into the safe",
        "card_drawn": "Seat {seat} draws a card.",
        "card_placed": "Seat {seat} places {card} in the market.",
        "card_taken": "Seat {seat} takes {card} from the market.",
        "deposited": "Seat {seat} puts {count} diamonds into the safe{cards}.",
        "sale_started": "Seat {seat} plays {special} for a forced sale by seat {opponent}.",
        "card_offered": "Seat {seat} offers {card}.",
        "card_sold": "Seat {seat} has to put {card} into the market.",
        "drill_started": "Seat {seat} plays X1 to drill the safe of seat {opponent}.",
        "drill_found": "Seat {seat} finds {card} in it.",
        "drill_missed": "Seat {seat} looks for {card} in vain.",
        "special_deposited": "Seat {seat} plays X2 to put {count} diamonds into the safe{cards}.",
        "special_deposited_1": "Seat {seat} plays X2 to put a diamond into the safe{cards}.",
        "shoplifted": "Seat {seat} plays X3 for shoplifting.",
        "card_given_up": "Seat {seat} gives up {card}.",
        "nothing_played": "Seat {seat} can play nothing.",
        "card_turned": "{card} is turned for the market.",
        "closing": "The closing card comes up: every other seat plays once more.",
        "round_started": "Round {round} begins with seat {seat}.",
        "round_scored": "Round {round} is over, points: {results}.",
        "result": "{points} for seat {seat}",
        "result_chips": "{points} for seat {seat} ({chips} chips)",
        "result_chips_1": "{points} for seat {seat} (1 chip)",
        "of": ": {cards}",
        "reason": "{move}{gain}: {comparison}.",
        "deposited_now": ", which takes the safe from {before} to {after} points",
        "held_now": ", for {number} of kind {digit} in hand",
        "taken_from_market": ", {number} of them to hold {held} of kind {digit}",
        "unknown_cards": ", with {left} cards left in the pile",
        "unknown_cards_1": ", with the last card left in the pile",
    },
    "zh-TW": {
        "name": "Diam's 鑽石",
        "description": "在市場上用鑽石換取鑽石，把 3 張以上同種的鑽石置入保險箱，直到結束營業卡"
        "出現。",
        "ordinary": "「{digit} 號」",
        "pure": "「特殊純度 {digit} 號」",
        "comma": "、",
        "points": "分",
        "chips": "勝利點數",
        "draw_hand": "抽一張牌加入手牌",
        "draw_market": "抽兩張牌放到市場",
        "no_play": "無法行動",
        "same_kind": "把{card}放到市場，拿回所有同種的鑽石",
        "sum": "把{card}放到市場，拿回總和為 {digit} 的鑽石",
        "nothing": "把{card}放到市場，不拿回任何鑽石",
        "deposit": "把{cards}置入保險箱",
        "sale": "用{special}對 {opponent} 號座位強制出售",
        "drill": "用「特殊牌 1」鑽開 {opponent} 號座位的保險箱",
        "special_deposit": "用「特殊牌 2」把{cards}專門存入保險箱",
        "shoplift": "用「特殊牌 3」順手牽羊，從市場拿回{card}",
        "take": "從市場拿回{card}",
        "offer": "從手牌中選擇{card}",
        "name_card": "指定{card}",
        "give_up": "棄掉{card}",
        "hidden": "把鑽石置入保險箱",
        "card_drawn": "{seat} 號座位抽一張牌。",
        "card_placed": "{seat} 號座位把{card}放到市場。",
        "card_taken": "{seat} 號座位從市場拿回{card}。",
        "deposited": "{seat} 號座位把 {count} 張鑽石置入保險箱{cards}。",
        "sale_started": "{seat} 號座位用{special}對 {opponent} 號座位強制出售。",
        "card_offered": "{seat} 號座位從手牌中選擇{card}。",
        "card_sold": "{seat} 號座位必須把{card}放到市場。",
        "drill_started": "{seat} 號座位用「特殊牌 1」鑽開 {opponent} 號座位的保險箱。",
        "drill_found": "{seat} 號座位指定{card}，對手必須交出。",
        "drill_missed": "{seat} 號座位指定{card}，但對手的保險箱裡沒有。",
        "special_deposited": "{seat} 號座位用「特殊牌 2」把 {count} 張鑽石專門存入保險箱{cards}。",
        "shoplifted": "{seat} 號座位用「特殊牌 3」順手牽羊。",
        "card_given_up": "{seat} 號座位棄掉{card}。",
        "nothing_played": "{seat} 號座位無法行動。",
        "card_turned": "抽出{card}放到市場。",
        "closing": "結束營業卡出現：其他玩家各再行動一次。",
        "round_started": "第 {round} 輪由 {seat} 號座位開始。",
        "round_scored": "第 {round} 輪結束：{results}。",
        "result": "{seat} 號座位 {points} 分",
        "result_chips": "{seat} 號座位 {points} 分（{chips} 勝利點數）",
        "of": "：{cards}",
        "reason": "{move}{gain}：{comparison}。",
        "deposited_now": "，保險箱由 {before} 分變成 {after} 分",
        "held_now": "，手牌中共有 {number} 張 {digit} 號",
        "taken_from_market": "，拿回 {number} 張，手牌中共有 {held} 張 {digit} 號",
        "unknown_cards": "，牌堆還有 {left} 張",
    },
}


class DiamsWords:
    """The words of Diam's; see engines.contract.Words."""

    def name(self, language: str) -> str:
        """The game's name."""
        return _TEXT[language]["name"]

    def description(self, language: str) -> str:
        """What the game is about."""
        return _TEXT[language]["description"]

    def move(self, row: Row, move: int, language: str) -> str:
        """A move in words."""
        form, parts = _MOVE_PARTS[sort_of(int(move))](int(argument_of(int(move))), language)
        return _TEXT[language][form].format(**parts)

    def hidden_move(self, row: Row, language: str) -> str:
        """Only deposits are hidden."""
        return _TEXT[language]["hidden"]

    def event(self, event: pb.DiamsEvent, language: str) -> str:
        """An event in words."""
        kind = event.WhichOneof("event")
        if kind is None:
            return ""
        body = getattr(event, kind)
        if kind == "round_scored":
            return _round_words(body, language)
        parts = {
            field.name: getattr(body, field.name)
            for field in body.DESCRIPTOR.fields
            if not field.is_repeated and field.message_type is None
        }
        form: str = kind
        if kind == "drill_named":
            form = "drill_found" if body.found else "drill_missed"
        elif kind == "sale_started":
            parts["special"] = _SPECIALS[language][body.special - 1]
        elif kind == "round_started":
            parts["seat"] = body.starter
        parts.update(_cards_of(body, language))
        return counted(_TEXT[language], form, parts.get("count", 0)).format(**parts)

    def reason(
        self, row: Row, candidates: Sequence[CandidateFigures], index: int, language: str
    ) -> str:
        """Why a candidate stands where it stands."""
        s = row.view(STATE)[0]
        text = _TEXT[language]
        move = candidates[index].move
        words = self.move(row, move, language)
        unit = text["points"] if s.rounds == QUICK else text["chips"]
        return text["reason"].format(
            move=words[0].upper() + words[1:],
            gain=_gain_words(s, int(move), language),
            comparison=comparison(candidates, index, language, unit),
        )


# --------------------------------------------------------------------------------------- cards


def card_words(card: int, language: str) -> str:
    """A diamond or special card in words."""
    if card >= DIAMONDS:
        return _SPECIALS[language][card - DIAMONDS]
    return _TEXT[language]["ordinary" if card % 2 else "pure"].format(digit=card // 2 + 1)


def _list_words(cards: Iterable[int], language: str) -> str:
    return _TEXT[language]["comma"].join(card_words(card, language) for card in cards)


def _cards_of(body: Any, language: str) -> dict[str, str]:
    """The card or cards of an event."""
    fields = body.DESCRIPTOR.fields_by_name
    if "diamonds" in fields:
        cards = [read_diamond(diamond, "", Report()) for diamond in body.diamonds]
        listed = _list_words(cards, language)
        return {"cards": _TEXT[language]["of"].format(cards=listed) if cards else ""}
    if "diamond" in fields:
        return {"card": card_words(read_diamond(body.diamond, "", Report()), language)}
    if "card" in fields:
        return {"card": card_words(read_card(body.card, "", Report()), language)}
    return {}


def _round_words(body: pb.DiamsRoundScored, language: str) -> str:
    text = _TEXT[language]
    quick = all(result.chips == 0 for result in body.results)
    form = "result" if quick else "result_chips"
    results = text["comma"].join(
        counted(text, form, result.chips).format(
            seat=seat, points=result.points, chips=result.chips
        )
        for seat, result in enumerate(body.results)
    )
    return text["round_scored"].format(round=body.round, results=results)


# --------------------------------------------------------------------------------------- moves

_Parts = tuple[str, dict[str, Any]]


def _set_cards(cards: int) -> list[int]:
    """The cards of a deposit."""
    listed = []
    for kind in range(KINDS):
        listed += [2 * kind] * int(pure_in(cards, kind))
        listed += [2 * kind + 1] * int(ordinary_in(cards, kind))
    return listed


def _visit_parts(argument: int, language: str) -> _Parts:
    card, mode = divmod(argument, MODES)
    form = ("same_kind", "sum", "nothing")[mode]
    return form, {"card": card_words(card, language), "digit": card // 2 + 1}


def _sale_parts(argument: int, language: str) -> _Parts:
    special, opponent = divmod(argument, MAX_SEATS)
    return "sale", {"special": _SPECIALS[language][special], "opponent": opponent}


def _card_parts(form: str) -> Callable[[int, str], _Parts]:
    return lambda card, language: (form, {"card": card_words(card, language)})


def _set_parts(form: str) -> Callable[[int, str], _Parts]:
    return lambda cards, language: (form, {"cards": _list_words(_set_cards(cards), language)})


_MOVE_PARTS: dict[int, Callable[[int, str], _Parts]] = {
    int(DRAW_MOVE): lambda choice, _: (("draw_hand", "draw_market")[choice], {}),
    int(NO_PLAY): lambda *_: ("no_play", {}),
    int(VISIT): _visit_parts,
    int(DEPOSIT): _set_parts("deposit"),
    int(SALE): _sale_parts,
    int(DRILL): lambda opponent, _: ("drill", {"opponent": opponent}),
    int(SPECIAL_DEPOSIT): _set_parts("special_deposit"),
    int(SHOPLIFT): _card_parts("shoplift"),
    int(TAKE_CARD): _card_parts("take"),
    int(OFFER_CARD): _card_parts("offer"),
    int(NAME_CARD): _card_parts("name_card"),
    int(GIVE_UP): _card_parts("give_up"),
}


# ------------------------------------------------------------------------------------- reasons


def _collection_points(s: Record, safe: Any) -> int:
    """Points of the collections in a safe (section 4)."""
    points = 0
    for kind in range(KINDS):
        number = int(safe[2 * kind]) + int(safe[2 * kind + 1])
        if number >= SET_SIZE:
            points += int(s.collection_values[kind, min(number, COPIES) - SET_SIZE])
    return points


def _gain_words(s: Record, move: int, language: str) -> str:
    """What a move does at once, from what the mover knows."""
    text = _TEXT[language]
    sort, argument = sort_of(move), int(argument_of(move))
    if sort in (int(DEPOSIT), int(SPECIAL_DEPOSIT)):
        safe = s.safes[s.turn].astype(int)
        before = _collection_points(s, safe)
        for card in _set_cards(argument):
            safe[card] += 1
        after = _collection_points(s, safe)
        return text["deposited_now"].format(before=before, after=after)
    if sort == int(VISIT) and argument % MODES == SAME_KIND:
        kind = argument // MODES // 2
        number = int(s.market[2 * kind]) + int(s.market[2 * kind + 1]) + 1
        held = number - 1 + _held(s, kind)
        return text["taken_from_market"].format(number=number, held=held, digit=kind + 1)
    if sort in (int(TAKE_CARD), int(SHOPLIFT)):
        kind = argument // 2
        return text["held_now"].format(number=_held(s, kind) + 1, digit=kind + 1)
    if sort == int(DRAW_MOVE):
        left = int(s.deck_size)
        return counted(text, "unknown_cards", left).format(left=left)
    return ""


def _held(s: Record, kind: int) -> int:
    """Diamonds of a kind in the mover's hand."""
    return int(s.hands[s.turn, 2 * kind]) + int(s.hands[s.turn, 2 * kind + 1])
