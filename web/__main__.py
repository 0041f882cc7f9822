"""`python -m web`: opens the tables, with a server of their own or with one that is there."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
from contextlib import nullcontext
from pathlib import Path

from adamas import AdamasError, AsyncClient
from web.host.journal import NoJournal
from web.host.own_server import ServerEnded, own_server
from web.host.serving import serving
from web.host.settings import Settings
from web.host.store import NoStore

_START = 600.0
"""Seconds until the server has to serve; one that was just installed compiles its rules first."""


def main() -> int:
    """Runs until SIGTERM or Ctrl-C."""
    arguments = _parser().parse_args()
    try:
        with nullcontext(arguments.server) if arguments.server else own_server() as server:
            settings = Settings(
                server=server,
                tables=arguments.tables,
                tls=arguments.tls,
                journal=arguments.journal,
                url=arguments.url.rstrip("/"),
                proxies=arguments.proxies,
            )
            asyncio.run(_run(settings, arguments.host, arguments.port))
    except (NoStore, NoJournal, ServerEnded, AdamasError, OSError, ValueError) as error:
        print(f"adamas: {error}", file=sys.stderr)
        return 1
    return 0


async def _run(settings: Settings, host: str, port: int) -> None:
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, ended.set)
    waiting = asyncio.create_task(ended.wait())
    serves = asyncio.create_task(_wait_for(settings))
    await asyncio.wait([waiting, serves], return_when=asyncio.FIRST_COMPLETED)
    if not serves.done():
        serves.cancel()
        return
    serves.result()
    async with serving(settings, host, port) as found:
        shown = "localhost" if host == "127.0.0.1" else host
        print(f"The tables are at {settings.url or f'http://{shown}:{found}'}/", flush=True)
        await ended.wait()


async def _wait_for(settings: Settings) -> None:
    async with AsyncClient(settings.server, tls=settings.tls, token=settings.token) as client:
        await client.wait_ready(_START)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m web", description=__doc__)
    add = parser.add_argument
    environment = os.environ.get
    add(
        "--server",
        metavar="HOST:PORT",
        default=environment("ADAMAS_SERVER", ""),
        help="the Adamas server to ask [ADAMAS_SERVER; without one, one is started]",
    )
    add("--tls", action="store_true", default=None, help="reach the server over TLS")
    add("--host", default="127.0.0.1", help="the address to listen on [%(default)s]")
    add("--port", type=int, default=8090, help="the port to listen on, 0 for any [%(default)s]")
    add(
        "--tables",
        type=Path,
        default=Path(environment("ADAMAS_TABLES", "build/web/tables.sqlite")),
        metavar="FILE",
        help="where tables are kept [ADAMAS_TABLES, or %(default)s]",
    )
    add("--journal", type=Path, metavar="FILE", help="a tournament whose games can be opened")
    add(
        "--url",
        default=environment("ADAMAS_WEB_URL", ""),
        help="where browsers reach it, such as https://play.example [ADAMAS_WEB_URL]",
    )
    add(
        "--proxies",
        type=int,
        default=0,
        help="how many proxies in front of it add to X-Forwarded-For [%(default)s]",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
