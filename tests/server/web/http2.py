"""A client of HTTP/2 that does as it is told, right or wrong."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping
from typing import Any

import h2.config
import h2.connection


class Http2:
    """One connection."""

    def __init__(self, connection: socket.socket) -> None:
        self.socket = connection
        configuration = h2.config.H2Configuration(
            validate_outbound_headers=False, normalize_outbound_headers=False
        )
        self.h2 = h2.connection.H2Connection(configuration)
        self.h2.initiate_connection()
        self.flush()

    def flush(self) -> None:
        self.socket.sendall(self.h2.data_to_send())

    def ask(self, path: str, *, end: bool = False, headers: Mapping[str, str] | None = None) -> int:
        stream = self.h2.get_next_available_stream_id()
        named = {
            ":method": "POST",
            ":scheme": "http",
            ":authority": "x",
            ":path": path,
            "content-type": "application/json",
            **(headers or {}),
        }
        self.h2.send_headers(stream, list(named.items()), end_stream=end)
        self.flush()
        return stream

    def events(self, until: Callable[[Any], bool]) -> Any:
        while True:
            data = self.socket.recv(65536)
            if not data:
                return None
            for event in self.h2.receive_data(data):
                if until(event):
                    return event
            self.flush()
