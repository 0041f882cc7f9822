"""`adamas analyze`: the ranked moves of a position, as the search goes on."""

import argparse
import sys
from collections.abc import Callable

from adamas.command.choosing import add_move_arguments, chosen_moves
from adamas.command.connection import add_server_arguments, connect
from adamas.command.output import advice_lines, print_json
from adamas.command.searching import add_search_arguments, limit_of, position_of
from adamas.command.words import Words, words_in
from adamas.search import Advice

UP_AND_CLEAR = "\x1b[{}F\x1b[J"
"""Moves the cursor up so many lines, and clears all below."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describes the command line."""
    parser.add_argument(
        "--watch", action="store_true", help="show the ranking as it grows; Ctrl-C stops the search"
    )
    parser.add_argument("--every", type=float, metavar="SECONDS", help="between two updates [0.2]")
    add_search_arguments(parser)
    add_move_arguments(parser)
    add_server_arguments(parser)


def main(arguments: argparse.Namespace) -> int:
    """Carries the command out."""
    given = position_of(arguments)
    show = print_json if arguments.json else _shower(words_in(arguments.language))
    with connect(arguments) as client:
        chosen = chosen_moves(arguments, client, given)
        analysis = client.analyze(
            given.message,
            limit_of(arguments),
            seat=given.seat,
            candidates=arguments.candidates,
            level=arguments.level,
            seed=arguments.seed,
            only=chosen.only,
            without=chosen.without,
            compare=chosen.compare,
            update_interval=arguments.every,
        )
        with analysis:
            for update in analysis:
                if arguments.watch or update.final:
                    show(update)
    return 0


def is_terminal() -> bool:
    """Whether what is printed goes to a terminal."""
    return sys.stdout.isatty()


def _shower(words: Words) -> Callable[[Advice], None]:
    """Shows one update after another: on a terminal in place of the one before."""
    shown = 0

    def show(advice: Advice) -> None:
        nonlocal shown
        lines = list(advice_lines(advice, words))
        if shown and is_terminal():
            sys.stdout.write(UP_AND_CLEAR.format(shown))
        elif shown:
            print()
        print("\n".join(lines), flush=True)
        shown = len(lines)

    return show
