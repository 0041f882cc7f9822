"""What a server's processes use: processor time, threads and memory, all of them together."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

import psutil

_GONE = (psutil.NoSuchProcess, psutil.AccessDenied, FileNotFoundError, ProcessLookupError)


class Processes:
    """A server process and all that it has started."""

    def __init__(self, pid: int) -> None:
        self._main = psutil.Process(pid)

    def all(self) -> list[psutil.Process]:
        """The processes that live now, the first one first."""
        with suppress(psutil.NoSuchProcess):
            return [self._main, *self._main.children(recursive=True)]
        return []

    def workers(self) -> list[psutil.Process]:
        """The processes that search for the server, if it has any: those that started no others."""
        started = self.all()[1:]
        parents = {process.ppid() for process in started}
        return [process for process in started if process.pid not in parents]

    def resident_mib(self) -> float:
        """Resident memory in MiB. Pages that processes share count once for each."""
        total = 0
        for process in self.all():
            with suppress(*_GONE):
                total += process.memory_info().rss
        return total / (1 << 20)

    def threads(self) -> int:
        """How many threads there are."""
        total = 0
        for process in self.all():
            with suppress(*_GONE):
                total += process.num_threads()
        return total

    def processor_seconds(self) -> float:
        """Processor time of all living threads, in seconds.

        From the kernel's scheduler statistics, which count nanoseconds; the times that psutil
        reads are counted in ticks of ten milliseconds.
        """
        total = 0
        for process in self.all():
            for file in Path(f"/proc/{process.pid}/task").glob("*/schedstat"):
                with suppress(*_GONE):
                    total += int(file.read_text("ascii").split()[0])
        return total / 1e9

    def load(self, seconds: float) -> float:
        """Processors kept busy on average while this waits."""
        before, begin = self.processor_seconds(), time.monotonic()
        time.sleep(seconds)
        return (self.processor_seconds() - before) / (time.monotonic() - begin)
