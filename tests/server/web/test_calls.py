"""Calls over Connect, gRPC-Web and gRPC, in binary and in JSON, as clients make them."""

from __future__ import annotations

import asyncio
import socket
import struct
import time
from collections.abc import AsyncIterator
from functools import partial
from itertools import product
from typing import Any

import grpc
import pytest
from connectrpc.client import ConnectClient
from connectrpc.code import Code
from connectrpc.compat import google_protobuf_binary_codec, google_protobuf_json_codec
from connectrpc.errors import ConnectError
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.protocol import ProtocolType
from google.protobuf.json_format import MessageToDict
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from pyqwest import Client as HTTPClient
from pyqwest import HTTPTransport, HTTPVersion

from adamas.v1 import advisor_service_pb2 as pb
from adamas.v1.advisor_service_pb2_grpc import AdvisorServiceStub
from adamas.v1.rules_service_pb2_grpc import RulesServiceStub
from tests.server.positions import eventually, failure, limits, query, without_time
from tests.server.web.conftest import Web, web_server
from tests.server.web.http2 import Http2

ADVISOR, RULES = "adamas.v1.AdvisorService", "adamas.v1.RulesService"
CODECS = {"proto": google_protobuf_binary_codec(), "json": google_protobuf_json_codec()}
VERSIONS = {"http1": HTTPVersion.HTTP1, "http2": HTTPVersion.HTTP2}
WAYS = [
    (protocol, codec, version)
    for protocol, codec, version in product(ProtocolType, CODECS, VERSIONS)
    if not (protocol is ProtocolType.GRPC and version == "http1")
]


def method(service: str, name: str, response: type, kind: StreamType) -> MethodInfo[Any, Any]:
    return MethodInfo(
        name=name,
        service_name=service,
        input=object,
        output=response,
        idempotency_level=IdempotencyLevel.UNKNOWN,
        stream_type=kind,
    )


RECOMMEND = method(ADVISOR, "Recommend", pb.RecommendResponse, StreamType.UNARY)
ANALYZE = method(ADVISOR, "Analyze", pb.AnalyzeResponse, StreamType.SERVER_STREAM)
BATCH = method(ADVISOR, "RecommendBatch", pb.RecommendBatchResponse, StreamType.BIDI_STREAM)


def client(
    web: Web,
    protocol: ProtocolType = ProtocolType.CONNECT,
    codec: str = "proto",
    version: str = "http2",
) -> ConnectClient:
    return ConnectClient(
        web.url,
        codec=CODECS[codec],
        protocol=protocol,
        http_client=HTTPClient(HTTPTransport(http_version=VERSIONS[version])),
    )


def way(found: tuple[Any, ...]) -> str:
    protocol, codec, version = found
    return f"{protocol.name.lower()}-{codec}-{version}"


@pytest.fixture
def question(web_rules: RulesServiceStub) -> pb.SearchQuery:
    return query(web_rules, "dao", limits=limits(200), seed=3, candidates=3)


@pytest.mark.parametrize("found", WAYS, ids=way)
async def test_a_recommendation_is_the_same_as_over_grpc(
    web: Web, question: pb.SearchQuery, found: tuple[Any, ...]
) -> None:
    request = pb.RecommendRequest(query=question, request_id="mine")
    response = await client(web, *found).execute_unary(request=request, method=RECOMMEND)
    with grpc.insecure_channel(web.address) as channel:
        expected = AdvisorServiceStub(channel).Recommend(request)
    assert without_time(response.advice) == without_time(expected.advice)
    assert response.request_id == "mine"


@pytest.mark.parametrize("found", WAYS, ids=way)
async def test_a_refusal_has_the_same_details_as_over_grpc(
    web: Web, question: pb.SearchQuery, found: tuple[Any, ...]
) -> None:
    question.candidates = -1
    request = pb.RecommendRequest(query=question)
    with pytest.raises(ConnectError) as caught:
        await client(web, *found).execute_unary(request=request, method=RECOMMEND)
    with grpc.insecure_channel(web.address) as channel:
        expected = failure(lambda: AdvisorServiceStub(channel).Recommend(request))
    assert caught.value.code is Code.INVALID_ARGUMENT
    bad, info = caught.value.details
    assert BadRequest.FromString(bad.message_bytes) == expected.bad_request
    assert ErrorInfo.FromString(info.message_bytes).reason == "INVALID_FIELD"


