"""Limits that hold for everybody, whoever calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import FieldDescriptor

from adamas.v1 import advisor_service_pb2 as pb
from adamas.v1 import rules_service_pb2 as rules_pb
from adamas.v1.advisor_service_pb2_grpc import AdvisorServiceStub
from adamas.v1.rules_service_pb2_grpc import RulesServiceStub
from server.embedded import embedded_server
from server.log import LineWriter
from server.settings import Settings
from tests.server.positions import Memory, eventually, limits, query, view_query

MANY = 5000


def lists(message: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Every repeated field of a message and of the messages in it, with its path."""
    for field in message.DESCRIPTOR.fields:
        value = getattr(message, field.name)
        here = f"{path}.{field.name}"
        if field.is_repeated:
            yield here, value
            if value and field.type == FieldDescriptor.TYPE_MESSAGE:
                yield from lists(value[0], f"{here}[0]")
        elif field.type == FieldDescriptor.TYPE_MESSAGE and message.HasField(field.name):
            yield from lists(value, here)


def lengthen(values: Any) -> None:
    """Makes a list far longer than any game has cards."""
    if values:
        values.extend([values[0]] * MANY)
    elif hasattr(values, "add"):
        for _ in range(MANY):
            values.add()
    else:
        values.extend([1] * MANY)


def test_lists_longer_than_a_game_has_cards_are_refused(
    rules: RulesServiceStub, game_id: str
) -> None:
    view = view_query(rules, game_id).view
    paths = [path for path, _ in lists(getattr(view, game_id), f"view.{game_id}")]
    assert paths
    for index, path in enumerate(paths):
        spoilt = type(view)()
        spoilt.CopyFrom(view)
        lengthen(list(lists(getattr(spoilt, game_id), ""))[index][1])
        request = rules_pb.ValidateViewRequest(view=spoilt)
        violations = rules.ValidateView(request, timeout=20).violations
        top = ".".join(path.split(".")[:3])
        assert any(violation.field.startswith(top) for violation in violations), path


@pytest.fixture(scope="module")
def narrow() -> Iterator[str]:
    """A server that takes two calls at once over a connection."""
    settings = Settings(port=0, threads=1, max_connection_calls=2)
    with embedded_server(settings, LineWriter(Memory())) as address:
        yield address


def own_connection(address: str) -> grpc.Channel:
    return grpc.insecure_channel(address, [("grpc.use_local_subchannel_pool", 1)])


def test_further_calls_of_a_connection_wait_in_the_client(narrow: str) -> None:
    request = rules_pb.ListGamesRequest()
    with own_connection(narrow) as one, own_connection(narrow) as other:
        asked = query(RulesServiceStub(one), "dao", limits=limits(time=30))
        advisor = AdvisorServiceStub(one)
        streams = [advisor.Analyze(pb.AnalyzeRequest(query=asked)) for _ in range(2)]
        for stream in streams:
            next(stream)
        waiting = RulesServiceStub(one).ListGames.future(request)
        assert RulesServiceStub(other).ListGames(request).games
        assert not waiting.done()
        for stream in streams:
            stream.cancel()
        assert eventually(waiting.done)
        assert waiting.result().games
