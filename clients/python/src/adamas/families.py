"""Which messages belong to one game, as type checkers see it.

The generated stubs of `adamas.v1` say that a `DaoView` is a `ViewOf[DaoMove]`, so a checker knows
that advice about it holds a `DaoMove`. An envelope such as `PlayerView` stands for all games. At
run time no message derives from these classes; what it is follows from its descriptor.
"""

from typing import TYPE_CHECKING, Any, Generic

from google.protobuf.message import Message
from typing_extensions import TypeVar

if TYPE_CHECKING:
    Base = Message
else:

    class Base:
        """Nothing at run time, when protobuf's own classes can't be derived from."""


MoveT = TypeVar("MoveT", bound=Message, default=Message)
MoveT_co = TypeVar("MoveT_co", bound=Message, covariant=True, default=Message)


class PositionOf(Base, Generic[MoveT_co]):
    """What can be searched: a view or a state of a game with moves of type `MoveT_co`."""


class ViewOf(PositionOf[MoveT_co]):
    """What one seat knows."""


ViewT = TypeVar("ViewT", bound=ViewOf[Any], default=ViewOf)
ViewT_co = TypeVar("ViewT_co", bound=ViewOf[Any], covariant=True, default=ViewOf)
StateT = TypeVar("StateT", bound="StateOf[Any, Any, Any]", default="StateOf[Any]")
StateT_co = TypeVar(
    "StateT_co", bound="StateOf[Any, Any, Any]", covariant=True, default="StateOf[Any]"
)


class StateOf(PositionOf[MoveT_co], Generic[StateT_co, ViewT_co, MoveT_co]):
    """A full state. `StateT_co` is the game's own message, also where this is an envelope."""


class OptionsOf(Base, Generic[StateT_co]):
    """Options, which make games whose full states are of type `StateT_co`."""
