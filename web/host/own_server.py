"""An Adamas server that a host starts for itself."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

_STOP = 30.0
"""Seconds that the server has to end."""
_WORTH_SHOWING = {"warning", "error", "critical"}


class ServerEnded(Exception):
    """The server ended before it listened; its last words say why."""


@contextmanager
def own_server() -> Iterator[str]:
    """A server on a free port while the block runs; gives its address.

    It may not serve yet: it loads the rules, and compiles them if nobody has before. What it warns
    of goes on to this program's standard error.

    Raises:
        ServerEnded: If it does not come to listen.
    """
    command = [sys.executable, "-m", "server", "--port", "0", "--log-format", "json"]
    process = subprocess.Popen(  # noqa: S603  (its own program)
        command, stderr=subprocess.PIPE, text=True, encoding="utf-8", start_new_session=True
    )
    try:
        yield _address(process)
    finally:
        process.terminate()
        try:
            process.wait(_STOP)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _address(process: subprocess.Popen[str]) -> str:
    log: IO[str] = process.stderr  # type: ignore[assignment]  # it is a pipe
    said = ""
    for line in log:
        said = line
        entry = _entry(line)
        if entry.get("event") == "listening":
            threading.Thread(target=_pass_on, args=(log,), daemon=True).start()
            return str(entry["address"])
        _show(line, entry)
    raise ServerEnded(f"the server has ended: {said.strip() or 'it said nothing'}")


def _pass_on(log: IO[str]) -> None:
    for line in log:
        _show(line, _entry(line))


def _show(line: str, entry: dict[str, Any]) -> None:
    if not entry or entry.get("level") in _WORTH_SHOWING:
        sys.stderr.write(line)


def _entry(line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
