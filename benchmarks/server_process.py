"""The server as a process of its own: started, watched through its log, stopped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
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


class ServerProcess:
    """A server on a free port. Its log goes to a file, so that nobody has to keep up with it."""

    def __init__(
        self, *flags: str, environment: Mapping[str, str] | None = None, niceness: int = 0
    ) -> None:
        begin = time.perf_counter()
        self._log = tempfile.NamedTemporaryFile(prefix="adamas-", suffix=".log")  # noqa: SIM115
        self._process = subprocess.Popen(
            [
                *(("nice", "-n", str(niceness)) if niceness else ()),
                *(sys.executable, "-m", "server", "--port", "0", "--log-format", "json", *flags),
            ],
            cwd=ROOT,
            stderr=self._log,
            env={**os.environ, **(environment or {})},
        )
        try:
            listening = self._wait_for("listening")
            self.address: str = listening["address"]
            self.web_port: int = listening["web_port"] or 0
            """The port for browsers, if it was asked for one."""
            self._wait_until_serving()
        except BaseException:
            self.kill()
            raise
        self.start_seconds = time.perf_counter() - begin
        """From the start of the process until it served."""

    @property
    def pid(self) -> int:
        """The id of the process that was started."""
        return self._process.pid

    def log(self, event: str) -> Iterator[dict[str, Any]]:
        """The log lines of one kind so far, oldest first."""
        with Path(self._log.name).open(encoding="utf-8") as lines:
            for line in lines:
                if not line.endswith("\n") or f'"{event}"' not in line:
                    continue
                entry = json.loads(line)
                if entry["event"] == event:
                    yield entry

    def runs(self) -> bool:
        """Whether the process has not ended yet."""
        return self._process.poll() is None

    def terminate(self) -> None:
        """Asks the server to stop."""
        self._process.send_signal(signal.SIGTERM)

    def wait(self, timeout: float = _STOP_TIMEOUT) -> int:
        """The exit code, once the process has ended. Raises subprocess.TimeoutExpired."""
        return self._process.wait(timeout)

    def kill(self) -> None:
        """Ends the process and those that it has started at once, and drops its log."""
        with suppress(psutil.NoSuchProcess):
            started = psutil.Process(self.pid).children(recursive=True)
            self._process.kill()
            for process in started:
                with suppress(psutil.NoSuchProcess):
                    process.kill()
        self._process.wait()
        self._log.close()

    def _wait_for(self, event: str) -> dict[str, Any]:
        end = time.perf_counter() + _START_TIMEOUT
        while time.perf_counter() < end:
            if (found := next(self.log(event), None)) is not None:
                return found
            if self._process.poll() is not None:
                break
            time.sleep(0.005)
        raise RuntimeError(f"the server did not start: {Path(self._log.name).read_text('utf-8')}")

    def _wait_until_serving(self) -> None:
        end = time.perf_counter() + _START_TIMEOUT
        with grpc.insecure_channel(self.address) as channel:
            check = HealthStub(channel).Check
            while time.perf_counter() < end:
                try:
                    status = check(HealthCheckRequest(), timeout=5.0, wait_for_ready=True).status
                except grpc.RpcError:
                    continue
                if status == HealthCheckResponse.SERVING:
                    return
                time.sleep(0.005)
        raise RuntimeError("the server did not start serving")


@contextmanager
def serving(
    *flags: str, environment: Mapping[str, str] | None = None, niceness: int = 0
) -> Iterator[ServerProcess]:
    """A server that serves while the block runs. Fails if it does not stop as it should.

    With some niceness it takes no processor time from those that ask it, as if they were elsewhere.
    """
    server = ServerProcess(*flags, environment=environment, niceness=niceness)
    try:
        yield server
        server.terminate()
        server.wait()
    finally:
        server.kill()
