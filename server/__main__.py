"""The program: ``python -m server`` or ``adamas-server``."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import sys

from server.access.clients import InvalidClients
from server.app import start
from server.files import make_room
from server.log import Forwarder, LineWriter, make_logger
from server.settings import PROGRAM, Settings, read_settings
from server.telemetry.exporters import InvalidTelemetry


def main() -> None:
    """Runs a server until SIGTERM or Ctrl-C; a second signal ends it at once."""
    settings = read_settings()
    gc.disable()
    sys.exit(asyncio.run(_run(settings)))


async def _run(settings: Settings) -> int:
    """Returns the exit code."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, _on_signal, stop, number)
    writer = LineWriter(sys.stderr)
    logger = make_logger(writer, settings.log_format, settings.log_level)
    logging.basicConfig(level=logging.WARNING, handlers=[Forwarder(logger)])
    wanted = settings.max_connections * (1 if settings.web_port is None else 2)
    if (room := make_room(wanted)) < wanted:
        logger.warning("file limit", connections=room, wanted=wanted)
    starting = asyncio.create_task(start(settings, writer))
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait([starting, stopping], return_when=asyncio.FIRST_COMPLETED)
    if not starting.done():
        starting.cancel()
        await asyncio.wait([starting])
        return 0
    try:
        server = starting.result()
    except (OSError, InvalidClients, InvalidTelemetry) as error:
        stopping.cancel()
        print(f"{PROGRAM}: {error}", file=sys.stderr)  # noqa: T201  (the program's own output)
        return 1 if isinstance(error, OSError) else 2
    # What has been loaded stays. Looking through all of it for garbage stops everything for 60 ms.
    gc.freeze()
    gc.enable()
    loop.add_signal_handler(signal.SIGHUP, server.reload)
    await stopping
    await server.stop()
    return 0


def _on_signal(stop: asyncio.Event, number: int) -> None:
    if stop.is_set():
        os._exit(128 + number)
    stop.set()


if __name__ == "__main__":
    main()
