"""Servers with tokens, and what is noticed before the first game."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr
from rich.console import Console

from adamas.access import TLS_VARIABLES, TOKEN_VARIABLE
from adamas_tournament.channels import access_of
from adamas_tournament.config import ConfigError, parse_config
from adamas_tournament.session import begin, resume
from server.access.clients import digest
from server.embedded import embedded_server
from server.settings import Settings
from tests.tournament import bots
from tests.tournament.configs import ENTRANTS, config_text

TOKEN = "token-of-a-tournament-0123456789"  # noqa: S105


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (TOKEN_VARIABLE, *TLS_VARIABLES):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def guarded() -> Iterator[str]:
    """A server that wants a token."""
    entry = f'[[client]]\nname = "tournament"\ntoken_sha256 = "{digest(TOKEN).hex()}"\n'
    settings = Settings(port=0, log_level="warning", tokens=SecretStr(entry))
    with embedded_server(settings) as address:
        yield address


def written(folder: Path, text: str, referee: str) -> Path:
    path = folder / "trial.toml"
    path.write_text(
        text.replace("[tournament]", f'[tournament]\nreferee = "{referee}"'), encoding="utf-8"
    )
    return path


def play(config: Path) -> set[str]:
    """Plays a tournament; gives who forfeited."""
    progress = begin(config, config.with_suffix(".journal"), Console(quiet=True), None)
    return {
        game.sides[forfeit.side].entrant for game in progress.games for forfeit in game.forfeits
    }


def test_entrants_of_the_service_show_the_token_and_others_dont(
    guarded: str, target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, TOKEN)
    shown: list[dict[str, str | bytes]] = []

    with bots.bot(bots.noting([], bots.first_move(target), shown)) as address:
        entrants = (
            ENTRANTS
            + '[[entrants]]\nname = "casual"\nkind = "casual"\n'
            + f'[[entrants]]\nname = "other"\nkind = "endpoint"\naddress = "{address}"\n'
        )
        text = config_text(deals=1, entrants=entrants)
        assert play(written(tmp_path, text, guarded)) == set()
    assert shown
    assert not any("authorization" in metadata for metadata in shown)


def test_a_token_does_not_travel_without_tls(
    tmp_path: Path, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, TOKEN)
    elsewhere = 'kind = "service"\naddress = "games.example.org:50051"'
    for text, referee, key in (
        (config_text(), "games.example.org:50051", "tournament.referee"),
        (
            config_text(entrants=ENTRANTS.replace('kind = "service"', elsewhere)),
            target,
            "entrants[0].address",
        ),
    ):
        with pytest.raises(ConfigError) as refused:
            play(written(tmp_path, text, referee))
        assert f"{key}: without TLS, others could read the token" in str(refused.value)
        assert TOKEN_VARIABLE in str(refused.value)


@pytest.mark.parametrize("tls", [True, False])
def test_an_endpoint_is_reached_with_tls_if_its_configuration_says_so(tls: bool) -> None:
    lines = f'kind = "endpoint"\naddress = "there:1"\ntls = {str(tls).lower()}'
    text = config_text(entrants=ENTRANTS.replace('kind = "service"', lines))
    access = access_of(parse_config(text, "x").entrants[0])
    assert access is not None
    assert (access.credentials is not None) == tls


def test_what_the_service_refuses_is_noticed_before_the_first_game(
    tmp_path: Path, target: str
) -> None:
    text = config_text(entrants=ENTRANTS.replace("iterations = 60", "time = 100"))
    config = written(tmp_path, text, target)
    with pytest.raises(ConfigError) as refused:
        play(config)
    assert str(refused.value).startswith(f"{config}: entrants[0]: {target} failed: ")
    assert "query.limits.time: is 100 s; use more than 0 and at most 60 s" in str(refused.value)
    assert not config.with_suffix(".journal").exists()


def test_a_resumed_tournament_is_checked_too(
    tmp_path: Path, target: str, guarded: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, TOKEN)
    entrants = ENTRANTS.replace("iterations", f'address = "{guarded}"\niterations')
    config = written(tmp_path, config_text(deals=2, entrants=entrants), target)
    journal = config.with_suffix(".journal")
    with monkeypatch.context() as interrupting:
        interrupting.setattr("adamas_tournament.driver.Driver.run", lambda self: None)
        assert play(config) == set()
    monkeypatch.setenv(TOKEN_VARIABLE, TOKEN[::-1])
    with pytest.raises(ConfigError, match=r"entrants\[0\].*"):
        resume(journal, Console(quiet=True), None)
    monkeypatch.setenv(TOKEN_VARIABLE, TOKEN)
    assert resume(journal, Console(quiet=True), None).over
