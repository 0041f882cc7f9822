"""Batches: results as they come, within a window, each query once, over streams that may break."""

import asyncio
import queue
import threading
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

import grpc
import pytest
from google.protobuf import any_pb2
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc import error_details_pb2

from adamas import (
    AsyncClient,
    BatchResult,
    BuiltinPlayer,
    Cancelled,
    Client,
    ClientClosed,
    DeadlineExceeded,
    InvalidRequest,
    Limit,
    Overloaded,
    Priority,
    Query,
    ServerError,
    Unavailable,
)
from adamas.v1 import advisor_service_pb2 as advisor
from tests.clients.fake_server import Code, Failure, FakeServer
from tests.clients.messages import STATE, TAKE, VIEW, advice

BROKEN = Failure(Code.UNAVAILABLE, "gone")


def answer(request_id: str, visits: int = 90) -> advisor.RecommendBatchResponse:
    return advisor.RecommendBatchResponse(request_id=request_id, advice=advice(visits))


def refusal(
    request_id: str, code: grpc.StatusCode, text: str = "why", *details: Message
) -> advisor.RecommendBatchResponse:
    error = advisor.SearchError(code=code.value[0], message=text)
    for detail in details:
        packed = any_pb2.Any()
        packed.Pack(detail)
        error.details.append(packed)
    return advisor.RecommendBatchResponse(request_id=request_id, error=error)


def answer_all(requests: Iterator[Any]) -> Iterator[Message]:
    """Answers each as it comes."""
    for request in requests:
        yield answer(request.recommend.request_id)


class Kind:
    """Runs a batch with either client and collects what comes of it."""

    def __init__(self, asynchronous: bool, target: str) -> None:
        self._asynchronous = asynchronous
        self._target = target

    def run(self, queries: Any, *arguments: Any, **settings: Any) -> list[BatchResult]:
        if self._asynchronous:
            return asyncio.run(self._run(queries, *arguments, **settings))
        with (
            Client(self._target) as client,
            client.recommend_batch(queries, *arguments, **settings) as batch,
        ):
            return list(batch)

    async def _run(self, queries: Any, *arguments: Any, **settings: Any) -> list[BatchResult]:
        async with (
            AsyncClient(self._target) as client,
            client.recommend_batch(queries, *arguments, **settings) as batch,
        ):
            return [result async for result in batch]


@pytest.fixture(params=["blocking", "asyncio"])
def kind(request: pytest.FixtureRequest, server: FakeServer) -> Kind:
    return Kind(request.param == "asyncio", server.target)


def ids(exchange: Any) -> list[str]:
    return [request.recommend.request_id for request in exchange.request]


def test_results_come_as_searches_end(server: FakeServer, kind: Kind) -> None:
    def play(requests: Iterator[Any]) -> Iterator[Message]:
        first, second, third = (next(requests).recommend.request_id for _ in range(3))
        yield answer(third, 30)
        yield answer(first, 10)
        yield answer(second, 20)
        assert next(requests, None) is None

    exchange = server.expect_stream("RecommendBatch", play)
    queries = [
        VIEW,
        Query(
            STATE,
            Limit(time=2),
            seat=1,
            candidates=3,
            seed=1,
            trees=2,
            language="zh-TW",
            player=BuiltinPlayer.CASUAL,
            priority=Priority.INTERACTIVE,
            request_id="mine",
        ),
        VIEW,
    ]
    results = kind.run(queries, Limit(iterations=500))
    assert [(result.request_id, result.get().best.visits) for result in results] == [
        ("2", 30),
        ("0", 10),
        ("mine", 20),
    ]
    assert results[2].query is queries[1]
    assert results[1].query == Query(VIEW)
    assert results[0].advice is not None
    assert results[0].advice.best_move == TAKE
    assert results[0].advice.request_id == "2"
    assert results[0].error is None
    plain, full, _ = (request.recommend.query for request in exchange.request)
    assert plain.view.dao == VIEW
    assert plain.limits.iterations == 500
    assert plain.priority == advisor.PRIORITY_UNSPECIFIED
    assert full.state.state.dao == STATE
    assert (full.state.seat, full.candidates, full.seed, full.trees) == (1, 3, 1, 2)
    assert full.limits.time.seconds == 2
    assert full.limits.iterations == 0
    assert full.language == "zh-TW"
    assert full.player == advisor.PLAYER_CASUAL
    assert full.priority == advisor.PRIORITY_INTERACTIVE
    assert exchange.seconds_left is not None
    assert exchange.seconds_left > 1e6  # gRPC's way to say that there is no deadline


