"""How soon the web table's page is there, and how soon it answers a click: ``make bench-web``.

Both are seen from inside headless Chromium on loopback: from the start of the navigation until the
lobby is painted, and from a click on a card until the frame that shows what it did.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, sync_playwright

from server.embedded import embedded_server
from tests.web.hosting import hosted
from web.host.settings import Settings

VIEWS = 20
CLICKS = 100
FIRST_VIEW = """() => new Promise((done) => {
  const seen = () => document.querySelector(".covers")
    ? requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())))
    : requestAnimationFrame(seen);
  seen();
})"""
CLICK = """() => new Promise((done) => {
  const cards = [...document.querySelectorAll(".hand button.can, .hand [aria-pressed=true]")];
  const card = cards[Math.floor(Math.random() * cards.length)];
  const before = card.getAttribute("aria-pressed");
  const began = performance.now();
  card.click();
  const shown = () => card.getAttribute("aria-pressed") !== before
    ? requestAnimationFrame(() => done(performance.now() - began))
    : requestAnimationFrame(shown);
  shown();
})"""
NEW_TABLE = """() => fetch("/api/tables", {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({
    options: { diamonds: {} }, seed: "4",
    seats: [{ kind: "you", name: "Ann" }, { kind: "bot", level: 1 }],
  }),
}).then((answer) => answer.json())"""


def main() -> int:
    """Prints both figures; 1 without Chromium."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        print("needs Chromium", file=sys.stderr)
        return 1
    with (
        TemporaryDirectory() as folder,
        embedded_server() as server,
        hosted(Settings(server=server, tables=Path(folder) / "tables.sqlite")) as port,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        url = f"http://127.0.0.1:{port}/"
        views = [_first_view(browser.new_context().new_page(), url) for _ in range(VIEWS)]
        clicks = _clicks(browser.new_context(locale="en-GB").new_page(), url)
        browser.close()
    _tell("first view", views, 1000)
    _tell("click until visible", clicks, 100)
    return 0


def _first_view(page: Page, url: str) -> float:
    """Milliseconds until the lobby is painted, with an empty cache."""
    page.goto(url, wait_until="commit")
    found: float = page.evaluate(FIRST_VIEW)
    page.context.close()
    return found


def _clicks(page: Page, url: str) -> list[float]:
    """Milliseconds that clicks take on cards to pass, which are picked up and put back."""
    page.goto(url)
    table = page.evaluate(NEW_TABLE)
    page.goto(f"{url}#/tables/{table['id']}")
    page.locator(".dock .move:enabled, .hand button.can").first.wait_for()
    if page.locator(".dock .move").count():
        page.locator(".dock .move").first.click()
    page.locator(".hand button.can").first.wait_for()
    return [page.evaluate(CLICK) for _ in range(CLICKS)]


def _tell(name: str, milliseconds: list[float], bound: int) -> None:
    high = quantiles(milliseconds, n=20)[-1]
    print(
        f"{name:20} median {median(milliseconds):6.1f} ms   95 % {high:6.1f} ms   "
        f"at most {bound} ms: {'holds' if high <= bound else 'MISSED'}"
    )


if __name__ == "__main__":
    sys.exit(main())
