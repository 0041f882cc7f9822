"""Field paths are checked against the message type and the message."""

from __future__ import annotations

import pytest

from adamas.v1 import advisor_service_pb2 as pb
from adamas.v1 import dao_pb2, game_pb2
from tests.fuzz.paths import fault_of_path

REQUEST = pb.RecommendRequest(
    query=pb.SearchQuery(view=game_pb2.PlayerView(dao=dao_pb2.DaoView(row=[dao_pb2.DaoCard()] * 3)))
)


@pytest.mark.parametrize(
    "path",
    [
        "request_id",
        "query",
        "query.position",
        "query.limits.time",
        "query.view.dao.row",
        "query.view.dao.row[2].element",
        "query.view.diams.history[0].card_drawn.seat",
        "query.view.diams.history[0].event",
    ],
)
def test_paths_of_fields_and_oneofs_are_right(path: str) -> None:
    assert fault_of_path(path, pb.RecommendRequest) is None


@pytest.mark.parametrize(
    ("path", "fault"),
    [
        ("", "not a field name"),
        ("query.", "not a field name"),
        ("query.view[x]", "not a field name"),
        ("Query", "not a field name"),
        ("view", "no field 'view'"),
        ("query.position.dao", "no field 'position'"),
        ("query.view.dao.deck", "DaoView has no field 'deck'"),
        ("query.view[0]", "is no list"),
        ("query.view.dao.row.element", "has no fields"),
        ("request_id.text", "has no fields"),
        ("query.view.dao.row[3]", "has 3 entries, so none with index 3"),
    ],
)
def test_other_paths_are_wrong(path: str, fault: str) -> None:
    assert fault in (fault_of_path(path, pb.RecommendRequest, REQUEST) or "")
