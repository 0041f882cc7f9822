"""What a configuration may say, and how a wrong one is refused."""

from pathlib import Path

import pytest

from adamas_tournament.config import ConfigError, load_config, parse_config
from tests.tournament.configs import ENTRANTS, config_text


def refusal(text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        parse_config(text, "trial.toml")
    return str(caught.value)


def test_what_is_left_out_has_a_default() -> None:
    config = parse_config(config_text(), "trial.toml")
    assert config.names == ("strong", "random")
    assert config.tournament.parallel == 1
    assert config.time.hang == 60
    assert config.stop is None
    assert config.questions() == ()


def test_whole_numbers_do_for_seconds() -> None:
    assert parse_config(config_text(rest="[time]\nmove = 2"), "x").time.move == 2.0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (config_text(deals=0), ["tournament.deals", "greater than or equal to 1", "not 0"]),
        (config_text(seats=9), ["game.seats", "less than or equal to 6"]),
        (config_text(tournament='parallel = "2"'), ["tournament.parallel", "valid integer"]),
        (config_text(tournament="paralel = 2"), ["tournament.paralel", "mean parallel?"]),
        (config_text().replace("deals = 3", ""), ["tournament.deals: is missing", "at most"]),
        (config_text(tournament="blah = 2"), ["tournament.blah: is not a setting. What there is"]),
        (config_text(entrants=ENTRANTS.split("[[entrants]]")[1].join(["[[entrants]]", ""])),
         ["entrants: there have to be 2 or more, not 1 (who takes part"]),
        (config_text(entrants=ENTRANTS.replace("iterations = 60", "time = inf")),
         ["entrants[0].time", "finite number"]),
        (config_text(entrants=ENTRANTS.replace("iterations = 60", "time = 1e30")),
         ["entrants[0].time", "less than or equal to 86400"]),
        (config_text(rest="[time]\ntotal = 100_000"), ["time.total", "equal to 86400, not 100000"]),
        (config_text(entrants=""), ["entrants: is missing"]),
        (config_text(entrants=ENTRANTS.replace("iterations = 60", "iterations = 0")),
         ["entrants[0].iterations", "greater than or equal to 1"]),
        (config_text(entrants=ENTRANTS.replace("iterations = 60", "level = 11")),
         ["entrants[0].level", "less than or equal to 10, not 11", "1 to 10"]),
        (config_text(entrants=ENTRANTS.replace("iterations = 60", "level = 0")),
         ["entrants[0].level", "greater than or equal to 1, not 0", "left out, full strength"]),
        (config_text(entrants=ENTRANTS.replace("iterations = 60", "level = 2.5")),
         ["entrants[0].level", "valid integer"]),
        (config_text(entrants=ENTRANTS.replace("iterations", "level = 3\ntarget_rating")),
         ["entrants[0].target_rating: is set beside level; use one of them"]),
        (config_text(entrants=ENTRANTS.replace("iterations = 60", "target_rating = nan")),
         ["entrants[0].target_rating", "finite number, not nan"]),
        (config_text(entrants=ENTRANTS.replace("iterations = 60", "target_rating = -inf")),
         ["entrants[0].target_rating", "finite number, not -inf"]),
        (config_text(entrants=ENTRANTS.replace('"random"\n', '"random"\nlevel = 3\n', 1)),
         ["entrants[1].level: is not a setting", "name, kind"]),
        (config_text(entrants=ENTRANTS.replace('"service"', '"servise"')),
         ["entrants[0].kind", "'servise'", '"endpoint"']),
        (config_text(entrants=ENTRANTS.replace('kind = "random"', "")),
         ["entrants[1].kind: is missing", '"casual"']),
        (config_text(entrants=ENTRANTS.replace('"service"', '"endpoint"')),
         ["entrants[0]: use address for a player that runs, or command for one to be started"]),
        (config_text(entrants=ENTRANTS.replace('"service"', '"endpoint"\ncommand = ["bot"]')),
         ["entrants[0].command: has no {port}", '"--port", "{port}"']),
        (config_text(entrants=ENTRANTS.replace(
            '"service"', '"endpoint"\ncommand = ["bot", "{port}"]\naddress = "here:1"')),
         ["entrants[0]: use address for a player that runs, or command"]),
        (config_text(entrants=ENTRANTS.replace(
            '"service"', '"endpoint"\ncommand = ["bot", "{port}"]\ntls = true')),
         ["entrants[0]: tls goes with address"]),
        (config_text(entrants=ENTRANTS.replace('"random"\nkind', '"strong"\nkind')),
         ["two entrants are called 'strong'"]),
        (config_text(rest='[stop]\nwhen = "strong > nobody"'),
         ["no entrant 'nobody'", "strong, random"]),
        (config_text(rest='[stop]\nwhen = "strong"'), ["stop.when", '"A > B" or "all pairs"']),
        (config_text(rest='[stop]\nwhen = "strong > strong"'), ["with itself"]),
        (config_text(rest="[time]\nincrement = 1"), ["increment goes with total"]),
        (config_text(rest='[rating]\nanchor = "x"'), ["rating.anchor", "no entrant 'x'"]),
        (config_text(options="teams = [[0, 0], [1, 2]]", seats=4),
         ["game.teams", "each seat from 0 to 3 exactly once"]),
        (config_text(options="teams = [[0, 1, 2], [3]]", seats=4), ["game.teams", "same size"]),
        ("[tournament", ["is no TOML", "table declaration"]),
    ],
)  # fmt: skip
def test_a_refusal_names_file_key_and_what_would_be_right(text: str, told: list[str]) -> None:
    refused = refusal(text)
    assert refused.startswith("trial.toml: ")
    for part in told:
        assert part in refused


