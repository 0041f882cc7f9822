"""Somebody who plays by clicking on the page."""

from __future__ import annotations

import random
import re
from typing import Any

from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as TooLate

PATIENCE = 60_000
"""Milliseconds that something on the page may take on a busy machine."""
_CHOICES = ".board .spot.can:enabled, .dock .move:enabled"
_CONFIRM = "[data-focus=confirm]:enabled"
_OVER = ".result"


class Person:
    """A browser of its own, and hands that click."""

    def __init__(self, page: Page, url: str, seed: int = 1) -> None:
        self.page = page
        self.url = url
        self.faults: list[str] = []
        self._random = random.Random(seed)
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", self._hear)

    def _hear(self, message: Any) -> None:
        # A host without a tournament's journal says so with 404, which browsers report as an error.
        if message.type == "error" and "/api/journal" not in message.location.get("url", ""):
            self.faults.append(message.text)

    def enter(self) -> None:
        """Opens the lobby."""
        self.page.goto(self.url)
        expect(self.page.locator(".new-table h1")).to_be_visible()

    def choose(self, game: str, seats: int, level: int = 1) -> None:
        """Chooses a game and who sits where: this person and bots."""
        self.page.locator(f".cover.{game}").click()
        count = self.page.locator(".seat-row")
        expect(self.page.locator(f"input[value={game}]")).to_be_checked()
        while (found := count.count()) != seats:
            self.page.locator(
                "[data-focus=more]" if found < seats else "[data-focus=fewer]"
            ).click()
            expect(count).not_to_have_count(found)
        for seat in range(1, seats):
            self.page.locator(f"[data-focus=level-{seat}]").select_option(str(level))

    def start(self) -> str:
        """Starts the game that was chosen; gives the table's id."""
        self.page.locator(".form-end button").click()
        self.page.wait_for_url(re.compile("#/tables/"))
        self.page.locator(".board .plate").first.wait_for()
        return self.table

    def sit(self, options: dict[str, Any], seats: list[dict[str, Any]], **more: Any) -> str:
        """Makes a table in one request, for tests that are not about the lobby."""
        found = self.ask("POST", "tables", {"options": options, "seats": seats, **more})
        self.go(found["id"])
        return str(found["id"])

    def go(self, table: str) -> None:
        """Opens a table."""
        self.page.goto(f"{self.url}#/tables/{table}")
        self.page.locator(".board .plate").first.wait_for()

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """What the host answers this browser."""
        return self.page.evaluate(
            """async ([method, path, body]) => {
              const headers = { "content-type": "application/json" };
              const sent = body === null ? undefined : JSON.stringify(body);
              const answer = await fetch(`/api/${path}`, { method, headers, body: sent });
              return answer.json();
            }""",
            [method, path, body],
        )

    @property
    def table(self) -> str:
        """The id of the table that is open."""
        return self.page.url.rsplit("/", 1)[1]

    @property
    def over(self) -> Locator:
        """The score sheets of the end."""
        return self.page.locator(_OVER)

    def play(self, decisions: int = 100_000) -> int:
        """Clicks until the game is over or so many clicks were made; gives how many."""
        made = 0
        while made < decisions:
            self.page.locator(f"{_OVER}, {_CHOICES}, {_CONFIRM}").first.wait_for()
            if self.over.count():
                break
            made += self._press()
        return made

    def _press(self) -> bool:
        """Presses one thing that can be pressed; false if it went away meanwhile."""
        confirm = self.page.locator(_CONFIRM)
        choices = self.page.locator(_CHOICES)
        try:
            if confirm.count():
                confirm.click(timeout=2_000)
            elif count := choices.count():
                choices.nth(self._random.randrange(count)).click(timeout=2_000)
            else:
                return False
        except TooLate:
            return False
        return True
