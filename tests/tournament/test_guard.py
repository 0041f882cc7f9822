"""The guard: a command ends when its parent does, even if that is killed."""

import os
import signal
import subprocess
import sys
import time

import pytest

PARENT = """
import subprocess, sys, time
guard = subprocess.Popen(
    [sys.executable, "-m", "adamas_tournament.processes.guard", sys.executable, "-c",
     "import os, time; print(os.getpid(), flush=True); time.sleep(600)"],
    stdin=subprocess.PIPE, start_new_session=True,
)
time.sleep(600)
"""


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_command_ends_when_its_parent_is_killed() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        command = int(parent.stdout.readline())
        assert is_running(command)
        parent.send_signal(signal.SIGKILL)
    end = time.monotonic() + 60
    while is_running(command) and time.monotonic() < end:
        time.sleep(0.05)
    assert not is_running(command)


@pytest.mark.parametrize("code", [0, 7])
def test_the_exit_code_is_that_of_the_command(code: int) -> None:
    guard = [sys.executable, "-m", "adamas_tournament.processes.guard"]
    with subprocess.Popen(
        [*guard, sys.executable, "-c", f"exit({code})"], stdin=subprocess.PIPE
    ) as process:
        assert process.wait(60) == code
