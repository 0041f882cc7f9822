"""Hints, what a bot knows, and bots among themselves."""

from __future__ import annotations

from tests.web.visitor import OPEN, YOU, Visitor, bot


def test_a_hint_grows(ann: Visitor, ben: Visitor) -> None:
    table = ann.open("dao", YOU, OPEN)
    path = f"/api/tables/{table['id']}"
    ben.post(f"{path}/join", {"invitation": table["seats"][1]["invitation"]})
    with (
        ann.stream(f"table={table['id']}") as stream,
        ben.stream(f"table={table['id']}") as theirs,
    ):
        ann.post(f"{path}/hint", {"turn": table["turn"], "seconds": 1}, 202)
        last = stream.wait("hint", lambda each: each["final"])
        assert last["turn"] == table["turn"]
        words = {move["words"] for move in table["moves"]}
        assert {each["words"] for each in last["advice"]["candidates"]} == words
        assert last["advice"]["candidates"][0]["reason"]
        assert not theirs.all("hint")


def test_a_hint_is_ended(ann: Visitor) -> None:
    table = ann.open("dao", YOU, OPEN)
    path = f"/api/tables/{table['id']}/hint"
    asked = {"turn": table["turn"], "seconds": 30}
    with ann.stream(f"table={table['id']}") as stream:
        ann.post(path, asked, 202)
        stream.wait("hint")
        assert ann.ask("DELETE", path).status == 204
        ann.post(path, {**asked, "seconds": 0.3}, 202)
        stream.wait("hint", lambda each: each["final"])
    assert ann.ask("POST", path, {**asked, "turn": "9.9"}).reason == "LATE"
    for seconds in (0, -1, 1e9, "5", True, None):
        assert ann.ask("POST", path, {**asked, "seconds": seconds}).reason == "INVALID"


def test_a_table_without_hints(ann: Visitor) -> None:
    table = ann.open("dao", YOU, OPEN, hints=False)
    path = f"/api/tables/{table['id']}"
    assert ann.ask("POST", f"{path}/hint", {"turn": table["turn"]}).reason == "IMPOSSIBLE"
    assert ann.ask("GET", f"{path}/beliefs").reason == "IMPOSSIBLE"


def test_what_the_bot_knows(ann: Visitor, game_id: str) -> None:
    table = ann.open(game_id, YOU, OPEN)
    found = ann.get(f"/api/tables/{table['id']}/beliefs")
    assert found["samples"] == 500
    assert bool(found["places"]) == (game_id != "diamonds_club")
    for place in found["places"]:
        assert place["words"]
        assert all(0 < card["probability"] <= 1 for card in place["cards"])
    assert ann.get(f"/api/tables/{table['id']}/beliefs") == found


def test_bots_among_themselves(ann: Visitor) -> None:
    table = ann.open("dao", bot(), bot())
    path = f"/api/tables/{table['id']}"
    assert table["speed"] == 1
    assert ann.post(f"{path}/pace", {"speed": 0})["speed"] == 0
    with ann.stream(f"table={table['id']}&seat=1") as stream:
        stopped = ann.get(path)["ply"]
        stepped = ann.post(f"{path}/pace", {"step": True})
        assert stepped["ply"] == stopped + 1
        assert stream.wait("table", lambda each: each["ply"] == stopped + 1)["seat"] == 1
        ann.post(f"{path}/pace", {"speed": 16})
        stream.wait("table", lambda each: each["ply"] > stopped + 3)
    assert ann.get(f"{path}?seat=1&ply=1")["view"]["dao"]["seat"] == 1
    for speed in (-1, 17, "1", True):
        assert ann.ask("POST", f"{path}/pace", {"speed": speed}).reason == "INVALID"
