"""`adamas games`: what a server plays."""

import argparse

from adamas.command.connection import add_server_arguments, connect
from adamas.command.output import print_json
from adamas.command.words import Words, words_in
from adamas.games import Game, GameSummary


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describes the command line."""
    parser.add_argument("game", nargs="?", metavar="GAME", help="the id of a game to describe")
    parser.add_argument("--seats", type=int, help="give the defaults for this number of seats")
    add_server_arguments(parser)


def main(arguments: argparse.Namespace) -> int:
    """Carries the command out."""
    words = words_in(arguments.language)
    with connect(arguments) as client:
        if arguments.game is not None:
            game = client.game(arguments.game, seats=arguments.seats)
            if arguments.json:
                print_json(game)
            else:
                _describe(game, words)
            return 0
        games = client.games()
    if arguments.json:
        print_json(games)
    else:
        for summary in games:
            print(_summary(summary, words))
    return 0


def _summary(game: GameSummary, words: Words) -> str:
    return words["game"].format(
        name=game.name, game_id=game.game_id, fewest=game.min_seats, most=game.max_seats
    )


def _describe(game: Game, words: Words) -> None:
    print(_summary(game.summary, words))
    print(game.description)
    print(f"\n{words['variants']}")
    for variant in game.variants:
        print(
            words["variant"].format(
                variant_id=variant.variant_id,
                seats=words["comma"].join(map(str, variant.seats)),
                name=variant.name,
                description=variant.description,
            )
        )
    print(f"\n{words['options']}")
    for option in game.options:
        allowed = " | ".join(choice.value for choice in option.choices)
        if option.min_value is not None:
            allowed = words["range"].format(least=option.min_value, most=option.max_value)
        form = words["option_of" if allowed else "option"]
        print(form.format(name=option.name, default=option.default, allowed=allowed))
        print(words["option_words"].format(title=option.title, description=option.description))
    if game.levels:
        print(f"\n{words['levels']}")
        for level in game.levels:
            print(words["level"].format(level=level.level, rating=level.rating))
