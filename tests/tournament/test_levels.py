"""Strength levels of entrants, from the configuration to the report."""

import json
from pathlib import Path

import pytest
from rich.console import Console

from adamas import Client
from adamas.v1 import advisor_service_pb2 as pb
from adamas_tournament.config import ConfigError, parse_config
from adamas_tournament.export import as_json, as_text
from adamas_tournament.journal import Journal, create_journal
from adamas_tournament.levels import check_levels
from adamas_tournament.report.page import report_page
from adamas_tournament.session import begin, heading, resume
from search.levels import levels
from tests.tournament import bots
from tests.tournament.configs import config_text
from tests.tournament.conftest import PlayTournament, planned

STRENGTHS = """
[[entrants]]
name = "second"
kind = "service"
level = 2

[[entrants]]
name = "between"
kind = "service"
target_rating = 380
"""


def with_strength(kind: str, strength: str, address: str = "") -> str:
    """A configuration whose first entrant has a strength, and maybe an address."""
    where = f'address = "{address}"\n' if address else ""
    return config_text(
        deals=1,
        entrants=f'[[entrants]]\nname = "strong"\nkind = "{kind}"\n{strength}\n{where}'
        '[[entrants]]\nname = "random"\nkind = "random"\n',
    )


@pytest.mark.parametrize("kind", ["service", "endpoint"])
@pytest.mark.parametrize(
    ("strength", "level", "rating"),
    [("level = 3", 3, None), ("target_rating = 0", 0, 0.0), ("iterations = 60", 0, None)],
)
def test_a_player_is_told_its_strength(
    play_tournament: PlayTournament,
    target: str,
    kind: str,
    strength: str,
    level: int,
    rating: float | None,
) -> None:
    questions: list[pb.SearchQuery] = []
    with bots.bot(bots.noting(questions, bots.first_move(target))) as address:
        play_tournament(with_strength(kind, strength, address))
    assert questions
    assert {query.level for query in questions} == {level}
    assert {
        query.target_rating if query.HasField("target_rating") else None for query in questions
    } == {rating}


def test_the_service_plays_at_its_level(play_tournament: PlayTournament) -> None:
    journal = play_tournament(config_text(deals=1, entrants=STRENGTHS))[1]
    searched: dict[str, set[int | None]] = {"second": set(), "between": set()}
    for game in journal.games():
        for move in game.moves:
            searched[game.sides[move.seat].entrant].add(move.iterations)
    measured = [level.measured.iterations or 0 for level in levels("dao")]
    assert measured[1] in searched["second"]
    assert max(iterations or 0 for iterations in searched["between"]) in range(
        measured[3] + 1, measured[4]
    )


@pytest.fixture
def journal(play_tournament: PlayTournament) -> Journal:
    return play_tournament(config_text(deals=1, entrants=STRENGTHS))[1]


def test_the_journal_knows_the_strengths(journal: Journal) -> None:
    second, between = journal.config.entrants
    assert second.model_dump(exclude_none=True)["level"] == 2
    assert between.model_dump(exclude_none=True)["target_rating"] == 380


def test_exports_and_report_tell_the_strengths(journal: Journal) -> None:
    document = json.loads("".join(as_json(heading(journal), journal.games())))
    assert document["entrants"] == [
        {
            "name": "second",
            "kind": "service",
            "level": 2,
            "trees": 1,
            "description": "search, level 2",
        },
        {
            "name": "between",
            "kind": "service",
            "target_rating": 380,
            "trees": 1,
            "description": "search, rating 380",
        },
    ]
    text = "".join(as_text(heading(journal), journal.games()))
    page = report_page(journal, 0)
    for described in ("search, level 2", "search, rating 380"):
        assert text.count(f": {described}\n") == 2  # once a game
        assert described in page


@pytest.mark.parametrize("key", ["level", "target_rating"])
def test_a_server_without_levels_is_noticed_before_the_first_game(
    tmp_path: Path, target: str, key: str
) -> None:
    with bots.without_levels() as address:
        text = with_strength("service", f"{key} = 3", address)
        config = tmp_path / "trial.toml"
        config.write_text(
            text.replace("[tournament]", f'[tournament]\nreferee = "{target}"'), encoding="utf-8"
        )
        with pytest.raises(ConfigError) as refused:
            begin(config, tmp_path / "trial.journal", Console(quiet=True), None)
    assert str(refused.value) == (
        f"{config}: entrants[0].{key}: is set, but {address} has no calibrated levels for dao; "
        "leave it out for full strength, which iterations and time can limit"
    )
    assert not (tmp_path / "trial.journal").exists()


def test_a_tournament_is_not_resumed_without_its_levels(
    tmp_path: Path, target: str, client: Client
) -> None:
    with bots.without_levels() as address:
        text = with_strength("service", "level = 3", address).replace(
            "[tournament]", f'[tournament]\nreferee = "{target}"'
        )
        path = tmp_path / "trial.journal"
        create_journal(path, text, planned(text, client)[1]).close()
        with pytest.raises(ConfigError, match=r"entrants\[0\]\.level: is set, but"):
            resume(path, Console(quiet=True), None)


def check(text: str, referee: str) -> None:
    with Client(referee) as client:
        check_levels(parse_config(text, "trial.toml"), client, "trial.toml")


def test_the_referees_server_needs_levels_for_entrants_without_an_address(target: str) -> None:
    text = with_strength("service", "level = 3")
    check(text, target)
    with (
        bots.without_levels() as address,
        pytest.raises(ConfigError, match=r"entrants\[0\]\.level: .* the referee's server has no"),
    ):
        check(text, address)


def test_levels_are_asked_for_only_where_they_are_needed() -> None:
    with bots.without_levels() as address:
        check(with_strength("service", "iterations = 60"), address)
        check(with_strength("endpoint", "level = 3", address), address)


def test_a_server_that_does_not_say_which_levels_it_has(target: str) -> None:
    with (
        bots.bot(bots.failing) as address,
        pytest.raises(ConfigError, match=r"entrants\[0\]\.address: .* does not offer this call"),
    ):
        check(with_strength("service", "level = 3", address), target)
