"""A host that listens."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from hypercorn.asyncio import serve
from hypercorn.config import Config
from hypercorn.middleware import ProxyFixMiddleware

from web.host.app import application
from web.host.house import opened
from web.host.settings import Settings

_GRACE = 3.0
"""Seconds that answers on their way have when the host ends."""


@asynccontextmanager
async def serving(settings: Settings, address: str, port: int) -> AsyncIterator[int]:
    """A host while it listens; gives its port. Raises OSError, NoStore or NoJournal."""
    listener = socket.create_server((address, port))
    config = Config()
    found = int(listener.getsockname()[1])
    config.bind = [f"fd://{listener.detach()}"]  # it is Hypercorn's to close
    config.graceful_timeout = _GRACE
    config.accesslog = None
    config.errorlog = None
    config.include_server_header = False
    ending = asyncio.Event()
    async with opened(settings) as house:
        app: Any = application(house, settings)
        if settings.proxies:
            app = ProxyFixMiddleware(app, trusted_hops=settings.proxies)
        server = asyncio.create_task(serve(app, config, shutdown_trigger=ending.wait))
        try:
            yield found
        finally:
            house.close_streams()
            ending.set()
            await server
