"""A server of this machine, started for a tournament."""

import importlib.util
import json
import shutil
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from adamas_tournament.processes.guarded import GuardedProcess

START_TIMEOUT = 600.0
"""Seconds to wait for a server; its first start compiles the rules."""


class ServerError(Exception):
    """No server could be started; the text says why."""


class ServerProcess:
    """A running server on a free port. It ends with this process, however that ends.

    Args:
        flags: Further flags for it, such as ["--threads", "1"].

    Raises:
        ServerError: If it does not start.
    """

    def __init__(self, flags: Sequence[str] = ()) -> None:
        command = [*_server_command(), "--port", "0", "--log-format", "json", *flags]
        self._address = ""
        self._settled = threading.Event()  # it serves, or never will
        self._process = GuardedProcess(command, self._hear, self._settled.set)
        if not self._settled.wait(START_TIMEOUT) or not self._address:
            self.stop()
            raise ServerError(f"the server did not start: {self._process.last_words}")

    @property
    def address(self) -> str:
        """Where it listens, host:port."""
        return self._address

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self._process.running

    def stop(self) -> None:
        """Ends it."""
        self._process.stop()

    def _hear(self, line: str) -> None:
        if not self._settled.is_set() and '"serving"' in line:
            self._address = _address(line)
            self._settled.set()


def _address(line: str) -> str:
    try:
        return str(json.loads(line).get("address", ""))
    except ValueError:
        return ""


def _server_command() -> list[str]:
    """How to start the server that is installed here.

    Raises:
        ServerError: If none is.
    """
    beside = Path(sys.executable).parent / "adamas-server"
    found = str(beside) if beside.exists() else shutil.which("adamas-server")
    if found:
        return [found]
    if importlib.util.find_spec("server") and importlib.util.find_spec("engines"):
        return [sys.executable, "-m", "server"]
    raise ServerError(
        "no server is installed here (pip install adamas-server); "
        'or name a running one: tournament.referee = "host:port"'
    )
