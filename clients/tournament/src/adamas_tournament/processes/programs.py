"""Programs of entrants: started, watched, started again when they end, and ended in the end."""

import queue
import socket
import threading
import time
from collections.abc import Iterable, Sequence

import grpc

from adamas_tournament.entrant_config import PORT, EndpointEntrant, Entrant
from adamas_tournament.processes.guarded import GuardedProcess

START_TIMEOUT = 60.0
"""Seconds that a program has until it listens."""
SHORTEST_PAUSE, LONGEST_PAUSE = 0.2, 10.0
"""Seconds before a program that has ended is started again; they double if it ends at once."""
SETTLED = 10.0
"""A program that has lived for so many seconds has not ended at once."""
LOOK_EVERY = 0.1


class ProgramError(Exception):
    """A program does not listen; the text says why."""


class Program:
    """A program that runs on a free port, until `close`.

    Args:
        name: The entrant's name.
        command: How it is started; "{port}" stands for the port where it is to listen.
        troubles: Is told each time it has ended by itself.
    """

    def __init__(self, name: str, command: Sequence[str], troubles: queue.SimpleQueue[str]) -> None:
        port = _free_port()
        self.address = f"127.0.0.1:{port}"
        self._name = name
        self._command = [part.replace(PORT, str(port)) for part in command]
        self._troubles = troubles
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._end = ""
        self._process = GuardedProcess(self._command)
        threading.Thread(target=self._watch, name=f"watches {name}", daemon=True).start()

    def wait_until_it_listens(self) -> None:
        """Waits until connections to it can be made.

        Raises:
            ProgramError: If it ends before that, or takes too long.
        """
        until = time.monotonic() + START_TIMEOUT
        options = [("grpc.enable_http_proxy", 0), ("grpc.max_reconnect_backoff_ms", 100)]
        with grpc.insecure_channel(self.address, options) as channel:
            ready = grpc.channel_ready_future(channel)
            while time.monotonic() < until:
                try:
                    ready.result(timeout=LOOK_EVERY)
                except grpc.FutureTimeoutError:
                    if self._end:
                        raise ProgramError(self._end) from None
                else:
                    return
        raise ProgramError(
            f"{self._name} does not listen at {self.address} after {START_TIMEOUT:g} s; "
            f"it said: {self._process.last_words}"
        )

    def close(self) -> None:
        """Ends it."""
        with self._lock:
            self._closing.set()
        self._process.stop()

    def _watch(self) -> None:
        """Starts it again whenever it ends."""
        pause = SHORTEST_PAUSE
        while True:
            begin = time.monotonic()
            how = self._process.wait()
            if self._closing.is_set():
                return
            self._end = f"{self._name} {how}; it said: {self._process.last_words}"
            self._troubles.put(f"{self._end} (it is started again)")
            lived = time.monotonic() - begin
            pause = SHORTEST_PAUSE if lived > SETTLED else min(2 * pause, LONGEST_PAUSE)
            self._closing.wait(pause)
            with self._lock:
                if self._closing.is_set():
                    return
                self._process = GuardedProcess(self._command)


class Programs:
    """The programs of all entrants that have a command. Listening once this has been made.

    Args:
        entrants: All entrants.

    Raises:
        ProgramError: If one does not start.
    """

    def __init__(self, entrants: Iterable[Entrant]) -> None:
        self._troubles: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._programs: dict[str, Program] = {}
        try:
            for entrant in entrants:
                if isinstance(entrant, EndpointEntrant) and entrant.command is not None:
                    program = Program(entrant.name, entrant.command, self._troubles)
                    self._programs[entrant.name] = program
            for program in self._programs.values():
                program.wait_until_it_listens()
        except BaseException:
            self.close()
            raise

    def address_of(self, name: str) -> str | None:
        """Where an entrant's program listens; None for one without a command."""
        program = self._programs.get(name)
        return None if program is None else program.address

    def take_troubles(self) -> list[str]:
        """What has gone wrong since this was asked last."""
        found = []
        while not self._troubles.empty():
            found.append(self._troubles.get())
        return found

    def close(self) -> None:
        """Ends them."""
        for program in self._programs.values():
            program.close()


def _free_port() -> int:
    """A port of the loopback interface that is free now. Others may take it, though few do."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
