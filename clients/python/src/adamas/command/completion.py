"""`adamas completion`: completes commands and their arguments in a shell."""

import argparse

from adamas.command.trouble import Trouble

SHELLS = ("bash", "zsh")
WAYS = """\
bash: adamas completion bash > ~/.local/share/bash-completion/completions/adamas
zsh:  adamas completion zsh > _adamas, in a folder of $fpath"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describes the command line."""
    parser.add_argument("shell", choices=SHELLS, help="the shell to print a script for")
    parser.epilog = WAYS
    parser.formatter_class = argparse.RawDescriptionHelpFormatter


def main(arguments: argparse.Namespace) -> int:
    """Carries the command out."""
    try:
        import shtab
    except ModuleNotFoundError:
        raise Trouble("completion needs the package shtab; install that first") from None
    from adamas.command import make_parser

    print(shtab.complete(make_parser(), arguments.shell))
    return 0