def test_an_empty_batch_asks_nothing(kind: Kind) -> None:
    assert kind.run([]) == []


def test_a_failed_search_is_a_result(server: FakeServer, kind: Kind) -> None:
    def play(requests: Iterator[Any]) -> Iterator[Message]:
        wrong = error_details_pb2.BadRequest()
        wrong.field_violations.add(field="query.view.dao.turn", description="is 9; use 0 to 1")
        next(requests)
        yield refusal("0", Code.INVALID_ARGUMENT, "query.view.dao.turn: is 9", wrong)
        yield from answer_all(requests)

    server.expect_stream("RecommendBatch", play)
    bad, good = kind.run([VIEW, VIEW])
    assert bad.advice is None
    assert isinstance(bad.error, InvalidRequest)
    assert bad.error.code is Code.INVALID_ARGUMENT
    assert bad.error.violations[0].field == "query.view.dao.turn"
    with pytest.raises(InvalidRequest):
        bad.get()
    assert good.get().best.visits == 90


def test_never_more_than_the_window_is_in_flight(server: FakeServer, kind: Kind) -> None:
    most = 0

    def play(requests: Iterator[Any]) -> Iterator[Message]:
        nonlocal most
        waiting: queue.SimpleQueue[str] = queue.SimpleQueue()
        ended = threading.Event()

        def read() -> None:
            for request in requests:
                waiting.put(request.recommend.request_id)
            ended.set()

        threading.Thread(target=read, daemon=True).start()
        for _ in range(100):
            time.sleep(0.001)
            most = max(most, waiting.qsize())
            yield answer(waiting.get(timeout=5))
        assert ended.wait(5)

    server.expect_stream("RecommendBatch", play)
    results = kind.run([VIEW] * 100, window=7)
    assert sorted(int(result.request_id) for result in results) == list(range(100))
    assert 1 < most <= 7


def test_results_that_are_not_taken_fill_the_window(server: FakeServer) -> None:
    server.expect_stream("RecommendBatch", answer_all)
    taken = 0

    def source() -> Iterator[Any]:
        nonlocal taken
        while True:
            taken += 1
            yield VIEW

    with Client(server.target) as client, client.recommend_batch(source(), window=5) as batch:
        time.sleep(0.3)
        assert taken == 5
        next(batch)
        time.sleep(0.2)
        assert taken == 6


def test_the_source_may_wait_for_results(server: FakeServer) -> None:
    """Each of three games asks for its next move when it has the last one."""
    server.expect_stream("RecommendBatch", answer_all)
    waiting: queue.SimpleQueue[Query | None] = queue.SimpleQueue()
    for game in "abc":
        waiting.put(Query(VIEW, request_id=f"{game}1"))
    seen = []
    with (
        Client(server.target) as client,
        client.recommend_batch(iter(waiting.get, None)) as batch,
    ):
        for result in batch:
            seen.append(result.request_id)
            game, move = result.request_id[0], result.request_id[1]
            if move < "4":
                waiting.put(Query(VIEW, request_id=f"{game}{int(move) + 1}"))
            elif len(seen) == 12:
                waiting.put(None)
    assert sorted(seen) == [f"{game}{move}" for game in "abc" for move in range(1, 5)]


async def test_the_source_may_be_asynchronous(server: FakeServer) -> None:
    server.expect_stream("RecommendBatch", answer_all)

    async def source() -> AsyncIterator[Any]:
        for _ in range(3):
            await asyncio.sleep(0.01)
            yield VIEW

    async with AsyncClient(server.target) as client, client.recommend_batch(source()) as batch:
        assert len([result async for result in batch]) == 3
        assert batch.done


def cancelling(requests: Iterator[Any]) -> Iterator[Message]:
    """Answers the second search, and the first one when it is cancelled."""
    next(requests)
    next(requests)
    yield answer("1")
    cancelled = next(requests).cancel
    yield refusal(cancelled, Code.CANCELLED)
    yield from answer_all(requests)


def test_cancelling_one(server: FakeServer) -> None:
    server.expect_stream("RecommendBatch", cancelling)
    with Client(server.target) as client, client.recommend_batch([VIEW, VIEW]) as batch:
        assert next(batch).request_id == "1"
        batch.cancel("no such query")
        batch.cancel("1")
        batch.cancel("0")
        batch.cancel("0")
        (result,) = batch
        assert result.request_id == "0"
        assert isinstance(result.error, Cancelled)


