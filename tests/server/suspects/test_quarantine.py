"""Which searches are tried alone after the death of a worker, and which are refused."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from typing import Any

import pytest

from adamas.v1 import advisor_service_pb2 as pb
from server.log import LineWriter, make_logger
from server.suspects.fingerprints import Fingerprints
from server.suspects.quarantine import (
    KILLED_TOO_OFTEN,
    MOST_RECORDS,
    MOST_TRIALS,
    MOST_TRIALS_ALIKE,
    REFUSAL,
    SUSPICION,
    Quarantine,
    Quarantined,
    Trial,
)
from server.telemetry.metrics import Gauge, Metrics
from server.workers.ending import Ending
from tests.server.positions import Memory, limits

CRASHED = Ending(-signal.SIGSEGV)
KILLED = Ending(-signal.SIGKILL)
HUNG = Ending(-signal.SIGKILL, hung=True)
UNKNOWN = Ending(None)


class Ward(Metrics):
    """A quarantine with a clock that the test sets, and what it tells."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.gauges: dict[Gauge, Callable[[], float]] = {}
        self.log = Memory()
        self.writer = LineWriter(self.log)
        logger = make_logger(self.writer, "json", "info")
        self.quarantine = Quarantine(logger, self, lambda: self.now)

    def observe(self, gauge: Gauge, read: Callable[[], float]) -> None:
        self.gauges[gauge] = read

    def figures(self) -> tuple[float, float]:
        """How many suspects there are, and how many searches that are refused."""
        return (
            self.gauges[Gauge.SUSPECTED_SEARCHES](),
            self.gauges[Gauge.QUARANTINED_SEARCHES](),
        )

    def lines(self) -> list[dict[str, Any]]:
        """All log lines; there are no more afterwards."""
        self.writer.close()
        return self.log.lines()

    async def trial(self, fingerprint: str) -> Trial:
        """The trial of a suspect, for which there is a place."""
        async with asyncio.timeout(20):
            found = await self.quarantine.admit(fingerprint)
        assert found is not None, "it is tried alone"
        return found

    async def is_free(self, fingerprint: str) -> bool:
        """Whether a search may run beside others."""
        async with asyncio.timeout(20):
            found = await self.quarantine.admit(fingerprint)
        if found is not None:
            found.end()
        return found is None


@pytest.fixture
def ward() -> Ward:
    return Ward()


async def test_who_was_in_no_dead_worker_runs_beside_others(ward: Ward) -> None:
    ward.quarantine.suspect(["other"])
    assert await ward.is_free("innocent")


async def test_whoever_was_in_a_dead_worker_is_tried_alone_and_cleared_by_an_answer(
    ward: Ward,
) -> None:
    ward.quarantine.suspect(["one", "two"])
    assert ward.figures() == (2, 0)
    trial = await ward.trial("one")
    trial.survived()
    trial.end()
    assert await ward.is_free("one")
    assert not await ward.is_free("two")
    assert ward.figures() == (1, 0)


@pytest.mark.parametrize("ending", [CRASHED, HUNG, Ending(1)])
async def test_whoever_ends_its_own_worker_is_refused(ward: Ward, ending: Ending) -> None:
    ward.quarantine.suspect(["culprit", "innocent"])
    (await ward.trial("culprit")).end(ending)
    for _ in range(2):
        with pytest.raises(Quarantined) as refusal:
            await ward.quarantine.admit("culprit")
        assert refusal.value.fingerprint == "culprit"
        assert refusal.value.seconds == REFUSAL
    assert not await ward.is_free("innocent")
    assert ward.figures() == (1, 1)


async def test_a_refusal_ends_and_leaves_a_suspect(ward: Ward) -> None:
    ward.quarantine.suspect(["culprit"])
    (await ward.trial("culprit")).end(CRASHED)
    ward.now += REFUSAL - 1
    with pytest.raises(Quarantined) as refusal:
        ward.quarantine.check("culprit")
    assert refusal.value.seconds == pytest.approx(1)
    ward.now += 1
    assert ward.figures() == (1, 0)
    (await ward.trial("culprit")).end(CRASHED)
    with pytest.raises(Quarantined):
        ward.quarantine.check("culprit")


async def test_a_suspicion_is_forgotten(ward: Ward) -> None:
    ward.quarantine.suspect(["one"])
    ward.now += SUSPICION / 2
    ward.quarantine.suspect(["one"])
    ward.now += SUSPICION - 1
    assert not await ward.is_free("one")
    ward.now += 1
    assert await ward.is_free("one")
    assert ward.figures() == (0, 0)


async def test_a_trial_that_is_given_up_proves_nothing(ward: Ward) -> None:
    ward.quarantine.suspect(["one"])
    for _ in range(10):
        (await ward.trial("one")).end()
    assert ward.figures() == (1, 0)


