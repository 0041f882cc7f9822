"""Connections that are silent, or too many of one address."""

from __future__ import annotations

import asyncio
import resource
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from server.calls.crowding import Crowding, _plain
from server.embedded import embedded_server
from server.log import LineWriter, make_logger
from server.settings import Settings
from tests.server.positions import Memory, eventually

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + struct.pack(">IBI", 4, 0, 0)
SETTINGS = 4
HERE, THERE = "127.0.0.1", "127.0.0.2"
"""Two addresses of this machine."""

linux = pytest.mark.skipif(sys.platform != "linux", reason="has one loopback address only")


@pytest.fixture
def log() -> Memory:
    return Memory()


@pytest.fixture
def address(log: Memory) -> Iterator[str]:
    """A server with room for ten connections, five of one address, that is not patient."""
    settings = Settings(port=0, threads=1, workers=1, max_connections=10, handshake_timeout=1.0)
    with embedded_server(settings, LineWriter(log)) as found:
        yield found


def connect(address: str, source: str) -> socket.socket:
    """A connection over which nothing has been said."""
    host, port = address.rsplit(":", 1)
    return socket.create_connection((host, int(port)), timeout=10, source_address=(source, 0))


def greeted(connection: socket.socket) -> bool:
    """Speaks HTTP/2, and says whether the server does."""
    try:
        connection.sendall(PREFACE)
        return connection.recv(9)[3:4] == bytes([SETTINGS])
    except OSError:
        return False


def is_open(connection: socket.socket) -> bool:
    connection.setblocking(False)
    try:
        while connection.recv(1024):
            pass
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def test_silent_connections_are_closed(address: str) -> None:
    with connect(address, HERE) as silent, connect(address, HERE) as speaking:
        assert greeted(speaking)
        assert is_open(silent)
        eventually(lambda: not is_open(silent), 10)
        assert is_open(speaking)


def closed(log: Memory) -> int:
    """How many connections the server says it has closed."""
    return sum(line["count"] for line in log.lines(event="connections closed"))


@linux
def test_one_address_does_not_lock_out_others(address: str, log: Memory) -> None:
    with ExitStack() as stack:
        crowd = [stack.enter_context(connect(address, THERE)) for _ in range(10)]
        for connection in crowd:
            greeted(connection)

        def enter() -> bool:
            return greeted(stack.enter_context(connect(address, HERE)))

        eventually(enter, 10)
        eventually(lambda: sum(map(is_open, crowd)) == 5, 10)
        eventually(lambda: closed(log) == 5, 10)
        assert all(line["address"] == THERE for line in log.lines(event="connections closed"))
        # The others have their five too, and whoever leaves makes room for another.
        for connection in crowd:
            connection.close()
        eventually(lambda: greeted(stack.enter_context(connect(address, THERE))), 10)


@pytest.mark.parametrize(
    ("peer", "address"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8::1", "2001:db8::1"),
        ("fe80::1%eth0", "fe80::1"),
    ],
)
def test_an_address_is_one_however_it_is_written(peer: str, address: str) -> None:
    assert _plain(peer) == address


@pytest.mark.parametrize(("hard", "room"), [(2000, 1000), (300, 44)])
def test_the_limit_of_open_files_is_raised(hard: int, room: int) -> None:
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[1] >= hard
    program = (
        "import resource; from server.files import make_room;"
        f"resource.setrlimit(resource.RLIMIT_NOFILE, (100, {hard}));"
        "print(make_room(1000), resource.getrlimit(resource.RLIMIT_NOFILE)[0])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == [str(room), str(room + 256)], done.stderr


@linux
def test_a_rush_is_seen_before_the_next_look(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.calls.crowding._LOOK_INTERVAL", 3600.0)
    log = Memory()
    with socket.create_server((HERE, 0)) as listening, ExitStack() as stack:
        port = listening.getsockname()[1]
        crowding = Crowding(port, 5, make_logger(LineWriter(log), "json", "info"))
        accepted = []

        async def crowd() -> None:
            watching = asyncio.create_task(crowding.watch())
            await asyncio.sleep(0)  # it has looked once, and nobody was there
            for _ in range(20):
                stack.enter_context(connect(f"{HERE}:{port}", THERE))
                accepted.append(stack.enter_context(listening.accept()[0]))
            await asyncio.to_thread(eventually, lambda: closed(log))
            watching.cancel()

        asyncio.run(crowd())
        assert closed(log) == 15
        assert sum(map(is_open, accepted)) == 5
