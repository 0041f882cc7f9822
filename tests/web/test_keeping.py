"""Games outlive the host and the server; records go out and come back."""

from __future__ import annotations

import sqlite3
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.web.hosting import hosted
from tests.web.visitor import OPEN, YOU, Visitor, bot
from web.host.settings import Settings
from web.host.store import NoStore


def at(visitor: Visitor, port: int) -> Visitor:
    """The same browser at another host."""
    return Visitor(port, cookie=visitor.cookie)


def test_a_game_survives_a_restart_of_the_host(server: str, game_id: str, tmp_path: Path) -> None:
    settings = Settings(server=server, tables=tmp_path / "tables.sqlite")
    with hosted(settings) as port:
        ann, ben = Visitor(port), Visitor(port)
        table = ann.open(game_id, YOU, OPEN, undo="any")
        path = f"/api/tables/{table['id']}"
        ben.post(f"{path}/join", {"invitation": table["seats"][1]["invitation"]})
        for _ in range(3):
            for visitor in (ann, ben):
                found = visitor.get(path)
                if "moves" in found:
                    visitor.move(found)
        before = [visitor.get(path) for visitor in (ann, ben)]
    with hosted(settings) as port:
        again = [at(visitor, port) for visitor in (ann, ben)]
        assert [visitor.get(path) for visitor in again] == before
        moved = [
            visitor.move(table)
            for visitor, table in zip(again, before, strict=True)
            if "moves" in table
        ]
        assert [answer.status for answer in moved] == [200] * len(moved)
        assert moved


def test_a_table_is_kept_while_the_server_is_away(server: str, tmp_path: Path) -> None:
    tables = tmp_path / "tables.sqlite"
    with hosted(Settings(server=server, tables=tables)) as port:
        ann = Visitor(port)
        table = ann.open("dao", YOU, OPEN)
    with hosted(Settings(server="127.0.0.1:1", tables=tables)) as port:
        alone = at(ann, port)
        answer = alone.move(table)
        assert (answer.status, answer.reason) == (503, "UNAVAILABLE")
        assert alone.get("/api/tables")["tables"][0]["id"] == table["id"]
        with alone.stream(f"table={table['id']}") as stream:
            assert stream.wait("trouble")["words"]
    with hosted(Settings(server=server, tables=tables)) as port:
        assert at(ann, port).move(table).status == 200


def test_many_tables_change_at_once(ann: Visitor) -> None:
    tables = [ann.open("dao", YOU, OPEN) for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(ann.move, tables))
    assert [answer.status for answer in answers] == [200] * 8


def test_the_file_is_its_owners_alone(server: str, tmp_path: Path) -> None:
    path = tmp_path / "deep" / "tables.sqlite"
    with hosted(Settings(server=server, tables=path)):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_files_that_are_something_else(server: str, tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("no database at all, but long enough to be looked at")
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as database:
        database.execute("CREATE TABLE other (value)")
    database.close()
    for path in (text, other, tmp_path):
        with pytest.raises(NoStore, match=path.name), hosted(Settings(server=server, tables=path)):
            pass


@pytest.fixture(scope="module")
def watcher(port: int) -> Visitor:
    """A browser that has watched a game."""
    return Visitor(port)


@pytest.fixture(scope="module")
def played(watcher: Visitor) -> Any:
    """A game that bots have played to its end."""
    table = watcher.open("dao", bot(1), bot(1))
    path = f"/api/tables/{table['id']}"
    watcher.post(f"{path}/pace", {"speed": 16})
    with watcher.stream(f"table={table['id']}") as stream:
        return stream.wait("table", lambda each: each["status"]["over"])


def test_a_record_goes_out_and_comes_back(watcher: Visitor, ben: Visitor, played: Any) -> None:
    table = played
    record = watcher.get(f"/api/tables/{table['id']}/record")
    (brought,) = ben.post("/api/records", record, 201)["tables"]
    found = ben.get(f"/api/tables/{brought['id']}")
    assert found["imported"]
    assert found["status"] == table["status"]
    assert found["log"] == table["log"]
    assert ben.get(f"/api/tables/{brought['id']}?ply=3&seat=1")["ply"] == 3
    assert ben.get(f"/api/tables/{brought['id']}/record") == record


def test_records_that_make_no_sense(ann: Visitor) -> None:
    table = ann.open("dao", YOU, OPEN)
    assert ann.ask("GET", f"/api/tables/{table['id']}/record").reason == "IMPOSSIBLE"
    game = {"game": "1", "seed": "7", "moves": []}
    good = {"options": {"dao": {}}, "seats": 2, "games": [game]}
    illegal = {"ply": 0, "seat": 1, "move": {"dao": {"action": "DAO_ACTION_TAKE"}}}
    wrongs: list[Any] = [
        {},
        {"options": {}},
        {"seats": 99},
        {"seats": "x"},
        {"games": []},
        {"games": [{**game, "game": str(number)} for number in range(60)]},
        {"games": [{**game, "seed": "-1"}]},
        {"games": [{**game, "moves": [illegal]}]},
        {"games": [{**game, "moves": "no"}]},
    ]
    for wrong in wrongs:
        answer = ann.ask("POST", "/api/records", good | wrong if wrong else {})
        assert (answer.status, answer.reason) == (400, "INVALID"), wrong


def test_a_review_grows(watcher: Visitor, played: Any) -> None:
    ann, table = watcher, played
    with ann.stream(f"table={table['id']}") as stream:
        ann.post(f"/api/tables/{table['id']}/review", status=202)
        review = stream.wait("review", lambda each: each["final"])
    assert review["of"] >= table["plies"]
    assert review["decisions"]
    for decision in review["decisions"]:
        assert decision["best"]["winProbability"] >= decision["played"]["winProbability"]
        assert decision["mistake"] == (decision["loss"] >= 0.05)
        assert decision["best"]["words"]
    again = ann.post(f"/api/tables/{table['id']}/review", status=202)
    assert again == review


def test_a_host_without_a_journal(ann: Visitor) -> None:
    assert ann.ask("GET", "/api/journal").status == 404
    assert ann.ask("POST", "/api/journal/0.0").status == 404
