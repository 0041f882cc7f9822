"""Compiles the kernels of all games and of the search, with a progress bar.

``python -m search.warmup`` does it; the server does the same when it starts. What is compiled
already takes a glance at the cache. Games are compiled by processes of their own, one per core.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from engines.jit import CACHE_FOLDER, JIT_ENABLED
from engines.registry import game_ids

_ROOT: Final = Path(__file__).resolve().parent.parent
_COMPILED: Final = re.compile(r"^\s*@(entry\(|rule$|inlined_rule$)", re.MULTILINE)
_SEARCH: Final = "search.lines"
_DONE_MARK: Final = CACHE_FOLDER / "complete"


class CompileError(Exception):
    """A module did not compile."""


def units() -> tuple[str, ...]:
    """Modules that compile independently of one another, longest first."""
    return (*(f"engines.{game_id}" for game_id in reversed(game_ids())), _SEARCH)


def is_warm() -> bool:
    """Whether everything is compiled for the present sources, or nothing needs to be."""
    return not JIT_ENABLED or _DONE_MARK.exists()


def warm_up(console: Console | None = None) -> None:
    """Compiles what is not compiled yet; shows progress on the console, if one is given.

    Raises CompileError with the compiler's output if a module fails.
    """
    if is_warm():
        return
    if console is None:
        for _ in _compile_all():
            pass
    else:
        _compile_with_progress(console)
    _DONE_MARK.touch()


def _compile_with_progress(console: Console) -> None:
    functions = _count_functions()
    with Progress(
        TextColumn("Compiling the rules and the search (once)"),
        BarColumn(),
        TextColumn("{task.completed}/{task.total} functions"),
        TimeElapsedColumn(),
        console=console,
    ) as progress:
        task = progress.add_task("", total=functions)
        for _ in _compile_all():
            progress.update(task, completed=min(functions, _count_compiled()))
        progress.update(task, completed=functions)


def _compile_all() -> Iterator[None]:
    """Compiles all units in processes, one per core; yields a few times a second meanwhile."""
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        jobs = [pool.submit(_compile, unit) for unit in units()]
        while not all(job.done() for job in jobs):
            time.sleep(0.2)
            yield
    for job in jobs:
        job.result()


def _compile(unit: str) -> None:
    command = f"import {unit}"
    if unit != _SEARCH:
        command = f"from engines.rehearsal import rehearse; import {unit}; rehearse({unit}.GAME)"
    done = subprocess.run(  # noqa: S603  (our own interpreter, a module of our own list)
        [sys.executable, "-c", command],
        cwd=_ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise CompileError(f"{unit} did not compile:\n{done.stderr}")


def _count_functions() -> int:
    """How many functions there are to compile, by their decorators in the sources."""
    games = [_ROOT / "engines" / game_id for game_id in game_ids()]
    return sum(
        len(_COMPILED.findall(path.read_text("utf-8")))
        for folder in (_ROOT / "search", _ROOT / "engines", *games)
        for path in folder.glob("*.py")
    )


def _count_compiled() -> int:
    return sum(1 for _ in CACHE_FOLDER.rglob("*.nbi"))


def main() -> None:
    """Compiles and says so; says nothing if everything is compiled."""
    console = Console(stderr=True)
    try:
        warm_up(console)
    except CompileError as error:
        console.print(str(error), markup=False)
        sys.exit(1)


if __name__ == "__main__":
    main()
