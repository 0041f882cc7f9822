"""Who is told what: the streams that browsers hold."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]


class Watcher:
    """One stream. A browser that reads slowly is told what is true when it reads, nothing older."""

    def __init__(self, browser: str, key: str | None) -> None:
        self.browser = browser
        self.key = key
        self._wake = asyncio.Event()
        self._news: dict[str, Json | None] = {"tables": None}
        if key is not None:
            self._news["table"] = None

    def tell(self, event: str, data: Json | None = None) -> None:
        """Notes that something is to be told; None: the stream finds out what when it is."""
        self._news.pop(event, None)  # it comes last, with what came last
        self._news[event] = data
        self._wake.set()

    async def news(self, patience: float) -> list[tuple[str, Json | None]]:
        """What is to be told; nothing if nothing has happened for so many seconds."""
        if not self._news:
            self._wake.clear()
            try:
                async with asyncio.timeout(patience):
                    await self._wake.wait()
            except TimeoutError:
                return []
        found = list(self._news.items())
        self._news.clear()
        return found


class Watchers:
    """All streams."""

    def __init__(self) -> None:
        self._all: set[Watcher] = set()
        self._present: Counter[str] = Counter()

    def add(self, watcher: Watcher) -> None:
        """A stream has been opened."""
        self._all.add(watcher)
        self._present[watcher.browser] += 1

    def remove(self, watcher: Watcher) -> None:
        """A stream has ended."""
        self._all.discard(watcher)
        self._present[watcher.browser] -= 1
        if not self._present[watcher.browser]:
            del self._present[watcher.browser]

    def present(self, browser: str) -> bool:
        """Whether a browser holds a stream."""
        return browser in self._present

    def watched(self, key: str) -> bool:
        """Whether somebody looks at a table."""
        return any(watcher.key == key for watcher in self._all)

    def of_table(self, key: str) -> Iterator[Watcher]:
        """Those who look at a table."""
        return (watcher for watcher in tuple(self._all) if watcher.key == key)

    def of_browser(self, browser: str) -> Iterator[Watcher]:
        """The streams of a browser."""
        return (watcher for watcher in tuple(self._all) if watcher.browser == browser)

    def wake_all(self) -> None:
        """Wakes every stream, so that it notices that the host is closing."""
        for watcher in tuple(self._all):
            watcher.tell("closing")
