"""One message of a campaign: which call, which bytes, and how it was made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from google.protobuf.message import DecodeError, Message

from adamas.v1 import advisor_service_pb2 as advisor_pb
from engines.registry import game_ids
from tests.fuzz.encoding import spoil_bytes
from tests.fuzz.requests import draw_method, spares, valid_request
from tests.fuzz.structure import spoil

MOST_ITERATIONS = 24
_SEARCHABLE = 1_000_000_000
_CHANGES = (1, 1, 1, 1, 2, 3, 8)


@dataclass(frozen=True)
class Case:
    """A message to send."""

    number: int
    origin: str
    """How it was made: "valid", "structure", "bytes" or "strategy"."""
    game_id: str
    """The game of the position that it was made from."""
    method: str
    data: bytes


def case(seed: int, number: int, games: Sequence[str] = game_ids()) -> Case:
    """The message of a number; the same for the same seed and games."""
    pick = Random(f"{seed} {number}")
    game_id = pick.choice(list(games))
    method = draw_method(pick)
    message = valid_request(method, game_id, seed, pick)
    origin = pick.choices(list(_ORIGINS), [weight for weight, _ in _ORIGINS.values()])[0]
    data = _ORIGINS[origin][1](message, game_id, seed, pick)
    return Case(number, origin, game_id, method, within_bounds(type(message), data))


def query_of(request: Any) -> advisor_pb.SearchQuery | None:
    """The search that a request asks for; None if it asks for none."""
    if isinstance(request, advisor_pb.RecommendBatchRequest):
        request = request.recommend if request.HasField("recommend") else None
    query: advisor_pb.SearchQuery | None = getattr(request, "query", None)
    return query


def _valid(message: Message, game_id: str, seed: int, pick: Random) -> bytes:
    return message.SerializeToString()


def _structure(message: Message, game_id: str, seed: int, pick: Random) -> bytes:
    for _ in range(pick.choice(_CHANGES)):
        spoil(message, pick, spares(seed))
    return message.SerializeToString()


def _bytes(message: Message, game_id: str, seed: int, pick: Random) -> bytes:
    other = valid_request(draw_method(pick), game_id, seed, pick)
    return spoil_bytes(message.SerializeToString(), pick, other.SerializeToString())


_ORIGINS: dict[str, tuple[int, Callable[[Message, str, int, Random], bytes]]] = {
    "valid": (1, _valid),
    "structure": (14, _structure),
    "bytes": (5, _bytes),
}
"""How messages are made, and how often."""


def within_bounds(kind: type[Message], data: bytes) -> bytes:
    """The bytes, with a short search where they ask for a long one; all others as they are."""
    message: Any = kind()
    try:
        message.ParseFromString(data)
    except DecodeError:
        return data
    if not (query := query_of(message)):
        return data
    limits = query.limits
    if limits.iterations == 0 or MOST_ITERATIONS < limits.iterations <= _SEARCHABLE:
        limits.iterations = MOST_ITERATIONS
        return bytes(message.SerializeToString())
    return data
