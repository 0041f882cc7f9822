"""The server as a process of its own, for tests that stop or kill it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tools.server_process import ROOT, ServerProcess, start_server

__all__ = ["ROOT", "ServerProcess", "program"]


@contextmanager
def program(*flags: str, own_group: bool = False) -> Iterator[ServerProcess]:
    """A server process that is serving; in a process group of its own, if wanted."""
    found = start_server("--threads", "2", *flags, own_group=own_group)
    try:
        yield found
    finally:
        found.kill()
