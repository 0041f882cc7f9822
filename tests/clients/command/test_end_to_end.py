"""The command `adamas` with the real server: a game is played, kept and reviewed."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engines.registry import game_ids
from server.embedded import embedded_server


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with embedded_server() as address:
        yield address


@pytest.mark.parametrize("game", game_ids())
def test_a_game_is_played_and_reviewed(game: str, target: str, tmp_path: Path) -> None:
    def adamas(*arguments: str, stdin: str = "") -> list[str]:
        done = subprocess.run(
            [sys.executable, "-m", "adamas", *arguments, "--server", target],
            check=True,
            input=stdin,
            capture_output=True,
            text=True,
            cwd=tmp_path,
            timeout=300,
        )
        assert done.stderr == ""
        return done.stdout.splitlines()

    said = "\n".join(["1", "undo", *["1"] * 6])
    shown = adamas("play", game, "--seed", "7", "--level", "1", "--record", "r.json", stdin=said)
    assert shown[-1] == "the game is in r.json"
    (kept,) = json.loads((tmp_path / "r.json").read_text("utf-8"))["games"]
    assert sum(move["seat"] == 0 for move in kept["moves"]) == 6
    review = json.loads(
        adamas("review", "r.json", "--iterations", "20", "--seed", "1", "--json")[0]
    )
    assert review["decisions"]
    assert all(0 <= decision["loss"] <= 1 for decision in review["decisions"])
    assert adamas("review", "r.json", "--iterations", "20")
