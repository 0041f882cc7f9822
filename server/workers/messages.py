"""What the server and its workers tell each other: numbered messages, a length and a pickle each.

Both ends are the same program on the same machine, so times are those of time.monotonic() and
messages are trusted.
"""

from __future__ import annotations

import pickle
import struct
from collections.abc import Iterator
from typing import Any, BinaryIO, NamedTuple, TypeAlias

from adamas.v1 import advisor_service_pb2 as pb
from engines.violations import Violation
from server.requests.strengths import AskedStrength

_LENGTH = struct.Struct("!I")
_PROTOCOL = 5


class Task(NamedTuple):
    """What to search, and how to answer."""

    query: bytes
    """A SearchQuery, of which the position is still to be read; all else comes checked."""
    language: str
    candidates: int
    seed: int
    trees: int
    """If the strength does not say."""
    memory_bytes: int
    started: float
    """When the call began."""
    detail: int = pb.DETAIL_FULL
    """An adamas.v1.Detail."""
    iterations: int | None = None
    """Over all trees together; None for no limit."""
    strength: AskedStrength = AskedStrength()


class Open(NamedTuple):
    """Reads a position, prepares its search and runs one iteration of each of its trees.

    Then it goes on for some seconds, but not past a time, if the search may be over by that. One
    that is over gets its advice at once, and is closed. Answered by Opened, or by Invalid if there
    is nothing to search.
    """

    search: int
    task: Task
    until: float
    late_reason: int = pb.STOP_REASON_UNSPECIFIED
    """If the search is over, too, when its time is: what ended it then, an adamas.v1.StopReason."""


class Advised(NamedTuple):
    """What a search has found."""

    advice: bytes
    """An Advice."""
    seconds: float
    """Processor time that it took to be made up."""


class Opened(NamedTuple):
    """A search is prepared."""

    game_id: str
    seat: int
    moves: int
    """How many moves are considered."""
    trees: tuple[int, ...]
    """The trees that have iterations left to run."""
    seconds: float
    """Processor time so far."""
    ran: float
    """Of that, what it has searched beyond the first iterations."""
    advised: Advised | None = None
    """The final advice, if the search is over and few candidates were asked for."""


class Invalid(NamedTuple):
    """What is wrong with a position."""

    violations: tuple[Violation, ...]


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
    trees: tuple[int, ...]
    """The tree, unless it has run all its iterations."""


class Advise(NamedTuple):
    """Asks for the advice so far, while no tree runs. Answered by Advised."""

    search: int
    stop_reason: int
    """An adamas.v1.StopReason."""
    candidates: int
    """How many, at most as many as were asked for."""
    at_length: bool
    """Whether it will take long, so that others must not wait for it."""


class Stop(NamedTuple):
    """Ends the slices of a search at once, since nobody wants it any more. Not answered."""

    search: int


class Close(NamedTuple):
    """Frees a search, none of whose trees runs. Not answered."""

    search: int


class Failed(NamedTuple):
    """Answers a request that raised an exception."""

    traceback: str


Question: TypeAlias = Open | Slice | Advise
"""A request that is answered."""
Request: TypeAlias = Question | Stop | Close


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
