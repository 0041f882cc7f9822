"""Nothing that a client sends makes the server fail: it answers, or says what is wrong."""

from __future__ import annotations

from random import Random
from typing import Any

import grpc
import pytest
from google.protobuf.message import DecodeError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engines.registry import game_ids
from tests.server.mutations import spoil, spoil_bytes, valid_request

ADVISOR_METHODS = {"Recommend", "Analyze"}
EXPECTED = {grpc.StatusCode.OK, grpc.StatusCode.INVALID_ARGUMENT}
SECONDS = 30.0
"""No request takes this long."""

quick = settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
thorough = settings(quick, max_examples=20_000, derandomize=False)
games = st.sampled_from(game_ids())
randoms = st.randoms(use_true_random=True, note_method_calls=False)


def send(channel: grpc.Channel, method: str, data: bytes) -> grpc.StatusCode:
    """Sends bytes to a method and returns the code of the answer."""
    service = "AdvisorService" if method in ADVISOR_METHODS else "RulesService"
    call: Any = channel.unary_stream(f"/adamas.v1.{service}/{method}")
    stream = call(data, timeout=SECONDS)
    try:
        for _ in stream:
            pass
    except grpc.RpcError:
        pass
    code: grpc.StatusCode = stream.code()
    return code


def check(channel: grpc.Channel, method: str, data: bytes) -> None:
    code = send(channel, method, data)
    assert code in EXPECTED, (code, method, data.hex())


def check_spoilt_message(channel: grpc.Channel, game_id: str, pick: Random) -> None:
    method, message = valid_request(game_id, pick)
    for _ in range(pick.choice([1, 1, 1, 2, 5])):
        spoil(message, pick)
    limit_search(message)
    check(channel, method, message.SerializeToString())


def check_spoilt_bytes(channel: grpc.Channel, game_id: str, pick: Random) -> None:
    method, message = valid_request(game_id, pick)
    data = spoil_bytes(message.SerializeToString(), pick)
    try:
        message.ParseFromString(data)
    except DecodeError:
        pass
    else:
        limit_search(message)
        data = message.SerializeToString()
    check(channel, method, data)


def limit_search(message: Any) -> None:
    """Keeps a search short, where the request is still one that starts a search."""
    if "query" in message.DESCRIPTOR.fields_by_name:
        limits = message.query.limits
        if limits.iterations == 0 or 100 < limits.iterations < 1_000_000_000:
            limits.iterations = 10


@quick
@given(game_id=games, pick=randoms)
def test_spoilt_messages(channel: grpc.Channel, game_id: str, pick: Random) -> None:
    check_spoilt_message(channel, game_id, pick)


@quick
@given(game_id=games, pick=randoms)
def test_spoilt_bytes(channel: grpc.Channel, game_id: str, pick: Random) -> None:
    check_spoilt_bytes(channel, game_id, pick)


@quick
@given(method=st.sampled_from(["Recommend", "ApplyMove", "ValidateView"]), data=st.binary())
def test_any_bytes(channel: grpc.Channel, method: str, data: bytes) -> None:
    check(channel, method, data)


@pytest.mark.slow
@thorough
@given(game_id=games, pick=randoms)
def test_very_many_spoilt_messages(channel: grpc.Channel, game_id: str, pick: Random) -> None:
    check_spoilt_message(channel, game_id, pick)


@pytest.mark.slow
@thorough
@given(game_id=games, pick=randoms)
def test_very_many_spoilt_bytes(channel: grpc.Channel, game_id: str, pick: Random) -> None:
    check_spoilt_bytes(channel, game_id, pick)
