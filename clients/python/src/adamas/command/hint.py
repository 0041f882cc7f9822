"""`adamas hint`: the ranked moves of a position."""

import argparse

from adamas.command.choosing import add_move_arguments, chosen_moves
from adamas.command.connection import add_server_arguments, connect
from adamas.command.output import advice_lines, print_json
from adamas.command.searching import add_search_arguments, limit_of, position_of
from adamas.command.words import words_in


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describes the command line."""
    add_search_arguments(parser)
    add_move_arguments(parser)
    add_server_arguments(parser)


def main(arguments: argparse.Namespace) -> int:
    """Carries the command out."""
    given = position_of(arguments)
    with connect(arguments) as client:
        chosen = chosen_moves(arguments, client, given)
        advice = client.recommend(
            given.message,
            limit_of(arguments),
            seat=given.seat,
            candidates=arguments.candidates,
            level=arguments.level,
            seed=arguments.seed,
            only=chosen.only,
            without=chosen.without,
            compare=chosen.compare,
        )
    if arguments.json:
        print_json(advice)
    else:
        print("\n".join(advice_lines(advice, words_in(arguments.language))))
    return 0
