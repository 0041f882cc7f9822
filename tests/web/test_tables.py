"""Tables and their seats, moves, and what is taken back."""

from __future__ import annotations

import pytest

from tests.web.visitor import OPEN, YOU, Visitor, bot


def test_the_games_are_described(ann: Visitor, game_id: str) -> None:
    (found,) = [g for g in ann.get("/api/games")["games"] if g["summary"]["gameId"] == game_id]
    assert found["options"]
    assert found["variants"][0]["seats"]
    most = found["summary"]["maxSeats"]
    assert ann.get(f"/api/games/{game_id}?seats={most}")["summary"] == found["summary"]
    assert ann.ask("GET", f"/api/games/{game_id}?seats=99").status == 400
    assert ann.ask("GET", "/api/games/chess").status == 404


def test_a_table_of_two_people(ann: Visitor, ben: Visitor, game_id: str) -> None:
    table = ann.open(game_id, YOU, OPEN)
    assert (table["seat"], table["ply"], table["status"]["over"]) == (0, 0, False)
    assert table["log"][0]["events"]
    path = f"/api/tables/{table['id']}"
    invitation = {"invitation": table["seats"][1]["invitation"], "name": "Ben"}
    assert ben.ask("GET", path).status == 404
    theirs = ben.post(f"{path}/join", invitation)
    assert theirs["seat"] == 1
    assert theirs["seats"][1]["name"] == "Ben"
    assert "invitation" not in theirs["seats"][0]
    for _ in range(6):
        for visitor in (ann, ben):
            found = visitor.get(path)
            if "moves" in found:
                answer = visitor.move(found)
                assert answer.status == 200
                assert answer.json["ply"] == found["ply"] + 1
                last = answer.json["log"][-1]
                assert len(last["words"]) == len(last["events"])
    assert ann.get(path)["status"] == ben.get(path)["status"]
    assert [t["id"] for t in ben.get("/api/tables")["tables"]] == [table["id"]]


def test_words_are_in_the_language_asked_for(ann: Visitor) -> None:
    table = ann.move(ann.open("dao", YOU, OPEN)).json
    ann.language = "zh-TW"
    found = ann.get(f"/api/tables/{table['id']}")
    assert found["log"][1]["words"] != table["log"][1]["words"]
    assert found["log"][1]["events"] == table["log"][1]["events"]
    assert ann.ask("GET", "/api/tables/none").json["error"]["words"] == "沒有這張桌子"


def test_an_invitation_is_used_once(ann: Visitor, ben: Visitor, port: int) -> None:
    table = ann.open("dao", YOU, OPEN)
    path = f"/api/tables/{table['id']}/join"
    invitation = {"invitation": table["seats"][1]["invitation"]}
    again = ben.post(path, invitation)["seats"][1]["invitation"]
    assert Visitor(port).ask("POST", path, invitation).status == 404
    # The seat's own invitation is for another device of its person.
    phone = Visitor(port)
    assert phone.post(path, {"invitation": again})["seat"] == 1
    assert ben.ask("GET", f"/api/tables/{table['id']}").status == 404
    assert ann.ask("POST", path, {"invitation": "guess"}).status == 404


def test_nobody_sits_twice(ann: Visitor) -> None:
    table = ann.open("dao", YOU, OPEN)
    invitation = {"invitation": table["seats"][1]["invitation"]}
    answer = ann.ask("POST", f"/api/tables/{table['id']}/join", invitation)
    assert (answer.status, answer.reason) == (409, "IMPOSSIBLE")


def test_moves_that_are_forged_or_late(ann: Visitor, ben: Visitor) -> None:
    table = ann.open("dao", YOU, OPEN)
    path = f"/api/tables/{table['id']}"
    ben.post(f"{path}/join", {"invitation": table["seats"][1]["invitation"]})
    mine = {"turn": table["turn"], "move": table["moves"][0]["move"]}
    assert ben.ask("POST", f"{path}/moves", mine).reason == "LATE"
    assert ann.ask("POST", f"{path}/moves", {**mine, "turn": "0.9"}).reason == "LATE"
    for wrong in (
        {"turn": table["turn"]},
        {"turn": table["turn"], "move": {"dao": {"action": 99}}},
        {"turn": table["turn"], "move": {"diamonds": {"victim": 1}}},
        {"turn": table["turn"], "move": {"dao": {"nothing": 1}}},
        {"turn": table["turn"], "move": []},
        {"turn": 3, "move": mine["move"]},
    ):
        answer = ann.ask("POST", f"{path}/moves", wrong)
        assert (answer.status, answer.reason) == (400, "INVALID")
    assert ann.ask("POST", f"{path}/moves", mine).status == 200
    assert ann.ask("POST", f"{path}/moves", mine).reason == "LATE"


def test_bots_move_by_themselves(ann: Visitor) -> None:
    table = ann.open("dao", bot(), YOU)
    with ann.stream(f"table={table['id']}") as stream:
        found = stream.wait("table", lambda each: "moves" in each)
        assert found["log"][-1]["seat"] == 0
        assert stream.wait("tables", lambda each: each["tables"][0]["yourTurn"])


