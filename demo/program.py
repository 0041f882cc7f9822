"""The program: what it shows in which order."""

import argparse
import contextlib
import os
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console

from adamas import AdamasError, Client, GameSummary, Limit
from demo import text
from demo.match import play
from demo.positions import Shipped, shipped_positions
from demo.ranking import show_advice

PREFERRED_MATCH = "diamonds"
PLAIN_WIDTH = 100
"""Columns where the output is no terminal, or a picture is drawn."""
PICTURE_TITLE = "make demo"
PICTURE_ITERATIONS = 60_000
"""A picture is the same on every machine, however busy it is: this and the seed fix the answer."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the demonstration; the result is the exit code."""
    options = _read_arguments(arguments)
    console = _make_console(record=options.picture is not None)
    try:
        status = _demonstrate(options, console)
        if options.picture is not None and status == 0:
            console.save_svg(str(options.picture), title=PICTURE_TITLE)
        return status
    except BrokenPipeError:  # who reads our output has had enough, as in `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (AdamasError, OSError) as error:
        print(f"adamas: {error}", file=sys.stderr)
        return 1


def _read_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m demo",
        description="Shows what the service answers on shipped positions, then plays a game.",
    )
    parser.add_argument(
        "--language", choices=text.LANGUAGES, default="en", help="of all words [%(default)s]"
    )
    parser.add_argument(
        "--time", type=_seconds, default=1.0, help="seconds to think on a position [%(default)s]"
    )
    parser.add_argument(
        "--move-time",
        type=_seconds,
        default=0.06,
        help="seconds to think on a move of the game [%(default)s]",
    )
    parser.add_argument(
        "--seed", type=int, default=7, help="of searches and the game's deal [%(default)s]"
    )
    parser.add_argument("--game", metavar="ID", help="this game only, such as diamonds or dao")
    parser.add_argument(
        "--no-game", action="store_true", help="show the positions only, play no game"
    )
    parser.add_argument(
        "--server", metavar="HOST:PORT", help="a running server to ask; default: one of our own"
    )
    parser.add_argument(
        "--picture", metavar="FILE", type=Path, help="write what is shown as an SVG picture, too"
    )
    return parser.parse_args(arguments)


def _seconds(value: str) -> float:
    seconds = float(value)
    if not 0 < seconds <= 60:
        raise argparse.ArgumentTypeError("use more than 0 and at most 60 seconds")
    return seconds


def _make_console(*, record: bool) -> Console:
    with contextlib.suppress(AttributeError):
        sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    console = Console(highlight=False, record=record)
    if record or not console.is_terminal:
        console.width = PLAIN_WIDTH
    return console


def _demonstrate(options: argparse.Namespace, console: Console) -> int:
    words = text.words(options.language)
    begin = time.monotonic()
    if options.picture is None:
        console.print(words["starting"], style="dim")
    with _server(options.server) as target, Client(target, language=options.language) as client:
        client.wait_ready()
        games = {game.game_id: game for game in client.games()}
        if options.picture is None:
            names = words["comma"].join(game.name for game in games.values())
            seconds = time.monotonic() - begin
            console.print(words["ready"].format(seconds=seconds, games=names), style="dim")
        if options.game is not None and options.game not in games:
            told = words["no_such_game"].format(game=options.game, games=", ".join(games))
            print(told, file=sys.stderr)
            return 2
        chosen = games if options.game is None else {options.game: games[options.game]}
        _show_positions(client, chosen, options, console)
        if not options.no_game and chosen:
            game_id = PREFERRED_MATCH if PREFERRED_MATCH in chosen else next(iter(chosen))
            limit = Limit(time=options.move_time)
            play(client, chosen[game_id], limit, options.seed, options.language, console)
    if options.picture is None:
        console.print(words["web"], style="dim")
    return 0


def _show_positions(
    client: Client, games: dict[str, GameSummary], options: argparse.Namespace, console: Console
) -> None:
    limit = Limit(time=options.time)
    if options.picture is not None:
        limit = Limit(iterations=PICTURE_ITERATIONS)
    for position in _preferred_first(shipped_positions()):
        if position.game_id in games:
            name = games[position.game_id].name
            console.print()
            console.rule(f"[bold]{name}[/bold]", align="left")
            show_advice(client, position, limit, options.language, console, seed=options.seed)


def _preferred_first(positions: Sequence[Shipped]) -> list[Shipped]:
    return sorted(positions, key=lambda position: position.game_id != PREFERRED_MATCH)


@contextlib.contextmanager
def _server(target: str | None) -> Iterator[str]:
    """The address of the server to ask; one of our own runs while the block does."""
    if target is not None:
        yield target
        return
    from search.warmup import warm_up
    from server.embedded import embedded_server

    warm_up(Console(stderr=True))  # shows what it does if anything is left to compile
    with embedded_server() as address:
        yield address
