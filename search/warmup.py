"""Compiles the kernels of all games and of the search, with a progress bar.

``python -m search.warmup`` does it; the server does the same when it starts. What is compiled
already takes a glance at the cache. Games are compiled by processes of their own, one per core.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from engines.jit import JIT_ENABLED
from engines.kernel_cache import (
    CacheUnusable,
    count_compiled,
    folder_of,
    is_complete,
    note_use,
    prepare_folder,
    remove_stale,
)
from engines.kernel_sources import COMMON, count_functions
from engines.registry import game_ids

_ROOT: Final = Path(__file__).resolve().parent.parent
_SEARCH: Final = "search"


class CompileError(Exception):
    """A module did not compile."""


def is_warm() -> bool:
    """Whether everything is compiled for the present sources, or nothing needs to be."""
    if not JIT_ENABLED:
        return True
    parts = _parts()
    for part in (COMMON, *parts):
        note_use(part)
    return all(map(is_complete, parts)) and folder_of(COMMON).is_dir()


def warm_up(console: Console | None = None) -> None:
    """Compiles what is not compiled yet; shows progress on the console, if one is given.

    Raises CompileError with the compiler's output if a part fails, and CacheUnusable if the result
    can't be kept.
    """
    if is_warm():
        return
    check_that_it_can_be_kept()
    missing = _parts()
    if folder_of(COMMON).is_dir():
        missing = [part for part in missing if not is_complete(part)]
    if console is None:
        for _ in _compile_all(missing):
            pass
    else:
        _compile_with_progress(missing, console)
    remove_stale()


def check_that_it_can_be_kept() -> None:
    """Raises CacheUnusable if what is compiled can't be kept."""
    prepare_folder(COMMON)


def _parts() -> list[str]:
    """What compiles independently, longest first."""
    return [*reversed(game_ids()), _SEARCH]


def _compile_with_progress(parts: Sequence[str], console: Console) -> None:
    functions = {part: count_functions(part) for part in (COMMON, *parts)}
    with Progress(
        TextColumn("Compiling the rules and the search (once)"),
        BarColumn(),
        TextColumn("{task.completed}/{task.total} functions"),
        TimeElapsedColumn(),
        console=console,
    ) as progress:
        total = sum(functions.values())
        task = progress.add_task("", total=total)
        for _ in _compile_all(parts):
            done = sum(min(number, count_compiled(part)) for part, number in functions.items())
            progress.update(task, completed=done)
        progress.update(task, completed=total)


def _compile_all(parts: Sequence[str]) -> Iterator[None]:
    """Compiles parts in processes, one per core; yields a few times a second meanwhile."""
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        jobs = [pool.submit(_compile, part) for part in parts]
        while not all(job.done() for job in jobs):
            time.sleep(0.2)
            yield
    for job in jobs:
        job.result()


def _compile(part: str) -> None:
    work = "import search.lines"
    if part != _SEARCH:
        work = f"from engines.rehearsal import rehearse; rehearse(game({part!r}))"
    command = f"""if True:
        from search.warmup import end_with_input
        end_with_input()
        from engines.kernel_cache import mark_complete
        from engines.registry import game
        {work}
        mark_complete({part!r})
    """
    with subprocess.Popen(  # noqa: S603  (our own interpreter, a part of our own list)
        [sys.executable, "-c", command],
        cwd=_ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as compiler:
        # communicate() would close its input, which ends it.
        output = compiler.stdout.read() if compiler.stdout else ""
    if compiler.returncode != 0:
        raise CompileError(f"{part} did not compile:\n{output}")


def end_with_input() -> None:
    """Ends this process when its standard input does, as when whoever started it was killed."""
    threading.Thread(target=_wait_and_end, name="adamas-end", daemon=True).start()


def _wait_and_end() -> None:
    with suppress(OSError):
        os.read(sys.stdin.fileno(), 1)
    os._exit(1)


def main() -> None:
    """Compiles and says so; says nothing if everything is compiled."""
    console = Console(stderr=True)
    try:
        warm_up(console)
    except (CompileError, CacheUnusable) as error:
        console.print(str(error), markup=False)
        sys.exit(1)


if __name__ == "__main__":
    main()
