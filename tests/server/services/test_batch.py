"""AdvisorService.RecommendBatch over gRPC."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random

import grpc
import pytest
from google.protobuf.message import DecodeError
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo
from google.rpc.status_pb2 import Status
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adamas.v1 import advisor_service_pb2 as pb
from adamas.v1.advisor_service_pb2_grpc import AdvisorServiceStub
from adamas.v1.rules_service_pb2_grpc import RulesServiceStub
from server.embedded import embedded_server
from server.log import LineWriter
from server.settings import Settings
from tests.fuzz.encoding import spoil_bytes
from tests.fuzz.messages import within_bounds
from tests.fuzz.requests import ADVISOR, spares, valid_request
from tests.fuzz.structure import spoil
from tests.server.batches import BatchCall
from tests.server.positions import (
    NARROW,
    Memory,
    eventually,
    failure,
    limits,
    query,
    view_query,
    without_time,
)

ROOT = Path(__file__).parents[3]
MOST = 4
SEED = 5


@pytest.fixture(scope="module")
def small_log() -> Memory:
    return Memory()


@pytest.fixture(scope="module")
def small(small_log: Memory) -> Iterator[str]:
    """A server with few searches a stream."""
    chosen = Settings(port=0, threads=1, max_stream_searches=MOST, deadline_margin_ms=200)
    with embedded_server(chosen, LineWriter(small_log)) as address:
        yield address


def searches(log: Memory, prefix: str, **wanted: object) -> list[str]:
    """The ids of the searches that ended, by the log."""
    lines = log.lines(event="search", **wanted)
    return [line["request_id"] for line in lines if line.get("request_id", "").startswith(prefix)]


def error_code(answer: pb.RecommendBatchResponse) -> grpc.StatusCode:
    return next(code for code in grpc.StatusCode if code.value[0] == answer.error.code)


def wrong_fields(answer: pb.RecommendBatchResponse) -> list[str]:
    bad_request = BadRequest()
    assert answer.error.details[0].Unpack(bad_request)
    return [violation.field for violation in bad_request.field_violations]


def test_answers_are_those_of_recommend(
    channel: grpc.Channel, advisor: AdvisorServiceStub, rules: RulesServiceStub, game_id: str
) -> None:
    asked = {
        f"{game_id} {seed}": query(rules, game_id, limits=limits(300), seed=seed, candidates=2)
        for seed in range(5)
    }
    with BatchCall(channel) as batch:
        for request_id, one in asked.items():
            batch.recommend(request_id, one)
        answers = {answer.request_id: answer.advice for answer in batch.rest()}
    assert answers.keys() == asked.keys()
    for request_id, one in asked.items():
        alone = advisor.Recommend(pb.RecommendRequest(query=one)).advice
        assert without_time(answers[request_id]) == without_time(alone)


def test_a_short_search_overtakes_a_long_one(
    channel: grpc.Channel, rules: RulesServiceStub
) -> None:
    with BatchCall(channel) as batch:
        batch.recommend("long", query(rules, "dao", limits=limits(time=1.5)))
        batch.recommend("short", query(rules, "dao", limits=limits(50)))
        assert batch.answer().request_id == "short"
        long = batch.answer()
        assert long.request_id == "long"
        assert long.advice.search.stop_reason == pb.STOP_REASON_TIME
        batch.recommend("later", query(rules, "dao", limits=limits(50)))
        assert [answer.request_id for answer in batch.rest()] == ["later"]
    assert batch.call.code() == grpc.StatusCode.OK


def test_a_cancelled_search_is_answered_at_once_and_the_others_go_on(
    channel: grpc.Channel, rules: RulesServiceStub, log: Memory
) -> None:
    with BatchCall(channel) as batch:
        batch.recommend("cancelled", query(rules, "dao", limits=limits(time=20)))
        batch.recommend("kept", query(rules, "dao", limits=limits(time=1)))
        batch.cancel("cancelled")
        first = batch.answer()
        assert first.request_id == "cancelled"
        assert error_code(first) == grpc.StatusCode.CANCELLED
        assert batch.answer().request_id == "kept"
        batch.recommend("cancelled", query(rules, "dao", limits=limits(50)))
        (again,) = batch.rest()
        assert again.advice.search.iterations == 50
    ends = eventually(lambda: log.lines(event="search", request_id="cancelled")[1:])
    assert [line["code"] for line in ends] == ["OK"]
    assert searches(log, "cancelled", code="CANCELLED") == ["cancelled"]


def test_cancelling_what_is_not_there_does_nothing(
    channel: grpc.Channel, rules: RulesServiceStub
) -> None:
    with BatchCall(channel) as batch:
        batch.cancel("never asked for")
        batch.recommend("mine", query(rules, "dao", limits=limits(50)))
        assert batch.answer().request_id == "mine"
        batch.cancel("mine")
        batch.cancel("")
        assert batch.rest() == []
    assert batch.call.code() == grpc.StatusCode.OK


def test_an_id_in_use_is_refused_and_its_search_goes_on(
    channel: grpc.Channel, rules: RulesServiceStub
) -> None:
    with BatchCall(channel) as batch:
        batch.recommend("twice", query(rules, "dao", limits=limits(time=1)))
        batch.recommend("twice", query(rules, "dao", limits=limits(50)))
        refused, answered = batch.rest()
    assert refused.request_id == answered.request_id == "twice"
    assert error_code(refused) == grpc.StatusCode.INVALID_ARGUMENT
    assert wrong_fields(refused) == ["request_id"]
    assert answered.advice.search.stop_reason == pb.STOP_REASON_TIME


def test_a_bad_position_costs_its_own_search_only_and_is_told_as_by_recommend(
    channel: grpc.Channel, advisor: AdvisorServiceStub, rules: RulesServiceStub
) -> None:
    bad = view_query(rules, "dao", limits=limits(50))
    bad.view.dao.row[1].value = 7
    alone = failure(lambda: advisor.Recommend(pb.RecommendRequest(query=bad, request_id="bad")))
    with BatchCall(channel) as batch:
        batch.recommend("first", query(rules, "dao", limits=limits(50)))
        batch.recommend("bad", bad)
        batch.recommend("second", query(rules, "dao", limits=limits(50)))
        answers = {answer.request_id: answer for answer in batch.rest()}
    assert batch.call.code() == grpc.StatusCode.OK
    assert answers["first"].advice.candidates
    assert answers["second"].advice.candidates
    assert error_code(answers["bad"]) == alone.code
    assert answers["bad"].error.message == alone.message
    assert wrong_fields(answers["bad"]) == alone.fields == ["query.view.dao.row[1].value"]
    # Whoever has tools for google.rpc.Status can use them.
    status = Status.FromString(answers["bad"].error.SerializeToString())
    info = ErrorInfo()
    assert status.details[1].Unpack(info)
    assert info == alone.info


@pytest.mark.parametrize(
    ("data", "reason", "told"),
    [
        (b"\x0a\xff", "UNDECODABLE_MESSAGE", "RecommendBatchRequest"),
        (b"", "INVALID_FIELD", "action: is empty; set recommend or cancel"),
        (b"\x0a\x00", "INVALID_FIELD", "request_id: is empty"),
        (b"\x12\x80\x80\x20" + b"x" * (512 << 10), "MESSAGE_TOO_LARGE", "--max-message-bytes"),
    ],
)
def test_messages_without_a_usable_id_are_answered_with_none(
    channel: grpc.Channel, rules: RulesServiceStub, data: bytes, reason: str, told: str
) -> None:
    with BatchCall(channel) as batch:
        batch.send(data)
        refused = batch.answer()
        batch.recommend("next", query(rules, "dao", limits=limits(50)))
        (answered,) = batch.rest()
    assert refused.request_id == ""
    assert error_code(refused) == grpc.StatusCode.INVALID_ARGUMENT
    assert told in refused.error.message
    info = ErrorInfo()
    assert refused.error.details[-1].Unpack(info)
    assert info.reason == reason
    assert answered.request_id == "next"


def test_each_of_a_thousand_positions_is_answered_once(
    channel: grpc.Channel, rules: RulesServiceStub
) -> None:
    """A client that keeps 64 positions in flight."""
    asked = {game_id: query(rules, game_id, limits=limits(20)) for game_id in ("dao", "diamonds")}
    total, window = 1000, 64
    ids: list[str] = []
    with BatchCall(channel) as batch:
        for number in range(total):
            if number >= window:
                ids.append(batch.answer().request_id)
            batch.recommend(str(number), asked["diamonds" if number % 3 else "dao"])
        ids += [answer.request_id for answer in batch.rest()]
    assert Counter(ids) == Counter(str(number) for number in range(total))


def test_priorities_are_accepted(channel: grpc.Channel, rules: RulesServiceStub) -> None:
    with BatchCall(channel) as batch:
        for name, value in pb.Priority.items():
            batch.recommend(name, query(rules, "dao", limits=limits(50), priority=value))
        answers = batch.rest()
    assert sorted(answer.request_id for answer in answers) == sorted(pb.Priority.keys())
    assert all(answer.advice.candidates for answer in answers)


def test_no_further_message_is_read_while_enough_are_in_flight(
    small: str, small_log: Memory
) -> None:
    with grpc.insecure_channel(small) as channel, BatchCall(channel) as batch:
        asked = query(RulesServiceStub(channel), "dao", limits=limits(time=30))
        for number in range(5 * MOST):
            batch.recommend(f"ahead {number}", asked)
        batch.recommend("ahead last", asked)
        batch.cancel("ahead 0")  # behind all the others, so it is not read either
        time.sleep(1.0)
    # The stream has been cancelled: what had been read is what is logged.
    eventually(lambda: len(searches(small_log, "ahead")) >= MOST)
    time.sleep(0.1)
    assert sorted(searches(small_log, "ahead")) == [f"ahead {number}" for number in range(MOST)]


def test_a_client_that_does_not_read_is_held_up(small: str, small_log: Memory) -> None:
    total = 200
    with grpc.insecure_channel(small, NARROW) as channel, BatchCall(channel) as batch:
        asked = query(RulesServiceStub(channel), "diamonds", limits=limits(50), candidates=1000)
        for number in range(total):
            batch.recommend(f"unread {number}", asked)
        batch.half_close()
        ended = settled(lambda: len(searches(small_log, "unread")))
        assert 0 < ended < total // 2
        answers = batch.rest()
    assert Counter(answer.request_id for answer in answers) == Counter(
        f"unread {number}" for number in range(total)
    )


def settled(count: Callable[[], int]) -> int:
    """A number once it is above 0 and has not changed for a second."""
    last = 0
    while (now := count()) != last or now == 0:
        last = now
        time.sleep(1.0)
    return now


def test_the_deadline_of_the_stream_wins(small: str) -> None:
    """Everything that could be begun is answered before it."""
    with grpc.insecure_channel(small) as channel, BatchCall(channel, timeout=2.0) as batch:
        asked = query(RulesServiceStub(channel), "dao", limits=limits(time=20))
        for number in range(MOST):
            batch.recommend(f"due {number}", asked)
        answers = batch.rest()
    assert batch.call.code() == grpc.StatusCode.OK
    assert len(answers) == MOST
    assert {answer.advice.search.stop_reason for answer in answers} == {pb.STOP_REASON_DEADLINE}


def test_a_stream_that_is_left_open_ends_at_its_deadline(small: str) -> None:
    with grpc.insecure_channel(small) as channel, BatchCall(channel, timeout=1.5) as batch:
        asked = query(RulesServiceStub(channel), "dao", limits=limits(time=20))
        batch.recommend("only", asked)
        assert batch.answer().advice.search.stop_reason == pb.STOP_REASON_DEADLINE
        assert failure(batch.answer).code == grpc.StatusCode.DEADLINE_EXCEEDED


def test_limits_count_from_the_arrival_of_the_message(small: str) -> None:
    """Not from the beginning of the stream, which is long past here."""
    with grpc.insecure_channel(small) as channel, BatchCall(channel) as batch:
        asked = query(RulesServiceStub(channel), "dao", limits=limits(time=0.4))
        for number in range(4):
            batch.recommend(f"in turn {number}", asked)
            search = batch.answer().advice.search
            assert search.stop_reason == pb.STOP_REASON_TIME
            assert search.elapsed.ToMilliseconds() > 250


def test_cancelling_the_stream_stops_all_its_searches(
    channel: grpc.Channel, rules: RulesServiceStub, log: Memory
) -> None:
    with BatchCall(channel) as batch:
        for number in range(8):
            batch.recommend(f"stopped {number}", query(rules, "dao", limits=limits(time=20)))
        batch.recommend("quick", query(rules, "dao", limits=limits(50)))
        assert batch.answer().request_id == "quick"
    eventually(lambda: len(searches(log, "stopped", code="CANCELLED")) == 8)


KILLED_CLIENT = """
import sys, time, grpc
from adamas.v1.rules_service_pb2_grpc import RulesServiceStub
from tests.server.batches import BatchCall
from tests.server.positions import limits, query
with grpc.insecure_channel(sys.argv[1]) as channel, BatchCall(channel) as batch:
    asked = query(RulesServiceStub(channel), "dao", limits=limits(time=20))
    for number in range(8):
        batch.recommend(f"killed {number}", asked)
    batch.recommend("alive", query(RulesServiceStub(channel), "dao", limits=limits(50)))
    print(batch.answer().request_id, flush=True)
    time.sleep(60)
