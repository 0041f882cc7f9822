"""Analyses: updates in order, one final advice, and an end to the search when nobody listens."""

import asyncio
import threading
import time

import grpc
import pytest

from adamas import (
    AsyncClient,
    Cancelled,
    Client,
    DeadlineExceeded,
    InvalidRequest,
    Limit,
    ServerError,
    StopReason,
    Unavailable,
)
from tests.clients.fake_server import Code, Exchange, Failure, FakeServer
from tests.clients.messages import TAKE, VIEW, update


def script(server: FakeServer) -> Exchange:
    return server.expect("Analyze", update(10), update(20), update(30, final=True))


def test_updates_and_the_final_advice(server: FakeServer) -> None:
    exchange = script(server)
    with (
        Client(server.target, grace=3) as client,
        client.analyze(
            VIEW, Limit(time=2), candidates=3, seed=1, trees=2, update_interval=0.1
        ) as analysis,
    ):
        seen = list(analysis)
        assert analysis.done
        assert analysis.wait() is seen[-1]
        assert analysis.result is seen[-1]
        assert analysis.latest is seen[-1]
    assert [advice.best.visits for advice in seen] == [10, 20, 30]
    assert [advice.final for advice in seen] == [False, False, True]
    assert seen[0].search.stop_reason is StopReason.RUNNING
    assert seen[-1].best_move == TAKE
    assert exchange.request.update_interval.ToMilliseconds() == 100
    query = exchange.request.query
    assert (query.view.dao, query.candidates, query.seed, query.trees) == (VIEW, 3, 1, 2)
    assert exchange.seconds_left == pytest.approx(5, abs=1)


async def test_updates_and_the_final_advice_for_asyncio(server: FakeServer) -> None:
    script(server)
    async with AsyncClient(server.target) as client, client.analyze(VIEW) as analysis:
        seen = [advice async for advice in analysis]
        assert analysis.done
        assert await analysis.wait() is seen[-1]
        assert analysis.result is seen[-1]
        assert analysis.latest is seen[-1]
    assert [advice.best.visits for advice in seen] == [10, 20, 30]
    assert [advice.final for advice in seen] == [False, False, True]


def test_waiting_without_iterating(server: FakeServer) -> None:
    script(server)
    with Client(server.target) as client:
        assert client.analyze(VIEW).wait().best.visits == 30


async def test_waiting_without_iterating_for_asyncio(server: FakeServer) -> None:
    script(server)
    async with AsyncClient(server.target) as client:
        assert (await client.analyze(VIEW).wait(5)).best.visits == 30


def test_leaving_the_block_stops_the_search(server: FakeServer) -> None:
    exchange = server.expect("Analyze", update(10), hold=True)
    with Client(server.target) as client:
        with client.analyze(VIEW) as analysis:
            assert next(analysis).best.visits == 10
        assert exchange.cancelled.wait(2)
        assert analysis.done
        assert analysis.result is None
        assert analysis.latest is not None
        assert list(analysis) == []
        assert "cancelled" in repr(analysis)
        with pytest.raises(Cancelled):
            analysis.wait()
        analysis.cancel()


async def test_leaving_the_block_stops_the_search_for_asyncio(server: FakeServer) -> None:
    exchange = server.expect("Analyze", update(10), hold=True)
    async with AsyncClient(server.target) as client:
        async with client.analyze(VIEW) as analysis:
            assert (await anext(analysis)).best.visits == 10
        assert await asyncio.to_thread(exchange.cancelled.wait, 2)
        assert analysis.done
        assert analysis.result is None
        assert analysis.latest is not None
        assert [advice async for advice in analysis] == []
        with pytest.raises(Cancelled):
            await analysis.wait()
        await analysis.cancel()


def test_an_error_in_the_block_stops_the_search(server: FakeServer) -> None:
    exchange = server.expect("Analyze", update(10), hold=True)

    def fail(client: Client) -> None:
        with client.analyze(VIEW) as analysis:
            next(analysis)
            raise KeyError

    with Client(server.target) as client:
        with pytest.raises(KeyError):
            fail(client)
        assert exchange.cancelled.wait(2)


def test_looking_without_waiting(server: FakeServer) -> None:
    server.expect("Analyze", update(10), update(20), hold=True)
    with Client(server.target) as client, client.analyze(VIEW) as analysis:
        end = time.monotonic() + 5
        while time.monotonic() < end and (
            analysis.latest is None or analysis.latest.best.visits < 20
        ):
            time.sleep(0.01)
        assert analysis.latest is not None
        assert analysis.latest.best.visits == 20
        assert not analysis.done
        assert "running" in repr(analysis)


