"""Servers behind the shipped load balancer configurations."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

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
    started = [start_server("--threads", "1", "--linger", "3") for _ in range(2)]
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
        eventually(lambda: any(call.running() for call in calls))
        servers[0].kill()
        for call in calls:
            assert call.result().best_move in [move.move for move in table.legal_moves()]


def test_without_servers_calls_are_unavailable(balancer: str, servers: list[ServerProcess]) -> None:
    with balanced(balancer, servers) as client:
        for server in servers:
            server.kill()
        with pytest.raises(Unavailable):
            client.games()


def test_a_stop_costs_no_call(balancer: str, servers: list[ServerProcess]) -> None:
    with balanced(balancer, servers) as client, ThreadPoolExecutor(_CALLS) as pool:
        eventually(lambda: client.games() and all(served(s, "ListGames") for s in servers))
        table = client.table(DaoOptions(), seats=3, seed=7)
        view = table.view(table.seats_to_move[0])
        calls = [pool.submit(client.recommend, view, Limit(time=2.0)) for _ in range(_CALLS)]
        eventually(lambda: any(call.running() for call in calls))
        servers[0].process.terminate()
        while servers[0].runs():
            assert client.games()
        assert servers[0].wait() == 0
        for call in calls:
            assert call.result().candidates


def test_haproxy_goes_by_the_health_check(servers: list[ServerProcess]) -> None:
    """Both servers can be reached. Only the scripted one knows a service of the name "other"."""
    script = grpc.server(ThreadPoolExecutor(4))
    servicer = health.HealthServicer()
    add_HealthServicer_to_server(servicer, script)
    servicer.set("other", HealthCheckResponse.SERVING)
    servicer.set("", HealthCheckResponse.NOT_SERVING)
    port = script.add_insecure_port("127.0.0.1:0")
    script.start()

    def asks_the_other(channel: grpc.Channel) -> bool:
        try:
            HealthStub(channel).Check(HealthCheckRequest(service="other"), timeout=10.0)
        except grpc.RpcError as error:
            if error.code() != grpc.StatusCode.NOT_FOUND:
                raise
            return False
        return True

    try:
        with (
            haproxy([servers[0].address, f"127.0.0.1:{port}"]) as target,
            grpc.insecure_channel(target) as channel,
        ):
            eventually(lambda: not any(asks_the_other(channel) for _ in range(20)))
            servicer.set("", HealthCheckResponse.SERVING)
            eventually(lambda: asks_the_other(channel))
            servicer.set("", HealthCheckResponse.NOT_SERVING)
            eventually(lambda: not any(asks_the_other(channel) for _ in range(20)))
    except NotInstalled as error:
        pytest.skip(str(error))
    finally:
        script.stop(None)
