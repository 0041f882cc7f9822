"""The page's modules by themselves, in the browser that runs them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.web.page.conftest import Meet

PAGE = Path(__file__).parents[3] / "web" / "page"
MODULES = sorted(path.relative_to(PAGE).as_posix() for path in PAGE.rglob("*.js"))


def test_all_modules_load(meet: Meet) -> None:
    ann = meet()
    for module in MODULES:
        ann.page.evaluate("(path) => import(`/page/${path}`).then(() => null)", module)


def test_both_catalogues_have_the_same_entries(meet: Meet) -> None:
    english, chinese = (
        _entries(meet().page.evaluate(f"import('/page/words/{name}.js').then((m) => m.default)"))
        for name in ("en", "zh-TW")
    )
    assert english.keys() == chinese.keys()
    for key, words in english.items():
        gaps = [set(re.findall(r"\{(\w+)\}", each)) - {"n"} for each in (words, chinese[key])]
        assert gaps[0] == gaps[1], key


def test_every_word_that_is_asked_for_is_in_the_catalogue(meet: Meet) -> None:
    words = meet().page.evaluate("import('/page/words/en.js').then((m) => m.default)")
    known = _entries(words)
    for module in MODULES:
        for key in re.findall(r'\bt\("([\w.]+)"', (PAGE / module).read_text(encoding="utf-8")):
            assert key in known, f"{module}: {key}"


def _entries(words: Any, path: str = "") -> dict[str, str]:
    """Entries by their paths; the forms of one entry for different numbers are one."""
    if isinstance(words, str):
        return {path: words}
    if "other" in words:
        return {path: words["other"]}
    return {
        key: text
        for name, inner in words.items()
        for key, text in _entries(inner, f"{path}.{name}" if path else name).items()
    }


CHOICE = """async ([moves, presses]) => {
  const { Choice } = await import("/page/core/choice.js");
  const choice = new Choice(moves);
  for (const [token, nth] of presses) choice.press({ token, nth });
  const chosen = choice.picks.map((pick) => pick.token);
  return { chosen, possible: [...choice.possible()].sort(), complete: choice.complete() };
}"""
PASSES = [[["a", "b"]], [["a", "c"]], [["b", "c"]]]
KEEPS = [[["x"]], [[]]]
VISITS = [[["7"], ["same"]], [["7"], ["none"]], [["7", "7", "7"], ["safe"]], [["4"], ["none"]]]


@pytest.mark.parametrize(
    ("moves", "presses", "chosen", "possible", "complete"),
    [
        (PASSES, [], [], ["a", "b", "c"], -1),
        (PASSES, ["a"], ["a"], ["b", "c"], -1),
        (PASSES, ["a", "c"], ["a", "c"], [], 1),
        (PASSES, ["a", "c", "b"], ["c", "b"], [], 2),  # one more: the oldest is let go
        (PASSES, ["a", "a"], [], ["a", "b", "c"], -1),  # pressed again: put back
        (VISITS, ["7"], ["7"], ["7", "none", "same"], -1),
        (VISITS, ["7", "none"], ["7", "none"], [], 1),
        (VISITS, ["7", "4"], ["4"], ["none"], -1),  # a change of mind
        (KEEPS, [], [], ["x"], 1),  # nothing is a choice too
    ],
)
def test_what_remains_possible_is_read_off_the_legal_moves(
    meet: Meet,
    moves: list[list[list[str]]],
    presses: list[str],
    chosen: list[str],
    possible: list[str],
    complete: int,
) -> None:
    found = meet().page.evaluate(CHOICE, [moves, [[token, 0] for token in presses]])
    assert found == {"chosen": chosen, "possible": possible, "complete": complete}


def test_a_game_without_a_board_is_played_on_the_plain_one(meet: Meet) -> None:
    ann = meet()
    found = ann.page.evaluate(
        """async () => {
          const { gameOf } = await import("/page/games/index.js");
          const { sceneOf } = await import("/page/board/scene.js");
          const game = gameOf("go_fish");
          const status = { seatsToMove: [0], results: [] };
          const seats = [{ kind: "bot", level: 1 }];
          const view = { goFish: { pond: [1, 2] } };
          const table = { game: "go_fish", view, seats, seat: 0, status };
          const board = document.createElement("div");
          board.append(...game.draw(sceneOf(table, new Set())));
          return [board.textContent, game.steps({}, []).parts({}, 3)];
        }"""
    )
    assert "pond12" in found[0]
    assert found[1] == [["move:3"]]
