"""A position that can't be is refused, by the field that is wrong and with what would be right."""

from __future__ import annotations

import grpc
import pytest

from tests.fuzz.impossible import dao, diamonds, diamonds_club, diams
from tests.fuzz.impossible.cases import Cases, Impossible
from tests.fuzz.oracle import problems_of_refusal
from tests.fuzz.service import OverGrpc

RECOMMEND = "/adamas.v1.AdvisorService/Recommend"
TABLES = (dao.CASES, diamonds.CASES, diams.CASES, diamonds_club.CASES)


@pytest.mark.parametrize("case", [case for table in TABLES for case in table.found], ids=str)
def test_impossible(wire: OverGrpc, case: Impossible) -> None:
    data = case.request().SerializeToString()
    outcome = wire.call(RECOMMEND, data)
    assert outcome.code is grpc.StatusCode.INVALID_ARGUMENT, outcome
    first = outcome.bad_request.field_violations[0]
    assert first.field == case.field, outcome.text
    assert case.phrase in first.description
    assert list(problems_of_refusal(RECOMMEND, data, outcome)) == []


@pytest.mark.parametrize("table", TABLES, ids=lambda table: str(table.game_id))
def test_no_two_impossible_positions_have_one_name(table: Cases) -> None:
    names = [case.name for case in table.found]
    assert len(set(names)) == len(names)
