"""Between a game's own messages and the envelopes that carry them.

An envelope (`PlayerView`, `GameState`, `Move`, ...) has one oneof, `game`, with one field a game.
Which field a message belongs to follows from its type, so nothing here knows any game.
"""

from typing import Any, TypeAlias, TypeVar

from google.protobuf.message import Message

from adamas.errors import VersionMismatch

GameMessage: TypeAlias = Message
"""A message of one game, such as a DaoView or a DiamondsMove; which one depends on the game."""

EnvelopeT = TypeVar("EnvelopeT", bound=Message)


def _games(envelope: type[Message]) -> dict[str, str]:
    """The full name of each type that the envelope holds, and the name of the field for it."""
    fields = envelope.DESCRIPTOR.oneofs_by_name["game"].fields
    return {field.message_type.full_name: field.name for field in fields if field.message_type}


def wrap(envelope: type[EnvelopeT], message: object) -> EnvelopeT:
    """Put a game's message into its envelope; an envelope is returned as it is.

    Raises:
        TypeError: If the message is neither an envelope of this type nor a message that one holds.
    """
    if isinstance(message, envelope):
        return message
    if not isinstance(message, Message):
        raise TypeError(f"a protobuf message is needed, not {type(message).__name__}")
    game = _games(envelope).get(message.DESCRIPTOR.full_name)
    if game is None:
        fitting = ", ".join(sorted(name.rpartition(".")[2] for name in _games(envelope)))
        raise TypeError(
            f"{message.DESCRIPTOR.name} does not fit where {envelope.DESCRIPTOR.name} is needed; "
            f"what fits: {fitting}"
        )
    return envelope(**{game: message})


def holds(envelope: type[Message], message: object) -> bool:
    """Whether `wrap` takes this message for this envelope."""
    return isinstance(message, envelope) or (
        isinstance(message, Message) and message.DESCRIPTOR.full_name in _games(envelope)
    )


def unwrap(envelope: Message) -> Any:
    """Take the game's message out of its envelope. Its type depends on the game.

    Raises:
        VersionMismatch: If the envelope holds no game that this client knows.
    """
    game = envelope.WhichOneof("game")
    if game is None:
        raise VersionMismatch(
            f"the server sent a {envelope.DESCRIPTOR.name} of a game that this client does not "
            "know; a newer adamas package may know it"
        )
    return getattr(envelope, game)
