"""The journal: what goes in comes out, once, and only one process writes."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from adamas_tournament.journal import Journal, JournalError, create_journal, open_journal
from adamas_tournament.plan import Plan
from adamas_tournament.records import (
    Forfeit,
    GameKey,
    GameRecord,
    MoveRecord,
    Offence,
    SideRecord,
)
from tests.tournament.configs import config_text

PLAN = Plan("dao", "DAO", '{"dao": {}}', 2, ((0,), (1,)), "en")
GAME = GameRecord(
    key=GameKey(3, 1),
    seed=2**64 - 1,
    sides=(
        SideRecord("strong", (0,), 2, 0.0, 3.5, 1.25, 2),
        SideRecord("random", (1,), 1, 1.0, 4.0, 0.5, 1),
    ),
    moves=(
        MoveRecord(0, 0, '{"dao": {}}', 0.25, ("Seat 0 takes “Fire” 3.",), (3.0, 0.0), 0.75, 100),
        MoveRecord(1, 1, '{"dao": {}}', 0.5, (), (3.0, 4.0), None, None, True),
    ),
    forfeits=(Forfeit(0, 0, 2, Offence.ILLEGAL, "no such card\nlegal: take"),),
    started="2026-01-01T00:00:00.000+00:00",
    seconds=1.75,
    digest="ab" * 32,
    host="here",
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "trial.journal"


def new(path: Path) -> Journal:
    journal = create_journal(path, config_text(), PLAN)
    journal.begin_session({"adamas": "1.2"})
    return journal


def test_what_goes_in_comes_out(path: Path) -> None:
    with new(path) as journal:
        assert journal.add(GAME)
    with open_journal(path) as journal:
        assert journal.game(GAME.key) == GAME
        assert list(journal.games()) == [GAME]
        assert list(journal.games(with_moves=False)) == [replace(GAME, moves=())]
        assert journal.config.names == ("strong", "random")
        assert journal.config_text == config_text()
        assert journal.plan == PLAN
        assert [versions for _, versions in journal.versions()] == [{"adamas": "1.2"}]
        assert list(journal.move_seconds()) == [(GAME.key, 0, 0.25)]


def test_games_come_in_the_order_of_the_schedule(path: Path) -> None:
    keys = [GameKey(10, 0), GameKey(2, 1), GameKey(2, 0)]
    with new(path) as journal:
        for key in keys:
            journal.add(replace(GAME, key=key))
        assert [game.key for game in journal.games()] == sorted(keys)
        assert journal.finished() == set(keys)


def test_a_game_is_written_once(path: Path) -> None:
    with new(path) as journal:
        assert journal.add(GAME)
        assert not journal.add(replace(GAME, seconds=9.0))
        assert list(journal.games()) == [GAME]


def test_a_game_is_written_whole_or_not_at_all(path: Path) -> None:
    twice = replace(GAME, moves=(GAME.moves[0], GAME.moves[0]))  # two moves with one number
    with new(path) as journal:
        with pytest.raises(sqlite3.IntegrityError):
            journal.add(twice)
        assert journal.finished() == set()
        assert journal.add(GAME)


def test_only_one_process_writes(path: Path) -> None:
    with (
        new(path),
        pytest.raises(JournalError, match="another process is playing"),
    ):
        open_journal(path, read_only=False)
    with open_journal(path, read_only=False) as journal:
        journal.begin_session({})
        assert journal.add(GAME)


def test_others_may_read_while_it_is_written(path: Path) -> None:
    with new(path) as writing, open_journal(path) as reading:
        assert reading.finished() == set()
        writing.add(GAME)
        assert reading.finished() == {GAME.key}
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            reading.add(replace(GAME, key=GameKey(0, 0)))


def test_an_existing_journal_is_not_overwritten(path: Path) -> None:
    with new(path) as journal:
        journal.add(GAME)
    with pytest.raises(JournalError, match=r"exists already; go on with it .*resume"):
        create_journal(path, config_text(), PLAN)
    with open_journal(path) as journal:
        assert journal.finished() == {GAME.key}


def test_what_a_process_left_that_ended_too_early_is_no_obstacle(path: Path) -> None:
    Journal(path, read_only=False).close()
    with new(path) as journal:
        assert journal.finished() == set()


def test_files_that_are_no_journals_are_refused(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="there is no journal"):
        open_journal(tmp_path / "none")
    text = tmp_path / "text"
    text.write_text("hello, this is no database at all, whatever its name says\n" * 20)
    with pytest.raises(JournalError, match="can't be read"):
        open_journal(text)
    other = tmp_path / "other"
    with sqlite3.connect(other) as database:
        database.execute("CREATE TABLE t (a)")
    database.close()
    with pytest.raises(JournalError, match="no journal of a tournament"):
        open_journal(other)


def test_a_newer_format_is_refused(path: Path) -> None:
    new(path).close()
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(JournalError, match="has the format 99"):
        open_journal(path)


def test_a_game_that_is_not_there(path: Path) -> None:
    with new(path) as journal, pytest.raises(JournalError, match=r"game 0\.5 is not"):
        journal.game(GameKey(0, 5))


@pytest.mark.parametrize("text", ["", "1", "1.", "a.b", "-1.0", "1.2.3"])
def test_keys_are_read_strictly(text: str) -> None:
    with pytest.raises(ValueError, match=r"use DEAL\.SEATING"):
        GameKey.parse(text)
    assert GameKey.parse(str(GameKey(12, 3))) == GameKey(12, 3)
