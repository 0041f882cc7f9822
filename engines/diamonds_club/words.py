"""Diamonds Club in words: moves, events and reasons in English and Traditional Chinese."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from adamas.v1 import diamonds_club_pb2 as pb
from engines.contract import CandidateFigures
from engines.diamonds_club.rules import building, exchange, kernels, market
from engines.diamonds_club.rules.park import open_printed_space
from engines.diamonds_club.rules.state import (
    ANIMAL,
    ANY_STEP,
    COLUMNS,
    EXCHANGE,
    FOREST_STEP,
    GEMS,
    JOKER,
    KEEP,
    LOWEST_VALUE,
    MARKET,
    PAYMENT,
    RIGHT,
    SHIP,
    STATE,
    TECHNOLOGY_TRACK,
    TILES,
)
from engines.jit import Record, Row
from engines.reasons import comparison
from engines.wording import counted, spaced

_TEXT: dict[str, dict[str, str]] = {
    "en": {
        "name": "Diamonds Club",
        "description": "Buy mines, mining rights and ships on a market where every purchase makes "
        "its neighbours dearer, trade them for gems, and furnish your park with buildings, forests "
        "and animals.",
        "points": "points",
        "comma": ", ",
        "and": " and ",
        "no_gems": "nothing",
        "amount": "{n} {what}",
        "diamonds": "diamonds",
        "diamonds_1": "diamond",
        "pass": "passes",
        "coin": "1 coin",
        "coins": "{n} coins",
        "cell": "row {row}, column {column}",
        "buy_at": "buys {what} ({cell}) for {coins}",
        "exchange": "exchanges a {mine} mine with right {right} and ship {ship}",
        "keep": "keeps {tiles}",
        "keep_none": "keeps nothing",
        "mine_tile": "a {color} mine",
        "right_tile": "right {value}",
        "ship_tile": "ship {value}",
        "build": "builds {kind}",
        "build_joker": "builds {kind} at the joker chart",
        "pay": "pays {gems}",
        "pass_reason": "Passes: {comparison}.",
        "buy_reason": "Buys {what} ({cell}) for {coins}, which makes {rivals} of its neighbours "
        "dearer: {comparison}.",
        "buy_alone_reason": "Buys {what} ({cell}) for {coins}, which makes nothing dearer: "
        "{comparison}.",
        "coins_of": "{spent} of {held} coins",
        "all_coins": "all {held} coins",
        "all_coins_1": "the last coin",
        "exchange_reason": "Exchanges a {mine} mine with right {right} and ship {ship} for {gems}: "
        "{comparison}.",
        "keep_reason": "Of {leftover} leftover tiles, keeps {tiles}: {comparison}.",
        "keep_reason_1": "Keeps {tiles}, the only leftover tile: {comparison}.",
        "keep_none_reason": "Keeps none of {leftover} leftover tiles: {comparison}.",
        "keep_none_reason_1": "Does not keep the only leftover tile: {comparison}.",
        "build_reason": "{build} for {gems}: {comparison}.",
        "printed_reason": "{build} for {gems} and covers its picture: {comparison}.",
        "gems_of": "{spent} of {held} gems",
        "all_gems": "all {held} gems",
        "all_gems_1": "the last gem",
        "pay_reason": "Pays {gems} and keeps {kept}: {comparison}.",
        "pay_all_reason": "Pays {gems}, the last of its gems: {comparison}.",
        "round_started": "Round {round} begins with a new market; seat {seat} starts.",
        "cell_bought": "Seat {seat} buys {what} ({cell}) for {coins}.",
        "out": "Seat {seat} passes.",
        "unable": "Seat {seat} has nothing more to buy.",
        "savings": "Seat {seat} gets a diamond for the most coins left.",
        "start_track": "Seat {seat} gets a diamond for the front of the start-player track.",
        "set_exchanged": "Seat {seat} exchanges a {mine} mine, right {right} and ship {ship} for "
        "{gems}.",
        "tiles_kept": "Seat {seat} {keeps}.",
        "tiles_returned": "Seat {seat} {keeps} and returns {returned} tiles.",
        "tiles_returned_1": "Seat {seat} {keeps} and returns 1 tile.",
        "built": "Seat {seat} builds {kind} for {gems}, {space}.",
        "bonus_taken": "Seat {seat} takes a bonus card: {card}.",
        "park_full": "Seat {seat} has covered all light spaces: this is the last round.",
        "game_over": "The game is over, points: {results}; {winners} wins.",
        "game_over_shared": "The game is over, points: {results}; {winners} share the victory.",
        "result": "{score} for seat {seat}",
        "winner": "seat {seat}",
    },
    "zh-TW": {
        "name": "Diamonds Club 鑽石俱樂部",
        "description": "在市場購買礦車、許可證與船，每次購買都會讓相鄰的格子變貴；"
        "湊成一組換取寶石，再用寶石購買建築物與樹林，和動物一起裝飾自己的花園。",
        "points": "分",
        "comma": "、",
        "and": "和",
        "no_gems": "0 顆寶石（供應區已空）",
        "amount": "{n} 顆{what}",
        "diamonds": "鑽石",
        "pass": "跳過",
        "coin": "1 塊錢",
        "coins": "{n} 塊錢",
        "cell": "第 {row} 列第 {column} 行",
        "buy_at": "花 {coins}購買{what}（{cell}）",
        "exchange": "用{mine}礦車、許可證 {right} 和船 {ship} 換取寶石",
        "keep": "保留{tiles}",
        "keep_none": "不保留任何圖樣",
        "mine_tile": "{color}礦車",
        "right_tile": "許可證 {value}",
        "ship_tile": "船 {value}",
        "build": "購買{kind}",
        "build_joker": "在彩色寶石格購買{kind}",
        "pay": "支付{gems}",
        "pass_reason": "跳過：{comparison}。",
        "buy_reason": "花{coins}購買{what}（{cell}），相鄰的 {rivals} 格會變貴：{comparison}。",
        "buy_alone_reason": "花{coins}購買{what}（{cell}），沒有格子會變貴：{comparison}。",
        "coins_of": "{spent} 塊錢（手上有 {held} 塊錢）",
        "all_coins": "光手上的 {held} 塊錢",
        "exchange_reason": "用{mine}礦車、許可證 {right} 和船 {ship} 換取{gems}：{comparison}。",
        "keep_reason": "從剩餘的 {leftover} 片圖樣中保留{tiles}：{comparison}。",
        "keep_reason_1": "保留唯一剩餘的圖樣{tiles}：{comparison}。",
        "keep_none_reason": "剩餘的 {leftover} 片圖樣都不保留：{comparison}。",
        "keep_none_reason_1": "不保留唯一剩餘的圖樣：{comparison}。",
        "build_reason": "用{gems}{build}：{comparison}。",
        "printed_reason": "用{gems}{build}，蓋在畫有建築物的空格：{comparison}。",
        "gems_of": "{held} 顆寶石中的 {spent} 顆",
        "all_gems": "全部 {held} 顆寶石",
        "all_gems_1": "最後 1 顆寶石",
        "pay_reason": "支付{gems}，留下{kept}：{comparison}。",
        "pay_all_reason": "支付{gems}，把寶石用完：{comparison}。",
        "round_started": "第 {round} 輪開始，換上新的市場板塊，起始玩家是 {seat} 號座位。",
        "cell_bought": "{seat} 號座位花 {coins}購買{what}（{cell}）。",
        "out": "{seat} 號座位跳過。",
        "unable": "{seat} 號座位已經沒有買得起的東西。",
        "savings": "{seat} 號座位剩餘的錢最多，獲得 1 顆鑽石。",
        "start_track": "{seat} 號座位的順序標記在最右邊，獲得 1 顆鑽石。",
        "set_exchanged": "{seat} 號座位用{mine}礦車、許可證 {right} 和船 {ship} 換取{gems}。",
        "tiles_kept": "{seat} 號座位{keeps}。",
        "tiles_returned": "{seat} 號座位{keeps}，交回 {returned} 片。",
        "built": "{seat} 號座位支付{gems}購買{kind}，{space}。",
        "bonus_taken": "{seat} 號座位取得獎勵卡：{card}。",
        "park_full": "{seat} 號座位填滿了花園的淺色空格：這是最後一輪。",
        "game_over": "遊戲結束：{results}；{winners}獲勝。",
        "game_over_shared": "遊戲結束：{results}；{winners}共享勝利。",
        "result": "{seat} 號座位 {score} 分",
        "winner": "{seat} 號座位",
    },
}
COLORS = {"en": ("blue", "yellow", "green", "red"), "zh-TW": ("藍色", "黃色", "綠色", "紅色")}
GEM_NAMES = {
    "en": ("blue", "yellow", "green", "red"),
    "zh-TW": ("藍寶石", "黃寶石", "綠寶石", "紅寶石"),
}
KINDS = {
    "en": ("a fountain", "an orangery", "a pavilion", "a rose garden", "a forest"),
    "zh-TW": ("噴泉", "橘園", "涼亭", "玫瑰園", "樹林"),
}
ANIMALS = {
    "en": ("a pond", "a deer park", "an aviary"),
    "zh-TW": ("池塘", "鹿園", "鳥園"),
}
STEPS = {
    "en": (
        "a step on the forest track",
        "a step on the technology track",
        "a step on the money track",
    ),
    "zh-TW": ("樹林發展 1 格", "齒輪發展 1 格", "錢幣發展 1 格"),
}
HATS = {"en": "hats", "zh-TW": "帽子"}
SPACES = {
    "en": ("", "on a light space", "on its picture", "on a dark space"),
    "zh-TW": ("", "蓋在淺色空格", "蓋在畫有建築物的空格", "蓋在深色空格"),
}
BONUS_CARDS = {
    "en": (
        *("first with three fountains", "first with three orangeries"),
        *("first with three pavilions", "first with three rose gardens"),
        *("first with all four kinds", "second with all four kinds"),
        *("first with five of a kind", "second with five of a kind"),
    ),
    "zh-TW": (
        *("第一個蓋 3 棟噴泉", "第一個蓋 3 棟橘園", "第一個蓋 3 棟涼亭", "第一個蓋 3 棟玫瑰園"),
        *("第一個蓋出 4 種不同建築", "第二個蓋出 4 種不同建築"),
        *("第一個蓋出 5 棟同種建築", "第二個蓋出 5 棟同種建築"),
    ),
}


class DiamondsClubWords:
    """The words of Diamonds Club; see engines.contract.Words."""

    def name(self, language: str) -> str:
        """The game's name."""
        return _TEXT[language]["name"]

    def description(self, language: str) -> str:
        """What the game is about."""
        return _TEXT[language]["description"]

    def move(self, row: Row, move: int, language: str) -> str:
        """A move in words."""
        return spaced(_move_words(row.view(STATE)[0], move, language))

    def hidden_move(self, row: Row, language: str) -> str:
        """No move of Diamonds Club is hidden."""
        return _TEXT[language]["pass"]

    def event(self, event: pb.DiamondsClubEvent, language: str) -> str:
        """An event in words."""
        kind = event.WhichOneof("event")
        if kind is None:
            return ""
        form, parts = _EVENT_PARTS[kind](getattr(event, kind), language)
        return spaced(counted(_TEXT[language], form, parts.get("returned", 0)).format(**parts))

    def reason(
        self, row: Row, candidates: Sequence[CandidateFigures], index: int, language: str
    ) -> str:
        """Why a candidate stands where it stands."""
        s = row.view(STATE)[0]
        text = _TEXT[language]
        form, parts = _reason_parts(s, candidates[index].move, language)
        words = form.format(
            **parts, comparison=comparison(candidates, index, language, text["points"])
        )
        return spaced(words[0].upper() + words[1:])


