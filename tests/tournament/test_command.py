"""The command as people use it: in a process of its own, killed and taken up again."""

import json
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from adamas_tournament.journal import open_journal
from adamas_tournament.records import GameKey
from tests.tournament.configs import ENTRANTS, config_text

DEALS = 12
GAMES = 2 * DEALS


def adamas(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "adamas", "tournament", *map(str, arguments)],
        check=False,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=300,
    )


def finished_games(journal: Path) -> int:
    if not journal.exists():
        return 0
    with closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as database:
        try:
            return int(database.execute("SELECT count(*) FROM games").fetchone()[0])
        except sqlite3.OperationalError:
            return 0  # its tables are not there yet


def games_as_bytes(journal: Path) -> dict[GameKey, tuple[str, str, str]]:
    """When each game began, its end and its moves: never changed once they are written."""
    with open_journal(journal) as found:
        return {
            game.key: (game.started, game.digest, "".join(move.move for move in game.moves))
            for game in found.games()
        }


def write_config(folder: Path, target: str, deals: int) -> Path:
    path = folder / "trial.toml"
    path.write_text(
        config_text(deals=deals, tournament=f'parallel = 2\nreferee = "{target}"'), encoding="utf-8"
    )
    return path


@pytest.fixture
def config(tmp_path: Path, target: str) -> Path:
    return write_config(tmp_path, target, DEALS)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory, target: str) -> Path:
    """The folder of a finished tournament, for copies."""
    folder = tmp_path_factory.mktemp("finished")
    done = adamas("run", write_config(folder, target, 2))
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def played(finished: Path, tmp_path: Path) -> Path:
    """The journal of a finished tournament."""
    shutil.copytree(finished, tmp_path, dirs_exist_ok=True)
    return tmp_path / "trial.journal"


def kill_when(process: subprocess.Popen[bytes], journal: Path, games: int) -> None:
    """Kills a running tournament, without a warning, once it has finished some games."""
    end = time.monotonic() + 120
    while finished_games(journal) < games and time.monotonic() < end:
        assert process.poll() is None, "the tournament ended too early"
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()


def test_a_killed_tournament_goes_on_and_neither_loses_nor_repeats_a_game(
    config: Path, tmp_path: Path
) -> None:
    journal = config.with_suffix(".journal")
    action: tuple[object, ...] = ("run", config)
    kept: dict[GameKey, tuple[str, str, str]] = {}
    for games in (3, 9, 15):
        with subprocess.Popen(
            [sys.executable, "-m", "adamas", "tournament", *map(str, action)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as process:
            kill_when(process, journal, games)
        now = games_as_bytes(journal)
        assert len(now) >= games
        assert kept.items() <= now.items()
        kept = now
        action = ("resume", journal)
    assert len(kept) < GAMES
    done = adamas("resume", journal)
    assert done.returncode == 0, done.stderr
    assert f"{GAMES} games; complete" in done.stdout
    resumed = games_as_bytes(journal)
    assert kept.items() <= resumed.items()
    assert len(resumed) == GAMES

    whole = tmp_path / "whole.journal"
    assert adamas("run", config, "--journal", whole).returncode == 0
    assert {key: game[1:] for key, game in resumed.items()} == {
        key: game[1:] for key, game in games_as_bytes(whole).items()
    }


def test_a_finished_tournament_has_nothing_to_resume(played: Path) -> None:
    before = games_as_bytes(played)
    done = adamas("resume", played)
    assert done.returncode == 0
    assert "complete" in done.stdout
    assert games_as_bytes(played) == before


def test_a_second_run_does_not_overwrite_the_first(played: Path) -> None:
    done = adamas("run", played.with_suffix(".toml"))
    assert done.returncode == 2
    assert "exists already; go on with it" in done.stderr


def test_every_game_can_be_replayed(played: Path) -> None:
    done = adamas("replay", played)
    assert done.returncode == 0, done.stderr
    assert "4 games go as the journal says" in done.stdout


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("UPDATE sides SET score = score + 1 WHERE deal = 1 AND seating = 0", "result"),
        ("UPDATE games SET digest = 'x' WHERE deal = 1 AND seating = 0", "final state"),
        ("UPDATE moves SET seat = 1 - seat WHERE deal = 1 AND seating = 0 AND ply = 5", "move 5"),
        (
            "UPDATE moves SET scores = '[50.0, 0.0]' WHERE deal = 1 AND seating = 0 AND ply = 7",
            "move 7: the record says",
        ),
    ],
)
def test_a_replay_finds_what_was_changed(played: Path, change: str, told: str) -> None:
    with closing(sqlite3.connect(played)) as database:
        assert database.execute(change).rowcount > 0
        database.commit()
    done = adamas("replay", played)
    assert done.returncode == 2
    assert "game 1.0" in done.stdout
    assert told in done.stdout
    assert "3 games go as the journal says" in done.stdout


def test_games_are_exported_as_json(played: Path, tmp_path: Path) -> None:
    done = adamas("export", played, "--format", "json")
    assert done.returncode == 0
    document = json.loads(done.stdout)
    assert document["tournament"] == "Trial"
    assert document["game"] == "dao"
    assert document["sessions"][0]["versions"]["adamas"]
    assert [game["game"] for game in document["games"]] == ["0.0", "0.1", "1.0", "1.1"]
    with open_journal(played) as journal:
        record = journal.game(GameKey(1, 0))
    game = document["games"][2]
    assert game["seed"] == str(record.seed)
    assert [move["move"] for move in game["moves"]] == [
        json.loads(move.move) for move in record.moves
    ]
    file = tmp_path / "games.json"
    assert adamas("export", played, "--format", "json", "--output", file).returncode == 0
    assert json.loads(file.read_text(encoding="utf-8")) == document


