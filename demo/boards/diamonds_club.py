"""A view of Diamonds Club for reading."""

from collections.abc import Iterable

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from adamas.v1.diamonds_club_pb2 import (
    DiamondsClubColumn,
    DiamondsClubPlayer,
    DiamondsClubView,
)

ROWS = 6
COLORS = ("bright_blue", "yellow", "green", "red", "bright_white")
"""Styles of the gems, diamonds last. Their letters say the same where there are no colours."""
_TEXT = {
    "en": {
        "round": "Round {round}, seat {starter} started. The market, coins paid in brackets:",
        "gem_letters": "BYGR◆",
        "symbols": "Mine *,Right {},Ship {},+Forest,+Tech,+Money,+any,Hats,Animal",
        "seat": "seat {seat}",
        "coins": "coins",
        "gems": "gems",
        "mines": "mines",
        "rights": "rights",
        "ships": "ships",
        "buildings": "fountains/orangeries/\npavilions/rose gardens",
        "forests": "forests",
        "animals": "ponds/deer parks/\naviaries",
        "printed": "printed spaces covered",
        "tracks": "steps of forest/\ntechnology/money",
        "track": "Start-player track, front first: {markers}",
        "marker": "seat {seat} on {position}",
        "comma": ", ",
    },
    "zh-TW": {
        "round": "第 {round} 輪，起始玩家是 {starter} 號座位。市場（括號內為放上的錢）：",
        "gem_letters": "藍黃綠紅◆",
        "symbols": "礦車 *,許可證 {},船 {},樹林,齒輪,錢幣,任選,帽子,動物",
        "seat": "{seat} 號座位",
        "coins": "錢",
        "gems": "寶石",
        "mines": "礦車",
        "rights": "許可證",
        "ships": "船",
        "buildings": "噴泉/橘園/涼亭/玫瑰園",
        "forests": "樹林",
        "animals": "池塘/鹿園/鳥園",
        "printed": "畫有建築物的空格",
        "tracks": "發展：樹林/齒輪/錢幣",
        "track": "順序標記（由前到後）：{markers}",
        "marker": "{seat} 號座位在 {position}",
        "comma": "、",
    },
}


def board(view: DiamondsClubView, language: str) -> RenderableType:
    """The market, what each seat has, and the start-player track."""
    text = _TEXT[language]
    table = view.table
    markers = text["comma"].join(
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
        letter = _TEXT[language]["gem_letters"][symbol]
        shown = Text(mine.replace("*", letter), style=COLORS[symbol])
    elif symbol < 12:
        shown = Text((right if symbol < 8 else ship).format(symbol % 4 + 2))
    else:
        shown = Text(others[symbol - 12])
    if column.coins[row]:
        return Text(f"{shown.plain} ({column.coins[row]})", style="dim")
    return shown


def _boards(view: DiamondsClubView, language: str) -> Table:
    """A column a seat: with the rows' long names beside them, a table of four fits 80 columns."""
    text = _TEXT[language]
    boards = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    boards.add_column("", no_wrap=True)
    for seat in range(len(view.table.players)):
        own = seat == view.seat
        title = text["seat"].format(seat=seat)
        boards.add_column(f"▸ {title}" if own else title, style="bold" if own else "")
    columns = [_player(player, text["gem_letters"]) for player in view.table.players]
    for name in columns[0]:
        boards.add_row(text[name], *(column[name] for column in columns))
    return boards


def _player(player: DiamondsClubPlayer, letters: str) -> dict[str, str | Text]:
    """What a seat has, by the names of the rows."""
    gems, buildings = player.gems, player.buildings
    animals, tracks = player.animals, player.tracks
    numbers = (
        buildings.fountains,
        buildings.orangeries,
        buildings.pavilions,
        buildings.rose_gardens,
    )
    return {
        "coins": str(player.coins),
        "gems": _gems((gems.blue, gems.yellow, gems.green, gems.red, gems.diamonds), letters),
        "mines": Text(" ").join(
            Text(letters[color - 1], COLORS[color - 1]) for color in player.mines
        ),
        "rights": " ".join(str(value) for value in player.rights),
        "ships": " ".join(str(value) for value in player.ships),
        "buildings": "/".join(str(number) for number in numbers),
        "forests": str(player.forests),
        "animals": f"{animals.ponds}/{animals.deer_parks}/{animals.aviaries}",
        "printed": "".join("■" if covered else "□" for covered in player.printed_covered),
        "tracks": f"{tracks.forest}/{tracks.technology}/{tracks.money}",
    }


def _gems(counts: Iterable[int], letters: str) -> Text:
    """A letter a gem, in its colour."""
    gems = Text()
    for count, letter, style in zip(counts, letters, COLORS, strict=True):
        gems.append(letter * count, style=style)
    return gems
