"""The mistakes that docs/views.md tells of, and what is said to them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.json_format import ParseDict

from adamas.v1.game_pb2 import PlayerView
from engines.registry import games
from engines.violations import InvalidMessage
from server.requests.messages import Reader

DOCS = Path(__file__).resolve().parents[2] / "docs"
VECTORS = DOCS.parent / "clients" / "conformance" / "vectors"
PAGE = (DOCS / "views.md").read_text("utf-8")

Edit = Callable[[Any], object]


def whole(name: str) -> Any:
    """The page's view of a game, or the one of a vector."""
    path = DOCS / "views" / f"{name}.json"
    if path.exists():
        return json.loads(path.read_text("utf-8"))[name]
    vector = json.loads((VECTORS / f"{name}.json").read_text("utf-8"))
    (view,) = vector["requests"][0]["query"]["view"].values()
    return view


def swap_last_two(view: Any) -> None:
    history = view["history"]
    history[-1], history[-2] = history[-2], history[-1]


MISTAKES: list[tuple[str, str, Edit]] = [
    ("dao", "dao", lambda view: view.update(deckSize=57)),
    ("dao", "dao", lambda view: view.update(piles=[{}, {}])),
    ("dao", "dao", lambda view: view.update(turn=0)),
    ("diamonds", "diamonds", lambda view: view["hand"].extend(view["passed"])),
    ("diamonds", "diamonds", lambda view: view.update(received=[])),
    ("diamonds", "diamonds", lambda view: view.update(tricks=[])),
    ("diams", "diams", lambda view: view["history"].pop(0)),
    ("diams", "diams", swap_last_two),
    ("diams", "diams", lambda view: view.update(deckSize=38)),
    (
        "diamonds_club",
        "phase-diamonds-club-build",
        lambda view: view["table"]["market"][0].update(coins=[0] * 6),
    ),
    (
        "diamonds_club",
        "diamonds_club",
        lambda view: view["table"]["players"][0].update(ships=[]),
    ),
    (
        "diamonds_club",
        "phase-diamonds-club-payment",
        lambda view: view["table"].pop("purchase"),
    ),
]


@pytest.mark.parametrize(("game", "name", "edit"), MISTAKES)
def test_the_page_tells_what_is_said_to_a_mistake(game: str, name: str, edit: Edit) -> None:
    view = whole(name)
    edit(view)
    message = ParseDict({game: view}, PlayerView())
    with pytest.raises(InvalidMessage) as caught:
        Reader(games()).view(message, "view")
    said = caught.value.violations[0]
    assert f"| `{said.field}`: {said.description} |" in PAGE