def test_a_seat_is_left_and_taken_back(ann: Visitor) -> None:
    table = ann.open("diamonds", YOU, bot(), bot())
    path = f"/api/tables/{table['id']}"
    left = ann.post(f"{path}/leave")
    assert left["seats"][0]["standIn"] == 6
    assert "moves" not in left
    back = ann.post(f"{path}/return")
    assert "standIn" not in back["seats"][0]


def test_the_owner_fills_seats(ann: Visitor, ben: Visitor) -> None:
    table = ann.open("dao", YOU, OPEN, bot())
    path = f"/api/tables/{table['id']}"
    assert ann.post(f"{path}/seats/1", bot(3))["seats"][1] == {"kind": "bot", "level": 3}
    opened = ann.post(f"{path}/seats/2", OPEN)["seats"][2]
    assert opened["kind"] == "open"
    assert ann.ask("POST", f"{path}/seats/0", bot()).reason == "IMPOSSIBLE"
    assert ann.ask("POST", f"{path}/seats/9", bot()).reason == "INVALID"
    ben.post(f"{path}/join", {"invitation": opened["invitation"]})
    assert ben.ask("POST", f"{path}/seats/1", OPEN).reason == "FORBIDDEN"
    assert ben.ask("DELETE", path).reason == "FORBIDDEN"
    assert ann.ask("DELETE", path).status == 204
    assert ben.ask("GET", path).status == 404


def test_a_move_that_reveals_nothing_is_taken_back(ann: Visitor) -> None:
    """In DAO whoever takes a card sees nothing new; whoever turns one does."""
    table = ann.open("dao", YOU, OPEN)
    path = f"/api/tables/{table['id']}/undo"
    assert not table["undo"]["possible"]
    assert table["moves"][0]["move"] == {"dao": {"action": "DAO_ACTION_TAKE"}}
    taken = ann.move(table, 0).json
    assert taken["undo"]["possible"]
    back = ann.post(path)
    assert (back["ply"], back["view"]) == (0, table["view"])
    assert back["turn"] != table["turn"]
    assert ann.move(back, 1).status == 200
    answer = ann.ask("POST", path)
    assert (answer.status, answer.reason) == (409, "IMPOSSIBLE")


def test_a_new_market_is_not_taken_back(ann: Visitor) -> None:
    """Diamonds Club shows everything but the markets to come: those must not be seen early."""
    table = ann.open("diamonds_club", YOU, bot(), undo="fair", seed="3")
    path = f"/api/tables/{table['id']}"
    with ann.stream(f"table={table['id']}") as stream:
        rounds = table["view"]["diamondsClub"]["table"]["round"]
        assert rounds == 1
        bought = ann.move(table, 0).json
        assert bought["ply"] == 1
        assert ann.post(f"{path}/undo")["ply"] == 0
        assert stream.wait("table", lambda each: each["ply"] == 0 and each["turn"] == "1.0")


def test_other_people_agree_to_take_back(ann: Visitor, ben: Visitor) -> None:
    table = ann.open("dao", YOU, OPEN, undo="any")
    path = f"/api/tables/{table['id']}"
    ben.post(f"{path}/join", {"invitation": table["seats"][1]["invitation"]})
    ann.move(table, 1)
    asked = ann.post(f"{path}/undo")
    assert (asked["ply"], asked["undo"]["asked"]) == (1, 0)
    assert ben.ask("DELETE", f"{path}/undo").json["undo"]["asked"] is None
    ann.post(f"{path}/undo")
    assert ben.post(f"{path}/undo")["ply"] == 0


def test_nothing_is_taken_back_where_the_table_says_so(ann: Visitor) -> None:
    table = ann.move(ann.open("dao", YOU, OPEN, undo="none")).json
    assert not table["undo"]["possible"]
    assert ann.ask("POST", f"/api/tables/{table['id']}/undo").reason == "IMPOSSIBLE"


@pytest.mark.parametrize(
    "wrong",
    [
        {"options": {}},
        {"options": {"chess": {}}},
        {"options": {"dao": {"initialRow": 9}}},
        {"seats": []},
        {"seats": [YOU]},
        {"seats": [YOU, YOU]},
        {"seats": [YOU, {"kind": "cat"}]},
        {"seats": [YOU, {"kind": "bot", "level": 99}]},
        {"seats": [YOU, {"kind": "bot", "level": True}]},
        {"seats": [{"kind": "you", "name": 3}, OPEN]},
        {"undo": "always"},
        {"hints": "yes"},
        {"seed": 7},
        {"seed": "9" * 30},
    ],
    ids=str,
)
def test_tables_that_make_no_sense(ann: Visitor, wrong: dict[str, object]) -> None:
    asked = {"options": {"dao": {}}, "seats": [YOU, OPEN]} | wrong
    answer = ann.ask("POST", "/api/tables", asked)
    assert (answer.status, answer.reason) == (400, "INVALID")
