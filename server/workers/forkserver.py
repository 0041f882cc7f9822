"""The process that makes workers: it loads the compiled code once, then forks.

A fork has everything loaded within milliseconds and shares its memory until it writes to it. The
server itself must not fork, as its threads would not survive that; so this process stays without
threads and without gRPC. It is told what to do over a socket, one command at a time:

    load          compiled code is loaded; answered with "ready"
    fork LANES    comes with a socket, over which the new worker serves; answered with "pid PID"
    kill PID      ends a worker that has not ended yet; answered with "killed"

When a worker has ended, "exit PID STATUS" says so, with the status as the exit code or the negative
signal number. When the socket ends, the server has gone, and so do this process and the workers.
"""

from __future__ import annotations

import gc
import os
import selectors
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # importing it takes a while; see main
    from engines.contract import Game

_COMMAND_BYTES = 256
_ITERATIONS, _MEMORY_BYTES = 4096, 64 << 20
"""Of the first search: enough for a tree to grow its memory at least once."""
_OOM_SCORE_FILE = Path("/proc/self/oom_score_adj")
_OOM_SCORE = "500"
"""When memory runs out, Linux ends a worker rather than the server."""


def main() -> None:
    """Serves on the socket whose file descriptor is the first argument."""
    # Stopping is the server's business, even if a signal goes to the whole process group.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    # This import takes a while, and need not wait until the rules are compiled.
    import engines.contract  # noqa: F401

    with socket.socket(fileno=int(sys.argv[1])) as control:
        ForkServer(control).serve()


class ForkServer:
    """Carries out commands and reaps workers."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._workers: set[int] = set()

    def serve(self) -> None:
        """Returns when the server has gone."""
        bell, ringer = socket.socketpair()
        for end in (bell, ringer):
            end.setblocking(False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(ringer.fileno(), warn_on_full_buffer=False)
        with selectors.DefaultSelector() as selector, bell, ringer:
            selector.register(self._control, selectors.EVENT_READ)
            selector.register(bell, selectors.EVENT_READ)
            while True:
                ready = {key.fileobj for key, _ in selector.select()}
                if bell in ready:
                    with suppress(BlockingIOError):
                        bell.recv(_COMMAND_BYTES)
                    self._reap()
                if self._control in ready:
                    data, sockets, _, _ = socket.recv_fds(self._control, _COMMAND_BYTES, 1)
                    if not data:
                        self._end_workers()
                        return
                    self._obey(data.decode().split(), sockets)

    def _obey(self, command: list[str], sockets: list[int]) -> None:
        name, *arguments = command
        if name == "load":
            _load()
            self._say("ready")
        elif name == "fork":
            pid = self._fork(socket.socket(fileno=sockets[0]), int(arguments[0]))
            self._say(f"pid {pid}")
        elif name == "kill":
            if (pid := int(arguments[0])) in self._workers:  # not reaped: the id is still its own
                os.kill(pid, signal.SIGKILL)
            self._say("killed")

    def _fork(self, connection: socket.socket, lanes: int) -> int:
        pid = os.fork()
        if pid == 0:
            try:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                self._control.close()
                _be_first_to_go()
                from server.workers.process import serve

                serve(connection, lanes)
                os._exit(0)
            finally:
                os._exit(1)
        connection.close()
        self._workers.add(pid)
        return pid

    def _reap(self) -> None:
        while self._workers:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            self._workers.discard(pid)
            self._say(f"exit {pid} {os.waitstatus_to_exitcode(status)}")

    def _end_workers(self) -> None:
        """Ends those that have not noticed by themselves that the server has gone."""
        for pid in self._workers:
            os.kill(pid, signal.SIGKILL)
        for pid in self._workers:
            os.waitpid(pid, 0)

    def _say(self, line: str) -> None:
        with suppress(OSError):  # the server has gone, which is noticed when reading
            self._control.sendall(f"{line}\n".encode())


def _load() -> None:
    """Loads the compiled code of everything, and keeps the garbage collector from unsharing it.

    The collector rests meanwhile: it would find nothing, again and again.
    """
    gc.disable()
    from server.loading import load_games
    from server.workers import process  # noqa: F401

    for game in load_games().values():
        _search_once(game)
    gc.collect()
    gc.freeze()
    gc.enable()


def _search_once(game: Game) -> None:
    """The first run of compiled code takes its time; workers have that behind them from birth."""
    from engines.events import new_log
    from engines.registry import options_message
    from search.search import Search

    row = game.codec.new_game(options_message(game.game_id), game.min_seats, 0, new_log())
    view = game.new_view()
    game.kernels.project(row, int(game.kernels.seat_to_move(row)), view)
    search = Search(game, view, seed=0, trees=1, memory_bytes=_MEMORY_BYTES)
    search.run(_ITERATIONS)
    search.result(1)


def _be_first_to_go() -> None:
    with suppress(OSError):  # elsewhere than on Linux
        _OOM_SCORE_FILE.write_text(_OOM_SCORE, "ascii")
