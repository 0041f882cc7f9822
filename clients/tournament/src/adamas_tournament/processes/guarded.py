"""A command that ends with this process, however that ends."""

import os
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence

from adamas_tournament.processes.guard import BY_SIGNAL

KEPT_LINES = 20
"""How much is kept of what a command says."""
END_TIMEOUT = 10.0
"""Seconds for a command to end; its guard kills it before that."""


class GuardedProcess:
    """A command that runs. What it says is read, and the last lines are kept.

    Args:
        command: The command.
        hear: Is given each line that it says.
        silent: Is called when it says nothing any more, mostly because it has ended.
    """

    def __init__(
        self,
        command: Sequence[str],
        hear: Callable[[str], None] = lambda _: None,
        silent: Callable[[], None] = lambda: None,
    ) -> None:
        self._hear = hear
        self._silent = silent
        self._said: deque[str] = deque(maxlen=KEPT_LINES)
        # The guard ends the command when its standard input is closed, as the system does for a
        # process that is killed.
        self._process = subprocess.Popen(  # noqa: S603  (our own server, or what a user names)
            [sys.executable, "-m", "adamas_tournament.processes.guard", *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            start_new_session=True,  # Ctrl-C is for the tournament, which then ends the command
        )
        self._reader = threading.Thread(target=self._read, name="reads a process", daemon=True)
        self._reader.start()

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    @property
    def last_words(self) -> str:
        """The last lines that it said, for messages."""
        return "".join(self._said).strip() or "it said nothing"

    def wait(self) -> str:
        """Waits for its end; how it ended, for messages."""
        code = self._process.wait()
        self._reader.join(END_TIMEOUT)
        if self._process.stdin is not None:
            self._process.stdin.close()
        if code > BY_SIGNAL:
            try:
                return f"ended by {signal.Signals(code - BY_SIGNAL).name}"
            except ValueError:
                pass
        return f"ended with exit code {code}"

    def stop(self) -> None:
        """Ends it."""
        if self._process.stdin is not None:
            self._process.stdin.close()  # the guard then ends it
        try:
            self._process.wait(END_TIMEOUT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _read(self) -> None:
        assert self._process.stdout is not None  # noqa: S101  (it is a pipe)
        with self._process.stdout as output:
            for line in output:
                self._said.append(line)
                self._hear(line)
        self._silent()
