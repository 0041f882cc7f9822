"""One whole game, bot against bot, as it is played."""

import time
from collections.abc import Sequence
from typing import Protocol

from rich.console import Console
from rich.text import Text

from adamas import BotPlayer, Client, Event, GameSummary, Limit, Turn, play_match
from adamas.figures import number
from adamas.v1.game_pb2 import GameOptions
from demo.text import words
from demo.tricks import TrickReport

SEATS = 4


class Report(Protocol):
    """Shows a game while it is played."""

    def show(self, events: Sequence[Event]) -> None:
        """Show what happened next."""


class EventReport:
    """Shows every event in the service's words."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def show(self, events: Sequence[Event]) -> None:
        """Print a line an event."""
        for event in events:
            if event.words:
                self._console.print(Text(event.words))


def play(
    client: Client,
    game: GameSummary,
    limit: Limit,
    seed: int,
    language: str,
    console: Console,
) -> None:
    """Play a game and show it."""
    text = words(language)
    seats = max(game.min_seats, min(SEATS, game.max_seats))
    console.print()
    title = text["match"].format(game=game.name, seats=seats, milliseconds=1000 * (limit.time or 0))
    console.rule(f"[bold]{title}[/bold]", align="left")

    options = GameOptions()
    getattr(options, game.game_id).SetInParent()
    table = client.table(options, seats, seed=seed)
    report: Report = (
        TrickReport(console, language, seats)
        if game.game_id == "diamonds"
        else EventReport(console)
    )
    report.show(table.events)
    turns = 0

    def watch(turn: Turn) -> None:
        nonlocal turns
        turns += 1
        report.show(turn.events)

    begin = time.monotonic()
    results = play_match(table, [BotPlayer(client, limit)] * seats, watch)
    seconds = time.monotonic() - begin

    console.print()
    console.print(Text(text["result"], style="bold"))
    for result in sorted(results, key=lambda result: (-result.win_share, -result.score)):
        won = "" if not result.win_share else text["wins" if result.win_share == 1 else "shares"]
        seat = text["seat"].format(seat=result.seat)
        points = text["points"].format(score=number(result.score))
        console.print(Text(f"  {seat}  {points:>10}  {won}", style="bold" if won else ""))
    console.print(Text(text["moves"].format(moves=turns, seconds=seconds), style="dim"))
