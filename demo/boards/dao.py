"""A view of DAO for reading."""

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from adamas.figures import number
from adamas.v1.dao_pb2 import (
    DAO_ELEMENT_EARTH,
    DAO_ELEMENT_FIRE,
    DAO_ELEMENT_METAL,
    DAO_ELEMENT_WATER,
    DAO_ELEMENT_WOOD,
    DaoCard,
    DaoElement,
    DaoPile,
    DaoView,
)

ELEMENTS: dict[DaoElement.ValueType, tuple[str, str, str]] = {
    DAO_ELEMENT_METAL: ("Metal", "金", "white"),
    DAO_ELEMENT_FIRE: ("Fire", "火", "red"),
    DAO_ELEMENT_EARTH: ("Earth", "土", "yellow"),
    DAO_ELEMENT_WOOD: ("Wood", "木", "green"),
    DAO_ELEMENT_WATER: ("Water", "水", "blue"),
}
"""English name, Chinese name, colour."""
LIMIT = 12
"""A row above this has to be taken."""

_TEXT = {
    "en": {
        "row": "Row, front first: ",
        "total": "Together {total} of at most {limit}; {deck} cards in the deck.",
        "seat": "seat",
        "now": "points now",
        "cards": "cards",
    },
    "zh-TW": {
        "row": "展示區（左邊靠近牌庫）：",
        "total": "總數值 {total}（上限 {limit}），牌庫剩 {deck} 張卡片。",
        "seat": "座位",
        "now": "目前分數",
        "cards": "張數",
    },
}


def board(view: DaoView, language: str) -> RenderableType:
    """The row, and what each seat has taken."""
    text = _TEXT[language]
    row = Text(text["row"])
    for index, card in enumerate(view.row):
        row.append("  " if index else "")
        row.append_text(_card(card, language))
    total = sum(card.value for card in view.row)
    below = Text(text["total"].format(total=total, limit=LIMIT, deck=view.deck_size))

    piles = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    piles.add_column(text["seat"], justify="right")
    for names in ELEMENTS.values():
        piles.add_column(_name(names, language), style=names[2])
    piles.add_column(text["cards"], justify="right")
    piles.add_column(text["now"], justify="right")
    for seat, pile in enumerate(view.piles):
        marked = f"▸ {seat}" if seat == view.seat else str(seat)
        piles.add_row(
            marked,
            *(_values(pile, element) for element in ELEMENTS),
            str(len(pile.cards)),
            number(_score(pile)),
            style="bold" if seat == view.seat else "",
        )
    return Group(row, below, Text(), piles)


def _name(names: tuple[str, str, str], language: str) -> str:
    return names[1] if language == "zh-TW" else names[0]


def _card(card: DaoCard, language: str) -> Text:
    names = ELEMENTS[card.element]
    return Text(f"{_name(names, language)} {card.value}", style=names[2])


def _values(pile: DaoPile, element: DaoElement.ValueType) -> str:
    return " ".join(str(card.value) for card in pile.cards if card.element == element)


def _score(pile: DaoPile) -> int:
    """The best element's values, less one for each card of another element; 0 without cards."""
    return max(
        sum(card.value if card.element == element else -1 for card in pile.cards)
        for element in ELEMENTS
    )