"""


def test_a_killed_client_leaves_no_search_behind(
    address: str, advisor: AdvisorServiceStub, rules: RulesServiceStub, log: Memory
) -> None:
    client = subprocess.Popen(
        [sys.executable, "-c", KILLED_CLIENT, address],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    with client:
        assert client.stdout is not None
        assert client.stdout.readline() == "alive\n"
        client.send_signal(signal.SIGKILL)
    eventually(lambda: len(searches(log, "killed", code="CANCELLED")) == 8)
    asked = query(rules, "dao", limits=limits(50))
    assert advisor.Recommend(pb.RecommendRequest(query=asked)).advice.candidates


def test_a_server_that_stops_answers_what_runs_and_says_so() -> None:
    """What could not begin, for want of a slot, is for another server."""
    chosen = Settings(port=0, threads=1, max_searches=4, max_waiting=10)  # one is kept
    server = embedded_server(chosen, LineWriter(Memory()))
    address = server.__enter__()
    with (
        grpc.insecure_channel(address) as channel,
        BatchCall(channel) as first,
        BatchCall(channel) as second,
    ):
        asked = query(RulesServiceStub(channel), "dao", limits=limits(time=20))
        for number in (0, 1):
            first.recommend(str(number), asked)
        first.recommend("bad", pb.SearchQuery())
        assert first.answer().request_id == "bad"  # so the others have been read
        time.sleep(1.0)  # and have their slots
        for number in (2, 3):
            second.recommend(str(number), asked)
        second.recommend("bad", pb.SearchQuery())
        assert second.answer().request_id == "bad"
        stopping = threading.Timer(1.0, partial(server.__exit__, None, None, None))
        stopping.start()
        answers = [batch.answer() for batch in (first, second) for _ in range(2)]
        endings = [failure(batch.answer) for batch in (first, second)]
        stopping.join()
    advised = {answer.request_id: answer for answer in answers if answer.HasField("advice")}
    refused = {answer.request_id: answer for answer in answers if answer.HasField("error")}
    assert advised.keys() == {"0", "1", "2"}
    assert refused.keys() == {"3"}
    for answer in advised.values():
        assert answer.advice.search.stop_reason == pb.STOP_REASON_SHUTDOWN
    assert error_code(refused["3"]) == grpc.StatusCode.UNAVAILABLE
    for ending in endings:
        assert ending.code == grpc.StatusCode.UNAVAILABLE
        assert ending.info.reason == "SHUTTING_DOWN"


def test_each_search_is_a_line_and_the_stream_is_one(
    channel: grpc.Channel, rules: RulesServiceStub, log: Memory
) -> None:
    with BatchCall(channel) as batch:
        batch.recommend("a line", query(rules, "dao", limits=limits(321)))
        batch.recommend("a line of error", pb.SearchQuery())
        assert len(batch.rest()) == 2
    (line,) = eventually(lambda: log.lines(request_id="a line"))
    wanted = {
        "event": "search",
        "method": "/adamas.v1.AdvisorService/RecommendBatch",
        "code": "OK",
        "game": "dao",
        "iterations": 321,
        "stop_reason": "iterations",
    }
    assert wanted.items() <= line.items()
    (bad,) = eventually(lambda: log.lines(request_id="a line of error"))
    assert bad["code"] == "INVALID_ARGUMENT"
    assert bad["field"] == "query.position"
    size = line["bytes"] + bad["bytes"]
    (call,) = eventually(
        lambda: log.lines(event="call", method=line["method"], bytes=size, code="OK")
    )
    assert call["peer"] == line["peer"]


kinds = st.sampled_from(["good", "bad", "cancel", "again", "no id"])


@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(script=st.lists(st.tuples(kinds, st.integers(0, 9)), max_size=40))
def test_every_message_that_asks_is_answered_once(
    channel: grpc.Channel, rules: RulesServiceStub, script: list[tuple[str, int]]
) -> None:
    """Whatever is mixed: an answer for each message but cancellations, under its own id."""
    good = query(rules, "dao", limits=limits(30))
    bad = query(rules, "dao", limits=limits(-1))
    expected: Counter[str] = Counter()
    with BatchCall(channel) as batch:
        for number, (kind, earlier) in enumerate(script):
            if kind == "cancel":
                batch.cancel(str(earlier))
                continue
            request_id = {"again": str(earlier), "no id": ""}.get(kind, str(number))
            batch.recommend(request_id, bad if kind == "bad" else good)
            expected[request_id] += 1
        answers = batch.rest()
    assert Counter(answer.request_id for answer in answers) == expected
    assert batch.call.code() == grpc.StatusCode.OK
    assert all(answer.WhichOneof("outcome") for answer in answers)


def test_no_message_ends_the_stream(channel: grpc.Channel, game_id: str) -> None:
    """Each of many spoilt messages that asks for a search is answered once."""
    pick = Random(SEED)
    asking = 0
    with BatchCall(channel) as batch:
        for number in range(150):
            data = spoilt(game_id, str(number), pick)
            batch.send(data)
            asking += not is_cancellation(data)
        batch.recommend("last", pb.SearchQuery())
        answers = batch.rest()
    assert batch.call.code() == grpc.StatusCode.OK
    assert len(answers) == asking + 1
    codes = {error_code(answer) for answer in answers if answer.HasField("error")}
    assert codes == {grpc.StatusCode.INVALID_ARGUMENT}


def spoilt(game_id: str, request_id: str, pick: Random) -> bytes:
    """A request of a batch with something wrong in its fields or in its bytes, or nothing."""
    message = valid_request(f"{ADVISOR}Recommend", game_id, SEED, pick)
    assert isinstance(message, pb.RecommendRequest)
    message.request_id = request_id
    request = pb.RecommendBatchRequest(recommend=message)
    kind = pick.choice(["fields", "bytes", "nothing"])
    if kind == "fields":
        spoil(request, pick, spares(SEED))
    data = request.SerializeToString()
    if kind == "bytes":
        data = spoil_bytes(data, pick)
    try:
        request.ParseFromString(data)
    except DecodeError:
        return data
    if request.HasField("recommend"):
        recommend = request.recommend.SerializeToString()
        request.recommend.ParseFromString(within_bounds(pb.RecommendRequest, recommend))
    return request.SerializeToString()


def is_cancellation(data: bytes) -> bool:
    try:
        return pb.RecommendBatchRequest.FromString(data).WhichOneof("action") == "cancel"
    except DecodeError:
        return False
