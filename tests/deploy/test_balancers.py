"""Servers behind the shipped load balancer configurations."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

import grpc
import pytest
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_health.v1.health_pb2_grpc import HealthStub

from adamas import Client, Limit, Unavailable
from adamas.v1.dao_pb2 import DaoOptions
from benchmarks.load.balancers import BALANCERS, NotInstalled
from benchmarks.server_process import ServerProcess
from tests.server.positions import eventually

_CALLS = 8


@pytest.fixture(params=BALANCERS)
def balancer(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@contextmanager
def balanced(balancer: str, servers: list[ServerProcess]) -> Iterator[Client]:
    """A client of servers behind a balancer; skips the test where its program is missing."""
    with ExitStack() as stack:
        try:
            target = stack.enter_context(
                BALANCERS[balancer]([server.address for server in servers])
            )
        except NotInstalled as error:
            pytest.skip(str(error))
        yield stack.enter_context(Client(target, grace=30.0))


@pytest.fixture
def servers() -> Iterator[list[ServerProcess]]:
    started = [ServerProcess("--threads", "1") for _ in range(2)]
    yield started
    for server in started:
        server.kill()


def served(server: ServerProcess, method: str) -> int:
    """How many calls of a method a server has ended, by its log."""
    return sum(line["method"].endswith(f"/{method}") for line in server.log("call"))


def test_calls_are_spread_over_all_servers(balancer: str, servers: list[ServerProcess]) -> None:
    with balanced(balancer, servers) as client:
        # Answers may come before every server is connected, where clients balance themselves.
        eventually(lambda: client.games() and all(served(s, "ListGames") for s in servers))


def test_a_killed_server_costs_no_call(balancer: str, servers: list[ServerProcess]) -> None:
    with balanced(balancer, servers) as client, ThreadPoolExecutor(_CALLS) as pool:
        eventually(lambda: client.games() and all(served(s, "ListGames") for s in servers))
        table = client.table(DaoOptions(), seats=3, seed=7)
        view = table.view(table.seats_to_move[0])
        calls = [pool.submit(client.recommend, view, Limit(time=2.0)) for _ in range(_CALLS)]
        eventually(lambda: any(pool_call.running() for pool_call in calls))
        servers[0].kill()
        for call in calls:
            assert call.result().best_move in [move.move for move in table.legal_moves()]


def test_without_servers_calls_are_unavailable(balancer: str, servers: list[ServerProcess]) -> None:
    with balanced(balancer, servers) as client:
        for server in servers:
            server.kill()
        with pytest.raises(Unavailable):
            client.games()


def test_haproxy_asks_the_health_check(servers: list[ServerProcess]) -> None:
    """A server that stops gets no new calls while it ends those that it has."""
    stopping, staying = servers
    with balanced("haproxy", servers) as client, ThreadPoolExecutor() as pool:
        eventually(lambda: client.games() and all(served(s, "ListGames") for s in servers))
        with grpc.insecure_channel(stopping.address) as direct:
            watch = HealthStub(direct).Watch(HealthCheckRequest())
            assert next(watch).status == HealthCheckResponse.SERVING
            table = client.table(DaoOptions(), seats=3, seed=7)
            view = table.view(table.seats_to_move[0])
            calls = [pool.submit(client.recommend, view, Limit(time=20.0)) for _ in range(4)]
            eventually(lambda: any(call.running() for call in calls))
            stopping.terminate()
            assert next(watch).status == HealthCheckResponse.NOT_SERVING
            watch.cancel()
        assert stopping.wait() == 0
        before = served(staying, "ListGames")
        for _ in range(6):
            assert client.games()
        assert served(staying, "ListGames") == before + 6
        staying.terminate()
        for call in calls:
            assert call.result().candidates
