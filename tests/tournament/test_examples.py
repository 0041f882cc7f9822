"""The configurations that come with tournaments, and the one that the documentation shows."""

import re
from pathlib import Path

import pytest

from adamas import Client
from adamas_tournament.config import load_config
from adamas_tournament.plan import make_plan
from adamas_tournament.statistics.summary import summarize
from search.levels import levels
from tests.tournament.conftest import PlayTournament

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "clients" / "tournament" / "examples"
EXAMPLES = sorted(FOLDER.glob("*.toml"))
LEVELS = FOLDER / "levels.toml"


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_an_example_can_be_played(path: Path, client: Client) -> None:
    config, _ = load_config(path)
    assert make_plan(config, client, path.name).game_id == config.game.id


def test_the_documentation_shows_the_examples_as_they_are() -> None:
    text = (ROOT / "docs" / "tournaments.md").read_text(encoding="utf-8")
    shown = re.findall(r"^```toml\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    examples = [path.read_text(encoding="utf-8") for path in EXAMPLES]
    assert LEVELS.read_text(encoding="utf-8") in shown
    for part in shown:
        assert any(part in example for example in examples)


def test_the_example_of_the_documentation_plays_at_its_levels(
    play_tournament: PlayTournament,
) -> None:
    text = LEVELS.read_text(encoding="utf-8")
    progress, journal = play_tournament(re.sub(r"(?m)^deals = \d+", "deals = 1", text))
    summary = summarize(progress, resamples=20)
    assert summary is not None
    assert [(entrant.games, entrant.forfeits) for entrant in summary.entrants] == [(4, {})] * 4
    most = dict.fromkeys(progress.config.names, 0)
    for game in journal.games():
        for move in game.moves:
            name = game.sides[move.seat].entrant
            most[name] = max(most[name], move.iterations or 0)
    measured = [level.measured.iterations for level in levels("dao")]
    assert most == {
        "level 3": measured[2],
        "level 6": measured[5],
        "level 10": 1000,
        "casual": 0,
    }
