"""Views as text."""

import pytest
from google.protobuf.message import Message

from adamas.command.sight import lines_of
from adamas.command.terms import Terms
from adamas.v1.dao_pb2 import DAO_ELEMENT_FIRE, DaoCard, DaoView
from adamas.v1.diamonds_pb2 import DiamondsView
from adamas.v1.diams_pb2 import DiamsView


def test_views_as_text() -> None:
    row = [DaoCard(element=DAO_ELEMENT_FIRE, value=value) for value in (0, 3)]
    view = DaoView(seats=3, deck_size=40, row=row)
    assert list(lines_of(view, Terms())) == [
        "seats      3",
        "row        fire 0 | fire 3",
        "deck size  40",
    ]
    assert list(lines_of(view, Terms("zh-TW"))) == [
        "人數      3",
        "展示區    火 0 | 火 3",
        "牌庫張數  40",
    ]


@pytest.mark.parametrize("kind", [DaoView, DiamondsView, DiamsView])
def test_an_empty_view_is_no_trouble(kind: type[Message]) -> None:
    assert list(lines_of(kind(), Terms())) == []
