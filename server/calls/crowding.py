"""No address may have so many connections that nobody else gets one.

gRPC bounds all connections together and no address's: whoever opens as many as there may be locks
out everybody else. It has no place to put a bound of one's own either. But its sockets are files of
this process, so they can be looked through, and those that are too many be shut down. gRPC then
takes them for connections that the client has closed.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address

from server.log import Logger

_LOOK_INTERVAL = 0.25
_GLANCE_INTERVAL = 0.02
_RUSH = 8
"""So many new files between two looks are worth a look at once."""
_OPEN_FILES = "/dev/fd"
_STANDARD_ERROR = 2
_NETWORK = (socket.AF_INET, socket.AF_INET6)


@dataclass(frozen=True)
class _File:
    """An open file, and if it is a connection to the port, the address at its other end."""

    inode: int
    address: str | None


class Crowding:
    """Watches the connections to one port of this process."""

    def __init__(self, port: int, most: int, logger: Logger) -> None:
        """``most`` is how many an address may have."""
        self._port = port
        self._most = most
        self._logger = logger
        self._files: dict[int, _File] = {}
        """By descriptor, in the order in which they were first seen."""

    async def watch(self) -> None:
        """Looks a few times a second, and whenever many come, until it is cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            self.look()
            lowest, next_look = _lowest_free(), loop.time() + _LOOK_INTERVAL
            while True:
                await asyncio.sleep(_GLANCE_INTERVAL)
                if loop.time() >= next_look or _lowest_free() >= lowest + _RUSH:
                    break

    def look(self) -> None:
        """Shuts down the newest connections of addresses that have too many."""
        self._notice()
        by_address: defaultdict[str, list[int]] = defaultdict(list)
        for descriptor, file in self._files.items():
            if file.address is not None:
                by_address[file.address].append(descriptor)
        for address, descriptors in by_address.items():
            surplus = descriptors[self._most :]
            for descriptor in surplus:
                self._shut_down(descriptor)
            if surplus:
                self._logger.warning("connections closed", address=address, count=len(surplus))

    def _notice(self) -> None:
        """Takes note of files that have been opened and closed."""
        now: dict[int, int] = {}
        for name in os.listdir(_OPEN_FILES):  # noqa: PTH208  (paths cost more than all else here)
            with suppress(OSError):  # closed meanwhile
                now[int(name)] = os.fstat(int(name)).st_ino
        for descriptor, file in tuple(self._files.items()):
            if now.get(descriptor) != file.inode:
                del self._files[descriptor]
        for descriptor, inode in now.items():
            if descriptor not in self._files:
                self._files[descriptor] = _File(inode, self._caller(descriptor))

    def _caller(self, descriptor: int) -> str | None:
        """The address at the other end of a connection to the port."""
        with suppress(OSError), _duplicate(descriptor) as connection:
            if connection.family in _NETWORK and connection.getsockname()[1] == self._port:
                return _plain(connection.getpeername()[0])
        return None

    def _shut_down(self, descriptor: int) -> None:
        # Whatever has the number by now: only a connection to the port is shut down.
        with suppress(OSError), _duplicate(descriptor) as connection:
            if connection.family in _NETWORK and connection.getsockname()[1] == self._port:
                connection.shutdown(socket.SHUT_RDWR)


def _lowest_free() -> int:
    """The lowest descriptor that is free. It grows by at least as many files as are opened, unless
    others are closed meanwhile, and takes two system calls to know."""
    try:
        free = os.dup(_STANDARD_ERROR)
    except OSError:  # none is free, or there is nothing to duplicate
        return sys.maxsize
    os.close(free)
    return free


def _duplicate(descriptor: int) -> socket.socket:
    """A socket of our own for an open one, so that nobody else closes it; raises OSError."""
    copy = os.dup(descriptor)
    try:
        return socket.socket(fileno=copy)
    except OSError:
        os.close(copy)
        raise


def _plain(address: str) -> str:
    """An address without its zone, and an IPv4 one as such however it was received."""
    found = ip_address(address.partition("%")[0])
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return str(mapped or found)
