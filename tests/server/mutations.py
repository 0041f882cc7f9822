"""Valid requests, and ways to spoil a message."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from adamas.v1 import advisor_service_pb2 as advisor_pb
from adamas.v1 import rules_service_pb2 as rules_pb
from engines.registry import game
from server.messages import State
from tests.server.positions import options

Request = tuple[str, Message]
"""A method, "Recommend" for example, and its request."""

_INTEGERS = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
    FieldDescriptor.CPPTYPE_ENUM: (-(2**31), 2**31 - 1),
}


@cache
def states(game_id: str) -> tuple[State, ...]:
    """States from the first to the last of a few random games."""
    found = []
    pick = Random(1)
    chosen = game(game_id)
    for seats in range(chosen.min_seats, chosen.max_seats + 1):
        empty = getattr(options(game_id), game_id)
        row = chosen.codec.new_game(empty, seats, seats, _new_log())
        state = State(chosen, row)
        while state.seats_to_move():
            found.append(state.copy())
            seat = pick.choice(state.seats_to_move())
            state.claim(seat, "")
            chosen.kernels.apply_move(state.row, pick.choice(state.legal_moves()), _new_log())
        found.append(state.copy())
    return tuple(found)


def _new_log() -> Any:
    from engines.events import new_log

    return new_log()


def valid_request(game_id: str, pick: Random) -> Request:
    """A request that can be answered."""
    state = pick.choice(states(game_id)).copy()
    message = state.message()
    seat = pick.choice(state.seats_to_move() or [0])
    view = state.view_of(seat).message()
    state.game.kernels.claim_turn(state.row, seat)
    playing = state if state.seats_to_move() else states(game_id)[0]
    move = playing.move_message(pick.choice(playing.legal_moves()))
    query = advisor_pb.SearchQuery(
        view=view, limits=advisor_pb.SearchLimits(iterations=30), seed=1, candidates=1000
    )
    query_of_state = advisor_pb.SearchQuery(
        state=advisor_pb.StateOfSeat(state=message, seat=seat),
        limits=advisor_pb.SearchLimits(iterations=30),
    )
    requests: list[Request] = [
        ("Recommend", advisor_pb.RecommendRequest(query=query, request_id="fuzz")),
        ("Recommend", advisor_pb.RecommendRequest(query=query_of_state)),
        ("Analyze", advisor_pb.AnalyzeRequest(query=query)),
        ("StartGame", rules_pb.StartGameRequest(options=options(game_id), seats=3)),
        ("GetPlayerView", rules_pb.GetPlayerViewRequest(state=message, seat=seat)),
        ("ListLegalMoves", rules_pb.ListLegalMovesRequest(state=message, seat=seat)),
        ("ListLegalMoves", rules_pb.ListLegalMovesRequest(view=view)),
        ("ApplyMove", rules_pb.ApplyMoveRequest(state=message, move=move, seat=seat)),
        ("GetTableStatus", rules_pb.GetTableStatusRequest(state=message)),
        ("ValidateView", rules_pb.ValidateViewRequest(view=view)),
        ("GetGame", rules_pb.GetGameRequest(game_id=game_id, seats=3)),
    ]
    return pick.choice(requests)


def spoil(message: Message, pick: Random) -> None:
    """Changes one field somewhere in a message."""
    owner, field = pick.choice(list(_fields(message)))
    if field.is_repeated:
        _spoil_list(owner, field, pick)
    elif field.message_type is not None:
        if pick.random() < 0.5:
            owner.ClearField(field.name)
        else:
            getattr(owner, field.name).SetInParent()
    else:
        setattr(owner, field.name, _value(field, getattr(owner, field.name), pick))


def spoil_bytes(data: bytes, pick: Random) -> bytes:
    """Changes, drops or adds a few bytes."""
    changed = bytearray(data)
    for _ in range(pick.randint(1, 4)):
        place = pick.randint(0, len(changed))
        kind = pick.randrange(3)
        if kind == 0:
            changed[place:place] = pick.randbytes(pick.randint(1, 8))
        elif kind == 1:
            del changed[place : place + pick.randint(1, 8)]
        elif place < len(changed):
            changed[place] = pick.randrange(256)
    return bytes(changed)


def _fields(message: Message) -> Iterator[tuple[Message, Any]]:
    """Every field of a message and of all messages in it."""
    for field in message.DESCRIPTOR.fields:
        yield message, field
        if field.message_type is None:
            continue
        if field.is_repeated:
            for child in getattr(message, field.name):
                yield from _fields(child)
        elif message.HasField(field.name):
            yield from _fields(getattr(message, field.name))


def _spoil_list(owner: Message, field: FieldDescriptor, pick: Random) -> None:
    values = getattr(owner, field.name)
    kind = pick.randrange(5)
    if kind == 0:
        owner.ClearField(field.name)
    elif kind == 1 and values:
        del values[pick.randrange(len(values))]
    elif kind == 2 and values:
        values.extend([pick.choice(list(values))] * pick.choice([1, 2, 100, 5000]))
    elif kind == 3 and field.message_type is not None:
        values.add()
    elif kind == 4 and len(values) > 1:
        order = list(values)
        pick.shuffle(order)
        owner.ClearField(field.name)
        getattr(owner, field.name).extend(order)
    elif field.message_type is None:
        values.append(_value(field, values[0] if values else None, pick))


def _value(field: FieldDescriptor, old: Any, pick: Random) -> Any:
    if field.cpp_type in _INTEGERS:
        low, high = _INTEGERS[field.cpp_type]
        near = (old or 0) + pick.choice([-1, 1])
        value = pick.choice([low, high, 0, 1, 2, 7, 255, 65_536, near, pick.randint(low, high)])
        return min(max(value, low), high)
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return not old
    if field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        return pick.choice(["", "x", "\0", "長" * 50, "x" * 10_000])
    return pick.choice([0.0, -1.0, float("nan"), float("inf"), 1e300])
