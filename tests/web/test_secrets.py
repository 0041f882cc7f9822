"""A browser is only ever sent what its seat knows: whole games, with everything that is heard.

A secret is a hidden part of the full state, looked for in what came over the wire at the time.
"""

from __future__ import annotations

import json
from contextlib import ExitStack
from typing import Any

import pytest

from tests.web.visitor import OPEN, YOU, Visitor

SEATS = {"dao": 3, "diamonds": 3, "diams": 3, "diamonds_club": 2}
FIELDS_OF_A_FULL_STATE = {"hands", "deck", "secondHalf", "randomState", "safes"}


def seated(port: int, game: str) -> tuple[list[Visitor], str]:
    """A table full of people."""
    first = Visitor(port)
    table = first.open(game, YOU, *[OPEN] * (SEATS[game] - 1))
    people = [first]
    for seat in table["seats"][1:]:
        people.append(Visitor(port))
        people[-1].post(
            f"/api/tables/{table['id']}/join", {"invitation": seat["invitation"], "name": "Ben"}
        )
    return people, f"/api/tables/{table['id']}"


def fields(value: Any) -> set[str]:
    """The names of all fields of some JSON."""
    if isinstance(value, dict):
        return set(value).union(*map(fields, value.values()))
    if isinstance(value, list):
        return set().union(*map(fields, value))
    return set()


def documents(heard: list[bytes]) -> list[Any]:
    """The JSON that has been heard."""
    found = []
    for piece in heard:
        text = piece.removeprefix(b"data: ")
        if text.startswith((b"{", b"[")):
            found.append(json.loads(text))
    return found


@pytest.mark.parametrize("most", [24, pytest.param(1000, marks=pytest.mark.slow)])
def test_a_game_shows_nobody_the_cards_of_another(port: int, game_id: str, most: int) -> None:
    people, path = seated(port, game_id)
    key = path.rpartition("/")[2]
    with ExitStack() as stack:
        streams = [stack.enter_context(visitor.stream(f"table={key}")) for visitor in people]
        table = people[0].get(path)
        while table["plies"] < most and not table["status"]["over"]:
            mover = table["status"]["seatsToMove"][0]
            offered = people[mover].get(path)
            answer = people[mover].move(offered, offered["ply"] * 7)
            assert answer.status == 200
            table = answer.json
        for stream in streams:
            stream.wait("table", lambda each: each["plies"] == table["plies"])
    assert table["status"]["over"] or most < 1000
    for number, visitor in enumerate(people):
        views = 0
        for document in documents(visitor.heard):
            assert not fields(document) & FIELDS_OF_A_FULL_STATE
            if "view" in document:
                (view,) = document["view"].values()
                assert view.get("seat", 0) == number
                views += 1
            if "moves" in document:
                assert number in document["status"]["seatsToMove"]
        assert views > 1


def test_the_hand_of_one_is_not_in_what_another_hears(port: int) -> None:
    """A hand of Diamonds, written as its view has it, is heard by its seat alone."""
    people, path = seated(port, "diamonds")
    for _ in range(8):
        tables = [visitor.get(path) for visitor in people]
        hands = [
            json.dumps(table["view"]["diamonds"]["hand"], separators=(",", ":")).encode()
            for table in tables
        ]
        for number, visitor in enumerate(people):
            heard = b"".join(visitor.heard)
            assert [hand in heard for hand in hands] == [seat == number for seat in range(3)]
        mover = tables[0]["status"]["seatsToMove"][0]
        people[mover].move(tables[mover])


@pytest.mark.parametrize(
    "what", ["?seat=1", "?seat=2", "?ply=0", "?seat=1&ply=0", "/beliefs?seat=1"]
)
def test_other_seats_and_earlier_plies_are_refused(port: int, what: str) -> None:
    people, path = seated(port, "diamonds")
    moved = next(v for v in people if "moves" in v.get(path))
    moved.move(moved.get(path))
    answer = people[0].ask("GET", f"{path}{what}")
    assert (answer.status, answer.reason) == (403, "FORBIDDEN")


def test_strangers_learn_nothing_of_a_table(port: int) -> None:
    people, path = seated(port, "dao")
    stranger = Visitor(port)
    nothing = stranger.ask("GET", "/api/tables/none")
    table = people[0].get(path)
    asked = {"turn": table.get("turn", "0.0"), "move": {"dao": {"action": "DAO_ACTION_TAKE"}}}
    for method, where, body in (
        ("GET", "", None),
        ("GET", "/beliefs", None),
        ("GET", "/record", None),
        ("DELETE", "", None),
        ("POST", "/moves", asked),
        ("POST", "/undo", None),
        ("DELETE", "/undo", None),
        ("POST", "/hint", asked),
        ("POST", "/leave", None),
        ("POST", "/return", None),
        ("POST", "/pace", {"speed": 1}),
        ("POST", "/review", None),
        ("POST", "/seats/0", OPEN),
        ("POST", "/join", {"invitation": "guess"}),
    ):
        answer = stranger.ask(method, path + where, body)
        assert (answer.status, answer.body) == (404, nothing.body), where
    assert stranger.ask("GET", f"/api/stream?table={path.rpartition('/')[2]}").status == 404
    assert stranger.get("/api/tables") == {"tables": []}


def test_what_only_the_seat_to_move_may_do(port: int) -> None:
    people, path = seated(port, "dao")
    waiting = next(v for v in people if "moves" not in v.get(path))
    for where in ("/record", "/review"):
        method = "GET" if where == "/record" else "POST"
        assert waiting.ask(method, path + where).reason == "IMPOSSIBLE"
    assert waiting.ask("POST", f"{path}/hint", {"turn": "0.0"}).reason == "IMPOSSIBLE"
    assert waiting.ask("GET", f"{path}/beliefs").status == 200
    assert people[0].ask("POST", f"{path}/pace", {"speed": 1}).reason == "IMPOSSIBLE"
