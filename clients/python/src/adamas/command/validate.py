"""`adamas validate`: what is wrong with a view."""

import argparse

from adamas.command.connection import add_server_arguments, connect
from adamas.command.files import read_position
from adamas.command.output import print_json
from adamas.command.trouble import FOUND, Trouble
from adamas.command.words import words_in
from adamas.v1.game_pb2 import PlayerView


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describes the command line."""
    parser.add_argument("file", metavar="FILE", help='a PlayerView as JSON, or "-"')
    add_server_arguments(parser)


def main(arguments: argparse.Namespace) -> int:
    """Carries the command out; `FOUND` if something is wrong."""
    view = read_position(arguments.file).message
    if not isinstance(view, PlayerView):
        raise Trouble(f"{arguments.file} holds a full state; views are what can be validated")
    with connect(arguments) as client:
        violations = client.validate(view)
    words = words_in(arguments.language)
    if arguments.json:
        print_json({"violations": violations})
    elif violations:
        for violation in violations:
            print(
                words["violation"].format(field=violation.field, description=violation.description)
            )
    else:
        print(words["nothing_wrong"])
    return FOUND if violations else 0