def test_all_that_is_wrong_is_told_at_once() -> None:
    assert len(refusal(config_text(deals=0, seats=1)).splitlines()) == 2


def test_a_wrong_entrant_does_not_count_as_a_missing_one() -> None:
    refused = refusal(config_text(entrants=ENTRANTS.replace("iterations = 60", "level = 11")))
    assert [line.split(":")[1] for line in refused.splitlines()] == [" entrants[0].level"]


def test_a_byte_order_mark_is_no_mistake(tmp_path: Path) -> None:
    file = tmp_path / "trial.toml"
    file.write_text(config_text(), encoding="utf-8-sig")
    config, _ = load_config(file)
    assert config == parse_config(config_text(), "trial")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.toml: can't be read"):
        load_config(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("lines", "description"),
    [
        ('kind = "service"', "search"),
        ('kind = "service"\nlevel = 3', "search, level 3"),
        ('kind = "service"\nlevel = 10\niterations = 1000\naddress = "there:1"',
         "search, level 10, 1,000 iterations a move, at there:1"),
        ('kind = "service"\ntarget_rating = 402.5\ntime = 0.05\ntrees = 2',
         "search, rating 402.5, 0.05 s a move, 2 trees"),
        ('kind = "endpoint"\naddress = "there:1"\nlevel = 3', "program at there:1, level 3"),
        ('kind = "casual"\naddress = "there:1"', "rule-based player, at there:1"),
        ('kind = "random"', "random legal moves"),
    ],
)  # fmt: skip
def test_an_entrant_is_described_in_words(lines: str, description: str) -> None:
    text = config_text(entrants=f'{ENTRANTS}\n[[entrants]]\nname = "x"\n{lines}')
    assert parse_config(text, "x").entrants[-1].description == description


def test_questions_of_the_stopping_rule() -> None:
    entrants = ENTRANTS + '[[entrants]]\nname = "third"\nkind = "casual"\n'
    every = parse_config(config_text(entrants=entrants, rest='[stop]\nwhen = "all pairs"'), "x")
    assert every.questions() == (("strong", "random"), ("strong", "third"), ("random", "third"))
    both = parse_config(
        config_text(entrants=entrants, rest='[stop]\nwhen = ["third > random", "all pairs"]'), "x"
    )
    assert both.questions()[0] == ("third", "random")
    assert len(both.questions()) == 3
