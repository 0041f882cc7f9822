"""How threads of a worker share processors."""

from __future__ import annotations

import os
import platform
import re
import sys
import threading
from pathlib import Path

import pytest

from server.workers.turns import Turns

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="elsewhere threads have no priorities"
)


def kernel() -> tuple[int, ...]:
    """The version of Linux, or of what else this is."""
    return tuple(int(part) for part in re.findall(r"\d+", platform.release())[:2])


def after(turns: Turns) -> tuple[int, str]:
    """Niceness of a thread that takes such turns, beside its process's; how it is scheduled."""
    found: list[tuple[int, str]] = []

    def work() -> None:
        before = os.getpriority(os.PRIO_PROCESS, 0)
        turns.take()
        scheduled = Path(f"/proc/self/task/{threading.get_native_id()}/sched")
        text = scheduled.read_text("utf-8") if scheduled.exists() else ""
        found.append((os.getpriority(os.PRIO_PROCESS, 0) - before, text))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return found[0]


def test_a_thread_stands_back() -> None:
    assert after(Turns())[0] == 0
    room = 19 - os.getpriority(os.PRIO_PROCESS, 0)
    assert after(Turns(niceness=5))[0] == min(5, room)


def test_long_turns_change_nothing_about_the_niceness() -> None:
    room = 19 - os.getpriority(os.PRIO_PROCESS, 0)
    assert after(Turns(niceness=3, seconds=0.02))[0] == min(3, room)


@pytest.mark.skipif(kernel() < (6, 12), reason="threads can't ask for turns of some length")
def test_a_thread_asks_for_long_turns() -> None:
    nanoseconds = re.search(r"se\.slice +: +(\d+)", after(Turns(seconds=0.02))[1])
    if nanoseconds is None:
        pytest.skip("this kernel does not tell how long turns are")
    assert int(nanoseconds[1]) == 20_000_000
