"""A server of this machine, started for a tournament and ended with it."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Sequence
from pathlib import Path

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
        # The guard ends the server when its standard input is closed, as the system does for a
        # process that is killed.
        self._process = subprocess.Popen(  # noqa: S603  (our own server)
            [sys.executable, "-m", "adamas_tournament.guard", *command],
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            start_new_session=True,  # Ctrl-C is for the tournament, which then ends the server
        )
        self._address = ""
        self._said: deque[str] = deque(maxlen=20)
        self._serving = threading.Event()
        threading.Thread(target=self._read, name="server log", daemon=True).start()
        if not self._serving.wait(START_TIMEOUT) or not self._address:
            self.stop()
            said = "".join(self._said).strip() or "it said nothing"
            raise ServerError(f"the server did not start: {said}")

    @property
    def address(self) -> str:
        """Where it listens, host:port."""
        return self._address

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def stop(self) -> None:
        """Ends it."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _read(self) -> None:
        """Reads the log to its end, for the address and for what went wrong."""
        assert self._process.stderr is not None  # noqa: S101  (it is a pipe)
        with self._process.stderr as log:
            for line in log:
                self._said.append(line)
                if not self._serving.is_set() and '"serving"' in line:
                    self._address = _address(line)
                    self._serving.set()
        self._serving.set()


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