def _move_words(s: Record, move: int, language: str) -> str:
    text = _TEXT[language]
    if s.phase == EXCHANGE:
        return text["exchange"].format(**_set_parts(move, language))
    if s.phase == KEEP:
        return _keep_words(_kept_tiles(move, language), language)
    if s.phase == PAYMENT:
        return text["pay"].format(gems=_packed_gems(move, language))
    if move == kernels.PASS:
        return text["pass"]
    if s.phase == MARKET:
        cell = market.cell_of(move)
        return text["buy_at"].format(
            what=symbol_words(int(s.cells[cell]), market.choice_of(move), language),
            cell=_cell(cell // COLUMNS, cell % COLUMNS, language),
            coins=_coins(int(market.cell_cost(s, cell)), language),
        )
    return _build_words(move, language)


def symbol_words(symbol: int, choice: int, language: str) -> str:
    """What a cell gives."""
    text = _TEXT[language]
    if symbol < RIGHT:
        return text["mine_tile"].format(color=COLORS[language][symbol])
    if symbol < SHIP:
        return text["right_tile"].format(value=symbol - RIGHT + LOWEST_VALUE)
    if symbol < TILES:
        return text["ship_tile"].format(value=symbol - SHIP + LOWEST_VALUE)
    if symbol < ANY_STEP:
        return STEPS[language][symbol - FOREST_STEP]
    if symbol == ANY_STEP:
        return STEPS[language][choice]
    return ANIMALS[language][choice] if symbol == ANIMAL else HATS[language]


def _cell(row: int, column: int, language: str) -> str:
    """A cell as people count: from 1."""
    return _TEXT[language]["cell"].format(row=row + 1, column=column + 1)


def _coins(n: int, language: str) -> str:
    return _TEXT[language]["coin" if n == 1 else "coins"].format(n=n)


def _listed(words: Sequence[str], language: str) -> str:
    """Words as a list: "a, b and c"."""
    text = _TEXT[language]
    if len(words) < 2:
        return "".join(words)
    return text["comma"].join(words[:-1]) + text["and"] + words[-1]


def _gems(numbers: Sequence[int], language: str) -> str:
    """Gems by sort: "2 blue and 1 diamond"."""
    text = _TEXT[language]
    names = [*GEM_NAMES[language], counted(text, "diamonds", int(numbers[-1]))]
    named = zip(numbers, names, strict=True)
    gems = [text["amount"].format(n=n, what=name) for n, name in named if n > 0]
    return _listed(gems or [text["no_gems"]], language)


def _keep_words(tiles: Sequence[str], language: str) -> str:
    form = _TEXT[language]["keep" if tiles else "keep_none"]
    return form.format(tiles=_listed(tiles, language))


def _packed_gems(packed: int, language: str) -> str:
    return _gems([int(building.gems_in(packed, gem)) for gem in range(GEMS)], language)


def _gems_message(gems: pb.DiamondsClubGems, language: str) -> str:
    return _gems((gems.blue, gems.yellow, gems.green, gems.red, gems.diamonds), language)


def _set_parts(formed: int, language: str) -> dict[str, Any]:
    return {
        "mine": COLORS[language][exchange.color_of(formed)],
        "right": exchange.right_of(formed) + LOWEST_VALUE,
        "ship": exchange.ship_of(formed) + LOWEST_VALUE,
    }


def _kept_tiles(kept: int, language: str) -> list[str]:
    """The tiles of a KEEP move."""
    tiles = []
    for sort, first in enumerate((0, RIGHT, SHIP)):
        digit = exchange.kept_digit(kept, sort)
        if digit > 0:
            tiles.append(symbol_words(first + digit - 1, 0, language))
    return tiles


def _gems_of_set(s: Record, formed: int, language: str) -> str:
    """What a set yields with the mover's technology, as far as the supply goes."""
    level = int(s.levels[s.turn, TECHNOLOGY_TRACK])
    color = exchange.color_of(formed)
    lower = min(exchange.right_of(formed), exchange.ship_of(formed)) + LOWEST_VALUE
    gems = [0] * GEMS
    gems[color] = min(lower + int(s.extra_gems[level]), int(s.gem_supply[color]))
    gems[-1] = min(int(s.extra_diamonds[level]), int(s.gem_supply[-1]))
    return _gems(gems, language)


def _build_words(move: int, language: str) -> str:
    """What is built, and at which chart."""
    form = "build_joker" if building.chart_of(move) == JOKER else "build"
    return _TEXT[language][form].format(kind=KINDS[language][building.kind_of(move)])


def _part(text: Mapping[str, str], what: str, spent: int, held: int) -> str:
    """So many of what is held, or all of it."""
    if spent == held:
        return counted(text, f"all_{what}", held).format(held=held)
    return text[f"{what}_of"].format(spent=spent, held=held)


def _reason_parts(s: Record, move: int, language: str) -> tuple[str, dict[str, Any]]:
    """The form of a reason and what it says about the move itself."""
    text = _TEXT[language]
    seat = int(s.turn)
    if s.phase == EXCHANGE:
        gems = _gems_of_set(s, move, language)
        return text["exchange_reason"], {"gems": gems, **_set_parts(move, language)}
    if s.phase == KEEP:
        tiles, leftover = _kept_tiles(move, language), int(s.tiles[seat].sum())
        form = counted(text, "keep_reason" if tiles else "keep_none_reason", leftover)
        return form, {"tiles": _listed(tiles, language), "leftover": leftover}
    if s.phase == PAYMENT:
        kept = [int(s.gems[seat, gem] - building.gems_in(move, gem)) for gem in range(GEMS)]
        return text["pay_reason" if any(kept) else "pay_all_reason"], {
            "gems": _packed_gems(move, language),
            "kept": _gems(kept, language),
        }
    if move == kernels.PASS:
        return text["pass_reason"], {}
    if s.phase == MARKET:
        cell = market.cell_of(move)
        rivals = market.unsold_neighbours(s, cell)
        return text["buy_reason" if rivals else "buy_alone_reason"], {
            "what": symbol_words(int(s.cells[cell]), market.choice_of(move), language),
            "cell": _cell(cell // COLUMNS, cell % COLUMNS, language),
            "coins": _part(text, "coins", int(market.cell_cost(s, cell)), int(s.coins[seat])),
            "rivals": rivals,
        }
    kind = building.kind_of(move)
    covers = open_printed_space(s, seat, kind) >= 0
    price = int(building.price(s, building.chart_of(move)))
    return text["printed_reason" if covers else "build_reason"], {
        "build": _build_words(move, language),
        "gems": _part(text, "gems", price, int(s.gems[seat].sum())),
    }


def _round_started(body: pb.DiamondsClubRoundStarted, language: str) -> tuple[str, dict[str, Any]]:
    return "round_started", {"round": body.round, "seat": body.starter}


def _cell_bought(body: pb.DiamondsClubCellBought, language: str) -> tuple[str, dict[str, Any]]:
    choice = max(body.track, body.animal) - 1
    return "cell_bought", {
        "seat": body.seat,
        "what": symbol_words(body.symbol - 1, choice, language),
        "cell": _cell(body.row, body.column, language),
        "coins": _coins(body.coins, language),
    }


def _out(body: pb.DiamondsClubOut, language: str) -> tuple[str, dict[str, Any]]:
    return "unable" if body.unable else "out", {"seat": body.seat}


def _diamond_given(body: pb.DiamondsClubDiamondGiven, language: str) -> tuple[str, dict[str, Any]]:
    savings = body.reason == pb.DIAMONDS_CLUB_DIAMOND_REASON_SAVINGS
    return "savings" if savings else "start_track", {"seat": body.seat}


def _set_exchanged(body: pb.DiamondsClubSetExchanged, language: str) -> tuple[str, dict[str, Any]]:
    return "set_exchanged", {
        "seat": body.seat,
        "mine": COLORS[language][body.set.mine - 1],
        "right": body.set.right,
        "ship": body.set.ship,
        "gems": _gems_message(body.gems, language),
    }


def _tiles_kept(body: pb.DiamondsClubTilesKept, language: str) -> tuple[str, dict[str, Any]]:
    text = _TEXT[language]
    tiles = []
    if body.kept.mine:
        tiles.append(text["mine_tile"].format(color=COLORS[language][body.kept.mine - 1]))
    if body.kept.right:
        tiles.append(text["right_tile"].format(value=body.kept.right))
    if body.kept.ship:
        tiles.append(text["ship_tile"].format(value=body.kept.ship))
    return "tiles_returned" if body.returned else "tiles_kept", {
        "seat": body.seat,
        "keeps": _keep_words(tiles, language),
        "returned": body.returned,
    }


def _built(body: pb.DiamondsClubBuilt, language: str) -> tuple[str, dict[str, Any]]:
    return "built", {
        "seat": body.seat,
        "kind": KINDS[language][body.kind - 1],
        "gems": _gems_message(body.payment, language),
        "space": SPACES[language][body.space],
    }


def _bonus_taken(body: pb.DiamondsClubBonus, language: str) -> tuple[str, dict[str, Any]]:
    return "bonus_taken", {"seat": body.seat, "card": BONUS_CARDS[language][body.card - 1]}


def _park_full(body: pb.DiamondsClubParkFull, language: str) -> tuple[str, dict[str, Any]]:
    return "park_full", {"seat": body.seat}


def _game_over(body: pb.DiamondsClubGameOver, language: str) -> tuple[str, dict[str, Any]]:
    text = _TEXT[language]
    results = [text["result"].format(seat=i, score=score) for i, score in enumerate(body.scores)]
    winners = [text["winner"].format(seat=seat) for seat in body.winners]
    return "game_over" if len(winners) == 1 else "game_over_shared", {
        "results": text["comma"].join(results),
        "winners": _listed(winners, language),
    }


_EVENT_PARTS: Mapping[str, Callable[[Any, str], tuple[str, dict[str, Any]]]] = {
    "round_started": _round_started,
    "cell_bought": _cell_bought,
    "out": _out,
    "diamond_given": _diamond_given,
    "set_exchanged": _set_exchanged,
    "tiles_kept": _tiles_kept,
    "built": _built,
    "bonus_taken": _bonus_taken,
    "park_full": _park_full,
    "game_over": _game_over,
}
"""Event -> the form of its sentence and what fills it."""
