"""Gets the games ready in the process that answers calls, and in the one that workers come from."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress

from engines.contract import Game
from engines.rehearsal import rehearse
from server.log import Logger
from server.workers.launcher import environment_of_helpers

_STRIDE = 16
"""One position in so many is rehearsed at a start: what is compiled has only to be loaded."""


def must_compile() -> bool:
    """Whether games have to be compiled first. Raises CacheUnusable if that couldn't be kept."""
    from search.warmup import check_that_it_can_be_kept, is_warm

    if is_warm():
        return False
    check_that_it_can_be_kept()
    return True


async def compile_games(logger: Logger) -> None:
    """Compiles what is not compiled yet: takes minutes at the very first start.

    A process group of its own does it, which ends at once if this is cancelled: threads that wait
    for compilers would hold up the end of the server. It also ends with the server, however that
    ends. Raises CompileError.
    """
    from search.warmup import CompileError

    logger.info("compiling", takes="a minute or two, once")
    ours, theirs = socket.socketpair()
    with ours, theirs:
        compiler = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            "from server.loading import compile_for_server; compile_for_server()",
            stdin=theirs.fileno(),
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
            env=environment_of_helpers(),
        )
        theirs.close()
        try:
            _, output = await compiler.communicate()
        finally:
            with suppress(ProcessLookupError):  # all of them have ended
                os.killpg(compiler.pid, signal.SIGKILL)
    if compiler.returncode != 0:
        raise CompileError(output.decode("utf-8", "replace"))


def compile_for_server() -> None:
    """Compiles in a process group of its own, which ends when standard input does.

    The server holds the other end of that, and even a killed one lets go of it.
    """
    from search.warmup import warm_up

    threading.Thread(target=_end_with_input, name="adamas-end", daemon=True).start()
    warm_up()


def _end_with_input() -> None:
    with suppress(ConnectionError):
        os.read(sys.stdin.fileno(), 1)
    os.killpg(os.getpid(), signal.SIGKILL)


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
