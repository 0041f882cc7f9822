"""Positions as people see them: one module a game, found by the type of the view."""

from collections.abc import Callable, Mapping
from typing import Any

from google.protobuf import text_format
from google.protobuf.message import Message
from rich.console import RenderableType

from demo.boards import dao, diamonds, diamonds_club, diams

_BOARDS: Mapping[str, Callable[[Any, str], RenderableType]] = {
    "adamas.v1.DaoView": dao.board,
    "adamas.v1.DiamondsView": diamonds.board,
    "adamas.v1.DiamondsClubView": diamonds_club.board,
    "adamas.v1.DiamsView": diams.board,
}


def board(view: Message, language: str) -> RenderableType:
    """A view for reading; a game that has no board here is shown field by field."""
    draw = _BOARDS.get(view.DESCRIPTOR.full_name)
    if draw is None:
        return text_format.MessageToString(view, as_utf8=True, use_short_repeated_primitives=True)
    return draw(view, language)
