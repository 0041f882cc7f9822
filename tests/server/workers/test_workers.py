"""A worker, and the server's end of the connection to it."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from adamas.v1 import advisor_service_pb2 as pb
from engines.events import new_log
from engines.jit import Row
from engines.registry import game, options_message
from engines.violations import InvalidMessage, Violation
from search import Search
from server.requests.messages import State, View
from server.workers import process
from server.workers.connection import SearchFailed, Worker, WorkerDied
from server.workers.messages import (
    Advise,
    Advised,
    Close,
    Decoder,
    Failed,
    Invalid,
    Open,
    Opened,
    Ran,
    Slice,
    Stop,
    Task,
    encode,
    receive,
)
from server.workers.process import serve
from server.workers.search import RemoteSearch

DAO = game("dao")


def dao_view() -> Row:
    """The first seat's view of a new game."""
    row = DAO.codec.new_game(options_message("dao"), 2, 1, new_log())
    view = DAO.new_view()
    DAO.kernels.project(row, int(DAO.kernels.seat_to_move(row)), view)
    return view


class Line:
    """The server's end of a connection to a worker."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._stream = connection.makefile("rb")
        self._answers = receive(self._stream)
        self._number = 0

    def tell(self, request: Any) -> None:
        self._number += 1
        self._connection.sendall(encode(self._number, request))

    def ask(self, request: Any) -> Any:
        self.tell(request)
        number, answer = next(self._answers)
        assert number == self._number
        return answer

    def answer(self) -> Any:
        """To a request that was told before."""
        return next(self._answers)[1]

    def close(self) -> None:
        self._stream.close()
        self._connection.close()


@pytest.fixture
def line() -> Iterator[Line]:
    """A connection to a worker that runs in a thread of this process."""
    ours, theirs = socket.socketpair()
    thread = threading.Thread(target=serve, args=(theirs, 2))
    thread.start()
    found = Line(ours)
    yield found
    found.close()
    thread.join(10)
    assert not thread.is_alive()
    theirs.close()


def task(iterations: int | None = None, trees: int = 2, **query: Any) -> Task:
    """Five candidates for the view, unless another position is given."""
    asked = pb.SearchQuery(**query or {"view": View(DAO, dao_view()).message()})
    return Task(
        query=asked.SerializeToString(),
        language="en",
        candidates=5,
        seed=5,
        trees=trees,
        memory_bytes=64 << 20,
        started=time.monotonic(),
        iterations=iterations,
    )


def opening(iterations: int | None = None, trees: int = 2, **query: Any) -> Open:
    """Nothing is run beyond the first iterations."""
    return Open(7, task(iterations, trees, **query), 0.0)


def advice(line: Line) -> pb.Advice:
    """What the search has found so far."""
    answer = line.ask(Advise(7, pb.STOP_REASON_TIME, 5, False))
    assert isinstance(answer, Advised)
    assert answer.seconds > 0
    return pb.Advice.FromString(answer.advice)


def test_slices_of_a_worker_find_what_the_search_finds(line: Line) -> None:
    opened = line.ask(opening(iterations=3001))
    assert isinstance(opened, Opened)
    assert opened.trees == (0, 1)
    ends: set[int] = set()
    while len(ends) < 2:
        for tree in {0, 1} - ends:
            ran = line.ask(Slice(7, tree, 0.002, time.monotonic() + 5, False))
            assert isinstance(ran, Ran)
            if not ran.trees:
                ends.add(tree)
    found = advice(line)
    search = Search(DAO, dao_view(), seed=5, trees=2, memory_bytes=64 << 20)
    search.run(3001)
    expected = search.result(5)
    assert found.search.iterations == expected.iterations == 3001
    assert [(c.visits, c.win_probability) for c in found.candidates] == [
        (c.figures.visits, c.figures.win_probability) for c in expected.candidates
    ]
    assert opened.moves == found.legal_moves == expected.legal_moves
    assert (opened.game_id, opened.seat) == ("dao", DAO.codec.viewing_seat(dao_view()))


def test_opening_runs_an_iteration_of_each_tree(line: Line) -> None:
    line.ask(opening(trees=3))
    assert advice(line).search.iterations == 3


def test_a_search_that_is_over_when_opened_is_answered_at_once_and_closed(line: Line) -> None:
    limits = {1: 0.0, 20: 5.0}
    for iterations, seconds in limits.items():
        asked = opening(iterations, trees=1)._replace(until=time.monotonic() + seconds)
        opened = line.ask(asked)
        assert opened.trees == ()
        found = pb.Advice.FromString(opened.advised.advice)
        assert found.search.iterations == iterations
        assert found.search.stop_reason == pb.STOP_REASON_ITERATIONS
        search = Search(DAO, dao_view(), seed=5, trees=1, memory_bytes=64 << 20)
        search.run(iterations)
        assert [c.visits for c in found.candidates] == [
            c.figures.visits for c in search.result(5).candidates
        ]
        assert isinstance(line.ask(Advise(7, pb.STOP_REASON_TIME, 5, False)), Failed)


def test_what_only_time_ends_waits_for_its_turn(line: Line) -> None:
    opened = line.ask(opening(trees=1)._replace(until=time.monotonic() + 5.0))
    assert opened.trees == (0,)
    assert opened.advised is None
    assert advice(line).search.iterations == 1


def test_long_answers_are_not_made_up_in_the_turn_of_a_search(
    line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "_FEW_CANDIDATES", 1)
    opened = line.ask(opening(iterations=1, trees=1))
    assert (opened.trees, opened.advised) == ((), None)
    answer = line.ask(Advise(7, pb.STOP_REASON_ITERATIONS, 5, True))
    assert len(pb.Advice.FromString(answer.advice).candidates) == opened.moves == 2


def test_a_search_whose_time_is_over_when_it_is_opened_is_answered_at_once(line: Line) -> None:
    opened = line.ask(opening()._replace(late_reason=pb.STOP_REASON_DEADLINE))
    assert opened.trees == ()
    found = pb.Advice.FromString(opened.advised.advice)
    assert found.search.iterations == 2
    assert found.search.stop_reason == pb.STOP_REASON_DEADLINE


def test_figures_are_the_same_without_words_reasons_and_lines(line: Line) -> None:
    asked = opening(iterations=1, trees=1)
    full = pb.Advice.FromString(line.ask(asked).advised.advice)
    assert all(c.words and c.reason and c.principal_variation for c in full.candidates)
    bare = asked._replace(task=asked.task._replace(detail=pb.DETAIL_FIGURES))
    found = pb.Advice.FromString(line.ask(bare).advised.advice)
    for candidate in full.candidates:
        candidate.ClearField("words")
        candidate.ClearField("reason")
        candidate.ClearField("principal_variation")
    assert list(found.candidates) == list(full.candidates)


def test_a_slice_ends_on_time(line: Line) -> None:
    line.ask(opening())
    begin = time.monotonic()
    assert line.ask(Slice(7, 0, 60.0, begin + 0.05, False)).trees == (0,)
    assert time.monotonic() - begin >= 0.049
    before = advice(line).search.iterations
    line.ask(Slice(7, 0, 60.0, time.monotonic() - 1, False))
    assert advice(line).search.iterations == before


def test_a_slice_of_a_search_that_is_stopped_ends_at_once(line: Line) -> None:
    line.ask(opening())
    begin = time.monotonic()
    line.tell(Slice(7, 0, 60.0, begin + 60, False))
    line.tell(Stop(7))
    assert isinstance(line.answer(), Ran)
    assert time.monotonic() - begin < 30


def test_stopping_a_search_that_is_not_there_does_nothing(line: Line) -> None:
    line.tell(Stop(7))
    assert line.ask(opening()).trees == (0, 1)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere threads have no priorities")
def test_a_slice_that_nobody_waits_for_gives_way_to_others(line: Line) -> None:
    line.ask(opening())
    for background in (False, True):
        assert isinstance(line.ask(Slice(7, 0, 0.002, time.monotonic() + 5, background)), Ran)
    assert niceness("adamas-desk") < niceness("adamas-search") < niceness("adamas-background")


def niceness(thread_name: str) -> int:
    """Of the first running thread of that kind."""
    ids = [thread.native_id for thread in threading.enumerate() if thread_name in thread.name]
    assert ids[0] is not None
    return os.getpriority(os.PRIO_PROCESS, ids[0])


def test_a_failing_request_is_answered_with_its_traceback(line: Line) -> None:
    answer = line.ask(Advise(99, pb.STOP_REASON_TIME, 5, False))
    assert isinstance(answer, Failed)
    assert "KeyError" in answer.traceback
    assert line.ask(opening()).trees == (0, 1)


def test_a_position_that_makes_no_sense_is_answered_with_what_is_wrong(line: Line) -> None:
    view = View(DAO, dao_view()).message()
    view.dao.seat = 9
    answer = line.ask(opening(view=view))
    assert isinstance(answer, Invalid)
    assert [violation.field for violation in answer.violations] == ["query.view.dao.seat"]
    assert line.ask(opening()).trees == (0, 1)


def test_a_seat_that_is_not_to_move_has_nothing_to_search(line: Line) -> None:
    row = DAO.codec.new_game(options_message("dao"), 2, 1, new_log())
    other = 1 - int(DAO.kernels.seat_to_move(row))
    answer = line.ask(opening(view=State(DAO, row).view_of(other).message()))
    assert isinstance(answer, Invalid)
    assert "is not to move" in answer.violations[0].description


def test_a_closed_search_is_gone(line: Line) -> None:
    line.ask(opening())
    line.tell(Close(7))
    line.tell(Close(7))
    assert isinstance(line.ask(Advise(7, pb.STOP_REASON_TIME, 5, False)), Failed)
    assert isinstance(line.ask(Slice(7, 0, 0.01, time.monotonic() + 1, False)), Failed)


def test_messages_come_whole_however_they_are_cut() -> None:
    messages = [
        (1, Ran(0.5, ())),
        (2, Failed("x" * 1000)),
        (3, Opened("dao", 1, 4, (0, 1), 0.1, 0.0)),
    ]
    data = b"".join(encode(*message) for message in messages)
    for size in (1, 3, 7, 500, len(data)):
        decoder = Decoder()
        found = [m for i in range(0, len(data), size) for m in decoder.feed(data[i : i + size])]
        assert found == messages


class Peer:
    """A worker whose requests the test answers by hand."""

    def __init__(self) -> None:
        self.ours, self._theirs = socket.socketpair()
        self._stream = self._theirs.makefile("rb")
        self._requests = receive(self._stream)
        self.deaths: list[int] = []

    async def connect(self) -> Worker:
        return await Worker.connect(self.ours, 42, lambda worker: self.deaths.append(worker.pid))

    async def next(self) -> tuple[int, Any]:
        return await asyncio.to_thread(next, self._requests)

    def answer(self, number: int, answer: Any) -> None:
        self._theirs.sendall(encode(number, answer))

    def die(self) -> None:
        self._stream.close()
        self._theirs.close()


@pytest.fixture
def peer() -> Iterator[Peer]:
    found = Peer()
    yield found
    found.die()
    found.ours.close()


OPENED = Opened("dao", 0, 2, (0,), 0.1, 0.0)


async def test_a_search_lives_in_a_worker_from_open_to_close(peer: Peer) -> None:
    worker = await peer.connect()
    search = RemoteSearch(worker, task())
    assert worker.searches == 1
    opening = asyncio.create_task(search.open())
    number, request = await peer.next()
    peer.answer(number, OPENED)
    assert await opening == OPENED
    search.close()
    search.close()
    assert await peer.next() == (number + 1, Close(request.search))
    assert worker.searches == 0
    worker.close()


async def test_a_search_that_is_given_up_while_it_opens_is_closed_afterwards(peer: Peer) -> None:
    worker = await peer.connect()
    search = RemoteSearch(worker, task())
    opening = asyncio.create_task(search.open())
    number, request = await peer.next()
    opening.cancel()
    await asyncio.wait([opening])
    search.close()
    assert (await peer.next())[1] == Stop(request.search)
    peer.answer(number, OPENED)
    assert (await peer.next())[1] == Close(request.search)
    worker.close()


async def test_a_search_is_stopped_first_and_closed_when_its_slice_has_ended(peer: Peer) -> None:
    worker = await peer.connect()
    search = RemoteSearch(worker, task())
    answers: list[Any] = []
    search.run(0, 0.003, time.monotonic() + 1, answers.append)
    number, request = await peer.next()
    search.close()
    assert (await peer.next())[1] == Stop(request.search)
    peer.answer(number, Ran(0.003, (0,)))
    assert (await peer.next())[1] == Close(request.search)
    assert answers == [Ran(0.003, (0,))]
    worker.close()


async def test_the_death_of_a_worker_answers_all_that_it_was_asked(peer: Peer) -> None:
    worker = await peer.connect()
    search = RemoteSearch(worker, task())
    answers: list[Any] = []
    search.run(0, 0.003, time.monotonic() + 1, answers.append)
    opening = asyncio.create_task(search.open())
    await peer.next()
    peer.die()
    with pytest.raises(WorkerDied):
        await opening
    assert [type(answer) for answer in answers] == [WorkerDied]
    assert peer.deaths == [42]
    assert not worker.alive
    with pytest.raises(WorkerDied):
        await search.advise(pb.STOP_REASON_TIME, 5)


async def test_a_search_is_present_until_its_last_request_is_answered(peer: Peer) -> None:
    worker = await peer.connect()
    search, other = (RemoteSearch(worker, task(), fingerprint=name) for name in ("one", "two"))
    search.run(0, 0.003, time.monotonic() + 1, lambda _: None)
    number, _ = await peer.next()
    search.close()
    other.close()
    assert worker.present == ["one"], "it was given up, and may be what hangs"
    peer.answer(number, Ran(0.003, (0,)))
    await worker.settled()
    assert worker.present == []
    worker.close()


async def test_who_was_present_is_known_before_they_hear_of_the_death(peer: Peer) -> None:
    present: list[str] = []
    worker = await Worker.connect(peer.ours, 42, lambda dead: present.extend(dead.present))
    search = RemoteSearch(worker, task(), fingerprint="one")
    heard: list[list[str]] = []
    search.run(0, 0.003, time.monotonic() + 1, lambda _: heard.append(present.copy()))
    await peer.next()
    search.close()
    peer.die()
    await worker.settled()
    assert present == ["one"]
    assert heard == [["one"]]


async def test_nonsense_from_a_worker_is_its_death(peer: Peer) -> None:
    worker = await peer.connect()
    asking = asyncio.create_task(RemoteSearch(worker, task()).advise(pb.STOP_REASON_TIME, 5))
    await peer.next()
    peer._theirs.sendall(b"\0\0\0\3abc")
    with pytest.raises(WorkerDied):
        await asking


async def test_an_exception_in_a_worker_costs_the_request_only(peer: Peer) -> None:
    worker = await peer.connect()
    search = RemoteSearch(worker, task())
    asking = asyncio.create_task(search.advise(pb.STOP_REASON_TIME, 5))
    number, _ = await peer.next()
    peer.answer(number, Failed("ZeroDivisionError"))
    with pytest.raises(SearchFailed, match="ZeroDivisionError"):
        await asking
    assert worker.alive
    assert worker.longest_wait() == 0.0
    worker.close()


async def test_what_is_wrong_with_a_position_is_raised(peer: Peer) -> None:
    worker = await peer.connect()
    opening = asyncio.create_task(RemoteSearch(worker, task()).open())
    number, _ = await peer.next()
    peer.answer(number, Invalid((Violation("query.view.dao", "is odd"),)))
    with pytest.raises(InvalidMessage, match=r"query\.view\.dao: is odd"):
        await opening
    worker.close()
