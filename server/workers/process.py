"""Inside a worker: searches, run in slices on one thread a core.

A worker decides nothing about whose turn it is; it does what it is told and answers. Opening and
advising have threads of their own, so that they wait for no slice; advice at length has another, so
that nothing short waits for it. So have slices that nobody waits for: theirs have less priority, so
that a hint has the processors at once.
"""

from __future__ import annotations

import socket
import sys
import threading
import time
import traceback
from contextlib import suppress
from typing import Any

from adamas.v1 import advisor_service_pb2 as pb
from engines.registry import games
from engines.violations import InvalidMessage
from server.requests.messages import Reader
from server.workers.case import Case
from server.workers.lanes import Lanes
from server.workers.messages import (
    Advise,
    Close,
    Failed,
    Invalid,
    Open,
    Opened,
    Question,
    Ran,
    Request,
    Slice,
    Stop,
    encode,
    receive,
)

_NICENESS, _BACKGROUND_NICENESS = 5, 12
"""Five to one on Linux; what fairness gives background searches beyond that, they get by having
more slices."""
_DESKS = 2
"""Threads for opening and advising."""
_LONGEST_AHEAD = 0.005
"""Seconds that a search goes on at the desk, where it holds up others."""
_FEW_CANDIDATES = 16
"""With more, an answer is made up at a desk, and not in the turn of a search."""
_NO_TIME = 0.0002
"""Seconds in which nothing more is done."""
_SWITCH_INTERVAL = 0.001
"""How long a thread may keep the interpreter lock while another wants it, in seconds."""


def serve(connection: socket.socket, lanes: int) -> None:
    """Answers requests until the other end closes; runs up to ``lanes`` slices at a time."""
    sys.setswitchinterval(min(sys.getswitchinterval(), _SWITCH_INTERVAL))
    _Host(connection, lanes).serve()


class _Host:
    """The searches of one worker and the threads that run them."""

    def __init__(self, connection: socket.socket, lanes: int) -> None:
        self._connection = connection
        self._sending = threading.Lock()
        self._reader = Reader(games())
        self._cases: dict[int, Case] = {}
        self._desk = Lanes(_DESKS, "adamas-desk", 0, self._answer)
        self._long_desk = Lanes(1, "adamas-long-desk", 0, self._answer)
        self._foreground = Lanes(lanes, "adamas-search", _NICENESS, self._answer)
        self._background = Lanes(lanes, "adamas-background", _BACKGROUND_NICENESS, self._answer)

    def serve(self) -> None:
        """Handles requests until the connection ends."""
        with self._connection.makefile("rb") as stream:
            for number, request in receive(stream):
                self._begin(number, request)
        for lanes in (self._desk, self._long_desk, self._foreground, self._background):
            lanes.close()

    def _begin(self, number: int, request: Request) -> None:
        if isinstance(request, Slice):
            lanes = self._background if request.background else self._foreground
            lanes.put(number, request)
        elif isinstance(request, Stop):
            if request.search in self._cases:
                self._cases[request.search].stop()
        elif isinstance(request, Close):
            self._cases.pop(request.search, None)
        elif isinstance(request, Advise) and request.at_length:
            self._long_desk.put(number, request)
        else:
            self._desk.put(number, request)

    def _answer(self, number: int, request: Question) -> None:
        answer: Any
        try:
            if isinstance(request, Slice):
                answer = self._run(request)
            elif isinstance(request, Open):
                answer = self._open(request)
            else:
                reason = pb.StopReason.ValueType(request.stop_reason)
                answer = self._cases[request.search].advise(reason, request.candidates)
        except Exception:
            answer = Failed(traceback.format_exc())
        # If the server is gone, reading ends too, and that ends the worker.
        with suppress(OSError), self._sending:
            self._connection.sendall(encode(number, answer))

    def _run(self, request: Slice) -> Ran:
        used = time.thread_time()
        tree = self._cases[request.search].trees[request.tree]
        tree.run_slice(request.seconds, request.until)
        return Ran(time.thread_time() - used, () if tree.done else (request.tree,))

    def _open(self, request: Open) -> Opened | Invalid:
        begin = time.thread_time()
        try:
            case = Case(self._reader, request.task)
        except InvalidMessage as error:
            return Invalid(tuple(error.violations))
        self._cases[request.search] = case
        opened = time.thread_time()
        case.run_ahead(_LONGEST_AHEAD, request.until)
        ran = time.thread_time() - opened
        reason = _end(case, request)
        advised = None
        if reason is not None and min(case.moves, request.task.candidates) <= _FEW_CANDIDATES:
            advised = case.advise(reason, request.task.candidates)
            del self._cases[request.search]
        left = case.left if advised is None else ()
        used = time.thread_time() - begin
        return Opened(case.game_id, case.seat, case.moves, left, used, ran, advised)


def _end(case: Case, request: Open) -> pb.StopReason.ValueType | None:
    """What has ended a search that has just been opened; None if it goes on."""
    if case.forced:
        return pb.STOP_REASON_SINGLE_MOVE
    if not case.left:
        return pb.STOP_REASON_ITERATIONS
    if request.late_reason and time.monotonic() >= request.until - _NO_TIME:
        return pb.StopReason.ValueType(request.late_reason)
    return None
