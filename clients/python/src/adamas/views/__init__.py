"""Views from what one seat sees at the table, as it happens.

A builder is told the deal, every public event in order, and what its seat alone gets to see. In
return it writes the seat's view whenever it is the seat's turn. One module a game; `view_builder`
finds the one for a game's options.
"""

from typing import Any

from adamas.envelopes import GameMessage
from adamas.v1.dao_pb2 import DaoOptions
from adamas.v1.diamonds_club_pb2 import DiamondsClubOptions
from adamas.v1.diamonds_pb2 import DiamondsOptions
from adamas.v1.diams_pb2 import DiamsOptions
from adamas.views.builder import ViewBuilder
from adamas.views.dao import DaoViewBuilder
from adamas.views.diamonds import DiamondsViewBuilder
from adamas.views.diamonds_club import DiamondsClubViewBuilder
from adamas.views.diams import DiamsViewBuilder

__all__ = [
    "DaoViewBuilder",
    "DiamondsClubViewBuilder",
    "DiamondsViewBuilder",
    "DiamsViewBuilder",
    "ViewBuilder",
    "view_builder",
]


def view_builder(options: GameMessage, seats: int, seat: int) -> ViewBuilder[Any, Any, Any]:
    """The builder for a seat of a game with these options.

    Raises:
        TypeError: If there is none for that game.
    """
    match options:
        case DaoOptions():
            return DaoViewBuilder(options, seats, seat)
        case DiamondsOptions():
            return DiamondsViewBuilder(options, seats, seat)
        case DiamsOptions():
            return DiamsViewBuilder(options, seats, seat)
        case DiamondsClubOptions():
            return DiamondsClubViewBuilder(options, seats, seat)
    raise TypeError(f"there is no view builder for {type(options).__name__}")
