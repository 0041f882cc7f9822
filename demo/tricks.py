"""A game of Diamonds as it is played: one line a trick, the crystals after every round."""

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from adamas import Event
from adamas.v1 import diamonds_pb2 as pb
from adamas.v1.diamonds_pb2 import (
    DiamondsEvent,
    DiamondsRoundScored,
    DiamondsSuit,
    DiamondsSuitAction,
    DiamondsTrick,
)
from demo.boards.diamonds import SUITS, trick_cells

_TEXT = {
    "en": {
        "round": "Round {round}: seat {seat} deals",
        "pass_count": "Seat {seat} has everybody pass {cards} to the left.",
        "seat": "seat {seat}",
        "trick": "trick",
        "won": "won by",
        "actions": "actions (by seat)",
        "vault": "{seat}: +1 vault",
        "showroom": "{seat}: +1 showroom",
        "save": "{seat}: showroom → vault",
        "steal": "{seat}: takes 1 from {victim}",
        "nothing": "{seat}: {suit} in vain",
        "majority": "most {suit} ",
        "nobody": "nobody",
        "no_trick": "no trick ",
        "showroom_row": "showroom",
        "vault_row": "vault",
        "points_row": "points",
        "comma": ", ",
        "semicolon": "; ",
    },
    "zh-TW": {
        "round": "第 {round} 輪：發牌員是 {seat} 號座位",
        "pass_count": "{seat} 號座位決定每人向左傳 {cards} 張牌。",
        "seat": "{seat} 號",
        "trick": "墩",
        "won": "贏家",
        "actions": "花色行動（依座位）",
        "vault": "{seat}：金庫多 1",
        "showroom": "{seat}：展示間多 1",
        "save": "{seat}：展示間 → 金庫",
        "steal": "{seat}：從 {victim} 偷 1",
        "nothing": "{seat}：{suit} 沒有移動",
        "majority": "吃到最多 {suit} ",
        "nobody": "無人",
        "no_trick": "沒有贏得任何一墩 ",
        "showroom_row": "展示間",
        "vault_row": "金庫",
        "points_row": "分數",
        "comma": "、",
        "semicolon": "；",
    },
}
_EFFECTS: dict[DiamondsSuit.ValueType, str] = {
    pb.DIAMONDS_SUIT_DIAMONDS: "vault",
    pb.DIAMONDS_SUIT_HEARTS: "showroom",
    pb.DIAMONDS_SUIT_SPADES: "save",
    pb.DIAMONDS_SUIT_CLUBS: "steal",
}


class TrickReport:
    """Shows the events of a game of Diamonds.

    Args:
        console: Where to.
        language: Of the words.
        seats: Number of seats.
    """

    def __init__(self, console: Console, language: str, seats: int) -> None:
        self._console = console
        self._text = _TEXT[language]
        self._seats = seats
        self._number = 0
        self._trick = DiamondsTrick()
        self._actions: list[str] = []

    def show(self, events: Sequence[Event]) -> None:
        """Show what these events complete."""
        for event in events:
            if isinstance(event.event, DiamondsEvent):
                self._take(event.event)

    def _take(self, event: DiamondsEvent) -> None:
        match event.WhichOneof("event"):
            case "round_started":
                started = event.round_started
                self._console.print()
                self._say("round", "bold", round=started.round, seat=started.dealer)
            case "pass_count_chosen":
                chosen = event.pass_count_chosen
                self._say("pass_count", seat=chosen.seat, cards=chosen.pass_count)
                self._console.print()
                self._print_head()
            case "card_played":
                played = event.card_played
                if not self._trick.cards:
                    self._trick.leader = played.seat
                self._trick.cards.append(played.card)
            case "trick_won":
                self._trick.winner = event.trick_won.seat
            case "suit_action":
                self._take_action(event.suit_action)
            case "majority":
                if not event.majority.seats:
                    nobody = self._majority(event.majority.suit) + self._text["nobody"]
                    self._actions.append(nobody)
            case "round_scored":
                self._print_round(event.round_scored)
            case _:
                pass  # cards passed face down; the end of the game

    def _take_action(self, action: DiamondsSuitAction) -> None:
        effect = self._effect(action)
        match action.reason:
            case pb.DIAMONDS_ACTION_REASON_MAJORITY:
                self._actions.append(self._majority(action.suit) + effect)
            case pb.DIAMONDS_ACTION_REASON_NO_TRICK:
                phrase = self._text["no_trick"] + effect
                if self._actions[-1:] == [phrase]:
                    self._actions[-1] += " ×2"
                else:
                    self._actions.append(phrase)
            case _:
                self._actions.append(effect)
        if action.reason == pb.DIAMONDS_ACTION_REASON_TRICK:  # a trick's last action
            self._print_trick()

    def _effect(self, action: DiamondsSuitAction) -> str:
        if not action.moved:
            return self._text["nothing"].format(seat=action.seat, suit=SUITS[action.suit][0])
        return self._text[_EFFECTS[action.suit]].format(seat=action.seat, victim=action.victim)

    def _majority(self, suit: DiamondsSuit.ValueType) -> str:
        return self._text["majority"].format(suit=SUITS[suit][0])

    def _print_head(self) -> None:
        seats = [self._text["seat"].format(seat=seat) for seat in range(self._seats)]
        row = (self._text["trick"], *seats, self._text["won"], self._text["actions"])
        self._console.print(self._row(*(Text(cell, style="dim") for cell in row)))

    def _print_trick(self) -> None:
        self._number += 1
        self._console.print(
            self._row(
                Text(str(self._number)),
                *trick_cells(self._trick, self._seats),
                Text(self._text["seat"].format(seat=self._trick.winner), style="bold"),
                Text(self._text["comma"].join(self._actions)),
            )
        )
        self._trick.Clear()
        self._actions.clear()

    def _print_round(self, scored: DiamondsRoundScored) -> None:
        self._number = 0
        self._console.print()
        self._console.print(Text(self._text["semicolon"].join(self._actions)))
        self._actions.clear()
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
        table.add_column("")
        for seat in range(len(scored.vaults)):
            table.add_column(self._text["seat"].format(seat=seat), justify="right")
        pairs = list(zip(scored.vaults, scored.showrooms, strict=True))
        table.add_row(self._text["vault_row"], *(str(vault) for vault, _ in pairs))
        table.add_row(self._text["showroom_row"], *(str(showroom) for _, showroom in pairs))
        points = (str(2 * vault + showroom) for vault, showroom in pairs)
        table.add_row(self._text["points_row"], *points, style="bold")
        self._console.print(table)

    def _row(self, number: Text, *cells: Text) -> Table:
        """A line of its own whose columns stand below those of the line before."""
        row = Table.grid(padding=(0, 2, 0, 0), expand=True)
        row.add_column(width=5, justify="right")
        for _ in range(self._seats + 1):
            row.add_column(width=7, justify="right")
        row.add_column(ratio=1)
        row.add_row(number, *cells)
        return row

    def _say(self, key: str, style: str = "", **parts: int) -> None:
        self._console.print(Text(self._text[key].format(**parts), style=style))
