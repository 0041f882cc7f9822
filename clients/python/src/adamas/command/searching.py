"""How positions are searched: the arguments that commands have in common."""

import argparse

from adamas.command.trouble import Trouble
from adamas.limits import Limit


def add_limit_arguments(parser: argparse.ArgumentParser, iterations: int | None = None) -> None:
    """Describes when a search ends."""
    parser.add_argument("--time", type=float, metavar="SECONDS", help="think so long")
    parser.add_argument(
        "--iterations",
        type=int,
        metavar="N",
        default=iterations,
        help="think so much" + (" [%(default)s]" if iterations else ""),
    )


def add_search_arguments(parser: argparse.ArgumentParser) -> None:
    """Describes how one position is searched."""
    parser.add_argument("--seat", type=int, help="whom to advise, where FILE holds a full state")
    add_limit_arguments(parser)
    parser.add_argument("--candidates", type=int, metavar="N", help="how many moves to rank [5]")
    parser.add_argument("--level", type=int, help="play as this level, 1 to 10")
    parser.add_argument("--seed", type=int, help="with --iterations, this fixes the answer")


def limit_of(arguments: argparse.Namespace) -> Limit | None:
    """When a search ends; None: as the server says.

    Raises:
        Trouble: If a limit makes no sense.
    """
    if arguments.time is None and arguments.iterations is None:
        return None
    try:
        return Limit(arguments.time, arguments.iterations)
    except ValueError as error:
        raise Trouble(str(error)) from None