def test_a_console_that_knows_few_letters_gets_the_whole_document(
    played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = json.loads(adamas("export", played, "--format", "json").stdout)
    for encoding in ("ascii", "cp1252", "cp950"):
        monkeypatch.setenv("PYTHONUTF8", "0")
        monkeypatch.setenv("PYTHONIOENCODING", encoding)
        done = adamas("export", played, "--format", "json")
        assert json.loads(done.stdout) == document
        for command in (["status"], ["export", "--format", "text"]):
            done = adamas(command[0], played, *command[1:])
            assert (done.returncode, done.stderr) == (0, "")


def test_a_game_is_exported_as_text(played: Path) -> None:
    done = adamas("export", played, "--game", "1.0")
    assert done.returncode == 0
    with open_journal(played) as journal:
        record = journal.game(GameKey(1, 0))
    assert done.stdout.startswith("Trial, game 1.0: DAO, 2 seats\n")
    assert f"seed {record.seed}" in done.stdout
    for move in record.moves:
        for event in move.events:
            assert event in done.stdout
    assert "game 0.0" not in done.stdout


def test_who_reads_an_export_may_stop_early(played: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "adamas", "tournament", "export", str(played)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 1


@pytest.mark.parametrize("action", ["export", "report"])
def test_a_file_that_cant_be_written_is_named(played: Path, tmp_path: Path, action: str) -> None:
    done = adamas(action, played, "--output", tmp_path / "none" / "file")
    assert done.returncode == 2
    assert done.stderr.startswith("adamas: ")
    assert str(tmp_path / "none" / "file") in done.stderr


def test_a_game_that_is_not_there(played: Path) -> None:
    done = adamas("export", played, "--game", "7.0")
    assert done.returncode == 2
    assert "game 7.0 is not in the journal" in done.stderr


def test_a_wrong_configuration_is_explained(config: Path) -> None:
    text = config.read_text()
    for wrong, told in (
        (text.replace('id = "dao"', 'id = "chess"'), "game.id: there is no game 'chess'"),
        (text.replace("seats = 2", 'seats = 2\nvariant = "x"'), "game.variant: 'x' is not known"),
        (
            text.replace("seats = 2", "seats = 2\noptions = { initial_row = 9 }"),
            "game.options.initial_row: is 9; use 2 to 3",
        ),
        (
            text.replace("seats = 2", "seats = 2\noptions = { row = 3 }"),
            "game.options.row: is not known; there are: ",
        ),
    ):
        config.write_text(wrong)
        done = adamas("run", config)
        assert done.returncode == 2
        assert f"trial.toml: {told}" in done.stderr
        assert not config.with_suffix(".journal").exists()


def test_an_entrant_that_is_not_there_is_noticed_before_the_first_game(config: Path) -> None:
    gone = '[[entrants]]\nname = "gone"\nkind = "endpoint"\naddress = "127.0.0.1:1"\n'
    config.write_text(config.read_text().replace(ENTRANTS, ENTRANTS + gone))
    done = adamas("run", config)
    assert done.returncode == 2
    assert "entrants[2].address: nothing answers there; start 'gone' first" in done.stderr


def test_ctrl_c_says_how_to_go_on(tmp_path: Path, target: str) -> None:
    config = tmp_path / "long.toml"
    config.write_text(config_text(deals=1000, tournament=f'referee = "{target}"'), encoding="utf-8")
    journal = config.with_suffix(".journal")
    with subprocess.Popen(
        [sys.executable, "-m", "adamas", "tournament", "run", str(config)],
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        end = time.monotonic() + 120
        while finished_games(journal) < 2 and time.monotonic() < end:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=60)
        assert process.returncode == 130
    assert f"adamas tournament resume {journal}" in said.replace("\n", " ")


@pytest.mark.slow
def test_a_server_is_started_where_no_referee_is_named(tmp_path: Path) -> None:
    config = tmp_path / "own.toml"
    config.write_text(config_text(deals=1), encoding="utf-8")
    done = adamas("run", config)
    assert done.returncode == 0, done.stderr
    assert "2 games; complete" in done.stdout


def without(preparation: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command where `preparation` has taken something away."""
    script = (
        f"import sys\n{preparation}\nfrom adamas.command import main\nsys.exit(main({arguments}))"
    )
    return subprocess.run(
        [sys.executable, "-c", script], check=False, capture_output=True, text=True, timeout=60
    )


NO_ENTRY_POINTS = "import importlib.metadata as m; m.entry_points = lambda **_: ()"
NO_PYDANTIC = "sys.modules['pydantic'] = None  # importing it fails"


def test_where_tournaments_are_not_installed_the_command_says_what_to_install() -> None:
    done = without(NO_ENTRY_POINTS, "tournament", "status", "x")
    assert done.returncode == 2
    assert "adamas-tournament; install that first" in done.stderr


def test_where_a_dependency_is_missing_the_command_names_it() -> None:
    done = without(NO_PYDANTIC, "tournament", "status", "x")
    assert done.returncode == 2
    assert "adamas-tournament needs the package pydantic" in done.stderr


@pytest.mark.parametrize("preparation", [NO_ENTRY_POINTS, NO_PYDANTIC])
@pytest.mark.parametrize("flag", ["--help", "--version"])
def test_help_and_version_need_nothing(preparation: str, flag: str) -> None:
    done = without(preparation, flag)
    assert (done.returncode, done.stderr) == (0, "")
    assert "adamas" in done.stdout
