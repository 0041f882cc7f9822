"""Runs a command until its input is closed: `python -m adamas_tournament.processes.guard COMMAND`.

A process that is killed can't end its children. Its pipes are closed, though, and the guard, which
waits for that, ends the command in its place, with all that the command has started.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading

PATIENCE = 8.0
"""Seconds that the command has to end by itself."""
NOT_RUN = 127
"""The exit code if there is no such command, as that of a shell."""
BY_SIGNAL = 128
"""The exit code after a signal is this and its number, as that of a shell."""


def guard(command: list[str]) -> int:
    """Runs the command; its exit code."""
    try:
        process = subprocess.Popen(  # noqa: S603  (whoever calls us may run what it likes)
            command, stdin=subprocess.DEVNULL, start_new_session=True
        )
    except OSError as error:
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
        return NOT_RUN
    threading.Thread(target=_end_with_input, args=(process,), daemon=True).start()
    code = process.wait()
    with contextlib.suppress(ProcessLookupError):  # nobody is left of its session, mostly
        os.killpg(process.pid, signal.SIGKILL)
    return code if code >= 0 else BY_SIGNAL - code


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
