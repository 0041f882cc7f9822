"""The server's side of the fork server: starts it, has workers made, hears of their end."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from server.settings import TOKENS_VARIABLE

_ENVIRONMENT = {
    # No threads: this process forks.
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    # Large arrays of trees are memory of their own, which goes back to the system when a search
    # ends. Smaller ones come from memory that stays, since getting it anew takes a short search a
    # third of its time; all threads share it, so that there is little of it.
    "MALLOC_MMAP_THRESHOLD_": f"{2 << 20}",
    "MALLOC_TRIM_THRESHOLD_": f"{8 << 20}",
    "MALLOC_ARENA_MAX": "1",
}
_PROGRAM = "from server.workers.forkserver import main; main()"
_GONE = "the fork server has ended"
_PATIENCE = 2.0
_LOOK_INTERVAL = 0.005


def environment_of_helpers() -> dict[str, str]:
    """For processes of the server's own: the same modules, and no secrets."""
    environment = {name: os.environ[name] for name in os.environ if name != TOKENS_VARIABLE}
    environment["PYTHONPATH"] = os.pathsep.join(entry or str(Path.cwd()) for entry in sys.path)
    return environment


class LauncherGone(Exception):
    """The fork server has ended."""


class Launcher:
    """One fork server process. All methods are for one event loop."""

    def __init__(self, process: subprocess.Popen[bytes], control: socket.socket) -> None:
        self._process = process
        self._control = control
        self._turn = asyncio.Lock()
        self._answer: asyncio.Future[str] | None = None
        self.gone = False
        """Whether the process has ended."""
        self._exits: dict[int, asyncio.Future[int]] = {}
        self._writer: asyncio.StreamWriter | None = None
        self._reading: asyncio.Task[None] | None = None

    @classmethod
    async def start(cls) -> Launcher:
        """Starts the process; ``load`` gets it ready to make workers."""
        ours, theirs = socket.socketpair()
        with theirs:
            process = subprocess.Popen(  # noqa: ASYNC220, S603  (returns at once; our own program)
                [sys.executable, "-c", _PROGRAM, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                process_group=0,  # a terminal's Ctrl-C is for the server
                env={**environment_of_helpers(), **_ENVIRONMENT},
            )
        ours.setblocking(False)
        found = cls(process, ours)
        reader, found._writer = await asyncio.open_connection(sock=ours.dup())
        found._reading = asyncio.create_task(found._read(reader))
        return found

    async def load(self) -> None:
        """Has the compiled code loaded, which must have been compiled before."""
        await self._ask("load")

    async def fork(self, lanes: int) -> tuple[socket.socket, int]:
        """A new worker: the socket to it, and its process id. Raises LauncherGone."""
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                answer = await self._ask(f"fork {lanes}", theirs.fileno())
        except BaseException:
            ours.close()
            raise
        return ours, int(answer)

    async def kill(self, pid: int) -> None:
        """Ends a worker, unless it has ended."""
        await self._ask(f"kill {pid}")

    async def ended(self, pid: int) -> int | None:
        """Waits for the end of a worker: its exit code or negative signal number, if it is known.

        To be asked once for each worker.
        """
        ending = self._exits.get(pid)
        if ending is None:
            return None
        await asyncio.wait([ending])
        self._exits.pop(pid, None)
        return None if ending.cancelled() else ending.result()

    async def close(self) -> None:
        """Ends the process, and with it all workers."""
        if self._writer is not None:
            self._writer.close()
        with suppress(OSError):  # it has ended already
            self._control.shutdown(socket.SHUT_RDWR)
        self._control.close()
        end = asyncio.get_running_loop().time() + _PATIENCE
        while self._process.poll() is None:
            if asyncio.get_running_loop().time() > end:
                self._process.kill()
            await asyncio.sleep(_LOOK_INTERVAL)
        if self._reading is not None:
            await self._reading

    async def _ask(self, command: str, *descriptors: int) -> str:
        """Sends a command and returns what is answered to it; one at a time.

        Raises LauncherGone. Whoever is cancelled here can do nothing but close the launcher.
        """
        async with self._turn:
            if self.gone:
                raise LauncherGone(_GONE)
            self._answer = asyncio.get_running_loop().create_future()
            try:
                socket.send_fds(self._control, [command.encode()], descriptors)
            except OSError as error:
                raise LauncherGone(_GONE) from error
            return await self._answer

    async def _read(self, reader: asyncio.StreamReader) -> None:
        """Takes what the fork server says, until it ends."""
        while line := (await reader.readline()).decode():
            kind, *numbers = line.split()
            if kind == "exit":
                self._exits[int(numbers[0])].set_result(int(numbers[1]))
                continue
            if kind == "pid":
                self._exits[int(numbers[0])] = asyncio.get_running_loop().create_future()
            if self._answer is not None and not self._answer.done():
                self._answer.set_result(numbers[0] if numbers else "")
        self.gone = True
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(LauncherGone(_GONE))
        for ending in self._exits.values():
            ending.cancel()  # unless it is known
