"""What a host is started with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from adamas.review import ITERATIONS


@dataclass(frozen=True)
class Settings:
    """The settings.

    Attributes:
        server: Where the Adamas server is.
        tables: The file of all tables.
        tls: Whether to reach the server over TLS; None: if the client's environment says so.
        token: What the host shows the server; None: what the client's environment says.
        journal: A tournament's journal, whose games may be looked through; None: none.
        url: Where browsers reach the host, such as "https://play.example"; empty: at the address
            that it listens on.
        proxies: How many proxies in front of it each add an address to ``X-Forwarded-For``.
        patience: Seconds for which people wait for one who is not there, before a bot stands in.
        requests_per_second: How much one address may ask for; six times as much at once.
        review_iterations: How long a review searches each decision.
    """

    server: str
    tables: Path
    tls: bool | None = None
    token: str | None = None
    journal: Path | None = None
    url: str = ""
    proxies: int = 0
    patience: float = 120.0
    requests_per_second: float = 20.0
    review_iterations: int = ITERATIONS
