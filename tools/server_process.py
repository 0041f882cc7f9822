"""The server as a process of its own, for tests and benchmarks: followed by its log, and ended."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import grpc
import psutil
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_health.v1.health_pb2_grpc import HealthStub

ROOT = Path(__file__).resolve().parent.parent
_START_TIMEOUT = 120.0
_STOP_TIMEOUT = 30.0
_LOOK_EVERY = 0.005


class ServerProcess:
    """A server on a free port that has been started and may not serve yet.

    Its log goes to a file, so that nobody has to keep up with it; that is gone with this object.

    Args:
        flags: Further flags for it.
        environment: Variables beside those of this process.
        niceness: With some it takes no processor time from those that ask it, as if they were
            elsewhere.
        own_group: Whether it gets a process group of its own, which a terminal's signals go to.
        checkout: Another checkout to run the server of, with its own `.venv` and compiled code.
    """

    def __init__(
        self,
        *flags: str,
        environment: Mapping[str, str] | None = None,
        niceness: int = 0,
        own_group: bool = False,
        checkout: Path | None = None,
    ) -> None:
        self._begin = time.perf_counter()
        descriptor, name = tempfile.mkstemp(prefix="adamas-", suffix=".log")
        self._log = Path(name)
        weakref.finalize(self, self._log.unlink, missing_ok=True)
        settings = {**os.environ, **(environment or {})}
        if checkout:
            settings.pop("ADAMAS_CACHE_DIR", None)  # its compiled code is its own
        python = str(checkout.absolute() / ".venv/bin/python") if checkout else sys.executable
        with open(descriptor, "wb") as log:  # noqa: PTH123  (a descriptor is no path)
            self.process = subprocess.Popen(
                [
                    *(("nice", "-n", str(niceness)) if niceness else ()),
                    *(python, "-m", "server", "--port", "0", "--log-format", "json"),
                    *flags,
                ],
                cwd=checkout or ROOT,
                stderr=log,
                env=settings,
                start_new_session=own_group,
            )
        self.start_seconds = 0.0
        """From the start of the process until it served, once that has been waited for."""

    @property
    def pid(self) -> int:
        """The id of the process that was started."""
        return self.process.pid

    @property
    def address(self) -> str:
        """Where it listens; waits for that."""
        return str(self.line("listening")["address"])

    @property
    def web_port(self) -> int:
        """The port for browsers, 0 without one; waits for that."""
        return int(self.line("listening")["web_port"] or 0)

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The log lines so far, oldest first."""
        return [entry for _, entry in self._entries() if entry is not None]

    @property
    def other(self) -> list[str]:
        """What it has printed so far that is no log line."""
        return [line for line, entry in self._entries() if entry is None]

    def log(self, event: str) -> Iterator[dict[str, Any]]:
        """The log lines of one kind so far, oldest first."""
        for _, entry in self._entries(f'"{event}"'):
            if entry is not None and entry["event"] == event:
                yield entry

    def line(self, event: str, timeout: float = _START_TIMEOUT) -> dict[str, Any]:
        """Waits for the first log line of one kind.

        Raises:
            RuntimeError: If the server ends without it.
            TimeoutError: If it does not come within so many seconds.
        """
        end = time.perf_counter() + timeout
        while time.perf_counter() < end:
            runs = self.runs()
            if (found := next(self.log(event), None)) is not None:
                return found
            if not runs:
                raise RuntimeError(f"the server has ended: {self._text()}")
            time.sleep(_LOOK_EVERY)
        raise TimeoutError(f"no log line {event!r} within {timeout:g} s: {self._text()}")

    def wait_until_serving(self) -> None:
        """Waits until the server says that it serves.

        Raises:
            RuntimeError: If it ends before that.
            TimeoutError: If it takes too long.
        """
        end = time.perf_counter() + _START_TIMEOUT
        with self.channel() as channel:
            check = HealthStub(channel).Check
            while time.perf_counter() < end:
                try:
                    status = check(HealthCheckRequest(), timeout=5.0, wait_for_ready=True).status
                except grpc.RpcError:
                    status = HealthCheckResponse.UNKNOWN
                if status == HealthCheckResponse.SERVING:
                    self.start_seconds = time.perf_counter() - self._begin
                    return
                if not self.runs():
                    raise RuntimeError(f"the server has ended: {self._text()}")
                time.sleep(_LOOK_EVERY)
        raise TimeoutError(f"the server does not serve: {self._text()}")

    def channel(self, options: list[tuple[str, int]] | None = None) -> grpc.Channel:
        """A channel to the server."""
        return grpc.insecure_channel(self.address, options)

    def runs(self) -> bool:
        """Whether the process has not ended yet."""
        return self.process.poll() is None

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Sends a signal, and gives the exit code. Raises subprocess.TimeoutExpired."""
        self.process.send_signal(number)
        return self.wait()

    def wait(self, timeout: float = _STOP_TIMEOUT) -> int:
        """The exit code, once the process has ended. Raises subprocess.TimeoutExpired."""
        return self.process.wait(timeout)

    def kill(self) -> None:
        """Ends the process and those that it has started at once. Its log can still be read."""
        with suppress(psutil.NoSuchProcess):
            started = psutil.Process(self.pid).children(recursive=True)
            self.process.kill()
            for process in started:
                with suppress(psutil.NoSuchProcess):
                    process.kill()
        self.process.wait()

    def _entries(self, wanted: str = "") -> Iterator[tuple[str, dict[str, Any] | None]]:
        """Whole lines that hold a text, and what they say; None: no log line."""
        with self._log.open(encoding="utf-8") as lines:
            for line in lines:
                if wanted in line and line.endswith("\n"):
                    try:
                        yield line, json.loads(line)
                    except ValueError:
                        yield line, None

    def _text(self) -> str:
        return self._log.read_text("utf-8")


def start_server(
    *flags: str,
    environment: Mapping[str, str] | None = None,
    niceness: int = 0,
    own_group: bool = False,
    checkout: Path | None = None,
) -> ServerProcess:
    """A server that serves; as `ServerProcess`."""
    server = ServerProcess(
        *flags,
        environment=environment,
        niceness=niceness,
        own_group=own_group,
        checkout=checkout,
    )
    try:
        server.wait_until_serving()
    except BaseException:
        server.kill()
        raise
    return server


@contextmanager
def serving(
    *flags: str,
    environment: Mapping[str, str] | None = None,
    niceness: int = 0,
    checkout: Path | None = None,
) -> Iterator[ServerProcess]:
    """A server that serves while the block runs. Fails if it does not stop as it should."""
    server = start_server(*flags, environment=environment, niceness=niceness, checkout=checkout)
    try:
        yield server
        server.stop()
    finally:
        server.kill()
