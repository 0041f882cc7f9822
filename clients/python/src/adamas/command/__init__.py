"""The command `adamas`.

Each command is a module with `add_arguments(parser)` and `main(arguments)`, which returns the exit
code. It is loaded when it is asked for. Distributions add commands of their own by an entry point
in the group `adamas.commands` that names such a module.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from types import ModuleType

import adamas
from adamas.command.trouble import FAILED, INTERRUPTED, Trouble
from adamas.errors import AdamasError

GROUP = "adamas.commands"
OWN = {
    "analyze": "watch the ranking of the moves of a position grow",
    "completion": "print a script that completes commands in a shell",
    "doctor": "look for what keeps this client from its server",
    "games": "list the games of a server, or what one can be played with",
    "hint": "rank the moves of a position",
    "play": "play a game against bots",
    "review": "find the mistakes of a whole game",
    "validate": "say what is wrong with a view",
}
"""The commands of this package, and what they do."""
ELSEWHERE = {"tournament": "adamas-tournament"}
"""Commands of our other distributions, and what to install for them."""


@dataclass(frozen=True, slots=True)
class Command:
    """One command.

    Attributes:
        summary: What it does.
        load: Gives its module; raises Trouble if that can't be had.
    """

    summary: str
    load: Callable[[], ModuleType]


def main(arguments: Sequence[str] | None = None) -> int:
    """Reads the command line and carries it out; the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal need not know every letter
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        parsed = make_parser(given[:1]).parse_args(given)
        code = int(parsed.main(parsed))
        sys.stdout.flush()
    except Trouble as error:
        print(f"adamas: {error}", file=sys.stderr)
        return error.exit_code
    except AdamasError as error:
        print(f"adamas: {error}", file=sys.stderr)
        return FAILED
    except BrokenPipeError:  # who reads has seen enough, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def make_parser(wanted: Sequence[str] | None = None) -> argparse.ArgumentParser:
    """The parser of the command line.

    Args:
        wanted: The commands whose arguments it has to know; None: all that can be loaded.

    Raises:
        Trouble: If a wanted command can't be loaded.
    """
    parser = argparse.ArgumentParser(
        prog="adamas", description="Tools for programs that play games with hidden information."
    )
    parser.add_argument("--version", action="version", version=f"adamas {adamas.__version__}")
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, command in sorted(_commands().items()):
        subparser = subparsers.add_parser(name, help=command.summary, description=command.summary)
        if wanted is not None and name not in wanted:
            continue
        try:
            module = command.load()
        except Trouble:
            if wanted is None:
                continue
            raise
        module.add_arguments(subparser)
        subparser.set_defaults(main=module.main)
    return parser


def _commands() -> dict[str, Command]:
    found = {name: Command(summary, _own(name)) for name, summary in OWN.items()}
    found |= {
        name: Command(f"not installed here; comes with {package}", _missing(package))
        for name, package in ELSEWHERE.items()
    }
    for point in entry_points(group=GROUP):
        package = point.dist.name if point.dist else point.module
        summary = point.dist.metadata["Summary"] if point.dist else package
        found[point.name] = Command(summary, _added(point.load, package))
    return found


def _own(name: str) -> Callable[[], ModuleType]:
    return lambda: import_module(f"adamas.command.{name}")


def _missing(package: str) -> Callable[[], ModuleType]:
    def load() -> ModuleType:
        raise Trouble(f"this command comes with the package {package}; install that first")

    return load


def _added(load: Callable[[], ModuleType], package: str) -> Callable[[], ModuleType]:
    def load_whole() -> ModuleType:
        try:
            return load()
        except ModuleNotFoundError as error:
            raise Trouble(
                f"{package} needs the package {error.name}, which is not installed here"
            ) from None

    return load_whole