def test_waiting_no_longer_than_told(server: FakeServer) -> None:
    server.expect("Analyze", update(10), hold=True)
    with Client(server.target) as client, client.analyze(VIEW) as analysis:
        with pytest.raises(TimeoutError, match=r"still runs after 0\.1 s"):
            analysis.wait(0.1)
        assert not analysis.done


async def test_waiting_no_longer_than_told_for_asyncio(server: FakeServer) -> None:
    server.expect("Analyze", update(10), hold=True)
    async with AsyncClient(server.target) as client, client.analyze(VIEW) as analysis:
        with pytest.raises(TimeoutError, match=r"still runs after 0\.1 s"):
            await analysis.wait(0.1)
        assert not analysis.done


def test_cancelling_from_another_thread_ends_the_loop(server: FakeServer) -> None:
    server.expect("Analyze", update(10), hold=True)
    with Client(server.target) as client:
        analysis = client.analyze(VIEW)
        timer = threading.Timer(0.1, analysis.cancel)
        timer.start()
        assert len(list(analysis)) == 1
        timer.join()


async def test_a_cancelled_task_stops_the_search(server: FakeServer) -> None:
    exchange = server.expect("Analyze", update(10), hold=True)
    async with AsyncClient(server.target) as client:

        async def follow() -> None:
            async with client.analyze(VIEW) as analysis:
                async for _ in analysis:
                    pass

        task = asyncio.create_task(follow())
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await asyncio.to_thread(exchange.cancelled.wait, 2)


@pytest.mark.parametrize(
    ("code", "kind"),
    [(Code.INVALID_ARGUMENT, InvalidRequest), (Code.INTERNAL, ServerError)],
)
async def test_errors_come_from_iterating_and_from_waiting(
    server: FakeServer, code: grpc.StatusCode, kind: type[Exception]
) -> None:
    server.expect("Analyze", update(10), Failure(code, "why"))
    server.expect("Analyze", update(10), Failure(code, "why"))
    with Client(server.target) as client, client.analyze(VIEW) as analysis:
        assert next(analysis).best.visits == 10
        with pytest.raises(kind, match="why"):
            next(analysis)
        with pytest.raises(kind, match="why"):
            analysis.wait()
    async with AsyncClient(server.target) as later, later.analyze(VIEW) as analysis_async:
        assert (await anext(analysis_async)).best.visits == 10
        with pytest.raises(kind, match="why"):
            await anext(analysis_async)
        with pytest.raises(kind, match="why"):
            await analysis_async.wait()


async def test_a_stream_without_an_end_is_an_error(server: FakeServer) -> None:
    server.expect("Analyze", update(10))
    server.expect("Analyze", update(10))
    with Client(server.target) as client, pytest.raises(ServerError, match="without a final"):
        client.analyze(VIEW).wait()
    async with AsyncClient(server.target) as later:
        with pytest.raises(ServerError, match="without a final"):
            await later.analyze(VIEW).wait()


async def test_an_update_that_can_not_be_read_ends_the_analysis(server: FakeServer) -> None:
    broken = update(10)
    broken.advice.ClearField("candidates")
    first = server.expect("Analyze", broken, hold=True)
    second = server.expect("Analyze", broken, hold=True)
    with Client(server.target) as client, pytest.raises(ServerError, match="without any move"):
        client.analyze(VIEW).wait()
    async with AsyncClient(server.target) as later:
        with pytest.raises(ServerError, match="without any move"):
            await later.analyze(VIEW).wait()
    assert first.cancelled.wait(2)
    assert second.cancelled.wait(2)


def test_the_deadline_holds_for_streams(server: FakeServer) -> None:
    server.expect("Analyze", update(10), hold=True)
    with Client(server.target) as client, pytest.raises(DeadlineExceeded, match=r"0\.3 s"):
        list(client.analyze(VIEW, timeout=0.3))


def test_a_stream_is_tried_again_before_it_began(server: FakeServer) -> None:
    server.expect("Analyze", Code.UNAVAILABLE)
    server.expect("Analyze", update(30, final=True))
    with Client(server.target) as client:
        assert client.analyze(VIEW).wait().best.visits == 30


def test_a_stream_that_breaks_is_not_begun_again(server: FakeServer) -> None:
    server.expect("Analyze", update(10), Code.UNAVAILABLE)
    with Client(server.target) as client, pytest.raises(Unavailable):
        client.analyze(VIEW).wait()


def test_closing_the_client_ends_its_analyses(server: FakeServer) -> None:
    server.expect("Analyze", update(10), hold=True)
    client = Client(server.target)
    analysis = client.analyze(VIEW)
    next(analysis)
    client.close()
    with pytest.raises(Cancelled):
        analysis.wait(5)
