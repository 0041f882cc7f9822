"""The package: all that is public is there, and the two clients are twins."""

import dataclasses
import inspect
import subprocess
import sys
from typing import Any

import pytest
from google.protobuf.message import Message

import adamas
from adamas import (
    Analysis,
    AsyncAnalysis,
    AsyncBatch,
    AsyncClient,
    AsyncTable,
    Batch,
    Client,
    Priority,
    StopReason,
    Table,
)
from adamas.v1 import advisor_service_pb2 as advisor
from adamas.v1 import game_pb2
from adamas.v1 import rules_service_pb2 as rules


def test_all_that_is_public_is_there_and_described() -> None:
    for name in adamas.__all__:
        value = getattr(adamas, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert value.__doc__, name
    assert adamas.__version__ != "0"


def public_methods(kind: type) -> dict[str, Any]:
    return {
        name: member
        for name, member in inspect.getmembers(kind)
        if not name.startswith("_") and (inspect.isfunction(member) or isinstance(member, property))
    }


def parameters(method: Any) -> list[inspect.Parameter]:
    """The parameters, without the types of those that differ with asyncio."""
    return [
        parameter.replace(annotation=Any) if parameter.name in {"self", "queries"} else parameter
        for parameter in inspect.signature(method).parameters.values()
    ]


@pytest.mark.parametrize(
    ("blocking", "twin"),
    [
        (Client, AsyncClient),
        (Table, AsyncTable),
        (Analysis, AsyncAnalysis),
        (Batch, AsyncBatch),
    ],
)
def test_twins_are_alike(blocking: type, twin: type) -> None:
    ours, theirs = public_methods(blocking), public_methods(twin)
    assert ours.keys() == theirs.keys()
    assert list(inspect.signature(blocking).parameters) == list(inspect.signature(twin).parameters)
    for name, member in ours.items():
        if inspect.isfunction(member):
            assert parameters(member) == parameters(theirs[name]), name


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (adamas.Advice, advisor.Advice),
        (adamas.Candidate, advisor.Candidate),
        (adamas.LineMove, advisor.LineMove),
        (adamas.SearchFigures, advisor.SearchFigures),
        (adamas.GameSummary, rules.GameSummary),
        (adamas.Variant, rules.Variant),
        (adamas.Choice, rules.Choice),
        (adamas.LegalMove, rules.LegalMove),
        (adamas.Violation, rules.Violation),
        (adamas.SeatResult, game_pb2.SeatResult),
        (adamas.Position, game_pb2.TableStatus),
    ],
)
def test_values_have_all_that_the_messages_have(value: Any, message: type[Message]) -> None:
    fields = {field.name for field in message.DESCRIPTOR.fields}
    assert fields <= {field.name for field in dataclasses.fields(value)}


def test_stop_reasons_have_words() -> None:
    known = {reason.name for reason in StopReason}
    for name in advisor.StopReason.DESCRIPTOR.values_by_name:
        short = name.removeprefix("STOP_REASON_")
        assert short == "UNSPECIFIED" or short in known


def test_priorities_are_those_of_the_messages() -> None:
    known = {f"PRIORITY_{priority.name}" for priority in Priority}
    assert known | {"PRIORITY_UNSPECIFIED"} == set(advisor.Priority.keys())


def test_every_public_name_has_a_home() -> None:

    assert set(adamas.__all__) - {"__version__"} == set(adamas._HOMES)
    for name in adamas.__all__:
        assert getattr(adamas, name) is not None


def test_the_messages_load_without_the_client() -> None:
    program = "import sys, adamas.v1.game_pb2; assert 'adamas.client' not in sys.modules"
    subprocess.run([sys.executable, "-c", program], check=True)
