"""Runs a command until its standard input is closed: `python -m adamas_tournament.guard COMMAND`.

A process that is killed can't end its children. Its pipes are closed, though, and the guard, which
waits for that, ends the command in its place.
"""

import os
import signal
import subprocess
import sys
import threading

PATIENCE = 8.0
"""Seconds that the command has to end by itself."""


def guard(command: list[str]) -> int:
    """Runs the command; its exit code."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL) as process:  # noqa: S603
        threading.Thread(target=_end_with_input, args=(process,), daemon=True).start()
        return process.wait()


def _end_with_input(process: subprocess.Popen[bytes]) -> None:
    while os.read(0, 4096):  # not sys.stdin, whose lock this thread would hold at the end
        pass
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()


if __name__ == "__main__":
    sys.exit(guard(sys.argv[1:]))
