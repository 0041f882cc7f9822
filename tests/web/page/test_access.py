"""The page for everybody: axe, narrow windows, pictures of all rooms in light and dark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.web.page.conftest import Meet
from tests.web.page.person import Person

BOT = {"kind": "bot", "level": 1}
YOU = {"kind": "you", "name": "Ann"}
WIDE = {"width": 1360, "height": 860}
NARROW = {"width": 390, "height": 844}
SHOWN = [
    ("dao", 3, WIDE, "light", "en-GB"),
    ("diamonds", 4, WIDE, "dark", "en-GB"),
    ("diams", 3, NARROW, "light", "zh-TW"),
    ("diamonds_club", 4, NARROW, "dark", "en-GB"),
    ("diamonds_club", 4, WIDE, "light", "zh-TW"),
]
"""Each game, both widths, both themes and both languages."""


@pytest.mark.parametrize(("game", "seats", "size", "theme", "language"), SHOWN)
def test_a_table_has_no_violations_and_fits_the_window(
    meet: Meet,
    pictures: Path,
    game: str,
    seats: int,
    size: dict[str, int],
    theme: str,
    language: str,
) -> None:
    ann = meet(viewport=size, color_scheme=theme, locale=language)
    ann.sit({game: {}}, [YOU, *[BOT] * (seats - 1)], seed="12")
    ann.play(3)
    ann.page.locator(".board.mine").wait_for()
    _check(ann)
    name = f"{game}-{'narrow' if size is NARROW else 'wide'}-{theme}-{language[:2]}.png"
    ann.page.screenshot(path=pictures / name)
    ann.page.locator("#tab-hint").click()
    ann.page.locator(".hint-head [data-focus=hint]").click()
    ann.page.locator(".candidates > li").first.wait_for()
    ann.page.locator("#tab-people").click()
    _check(ann)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_lobby_has_no_violations_and_fits_a_phone(
    meet: Meet, pictures: Path, theme: str
) -> None:
    ann = meet(viewport=NARROW, color_scheme=theme)
    ann.page.locator(".options summary").click()
    _check(ann)
    ann.page.screenshot(path=pictures / f"lobby-narrow-{theme}.png")


def test_beliefs_the_end_and_the_review_have_no_violations(meet: Meet, pictures: Path) -> None:
    ann = meet(viewport=WIDE)
    ann.sit({"dao": {}}, [BOT, BOT], seed="9")
    ann.page.locator("#tab-beliefs").click()
    ann.page.locator(".heat").wait_for()
    _check(ann)
    ann.page.screenshot(path=pictures / "beliefs.png")
    ann.page.locator("[data-focus='speed-16']").click()
    ann.over.wait_for()
    ann.page.locator("[data-focus=to-review]").click()
    ann.page.locator(".curves .curve").first.wait_for()
    ann.page.locator(".review progress").wait_for(state="detached")
    _check(ann)
    ann.page.screenshot(path=pictures / "review.png")


def _check(person: Person) -> None:
    """No violation that axe finds, and nothing wider than the window."""
    found: Any = Axe().run(person.page)
    assert found.violations_count == 0, found.generate_report()
    wide = person.page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, f"{wide} px too wide"