@pytest.mark.parametrize("found", WAYS, ids=way)
async def test_an_analysis_grows(
    web: Web, question: pb.SearchQuery, found: tuple[Any, ...]
) -> None:
    question.limits.CopyFrom(limits(time=0.8))
    request = pb.AnalyzeRequest(query=question)
    request.update_interval.FromMilliseconds(100)
    answers = [
        answer
        async for answer in client(web, *found).execute_server_stream(
            request=request, method=ANALYZE
        )
    ]
    iterations = [answer.advice.search.iterations for answer in answers]
    assert len(answers) > 1
    assert iterations == sorted(iterations)
    assert [answer.final for answer in answers] == [False] * (len(answers) - 1) + [True]


@pytest.mark.parametrize("found", WAYS, ids=way)
async def test_a_batch_is_answered_one_by_one(
    web: Web, question: pb.SearchQuery, found: tuple[Any, ...]
) -> None:
    async def requests() -> AsyncIterator[pb.RecommendBatchRequest]:
        for number in range(3):
            message = pb.RecommendRequest(query=question, request_id=f"{number}")
            message.query.candidates = number - 1  # the first is none
            yield pb.RecommendBatchRequest(recommend=message)

    answers = {
        answer.request_id: answer
        async for answer in client(web, *found).execute_bidi_stream(
            request=requests(), method=BATCH
        )
    }
    assert answers["0"].error.code == grpc.StatusCode.INVALID_ARGUMENT.value[0]
    assert answers["1"].advice.candidates
    assert answers["2"].advice.candidates


@pytest.mark.parametrize(
    "found", [way for way in WAYS if way[2] == "http2" and way[1] == "proto"], ids=way
)
async def test_a_batch_can_ask_according_to_answers(
    web: Web, question: pb.SearchQuery, found: tuple[Any, ...]
) -> None:
    answered: asyncio.Queue[str] = asyncio.Queue()

    async def requests() -> AsyncIterator[pb.RecommendBatchRequest]:
        for number in range(3):
            message = pb.RecommendRequest(query=question, request_id=f"{number}")
            yield pb.RecommendBatchRequest(recommend=message)
            assert await answered.get() == f"{number}"

    async for answer in client(web, *found).execute_bidi_stream(request=requests(), method=BATCH):
        await answered.put(answer.request_id)


@pytest.mark.parametrize("found", WAYS, ids=way)
async def test_the_answer_is_there_before_the_deadline(
    web: Web, question: pb.SearchQuery, found: tuple[Any, ...]
) -> None:
    question.limits.CopyFrom(limits(time=15))
    response = await client(web, *found).execute_unary(
        request=pb.RecommendRequest(query=question), method=RECOMMEND, timeout_ms=1500
    )
    assert response.advice.search.stop_reason == pb.STOP_REASON_DEADLINE


def abandon_over_http1(web: Web, path: str, content: str, body: bytes) -> None:
    """Calls, and goes away while the search runs."""
    request = f"POST {path} HTTP/1.1\r\nhost: x\r\ncontent-type: {content}\r\n"
    with socket.create_connection(("127.0.0.1", web.port)) as connection:
        connection.sendall(f"{request}content-length: {len(body)}\r\n\r\n".encode() + body)
        time.sleep(0.7)


def abandon_over_http2(web: Web, path: str, content: str, body: bytes) -> None:
    """Calls, and resets the call while the search runs, as a browser does."""
    with socket.create_connection(("127.0.0.1", web.port)) as connection:
        client = Http2(connection)
        stream = client.ask(path, headers={"content-type": content})
        client.h2.send_data(stream, body, end_stream=True)
        client.flush()
        time.sleep(0.7)
        client.h2.reset_stream(stream)
        client.flush()
        time.sleep(0.5)


@pytest.mark.parametrize("abandon", [abandon_over_http1, abandon_over_http2])
def test_a_search_stops_when_its_client_goes_away(
    web: Web, question: pb.SearchQuery, abandon: Any
) -> None:
    question.limits.CopyFrom(limits(time=15))
    name = abandon.__name__
    message = pb.RecommendRequest(query=question, request_id=name).SerializeToString()
    abandon(web, f"/{ADVISOR}/Recommend", "application/proto", message)
    message = pb.AnalyzeRequest(
        query=question, request_id=f"{name} as it grows"
    ).SerializeToString()
    envelope = struct.pack(">BI", 0, len(message)) + message
    abandon(web, f"/{ADVISOR}/Analyze", "application/connect+proto", envelope)
    for request_id in (name, f"{name} as it grows"):
        (line,) = eventually(partial(web.log.lines, request_id=request_id))
        assert line["code"] == "CANCELLED"
        assert line["elapsed_ms"] < 10_000


