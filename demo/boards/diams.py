"""A view of Diam's for reading."""

from collections.abc import Iterable

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from adamas.v1.diams_pb2 import DiamsCard, DiamsDiamond, DiamsView

STYLES = (
    "bright_white",
    "bright_black",
    "yellow",
    "green",
    "cyan",
    "bright_blue",
    "bright_red",
    "dark_orange",
    "purple",
    "hot_pink",
)
"""Styles of the kinds 1 to 10."""
SPECIALS = ("", "X1", "X2", "X3")
_TEXT = {
    "en": {
        "round": "Round {round}, seat {starter} started; {deck} cards are left in the pile.",
        "closing": "The closing card is out: everybody but seat {closer} plays once more.",
        "market": "Market: ",
        "hand": "Hand of seat {seat}: ",
        "safe": "Safe of seat {seat}: ",
        "pure": "◆ marks exceptional purity",
        "seat": "seat",
        "cards": "hand",
        "stored": "safe",
        "points": "points of round {round}",
    },
    "zh-TW": {
        "round": "第 {round} 輪，由 {starter} 號座位開始，牌堆剩 {deck} 張。",
        "closing": "結束營業卡已出現：除 {closer} 號座位外，其他玩家各再行動一次。",
        "market": "市場：",
        "hand": "{seat} 號座位的手牌：",
        "safe": "{seat} 號座位的保險箱：",
        "pure": "◆ 表示特殊純度",
        "seat": "座位",
        "cards": "手牌",
        "stored": "保險箱",
        "points": "第 {round} 輪分數",
    },
}


def board(view: DiamsView, language: str) -> RenderableType:
    """The pile, the market, what everybody has, and the own cards."""
    text = _TEXT[language]
    heading = text["round"].format(round=view.round, starter=view.starter, deck=view.deck_size)
    parts: list[RenderableType] = [Text(heading)]
    if view.HasField("closer"):
        parts.append(Text(text["closing"].format(closer=view.closer), style="bold"))
    parts += [
        Text(),
        _line(text["market"], map(diamond, view.market)),
        Text(),
        _seats(view, language),
        Text(),
        _line(text["hand"].format(seat=view.seat), map(card, view.hand)),
    ]
    if view.options.open_safes:
        for seat, safe in enumerate(view.safes):
            parts.append(_line(text["safe"].format(seat=seat), map(diamond, safe.diamonds)))
    else:
        parts.append(_line(text["safe"].format(seat=view.seat), map(diamond, view.safe)))
    parts.append(Text(text["pure"], style="dim"))
    return Group(*parts)


def diamond(shown: DiamsDiamond) -> Text:
    """One diamond: its kind, with a mark if it is pure."""
    return Text(f"{shown.kind}{'◆' if shown.pure else ''}", style=STYLES[shown.kind - 1])


def card(shown: DiamsCard) -> Text:
    """One card of a hand."""
    if shown.HasField("diamond"):
        return diamond(shown.diamond)
    return Text(SPECIALS[shown.special], style="bold")


def _line(label: str, cards: Iterable[Text]) -> Text:
    line = Text(label)
    line.append_text(Text("  ").join(cards))
    return line


def _seats(view: DiamsView, language: str) -> Table:
    """How many cards each seat has, and its points so far."""
    text = _TEXT[language]
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for name in ("seat", "cards", "stored"):
        table.add_column(text[name], justify="right")
    for number in range(1, len(view.finished_rounds) + 1):
        table.add_column(text["points"].format(round=number), justify="right")
    for seat in range(view.seats):
        own = seat == view.seat
        points = [str(finished.points[seat]) for finished in view.finished_rounds]
        table.add_row(
            f"▸ {seat}" if own else str(seat),
            str(view.hand_sizes[seat]),
            str(view.safe_sizes[seat]),
            *points,
            style="bold" if own else "",
        )
    return table
