"""Running the tools of other languages: what is missing is reported as skipped."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CLIENTS = ROOT / "clients"
LONGEST = 1800
"""Seconds for one step: a first build, on a machine that has more to do."""
_TELLING = {"go": "version"}
"""How a command is asked for its version, if not by --version."""


def need(*commands: str) -> None:
    """Skips the test if one of the commands is not on this machine."""
    for command in commands:
        if shutil.which(command, path=_path()) is None:
            pytest.skip(f"{command} is not installed")


def need_version(command: str, *least: int) -> None:
    """Skips the test if a command is missing, or older than a version."""
    need(command)
    said = _run([command, _TELLING.get(command, "--version")], ROOT, {})
    found = re.search(r"\d+(\.\d+)*", said.stdout + said.stderr)
    version = tuple(map(int, found[0].split("."))) if found else ()
    if version < least:
        wanted = ".".join(map(str, least))
        pytest.skip(f"{command} is {found[0] if found else 'unknown'}; this needs {wanted}")


def fetch(command: list[str], folder: Path) -> None:
    """Runs a step that needs the network; where it fails, the test is skipped."""
    done = _run(command, folder, {})
    if done.returncode:
        pytest.skip(f"`{' '.join(command)}` failed; no network? {done.stderr.strip()[-300:]}")


def run(command: list[str], folder: Path, **environment: str) -> str:
    """Runs a command that has to succeed; returns what it printed."""
    done = _run(command, folder, environment)
    assert done.returncode == 0, f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


def _run(
    command: list[str], folder: Path, environment: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        check=False,
        cwd=folder,
        timeout=LONGEST,
        capture_output=True,
        text=True,
        env=os.environ | {"PATH": _path()} | environment,
    )


def _path() -> str:
    """With the tools of this environment: buf, and protoc's plugins."""
    return f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