async def test_cancelling_one_for_asyncio(server: FakeServer) -> None:
    server.expect_stream("RecommendBatch", cancelling)
    async with (
        AsyncClient(server.target) as client,
        client.recommend_batch([VIEW, VIEW]) as batch,
    ):
        assert (await anext(batch)).request_id == "1"
        await batch.cancel("0")
        (result,) = [result async for result in batch]
        assert isinstance(result.error, Cancelled)


def endless(requests: Iterator[Any]) -> Iterator[Message]:
    """Answers the first search only."""
    next(requests)
    yield answer("0")
    for _ in requests:
        pass


def test_leaving_the_block_stops_the_searches(server: FakeServer) -> None:
    exchange = server.expect_stream("RecommendBatch", endless)
    with Client(server.target) as client:
        with client.recommend_batch([VIEW, VIEW]) as batch:
            assert next(batch).request_id == "0"
            assert "running" in repr(batch)
        assert exchange.cancelled.wait(2)
        assert batch.done
        assert list(batch) == []
        batch.close()


async def test_leaving_the_block_stops_the_searches_for_asyncio(server: FakeServer) -> None:
    exchange = server.expect_stream("RecommendBatch", endless)
    async with AsyncClient(server.target) as client:
        async with client.recommend_batch([VIEW, VIEW]) as batch:
            assert (await anext(batch)).request_id == "0"
        assert await asyncio.to_thread(exchange.cancelled.wait, 2)
        assert batch.done
        assert [result async for result in batch] == []
        await batch.close()


def test_a_stream_that_breaks_is_replaced_and_nothing_is_lost(
    server: FakeServer, kind: Kind
) -> None:
    def breaks(requests: Iterator[Any]) -> Iterator[Message | Failure]:
        for _ in range(4):
            next(requests)
        yield answer("2")
        yield BROKEN

    server.expect_stream("RecommendBatch", breaks)
    second = server.expect_stream("RecommendBatch", answer_all)
    results = kind.run([VIEW] * 6, window=4)
    assert sorted(result.request_id for result in results) == list("012345")
    assert all(result.advice for result in results)
    assert sorted(ids(second)) == list("01345")


def test_a_server_that_does_not_come_back_ends_the_batch(server: FakeServer, kind: Kind) -> None:
    def breaks_at_once(requests: Iterator[Any]) -> Iterator[Message | Failure]:
        next(requests)
        yield BROKEN

    for _ in range(3):
        server.expect_stream("RecommendBatch", breaks_at_once)
    with pytest.raises(Unavailable, match="gone"):
        kind.run([VIEW], retries=2)


def test_refusals_that_pass_are_tried_again(server: FakeServer, kind: Kind) -> None:
    def play(requests: Iterator[Any]) -> Iterator[Message]:
        next(requests)
        hint = error_details_pb2.RetryInfo(retry_delay=Duration(nanos=200_000_000))
        yield refusal("0", Code.RESOURCE_EXHAUSTED, "busy", hint)
        begin = time.monotonic()
        assert next(requests).recommend.request_id == "0"
        assert time.monotonic() - begin > 0.15
        yield refusal("0", Code.UNAVAILABLE)
        yield from answer_all(requests)

    exchange = server.expect_stream("RecommendBatch", play)
    (result,) = kind.run([VIEW])
    assert result.get().best.visits == 90
    assert ids(exchange) == ["0", "0", "0"]


def test_refusals_that_stay_are_results(server: FakeServer, kind: Kind) -> None:
    def play(requests: Iterator[Any]) -> Iterator[Message]:
        for request in requests:
            yield refusal(request.recommend.request_id, Code.RESOURCE_EXHAUSTED)

    exchange = server.expect_stream("RecommendBatch", play)
    results = kind.run([VIEW] * 2, retries=1)
    assert [type(result.error) for result in results] == [Overloaded, Overloaded]
    assert sorted(ids(exchange)) == ["0", "0", "1", "1"]


