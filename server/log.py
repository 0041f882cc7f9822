"""Log lines: structured, one a call, written by a thread of their own.

A log's reader may stall (a full pipe). Callers hand lines to a queue and go on; when the queue is
full, lines are dropped and counted, never waited for. Lines that come within a few milliseconds are
written together, since waking the thread costs more than a line does.
"""

from __future__ import annotations

import logging
import queue
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import TextIO

import structlog
from structlog.typing import FilteringBoundLogger, Processor

Logger = FilteringBoundLogger
_LONGEST_QUEUE = 10_000
_GATHERING = 0.01
"""For how many seconds lines are gathered."""


class LineWriter:
    """Writes lines to a stream from a thread, in order."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._dropped = 0
        self._thread = threading.Thread(target=self._write_all, name="adamas-log", daemon=True)
        self._thread.start()

    def msg(self, line: str) -> None:
        """Takes a line; structlog calls it by the name of the level."""
        if self._lines.qsize() < _LONGEST_QUEUE:
            self._lines.put(line)
        else:
            self._dropped += 1

    debug = info = warning = error = critical = exception = log = fatal = failure = err = msg

    def close(self, timeout: float = 2.0) -> None:
        """Writes what is queued, as far as the stream takes it in time."""
        self._lines.put(None)
        self._thread.join(timeout)

    def _write_all(self) -> None:
        ended = False
        while not ended:
            gathered = [self._lines.get()]
            time.sleep(_GATHERING)
            with suppress(queue.Empty):
                while True:
                    gathered.append(self._lines.get_nowait())
            ended = None in gathered
            self._write([line for line in gathered if line is not None])

    def _write(self, lines: list[str]) -> None:
        if self._dropped:
            lines.insert(0, f"({self._dropped} log lines dropped)")
            self._dropped = 0
        # A stream may be closed: nobody reads the log any more.
        with suppress(OSError, ValueError):
            self._stream.write("".join(f"{line}\n" for line in lines))
            self._stream.flush()


def make_logger(
    writer: LineWriter, log_format: str, log_level: str, processors: Sequence[Processor] = ()
) -> Logger:
    """A logger of its own, so that an embedding program's configuration is left alone.

    ``processors`` may add fields to a line.
    """
    renderer: Processor = structlog.processors.JSONRenderer(ensure_ascii=False)
    if log_format == "console":
        # Some fields are whatever a client has sent: a terminal must not act on it.
        renderer = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), repr_native_str=True)
    # Bound once: an unbound one makes another logger for each line.
    logger: Logger = structlog.wrap_logger(
        writer,
        processors=[
            *processors,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(log_level),
    ).bind()
    return logger


class Forwarder(logging.Handler):
    """Makes log records of libraries lines of ours."""

    def __init__(self, logger: Logger) -> None:
        super().__init__(logging.WARNING)
        self._logger = logger

    def emit(self, record: logging.LogRecord) -> None:
        """Takes a record."""
        log = self._logger.error if record.levelno >= logging.ERROR else self._logger.warning
        log(record.getMessage(), logger=record.name, exc_info=record.exc_info or None)
