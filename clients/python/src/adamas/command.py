"""The command `adamas`."""

import argparse
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Reads the command line and carries it out; the exit code."""
    parser = argparse.ArgumentParser(
        prog="adamas", description="Tools for programs that play games with hidden information."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    tournament = commands.add_parser("tournament", help="let programs play against each other")
    try:
        from adamas.tournament import command
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("adamas"):
            raise
        tournament.error(
            f"tournaments need the package {error.name}; pip install 'adamas[tournament]'"
        )
    command.add_arguments(tournament)
    try:
        return command.main(parser.parse_args(arguments))
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
