"""Servers behind the shipped load balancer configurations."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import NamedTuple

import grpc
import pytest
from grpc_health.v1 import health
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_health.v1.health_pb2_grpc import HealthStub, add_HealthServicer_to_server

from adamas import Client, Limit, Unavailable
from adamas.v1.dao_pb2 import DaoOptions
from benchmarks.load.balancers import BALANCERS, NotInstalled, haproxy
from tests.server.positions import eventually
from tools.server_process import ServerProcess, start_server

_CALLS = 8


@pytest.fixture(params=BALANCERS)
def balancer(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@contextmanager
def balanced(balancer: str, addresses: list[str]) -> Iterator[Client]:
    """A client of servers behind a balancer; skips the test where its program is missing."""
    with ExitStack() as stack:
        try:
            target = stack.enter_context(BALANCERS[balancer](addresses))
        except NotInstalled as error:
            pytest.skip(str(error))
        yield stack.enter_context(Client(target, grace=30.0))


@pytest.fixture(scope="module")
def pool() -> Iterator[list[ServerProcess]]:
    """Servers that run, until a test ends one of them."""
    started: list[ServerProcess] = []
    yield started
    for server in started:
        server.kill()


@pytest.fixture
def servers(pool: list[ServerProcess]) -> list[ServerProcess]:
    """Two servers."""
    pool[:] = [server for server in pool if server.runs()]
    while len(pool) < 2:
        pool.append(start_server("--threads", "1", "--linger", "3"))
    return pool


def addresses(servers: list[ServerProcess]) -> list[str]:
    return [server.address for server in servers]


class Scripted(NamedTuple):
    """A server that answers health checks as it is told to, and nothing else."""

    server: grpc.Server
    port: int
    health: health.HealthServicer


@contextmanager
def scripted() -> Iterator[Scripted]:
    server = grpc.server(ThreadPoolExecutor(4))
    servicer = health.HealthServicer()
    add_HealthServicer_to_server(servicer, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield Scripted(server, port, servicer)
    finally:
        server.stop(None)


def served(server: ServerProcess) -> int:
    """How many ListGames calls a server has ended, by its log."""
    return sum(line["method"].endswith("/ListGames") for line in server.log("call"))


def reach_all(client: Client, servers: list[ServerProcess]) -> None:
    """Calls until every server has answered.

    Answers may come before every server is connected, where clients balance themselves.
    """
    before = [served(server) for server in servers]
    eventually(
        lambda: (
            client.games()
            and all(served(server) > count for server, count in zip(servers, before, strict=True))
        )
    )


def test_calls_are_spread_over_all_servers(balancer: str, servers: list[ServerProcess]) -> None:
    with balanced(balancer, addresses(servers)) as client:
        reach_all(client, servers)


def test_a_killed_server_costs_no_call(balancer: str, servers: list[ServerProcess]) -> None:
    with balanced(balancer, addresses(servers)) as client, ThreadPoolExecutor(_CALLS) as threads:
        reach_all(client, servers)
        table = client.table(DaoOptions(), seats=3, seed=7)
        view = table.view(table.seats_to_move[0])
        calls = [threads.submit(client.recommend, view, Limit(time=2.0)) for _ in range(_CALLS)]
        eventually(lambda: any(call.running() for call in calls))
        servers[0].kill()
        for call in calls:
            assert call.result().best_move in [move.move for move in table.legal_moves()]


def test_without_servers_calls_are_unavailable(balancer: str) -> None:
    with ExitStack() as stack:
        scripts = [stack.enter_context(scripted()) for _ in range(2)]
        there = [f"127.0.0.1:{script.port}" for script in scripts]
        client = stack.enter_context(balanced(balancer, there))
        for script in scripts:
            script.server.stop(None).wait()
        with pytest.raises(Unavailable):
            client.games()


def test_a_stop_costs_no_call(balancer: str, servers: list[ServerProcess]) -> None:
    with balanced(balancer, addresses(servers)) as client, ThreadPoolExecutor(_CALLS) as threads:
        reach_all(client, servers)
        table = client.table(DaoOptions(), seats=3, seed=7)
        view = table.view(table.seats_to_move[0])
        calls = [threads.submit(client.recommend, view, Limit(time=2.0)) for _ in range(_CALLS)]
        eventually(lambda: any(call.running() for call in calls))
        servers[0].process.terminate()
        while servers[0].runs():
            assert client.games()
        assert servers[0].wait() == 0
        for call in calls:
            assert call.result().candidates


def test_haproxy_goes_by_the_health_check(servers: list[ServerProcess]) -> None:
    """Both servers can be reached. Only the scripted one knows a service of the name "other"."""

    def asks_the_other(channel: grpc.Channel) -> bool:
        try:
            HealthStub(channel).Check(HealthCheckRequest(service="other"), timeout=10.0)
        except grpc.RpcError as error:
            if error.code() != grpc.StatusCode.NOT_FOUND:
                raise
            return False
        return True

    with scripted() as script:
        script.health.set("other", HealthCheckResponse.SERVING)
        script.health.set("", HealthCheckResponse.NOT_SERVING)
        try:
            with (
                haproxy([servers[0].address, f"127.0.0.1:{script.port}"]) as target,
                grpc.insecure_channel(target) as channel,
            ):
                eventually(lambda: not any(asks_the_other(channel) for _ in range(20)))
                script.health.set("", HealthCheckResponse.SERVING)
                eventually(lambda: asks_the_other(channel))
                script.health.set("", HealthCheckResponse.NOT_SERVING)
                eventually(lambda: not any(asks_the_other(channel) for _ in range(20)))
        except NotInstalled as error:
            pytest.skip(str(error))