def test_curl_needs_no_content_type(web: Web) -> None:
    form = "application/x-www-form-urlencoded"
    answer = web.send("POST", f"/{RULES}/ListGames", "{}", content_type=form)
    assert answer.status == 200
    assert {game["gameId"] for game in answer.json["games"]} == {
        "dao",
        "diamonds",
        "diamonds_club",
        "diams",
    }


def test_words_of_other_scripts_are_readable_in_json(web: Web) -> None:
    answer = web.post(f"/{RULES}/ListGames", {"language": "zh-Hant"})
    assert "鑽石" in answer.body.decode()


def test_details_are_readable_in_json(web: Web) -> None:
    answer = web.post(f"/{ADVISOR}/Recommend", {"query": {"candidates": -1}})
    assert answer.status == 400
    assert answer.json["code"] == "invalid_argument"
    bad = answer.json["details"][0]
    assert bad["type"] == "google.rpc.BadRequest"
    assert {violation["field"] for violation in bad["debug"]["fieldViolations"]} == {
        "query.position",
        "query.candidates",
    }


def test_a_field_that_there_is_not_is_named(web: Web) -> None:
    answer = web.post(f"/{ADVISOR}/Recommend", {"query": {"viev": {}}})
    assert answer.status == 400
    assert '"viev"' in answer.json["message"]
    assert "RecommendRequest" in answer.json["message"]


def test_the_same_is_logged_and_counted_as_over_grpc(web: Web, question: pb.SearchQuery) -> None:
    message = MessageToDict(pb.RecommendRequest(query=question, request_id="logged"))
    assert web.post(f"/{ADVISOR}/Recommend", message).status == 200
    (line,) = eventually(lambda: web.log.lines(request_id="logged"))
    assert line["event"] == "call"
    assert line["method"] == f"/{ADVISOR}/Recommend"
    assert line["code"] == "OK"
    assert line["game"] == "dao"
    assert line["client"] == "127.0.0.1"
    assert line["peer"].startswith("ipv4:127.0.0.1:")
    assert line["bytes"] > 100
    assert line["iterations"] == 200


def test_health_is_told(web: Web) -> None:
    check = "/grpc.health.v1.Health/Check"
    assert web.post(check, {}).json == {"status": "SERVING"}
    assert web.post(check, {"service": ADVISOR}).json == {"status": "SERVING"}
    unknown = web.post(check, {"service": "nothing"})
    assert unknown.status == 404
    assert unknown.json["code"] == "not_found"
    statuses = web.post("/grpc.health.v1.Health/List", {}).json["statuses"]
    assert set(statuses) == {"", ADVISOR, RULES}


def test_too_many_calls_are_refused_with_a_delay(web_rules: RulesServiceStub) -> None:
    with web_server(max_waiting=0, max_searches=1) as small, small_channel(small) as rules:
        asked = query(rules, "dao", limits=limits(time=5))
        message = MessageToDict(pb.RecommendRequest(query=asked))
        with grpc.insecure_channel(small.address) as channel:
            running = AdvisorServiceStub(channel).Recommend.future(pb.RecommendRequest(query=asked))
            answer = eventually(lambda: refusal(small, message), 20)
            running.cancel()
    assert answer.status == 429
    assert answer.json["code"] == "resource_exhausted"
    delays = [detail for detail in answer.json["details"] if detail["type"].endswith("RetryInfo")]
    assert delays[0]["debug"]["retryDelay"].endswith("s")
    assert RetryInfo.DESCRIPTOR.full_name == delays[0]["type"]


def refusal(web: Web, message: Any) -> Any:
    short = {**message, "query": {**message["query"], "limits": {"iterations": 1}}}
    answer = web.post(f"/{ADVISOR}/Recommend", short)
    return answer if answer.status != 200 else None


def small_channel(web: Web) -> Any:
    class Rules:
        def __enter__(self) -> RulesServiceStub:
            self.channel = grpc.insecure_channel(web.address)
            return RulesServiceStub(self.channel)

        def __exit__(self, *_: object) -> None:
            self.channel.close()

    return Rules()


def test_a_port_that_is_taken_is_told(web: Web) -> None:
    taken = rf"can't listen on 127.0.0.1:{web.port}"
    with pytest.raises(OSError, match=taken), web_server(web_port=web.port):
        pass
