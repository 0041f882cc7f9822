"""Several people, at one table and at two; watching and looking back."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.web.page.conftest import Meet

BOT = {"kind": "bot", "level": 1}


def test_two_browsers_at_one_table(meet: Meet) -> None:
    ann, ben = meet(1), meet(2)
    you = {"kind": "you", "name": "Ann"}
    ann.sit({"dao": {}}, [you, {"kind": "open"}, BOT], seed="8")
    invitation = ann.ask("GET", f"tables/{ann.table}")["seats"][1]["invitation"]
    ben.page.goto(f"{ben.url}#/join/{ann.table}/{invitation}")
    ben.page.locator("#name").fill("<b>Ben</b>")
    ben.page.locator("form button").click()
    ben.page.locator(".board .plate.own").wait_for()
    expect(ann.page.locator(".plate[data-seat='1'] .plate-name")).to_contain_text("<b>Ben</b>")
    for _ in range(2):
        assert ann.play(1) == 1
        assert ben.play(1) == 1
    expect(ann.page.locator(".log")).to_contain_text("<b>Ben</b>")


def test_two_browsers_at_two_tables(meet: Meet) -> None:
    ann, ben = meet(1), meet(2)
    ann.sit({"dao": {}}, [{"kind": "you", "name": "Ann"}, BOT])
    ben.sit({"diams": {}}, [{"kind": "you", "name": "Ben"}, BOT])
    assert (ann.play(2), ben.play(2)) == (2, 2)
    assert ann.table != ben.table
    ben.page.goto(f"{ben.url}#/tables/{ann.table}")
    expect(ben.page.locator(".sorry")).to_be_visible()
    ben.faults.clear()  # the refusal


def test_bots_are_watched_and_the_game_reviewed(meet: Meet) -> None:
    ann = meet()
    page = ann.page
    ann.sit({"dao": {}}, [BOT, BOT], seed="9")
    page.locator("[data-focus='speed-16']").click()
    ann.over.wait_for()
    page.locator("[data-focus=to-review]").click()
    page.locator(".curves .curve").first.wait_for()
    expect(page.locator(".review progress")).to_have_count(0)
    page.locator("[data-focus=back]").click()
    expect(ann.over).to_have_count(0)
    expect(page.locator(".prompt")).to_have_text("An earlier position.")
    page.locator("[data-focus=forth]").click()
    expect(ann.over).to_have_count(1)


def test_the_language_changes_while_playing(meet: Meet) -> None:
    ann = meet()
    ann.sit({"dao": {}}, [{"kind": "you", "name": "Ann"}, BOT], seed="2")
    ann.play(2)
    ann.page.locator("[data-focus=language]").select_option("zh-TW")
    expect(ann.page.locator("#tab-log")).to_have_text("過程")
    expect(ann.page.locator(".log li").first).to_contain_text("展示區")
    assert ann.page.evaluate("document.documentElement.lang") == "zh-Hant-TW"
    ann.play(1)


def test_a_table_is_started_and_played_with_keys_alone(meet: Meet) -> None:
    ann = meet()
    keys = ann.page.keyboard
    ann.page.locator("input[value=dao]").focus()
    ann.page.locator(".form-end button").focus()
    keys.press("Enter")
    front = ann.page.locator("[data-token=take]")
    front.wait_for()
    front.focus()
    before = ann.page.locator(".log li").count()
    keys.press("Enter")
    expect(ann.page.locator(".log li").nth(before)).to_be_visible()
    ann.page.locator("#tab-log").focus()
    keys.press("ArrowRight")
    expect(ann.page.locator("#tab-hint")).to_be_focused()
