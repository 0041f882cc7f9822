"""A view of Diamonds Club for reading."""

from collections.abc import Iterable

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from adamas.v1.diamonds_club_pb2 import (
    DiamondsClubColor,
    DiamondsClubColumn,
    DiamondsClubPlayer,
    DiamondsClubView,
)

ROWS = 6
COLORS = ("bright_blue", "yellow", "green", "red", "bright_white")
"""Styles of the gems, diamonds last."""
_TEXT = {
    "en": {
        "round": "Round {round}, seat {starter} started. The market, coins paid in brackets:",
        "symbols": "Mine *,Right {},Ship {},+Forest,+Tech,+Money,+any,Hats,Animal",
        "seat": "seat",
        "coins": "coins",
        "gems": "gems",
        "tiles": "mines, rights, ships",
        "buildings": "fount./orang./pav./roses",
        "forests": "forests",
        "animals": "ponds/deer/aviaries",
        "printed": "pictures",
        "tracks": "forest/tech/money",
        "track": "Start-player track, front first: {markers}",
        "marker": "seat {seat} on {position}",
    },
    "zh-TW": {
        "round": "第 {round} 輪，由 {starter} 號座位起始。市場（括號內為已付的錢）：",
        "symbols": "礦車 *,許可證 {},船 {},樹林,齒輪,金錢,任選,帽子,動物",
        "seat": "座位",
        "coins": "金錢",
        "gems": "寶石",
        "tiles": "礦車、許可證、船",
        "buildings": "噴泉/橘園/涼亭/玫瑰園",
        "forests": "樹林",
        "animals": "池塘/鹿園/鳥園",
        "printed": "印圖格",
        "tracks": "樹林/齒輪/金錢",
        "track": "順位軌（由前到後）：{markers}",
        "marker": "{seat} 號座位在 {position}",
    },
}


def board(view: DiamondsClubView, language: str) -> RenderableType:
    """The market, what each seat has, and the start-player track."""
    text = _TEXT[language]
    table = view.table
    markers = ", ".join(
        text["marker"].format(seat=marker.seat, position=marker.position)
        for marker in table.start_track
    )
    return Group(
        Text(text["round"].format(round=table.round, starter=table.starter)),
        _market(table.market, language),
        Text(),
        _boards(view, language),
        Text(),
        Text(text["track"].format(markers=markers)),
    )


def _market(columns: Iterable[DiamondsClubColumn], language: str) -> Table:
    """The cells as they lie, numbered from 1."""
    shown = list(columns)
    market = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    market.add_column("")
    for number in range(1, len(shown) + 1):
        market.add_column(str(number))
    for row in range(ROWS):
        market.add_row(str(row + 1), *(_cell(column, row, language) for column in shown))
    return market


def _cell(column: DiamondsClubColumn, row: int, language: str) -> Text:
    """What a cell shows; dim with the coins on it once it has been bought."""
    symbol = int(column.symbols[row]) - 1
    mine, right, ship, *others = _TEXT[language]["symbols"].split(",")
    if symbol < 4:
        shown = Text(mine.replace("*", "●"), style=COLORS[symbol])
    elif symbol < 12:
        shown = Text((right if symbol < 8 else ship).format(symbol % 4 + 2))
    else:
        shown = Text(others[symbol - 12])
    if column.coins[row]:
        return Text(f"{shown.plain} ({column.coins[row]})", style="dim")
    return shown


def _boards(view: DiamondsClubView, language: str) -> Table:
    text = _TEXT[language]
    boards = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for name in ("seat", "coins"):
        boards.add_column(text[name], justify="right")
    for name in ("gems", "tiles", "buildings", "forests", "animals", "printed", "tracks"):
        boards.add_column(text[name])
    for seat, player in enumerate(view.table.players):
        boards.add_row(
            f"▸ {seat}" if seat == view.seat else str(seat),
            *_player(player),
            style="bold" if seat == view.seat else "",
        )
    return boards


def _player(player: DiamondsClubPlayer) -> list[str | Text]:
    gems, buildings = player.gems, player.buildings
    animals, tracks = player.animals, player.tracks
    numbers = (
        buildings.fountains,
        buildings.orangeries,
        buildings.pavilions,
        buildings.rose_gardens,
    )
    return [
        str(player.coins),
        _dots((gems.blue, gems.yellow, gems.green, gems.red, gems.diamonds)),
        _tiles(player.mines, player.rights, player.ships),
        "/".join(str(number) for number in numbers),
        str(player.forests),
        f"{animals.ponds}/{animals.deer_parks}/{animals.aviaries}",
        "".join("■" if covered else "□" for covered in player.printed_covered),
        f"{tracks.forest}/{tracks.technology}/{tracks.money}",
    ]


def _dots(counts: Iterable[int]) -> Text:
    """Gems as coloured dots, diamonds as diamonds."""
    gems = Text()
    for kind, (count, style) in enumerate(zip(counts, COLORS, strict=True)):
        gems.append(("◆" if kind == 4 else "●") * count, style=style)
    return gems


def _tiles(
    mines: Iterable[DiamondsClubColor.ValueType], rights: Iterable[int], ships: Iterable[int]
) -> Text:
    """Mines as coloured dots, then the values of rights and ships."""
    held = Text()
    for color in mines:
        held.append("●", style=COLORS[color - 1])
    for letter, values in (("R", rights), ("S", ships)):
        for value in values:
            held.append(f" {letter}{value}")
    return held
