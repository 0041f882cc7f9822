"""What the server and its workers tell each other: numbered messages, a length and a pickle each.

Both ends are the same program on the same machine, so times are those of time.monotonic() and
messages are trusted.
"""

from __future__ import annotations

import pickle
import struct
from collections.abc import Iterator
from typing import Any, BinaryIO, NamedTuple, TypeAlias

from search.strength import FULL_STRENGTH, Strength

_LENGTH = struct.Struct("!I")
_PROTOCOL = 5


class Open(NamedTuple):
    """Prepares a search and runs one iteration of each of its trees. Answered by Opened."""

    search: int
    game_id: str
    view: bytes
    seed: int
    trees: int
    memory_bytes: int
    iterations: int | None
    """Over all trees together; None for no limit."""
    strength: Strength = FULL_STRENGTH


class Opened(NamedTuple):
    """A search is prepared; one that has nothing to search is not kept."""

    sample: bytes | None
    """A determinization for words; None if no state agrees with the view."""
    moves: int
    """How many legal moves the seat has; 0 if it is not to move."""
    trees: tuple[int, ...]
    """The trees that have iterations left to run."""


class Slice(NamedTuple):
    """Runs a tree for some seconds, but not past a time. Answered by Ran."""

    search: int
    tree: int
    seconds: float
    until: float
    background: bool
    """Whether nobody waits for it, so that it gives way to slices that somebody waits for."""


class Ran(NamedTuple):
    """What a slice took."""

    seconds: float
    """Processor time."""
    done: bool
    """Whether the tree has run all its iterations."""


class Rank(NamedTuple):
    """Asks for the result so far, while no tree runs. Answered by a search.Result."""

    search: int
    candidates: int


class Close(NamedTuple):
    """Frees a search, none of whose trees runs. Not answered."""

    search: int


class Failed(NamedTuple):
    """Answers a request that raised an exception."""

    traceback: str


Request: TypeAlias = Open | Slice | Rank | Close


def encode(number: int, message: Any) -> bytes:
    """A message as bytes; its answer has the same number."""
    body = pickle.dumps((number, message), protocol=_PROTOCOL)
    return _LENGTH.pack(len(body)) + body


def receive(stream: BinaryIO) -> Iterator[tuple[int, Any]]:
    """Numbers and messages from a stream that blocks, until it ends."""
    while len(head := stream.read(_LENGTH.size)) == _LENGTH.size:
        (length,) = _LENGTH.unpack(head)
        body = stream.read(length)
        if len(body) < length:
            return
        yield pickle.loads(body)  # noqa: S301  (from the same program)


class Decoder:
    """Numbers and messages from bytes that come in any pieces."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[tuple[int, Any]]:
        """The messages that these bytes complete."""
        self._buffer += data
        while len(self._buffer) >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(self._buffer)
            end = _LENGTH.size + length
            if len(self._buffer) < end:
                return
            body = bytes(self._buffer[_LENGTH.size : end])
            del self._buffer[:end]
            yield pickle.loads(body)  # noqa: S301  (from the same program)
