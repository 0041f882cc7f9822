"""`adamas games`: what a server plays."""

import argparse

from adamas.command.connection import add_server_arguments, connect
from adamas.command.output import print_json
from adamas.games import Game


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describes the command line."""
    parser.add_argument("game", nargs="?", metavar="GAME", help="the id of a game to describe")
    parser.add_argument("--seats", type=int, help="give the defaults for this number of seats")
    add_server_arguments(parser)


def main(arguments: argparse.Namespace) -> int:
    """Carries the command out."""
    with connect(arguments) as client:
        if arguments.game is not None:
            game = client.game(arguments.game, seats=arguments.seats)
            if arguments.json:
                print_json(game)
            else:
                _describe(game)
            return 0
        games = client.games()
    if arguments.json:
        print_json(games)
    else:
        for summary in games:
            print(summary)
    return 0


def _describe(game: Game) -> None:
    print(game.summary)
    print(game.description)
    print("\nvariants")
    for variant in game.variants:
        seats = ", ".join(map(str, variant.seats))
        print(f"  {variant.variant_id} ({seats} seats): {variant.name}. {variant.description}")
    print("\noptions")
    for option in game.options:
        allowed = " | ".join(choice.value for choice in option.choices)
        if option.min_value is not None:
            allowed = f"{option.min_value} to {option.max_value}"
        print(f"  {option.name} = {option.default}{f' ({allowed})' if allowed else ''}")
        print(f"      {option.title}. {option.description}")
    if game.levels:
        print("\nlevels")
        for level in game.levels:
            print(f"  {level.level:2}: {level.rating:.0f} Elo")
