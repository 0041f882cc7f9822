"""The command `adamas`.

Distributions add commands of their own by an entry point in the group `adamas.commands`. It names a
module with `add_arguments(parser)` and `main(arguments)`, which returns the exit code.
"""

import argparse
import sys
from collections.abc import Sequence
from importlib.metadata import EntryPoint, entry_points

import adamas

GROUP = "adamas.commands"
ELSEWHERE = {"tournament": "adamas-tournament"}
"""Commands of our other distributions, and what to install for them."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Reads the command line and carries it out; the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    parser = argparse.ArgumentParser(
        prog="adamas", description="Tools for programs that play games with hidden information."
    )
    parser.add_argument("--version", action="version", version=f"adamas {adamas.__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    added = {point.name: point for point in entry_points(group=GROUP)}
    for name in sorted(added.keys() | ELSEWHERE.keys()):
        point = added.get(name)
        command = commands.add_parser(name, help=_summary(name, point))
        if given[:1] == [name]:
            _load(name, point, command)
    parsed = parser.parse_args(given)
    try:
        return int(parsed.main(parsed))
    except KeyboardInterrupt:
        return 130


def _summary(name: str, point: EntryPoint | None) -> str:
    if point is None or point.dist is None:
        return f"not installed here; comes with {ELSEWHERE.get(name, name)}"
    return point.dist.metadata["Summary"]


def _load(name: str, point: EntryPoint | None, parser: argparse.ArgumentParser) -> None:
    """Adds what a command's module describes; ends the program if it is not there."""
    if point is None:
        parser.error(f"this command comes with the package {ELSEWHERE[name]}; install that first")
    try:
        module = point.load()
    except ModuleNotFoundError as error:
        home = point.dist.name if point.dist else name
        parser.error(f"{home} needs the package {error.name}, which is not installed here")
    module.add_arguments(parser)
    parser.set_defaults(main=module.main)
