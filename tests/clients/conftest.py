"""A scripted server, and both clients with one face."""

import asyncio
import inspect
from collections.abc import Iterator
from typing import Any

import pytest

from adamas import AsyncClient, Client
from tests.clients.fake_server import FakeServer


class Blocking:
    """An AsyncClient (or what it returns) that can be used like a Client.

    The tests of what both clients do are written once, for the blocking one.
    """

    def __init__(self, wrapped: Any, runner: asyncio.Runner) -> None:
        self._wrapped = wrapped
        self._runner = runner

    def __repr__(self) -> str:
        return repr(self._wrapped)

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self._wrapped, name)
        if not inspect.ismethod(attribute):
            return attribute

        def call(*args: Any, **kwargs: Any) -> Any:
            async def run() -> Any:
                result = attribute(*args, **kwargs)
                return await result if inspect.isawaitable(result) else result

            result = self._runner.run(run())
            return Blocking(result, self._runner) if hasattr(result, "seats_to_move") else result

        return call


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with FakeServer() as fake:
        yield fake


@pytest.fixture(params=["blocking", "asyncio"])
def make_client(request: pytest.FixtureRequest) -> Iterator[Any]:
    """Makes a client of either kind: make_client(target, **settings)."""
    if request.param == "blocking":
        made: list[Client] = []

        def make(target: str, **settings: Any) -> Any:
            made.append(Client(target, **settings))
            return made[-1]

        yield make
        for client in made:
            client.close()
    else:
        with asyncio.Runner() as runner:
            opened: list[Blocking] = []

            def make_blocking(target: str, **settings: Any) -> Any:
                opened.append(Blocking(AsyncClient(target, **settings), runner))
                return opened[-1]

            yield make_blocking
            for blocking in opened:
                blocking.close()


@pytest.fixture
def client(make_client: Any, server: FakeServer) -> Any:
    """A client of either kind, of the scripted server."""
    return make_client(server.target)