@pytest.mark.parametrize("ending", [KILLED, UNKNOWN])
async def test_a_worker_that_was_killed_from_outside_proves_nothing_at_first(
    ward: Ward, ending: Ending
) -> None:
    for _ in range(10):
        ward.quarantine.suspect(["one"])
    for _ in range(KILLED_TOO_OFTEN - 1):
        (await ward.trial("one")).end(ending)
        ward.quarantine.check("one")
    (await ward.trial("one")).end(ending)
    with pytest.raises(Quarantined):
        ward.quarantine.check("one")


async def test_an_answer_does_not_clear_whoever_ends_its_own_worker_meanwhile(ward: Ward) -> None:
    ward.quarantine.suspect(["one"])
    first, second = await ward.trial("one"), await ward.trial("one")
    first.survived()
    first.end()
    second.end(CRASHED)
    with pytest.raises(Quarantined):
        ward.quarantine.check("one")


async def test_trials_wait_for_a_place(ward: Ward) -> None:
    names = [f"suspect {number}" for number in range(MOST_TRIALS + 1)]
    ward.quarantine.suspect(names)
    trials = [await ward.trial(name) for name in names[:-1]]
    last = asyncio.create_task(ward.trial(names[-1]))
    await asyncio.sleep(0.01)
    assert not last.done()
    assert await ward.is_free("innocent"), "others don't wait"
    trials[3].end()
    (await last).end()


async def test_one_search_does_not_take_all_places(ward: Ward) -> None:
    ward.quarantine.suspect(["often", "other"])
    trials = [await ward.trial("often") for _ in range(MOST_TRIALS_ALIKE)]
    waiting = asyncio.create_task(ward.quarantine.admit("often"))
    (await ward.trial("other")).end()
    await asyncio.sleep(0.01)
    assert not waiting.done()
    trials[0].survived()
    assert await waiting is None, "it need not be tried any more"


async def test_whoever_waits_for_a_place_hears_of_the_refusal(ward: Ward) -> None:
    ward.quarantine.suspect(["culprit"])
    trials = [await ward.trial("culprit") for _ in range(MOST_TRIALS_ALIKE)]
    waiting = [asyncio.create_task(ward.quarantine.admit("culprit")) for _ in range(3)]
    await asyncio.sleep(0.01)
    trials[0].end(CRASHED)
    for task in waiting:
        with pytest.raises(Quarantined):
            await task


async def test_records_are_bounded_and_those_that_are_refused_stay_longest(ward: Ward) -> None:
    ward.quarantine.suspect(["culprit"])
    (await ward.trial("culprit")).end(CRASHED)
    for number in range(MOST_RECORDS):
        ward.now += 0.001
        ward.quarantine.suspect([str(number)])
    assert ward.figures() == (MOST_RECORDS - 1, 1)
    assert await ward.is_free("0")
    assert not await ward.is_free("1")


async def test_all_is_logged(ward: Ward) -> None:
    ward.quarantine.suspect(["one", "two"])
    trial = await ward.trial("one")
    trial.survived()
    trial.end()
    (await ward.trial("two")).end(CRASHED)
    events = [(line["event"], line["fingerprint"]) for line in ward.lines()]
    assert events == [
        ("search suspected", "one"),
        ("search suspected", "two"),
        ("search cleared", "one"),
        ("search quarantined", "two"),
    ]
    last = ward.log.lines()[-1]
    assert last["signal"] == "SIGSEGV"
    assert last["deaths"] == 2
    assert last["seconds"] == REFUSAL


def asked(**fields: Any) -> pb.SearchQuery:
    found = pb.SearchQuery(**fields)
    found.view.dao.seat = 1
    return found


class TestFingerprints:
    """What a fingerprint is made of."""

    known = Fingerprints()

    @pytest.mark.parametrize(
        "again",
        [
            asked(language="zh-TW"),
            asked(priority=pb.PRIORITY_BACKGROUND),
            asked(player=pb.PLAYER_SEARCH),
            asked(limits=limits(time=0.5)),
        ],
    )
    def test_it_stays_the_same_when_a_search_is_tried_again(self, again: pb.SearchQuery) -> None:
        assert self.known.of(again) == self.known.of(asked())

    @pytest.mark.parametrize(
        "other",
        [
            pb.SearchQuery(),
            asked(limits=limits(50)),
            asked(candidates=3),
            asked(trees=1),
            asked(seed=0),
            asked(level=1),
            asked(target_rating=0.0),
        ],
    )
    def test_another_search_has_another_one(self, other: pb.SearchQuery) -> None:
        assert self.known.of(other) != self.known.of(asked())

    def test_a_query_stays_as_it_is(self) -> None:
        query = asked(language="en", limits=limits(time=0.5))
        self.known.of(query)
        assert query == asked(language="en", limits=limits(time=0.5))

    def test_nobody_else_can_make_it(self) -> None:
        assert Fingerprints().of(asked()) != self.known.of(asked())
