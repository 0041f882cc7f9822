"""How positions are searched: the arguments that commands have in common."""

import argparse

from adamas.command.files import Given, read_position
from adamas.command.trouble import Trouble
from adamas.limits import Limit
from adamas.v1.game_pb2 import GameState


def add_limit_arguments(parser: argparse.ArgumentParser) -> None:
    """Describes when a search ends."""
    parser.add_argument("--time", type=float, metavar="SECONDS", help="think so long")
    parser.add_argument("--iterations", type=int, metavar="N", help="think so much")


def add_search_arguments(parser: argparse.ArgumentParser) -> None:
    """Describes how one position is searched."""
    parser.add_argument("file", metavar="FILE", help='a PlayerView or GameState as JSON, or "-"')
    parser.add_argument("--seat", type=int, help="whom to advise, where FILE holds a full state")
    add_limit_arguments(parser)
    parser.add_argument("--candidates", type=int, metavar="N", help="how many moves to rank [5]")
    parser.add_argument("--level", type=int, help="play as this level, 1 to 10")
    parser.add_argument("--seed", type=int, help="with --iterations, this fixes the answer")


def position_of(arguments: argparse.Namespace) -> Given:
    """What is to be searched.

    Raises:
        Trouble: If it is no position, or says too little or too much about the seat to advise.
    """
    given = read_position(arguments.file, arguments.seat)
    if isinstance(given.message, GameState):
        if given.seat is None:
            raise Trouble(f"{arguments.file} holds a full state; say whom to advise with --seat")
    elif arguments.seat is not None:
        raise Trouble(f"{arguments.file} holds a view, which has its own seat; leave out --seat")
    return given


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
