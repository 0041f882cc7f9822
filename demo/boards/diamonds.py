"""A view of Diamonds for reading."""

from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from adamas.v1.diamonds_pb2 import (
    DIAMONDS_SUIT_CLUBS,
    DIAMONDS_SUIT_DIAMONDS,
    DIAMONDS_SUIT_HEARTS,
    DIAMONDS_SUIT_SPADES,
    DiamondsCaptured,
    DiamondsCard,
    DiamondsSuit,
    DiamondsTrick,
    DiamondsView,
)

SUITS: dict[DiamondsSuit.ValueType, tuple[str, str]] = {
    DIAMONDS_SUIT_DIAMONDS: ("♦", "bright_red"),
    DIAMONDS_SUIT_HEARTS: ("♥", "red"),
    DIAMONDS_SUIT_SPADES: ("♠", "bright_blue"),
    DIAMONDS_SUIT_CLUBS: ("♣", "green"),
}
"""Symbol and colour."""

_TEXT = {
    "en": {
        "round": "Round {round}, seat {dealer} dealt; {passed} cards were passed to the left.",
        "first": "Round {round}, seat {dealer} deals and says how many cards are passed.",
        "hand": "Hand of seat {seat}: ",
        "given": "Passed on: ",
        "received": "Received: ",
        "trick": "trick",
        "seat": "seat",
        "team": "team",
        "showroom": "showroom",
        "vault": "vault",
        "points": "points now",
        "captured": "captured",
        "won": "won by",
        "now": "now",
    },
    "zh-TW": {
        "round": "第 {round} 輪，發牌員是 {dealer} 號座位；每人向左傳了 {passed} 張牌。",
        "first": "第 {round} 輪，發牌員是 {dealer} 號座位，並決定傳幾張牌。",
        "hand": "{seat} 號座位的手牌：",
        "given": "傳出：",
        "received": "收到：",
        "trick": "墩",
        "seat": "座位",
        "team": "隊伍",
        "showroom": "展示間",
        "vault": "金庫",
        "points": "目前分數",
        "captured": "吃到的牌",
        "won": "贏家",
        "now": "本墩",
    },
}


def card(played: DiamondsCard) -> Text:
    """One card."""
    symbol, style = SUITS[played.suit]
    return Text(f"{symbol}{played.rank}", style=style)


def board(view: DiamondsView, language: str) -> RenderableType:
    """The round, the crystals, the tricks so far and the hand."""
    text = _TEXT[language]
    heading = text["round" if view.pass_count else "first"].format(
        round=view.round, dealer=view.dealer, passed=view.pass_count
    )
    parts: list[RenderableType] = [Text(heading), Text(), _crystals(view, language), Text()]
    if view.tricks:
        parts += [_tricks(view, language), Text()]
    parts.append(_cards(text["hand"].format(seat=view.seat), view.hand))
    if view.passed:
        given = _cards(text["given"], view.passed)
        if view.received:
            given.append("   ").append_text(_cards(text["received"], view.received))
        given.stylize("dim")
        parts.append(given)
    return Group(*parts)


def _crystals(view: DiamondsView, language: str) -> Table:
    text = _TEXT[language]
    by_team = view.options.teams
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column(text["team" if by_team else "seat"], justify="right")
    for name in ("showroom", "vault", "points"):
        table.add_column(text[name], justify="right")
    if view.captured:
        table.add_column(text["captured"])
    own = view.seat % len(view.vaults) if view.vaults else -1
    for place, (vault, showroom) in enumerate(zip(view.vaults, view.showrooms, strict=True)):
        cells = [
            f"▸ {place}" if place == own else str(place),
            str(showroom),
            str(vault),
            str(2 * vault + showroom),
        ]
        captured = [_captured(view.captured[place])] if view.captured else []
        table.add_row(*cells, *captured, style="bold" if place == own else "")
    return table


def _captured(captured: DiamondsCaptured) -> Text:
    counts = (captured.diamonds, captured.hearts, captured.spades, captured.clubs)
    parts = [
        Text(f"{count}{symbol}", style=style)
        for count, (symbol, style) in zip(counts, SUITS.values(), strict=True)
        if count
    ]
    return Text(" ").join(parts) if parts else Text("–")


def _tricks(view: DiamondsView, language: str) -> Table:
    text = _TEXT[language]
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column(text["trick"], justify="right")
    for seat in range(view.seats):
        table.add_column(f"{text['seat']} {seat}", justify="right", min_width=6)
    table.add_column(text["won"], justify="right")
    for number, trick in enumerate(view.tricks, 1):
        full = trick.HasField("winner")
        table.add_row(
            str(number) if full else text["now"],
            *trick_cells(trick, view.seats),
            str(trick.winner) if full else "",
        )
    return table


def trick_cells(trick: DiamondsTrick, seats: int) -> list[Text]:
    """The cards of a trick in seat order; ▸ marks the card that was led."""
    cells = [Text() for _ in range(seats)]
    for place, played in enumerate(trick.cards):
        cell = cells[(trick.leader + place) % seats]
        cell.append(" " if cell else "")
        cell.append("▸" if place == 0 else "")
        cell.append_text(card(played))
    return cells


def _cards(label: str, cards: Sequence[DiamondsCard]) -> Text:
    line = Text(label)
    line.append_text(Text("  ").join(_by_suit(cards)))
    return line


def _by_suit(cards: Iterable[DiamondsCard]) -> list[Text]:
    held = sorted(cards, key=lambda held: (held.suit, held.rank))
    groups = []
    for suit, (symbol, style) in SUITS.items():
        ranks = [str(held_card.rank) for held_card in held if held_card.suit == suit]
        if ranks:
            groups.append(Text(f"{symbol} {' '.join(ranks)}", style=style))
    return groups
