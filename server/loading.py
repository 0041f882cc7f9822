"""Gets the games ready in the process that answers calls, and in the one that workers come from."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress

from engines.contract import Game
from engines.rehearsal import rehearse

_STRIDE = 16
"""One position in so many is rehearsed at a start: what is compiled has only to be loaded."""


async def compile_games() -> None:
    """Compiles what is not compiled yet: takes minutes at the very first start.

    A process group of its own does it, which ends at once if this is cancelled: threads that wait
    for compilers would hold up the end of the server. Raises CompileError.
    """
    from search.warmup import CompileError, is_warm

    if is_warm():
        return
    compiler = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        "from search.warmup import warm_up; warm_up()",
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    try:
        _, output = await compiler.communicate()
    finally:
        with suppress(ProcessLookupError):  # all of them have ended
            os.killpg(compiler.pid, signal.SIGKILL)
    if compiler.returncode != 0:
        raise CompileError(output.decode("utf-8", "replace"))


def load_games() -> Mapping[str, Game]:
    """All games, ready to be read and worded without further delay. They must have been compiled.

    Takes a second or two, so it is meant for a thread of its own.
    """
    # Importing it compiles the games.
    from engines.registry import games

    loaded = games()
    for game in loaded.values():
        rehearse(game, _STRIDE)
    return loaded
