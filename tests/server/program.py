"""The server as a process of its own, for tests that stop or kill it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc

from tests.server.positions import eventually

ROOT = Path(__file__).parent.parent.parent


class Program:
    """A running server process."""

    def __init__(self, *flags: str, own_group: bool = False) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "server", "--port", "0", "--threads", "2", *flags],
            cwd=ROOT,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            start_new_session=own_group,
        )
        self.lines: list[dict[str, Any]] = []
        self.other: list[str] = []
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stderr is not None
        with self.process.stderr as stderr:
            for line in stderr:
                try:
                    self.lines.append(json.loads(line))
                except ValueError:
                    self.other.append(line)

    def line(self, event: str) -> dict[str, Any]:
        """Waits for a log line."""

        def found() -> dict[str, Any] | None:
            assert self.process.poll() is None or any(
                line["event"] == event for line in self.lines
            ), self.other
            return next((line for line in self.lines if line["event"] == event), None)

        line: dict[str, Any] = eventually(found, 120)
        return line

    def channel(self, options: list[tuple[str, int]] | None = None) -> grpc.Channel:
        """A channel to the server."""
        return grpc.insecure_channel(self.line("serving")["address"], options)

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Sends a signal and returns the exit code."""
        self.process.send_signal(number)
        return self.process.wait(20)


@contextmanager
def program(*flags: str, own_group: bool = False) -> Iterator[Program]:
    """A server process that is serving; in a process group of its own, if wanted."""
    found = Program(*flags, own_group=own_group)
    try:
        found.line("serving")
        yield found
    finally:
        found.process.kill()
        found.process.wait()
        found.reader.join()
