"""Puts the HTTP front together, starts it and stops it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from server.access.tls import Certificates
from server.calls.handling import Handling
from server.log import Logger
from server.services.offload import Offload
from server.settings import Settings
from server.web.application import Application
from server.web.endpoints import Endpoints, Offer
from server.web.listener import Listener


class WebFront:
    """Answers on a port of its own, if the settings name one."""

    def __init__(
        self,
        settings: Settings,
        guarded: Sequence[Offer],
        open_to_everybody: Sequence[Offer],
        calls: Handling,
        offload: Offload,
        logger: Logger,
    ) -> None:
        """Raises OSError, with a plain sentence, if the certificates can't be used."""
        self._settings = settings
        endpoints = Endpoints(calls, offload, settings.max_message_bytes)
        found: dict[str, Any] = {}
        for offer in guarded:
            found.update(endpoints.of(offer))
        for offer in open_to_everybody:
            found.update(endpoints.open_to_everybody(offer))
        self._listener = Listener(
            Application(found, calls, settings, logger),
            settings,
            Certificates(settings, logger).contexts() if settings.tls_cert else None,
            logger,
        )

    @property
    def port(self) -> int | None:
        """The port that it listens on, if it does."""
        return self._listener.port or None

    async def open(self) -> None:
        """Listens, if it is to; raises OSError if that is not possible."""
        if self._settings.web_port is not None:
            self._listener.open(self._settings.host, self._settings.web_port)

    async def stop(self, grace: float) -> None:
        """Stops listening, and drops what is left after some seconds."""
        await self._listener.stop(grace)