def test_what_waits_to_be_tried_again_can_be_cancelled(server: FakeServer) -> None:
    def play(requests: Iterator[Any]) -> Iterator[Message]:
        next(requests)
        hint = error_details_pb2.RetryInfo(retry_delay=Duration(seconds=60))
        yield refusal("0", Code.RESOURCE_EXHAUSTED, "busy", hint)
        yield from answer_all(requests)

    server.expect_stream("RecommendBatch", play)
    with Client(server.target) as client, client.recommend_batch([VIEW] * 2) as batch:
        assert next(batch).request_id == "1"
        batch.cancel("0")
        (result,) = batch
        assert isinstance(result.error, Cancelled)


def test_a_server_that_ends_the_stream_too_early(server: FakeServer, kind: Kind) -> None:
    def stops(requests: Iterator[Any]) -> Iterator[Message]:
        next(requests)
        yield answer("0")

    server.expect_stream("RecommendBatch", stops)
    with pytest.raises(ServerError, match="before it had answered"):
        kind.run([VIEW] * 2)


@pytest.mark.parametrize(
    ("response", "error", "told"),
    [
        (refusal("", Code.INVALID_ARGUMENT, "too long"), InvalidRequest, "too long"),
        (answer("surprise"), ServerError, "'surprise', which nobody has asked for"),
    ],
)
def test_an_answer_that_belongs_to_no_query_ends_the_batch(
    server: FakeServer,
    kind: Kind,
    response: advisor.RecommendBatchResponse,
    error: type[Exception],
    told: str,
) -> None:
    def play(requests: Iterator[Any]) -> Iterator[Message]:
        next(requests)
        yield response

    server.expect_stream("RecommendBatch", play)
    with pytest.raises(error, match=told):
        kind.run([VIEW] * 2)


def test_errors_of_the_source_end_the_batch(server: FakeServer, kind: Kind) -> None:
    def source() -> Iterator[Any]:
        yield VIEW
        raise KeyError("the source is broken")

    exchange = server.expect_stream("RecommendBatch", answer_all)
    with pytest.raises(KeyError, match="the source is broken"):
        kind.run(source(), window=1)
    assert ids(exchange) == ["0"]
    assert exchange.cancelled.wait(2)
    with pytest.raises(TypeError, match="needs `seat`"):
        kind.run([STATE])


def test_ids_in_flight_are_unique(server: FakeServer, kind: Kind) -> None:
    with pytest.raises(ValueError, match="'mine' is that of another"):
        kind.run([Query(VIEW, request_id="mine")] * 2)


def test_the_deadline_of_the_batch(server: FakeServer, kind: Kind) -> None:
    exchange = server.expect_stream("RecommendBatch", endless)
    with pytest.raises(DeadlineExceeded, match=r"0\.4 s"):
        kind.run([VIEW] * 2, timeout=0.4)
    assert exchange.seconds_left is not None


async def test_a_server_that_gives_no_sign_of_life_ends_the_batch(server: FakeServer) -> None:
    first = server.expect_stream("RecommendBatch", endless)
    second = server.expect_stream("RecommendBatch", endless)
    limit = Limit(time=0.1)
    with (
        Client(server.target, grace=0.3) as client,
        client.recommend_batch([VIEW] * 2, limit) as batch,
    ):
        assert next(batch).request_id == "0"
        with pytest.raises(DeadlineExceeded, match="1 searches are due"):
            next(batch)
    async with (
        AsyncClient(server.target, grace=0.3) as later,
        later.recommend_batch([VIEW] * 2, limit) as batch_async,
    ):
        assert (await anext(batch_async)).request_id == "0"
        with pytest.raises(DeadlineExceeded, match="1 searches are due"):
            await anext(batch_async)
    assert first.cancelled.wait(2)
    assert second.cancelled.wait(2)


async def test_closing_the_client_ends_its_batches(server: FakeServer) -> None:
    server.expect_stream("RecommendBatch", endless)
    server.expect_stream("RecommendBatch", endless)
    client = Client(server.target)
    batch = client.recommend_batch([VIEW] * 2)
    next(batch)
    client.close()
    with pytest.raises(Cancelled):
        next(batch)
    with pytest.raises(ClientClosed):
        client.recommend_batch([VIEW])
    later = AsyncClient(server.target)
    batch_async = later.recommend_batch([VIEW] * 2)
    await anext(batch_async)
    await later.close()
    with pytest.raises(Cancelled):
        await anext(batch_async)
    with pytest.raises(ClientClosed):
        later.recommend_batch([VIEW])


@pytest.mark.parametrize("wrong", [{"window": 0}, {"retries": -1}])
def test_settings_that_make_no_sense(kind: Kind, wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        kind.run([VIEW], **wrong)
