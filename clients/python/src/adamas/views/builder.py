"""What all view builders have in common."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, Generic, TypeVar

from google.protobuf.message import Message

ViewT = TypeVar("ViewT", bound=Message)
MoveT = TypeVar("MoveT", bound=Message)
EventT = TypeVar("EventT", bound=Message)


class ViewBuilder(ABC, Generic[ViewT, MoveT, EventT]):
    """Keeps what one seat has seen.

    Args:
        options: The options of the game.
        seats: Number of seats.
        seat: The seat whose view is wanted, 0-based.
    """

    def __init__(self, view: ViewT) -> None:
        self._view = view

    @property
    def seat(self) -> int:
        """The seat whose view it is."""
        seat: int = getattr(self._view, "seat")  # noqa: B009  (every view has one)
        return seat

    @abstractmethod
    def tell(self, event: EventT) -> None:
        """Something happened in front of everybody. All events, in order."""

    def play(self, move: MoveT) -> None:
        """The seat itself makes a move. Before the events that follow from it."""

    def deal(self, cards: Iterable[Any]) -> None:
        """The seat has been dealt its hand. After the event that begins the round."""
        raise TypeError("nobody is dealt a hand in this game")

    def draw(self, card: Any) -> None:
        """The seat gets a card that the others don't see. After the event that tells of it."""
        raise TypeError("nobody draws cards unseen in this game")

    @abstractmethod
    def view(self) -> ViewT:
        """What the seat knows, at a moment when it is to move."""


def remove(cards: Any, card: Message) -> None:
    """Takes one card out of a repeated field; nothing if it isn't there."""
    for index, other in enumerate(cards):
        if other == card:
            del cards[index]
            return


def kind_of(event: Message) -> tuple[str, Any]:
    """Which event it is, and its content."""
    kind = event.WhichOneof("event") or ""
    return kind, getattr(event, kind) if kind else None
