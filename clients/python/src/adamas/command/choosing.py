"""Which moves a search considers: the arguments that commands have in common."""

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from google.protobuf import json_format

from adamas.client import Client
from adamas.command.files import Given
from adamas.command.trouble import Trouble
from adamas.games import LegalMove

_TOLD = 10
"""How many legal moves are named to somebody who has named none."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The moves that were named.

    Attributes:
        only: Those to consider; None: all.
        without: Those to leave out.
        compare: The one to compare with the best; None: none.
    """

    only: Sequence[Any] | None = None
    without: Sequence[Any] = ()
    compare: Any = None


def add_move_arguments(parser: argparse.ArgumentParser) -> None:
    """Describes how moves are named."""
    group = parser.add_argument_group(
        "moves", "MOVE is words of a legal move, in any order, or the move as JSON."
    )
    group.add_argument("--move", metavar="MOVE", help="compare this one with the best")
    group.add_argument(
        "--only", metavar="MOVE", action="append", help="consider these; may be given again"
    )
    group.add_argument(
        "--without", metavar="MOVE", action="append", help="leave these out; may be given again"
    )


def chosen_moves(arguments: argparse.Namespace, client: Client, given: Given) -> Chosen:
    """The moves that were named.

    Raises:
        Trouble: If words fit no legal move, or several where one is meant.
    """
    if not (arguments.move or arguments.only or arguments.without):
        return Chosen()
    legal = client.legal_moves(given.message, seat=given.seat)
    return Chosen(
        only=_find_all(arguments.only, legal) if arguments.only else None,
        without=_find_all(arguments.without or (), legal),
        compare=_find_one(arguments.move, legal) if arguments.move else None,
    )


def _find_all(named: Sequence[str], legal: Sequence[LegalMove[Any]]) -> list[Any]:
    return [move.move for said in named for move in _find(said, legal)]


def _find_one(said: str, legal: Sequence[LegalMove[Any]]) -> Any:
    found = _find(said, legal)
    if len(found) > 1:
        raise Trouble(f"{said!r} fits {len(found)} moves: {_listed(found)}; say more of its words")
    return found[0].move


def _find(said: str, legal: Sequence[LegalMove[Any]]) -> list[LegalMove[Any]]:
    """The moves that fit; one whose words are these, or else all that have them among theirs."""
    if said.lstrip().startswith("{"):
        found = _find_message(said, legal)
    else:
        found = [move for move in legal if move.words.lower() == said.lower()]
        words = said.lower().split()
        found = found or [m for m in legal if all(word in m.words.lower() for word in words)]
    if not found:
        raise Trouble(f"no legal move fits {said!r}; legal: {_listed(legal)}")
    return found


def _find_message(said: str, legal: Sequence[LegalMove[Any]]) -> list[LegalMove[Any]]:
    try:
        values = json.loads(said)
        return [m for m in legal if m.move == json_format.ParseDict(values, type(m.move)())]
    except (ValueError, json_format.ParseError) as error:
        raise Trouble(f"{said!r} is no move: {error}") from None


def _listed(moves: Sequence[LegalMove[Any]]) -> str:
    more = f"; and {len(moves) - _TOLD} more" if len(moves) > _TOLD else ""
    return "; ".join(move.words for move in moves[:_TOLD]) + more
