"""`adamas completion`."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.clients.command.scripts import Run


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_completion(shell: str, run: Run) -> None:
    assert run("completion", shell) == 0
    for word in ("review", "--iterations", "tournament"):
        assert word in run.out


def test_bash_takes_the_completion(run: Run, tmp_path: Path) -> None:
    assert run("completion", "bash") == 0
    script = tmp_path / "adamas.bash"
    script.write_text(run.out, encoding="utf-8")
    complete = (
        f"source {script}; COMP_WORDS=(adamas val); COMP_CWORD=1; "
        "$(complete -p adamas | sed 's/.*-F \\([^ ]*\\).*/\\1/') adamas val adamas; "
        'echo "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "-c", complete], check=True, capture_output=True, text=True, timeout=30
    )
    assert done.stdout.split() == ["validate"]


def test_completion_without_its_package(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert run("completion", "bash") == 2
    assert "needs the package shtab" in run.err
