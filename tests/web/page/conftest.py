"""Browsers, and a host whose bots do not dawdle."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.server.web.browser import chromium_or_skip
from tests.web.page.person import PATIENCE, Person
from web.host.bots import Bots
from web.host.table import Table

Meet = Callable[..., Person]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All of these are for `make test-web`."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session", autouse=True)
def _brisk() -> Iterator[None]:
    """Bots move at once where people play: their natural pace is for them."""

    paced = Bots._pause

    async def at_once(bots: Bots, table: Table, *rest: Any) -> bool:
        return await paced(bots, table, *rest) if table.bots_alone else True

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Bots, "_pause", at_once)
        yield


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Headless Chromium."""
    path = chromium_or_skip()
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        # It opens our own page only, and containers allow no sandbox.
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def url(port: int) -> str:
    """Where the page is."""
    return f"http://127.0.0.1:{port}/"


@pytest.fixture
def meet(browser: Browser, url: str) -> Iterator[Meet]:
    """Makes people, each with cookies of their own. None of them may see an error on the page."""
    people: list[Person] = []

    def make(seed: int = 1, **settings: Any) -> Person:
        context = browser.new_context(**{"locale": "en-GB", "reduced_motion": "reduce", **settings})
        person = Person(context.new_page(), url, seed)
        people.append(person)
        person.enter()
        return person

    yield make
    for person in people:
        person.page.context.close()
    assert [fault for person in people for fault in person.faults] == []


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """Where pictures go: ADAMAS_PICTURES, or away with the test."""
    folder = Path(os.environ.get("ADAMAS_PICTURES") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    return folder
