"""Whole games on the page, by clicking."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.page.conftest import Meet

BOT = {"kind": "bot", "level": 1}
YOU = {"kind": "you", "name": "Ann"}
GAMES: dict[str, dict[str, Any]] = {
    "dao": {},
    "diamonds": {"roundCount": "DIAMONDS_ROUND_COUNT_FIXED", "fixedRounds": 2},
    "diams": {"rounds": "DIAMS_ROUNDS_QUICK"},
    "diamonds_club": {},
}
"""The shortest game of each title."""
ROUND_OF_EACH = {
    "diams": {"rounds": "DIAMS_ROUNDS_QUICK", "openSafes": True},
    "diamonds": {
        "roundCount": "DIAMONDS_ROUND_COUNT_FIXED",
        "fixedRounds": 1,
        "teams": True,
        "thiefToken": True,
    },
}


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_played_to_its_end_and_every_point_is_explained(meet: Meet, game: str) -> None:
    ann = meet()
    ann.sit({game: GAMES[game]}, [YOU, BOT], seed="5")
    ann.play()
    expect(ann.over.locator("h2")).not_to_be_empty()
    _sheets_add_up(ann.page, game)


@pytest.mark.parametrize("game", ROUND_OF_EACH)
def test_variants_are_played_too(meet: Meet, game: str) -> None:
    ann = meet()
    ann.sit({game: ROUND_OF_EACH[game]}, [YOU, BOT, BOT, BOT], seed="6")
    ann.play()
    _sheets_add_up(ann.page, game)


def _sheets_add_up(page: Any, game: str) -> None:
    """The lines of each sheet make its total."""
    sheets = page.locator(".sheet").all()
    assert len(sheets) > 1
    for sheet in sheets:
        texts = sheet.locator("td").all_inner_texts()
        *points, total = [int(text.replace("−", "-").replace(",", "")) for text in texts]
        assert sum(points) == total, game


def test_a_reload_in_the_middle_keeps_the_seat(meet: Meet) -> None:
    ann = meet()
    ann.enter()
    ann.choose("dao", 2)
    ann.start()
    ann.play(4)
    before = ann.page.locator(".log li").count()
    ann.page.reload()
    ann.play(2)
    assert ann.page.locator(".log li").count() >= before
    assert ann.page.locator(".plate.own").count() == 1


def test_hints_are_bars_with_reasons_and_can_be_played(meet: Meet) -> None:
    ann = meet()
    ann.sit({"dao": {}}, [YOU, BOT, BOT], seed="3")
    ann.page.locator("#tab-hint").click()
    ann.page.locator(".hint-head [data-focus=hint]").click()
    first = ann.page.locator(".candidates > li").first
    expect(first.locator(".bar-value").first).to_contain_text("%")
    expect(first.locator(".reason")).not_to_be_empty()
    turn = ann.ask("GET", f"tables/{ann.table}")["ply"]
    first.get_by_role("button").click()
    ann.page.locator(".board.mine .can").first.wait_for()
    assert ann.ask("GET", f"tables/{ann.table}")["ply"] > turn


def test_what_the_bot_knows_is_a_heat_map(meet: Meet) -> None:
    ann = meet()
    ann.sit({"diamonds": {}}, [YOU, BOT, BOT], seed="3")
    ann.page.locator("#tab-beliefs").click()
    rows = ann.page.locator(".heat tbody tr")
    expect(rows).to_have_count(50)  # of 60 cards the own hand holds 10
    for row in rows.all()[:3]:
        shares = [float(text.strip("%") or 0) for text in row.locator("td").all_inner_texts()]
        assert sum(shares) == pytest.approx(100, abs=2)


def test_three_cards_are_passed_step_by_step(meet: Meet) -> None:
    ann = meet()
    ann.sit({"diamonds": {}}, [YOU, BOT], seed="4")
    page = ann.page
    if page.locator(".dock .move").count() == 3:
        page.get_by_role("button", name="3 cards").click()
    page.locator(".hand button.can").first.wait_for()
    cards = page.locator(".hand button.card")
    count = int("".join(filter(str.isdigit, page.locator(".prompt").inner_text())))
    for at in range(count):
        expect(page.locator("[data-focus=confirm]")).to_have_count(0)
        cards.nth(at).click()
    expect(page.locator(".hand [aria-pressed=true]")).to_have_count(count)
    cards.nth(count).click()  # one more: the oldest is let go
    expect(cards.nth(0)).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".hand [aria-pressed=true]")).to_have_count(count)
    page.locator("[data-focus=confirm]").click()
    expect(page.locator(".hand button.card").first).to_be_enabled()
