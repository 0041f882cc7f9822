"""Data files say what is wrong with them; the standard ones agree with the known totals."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engines.diamonds_club.rules import tables
from engines.diamonds_club.rules.tables import DataError

STANDARD_FOLDER = Path(tables.__file__).parents[1] / "data"


def content(table: str) -> Any:
    return json.loads((STANDARD_FOLDER / table / "standard.json").read_text(encoding="utf-8"))


def read(table: str, changed: Any, folder: Path) -> tables.Table:
    path = folder / f"{table}.json"
    path.write_text(json.dumps(changed), encoding="utf-8")
    return tables.read_file(table, path)


def test_every_table_has_a_standard_data_set_that_comes_first() -> None:
    for table in tables.READERS:
        assert tables.names(table)[0] == "standard"


def test_the_strips_add_up_to_the_known_totals() -> None:
    strips = tables.data_sets("strips")["standard"]["strips"]
    symbols = [tables.SYMBOLS[number] for number in strips.ravel()]
    assert len(symbols) == 144
    assert [symbols.count(f"M{color}") for color in "bygr"] == [7, 7, 7, 7]
    for sort in "RS":
        assert [symbols.count(f"{sort}{value}") for value in (2, 3, 4, 5)] == [6, 9, 9, 6]
    assert [symbols.count(step) for step in "FTM?"] == [7, 7, 7, 7]
    assert (symbols.count("H"), symbols.count("A")) == (12, 16)


def test_each_gem_colour_is_asked_for_four_times() -> None:
    prices = tables.data_sets("prices")["standard"]["prices"]
    assert prices.sum(axis=0).tolist() == [4, 4, 4, 4, 9]


def test_the_box_holds_the_known_totals() -> None:
    box = tables.data_sets("supply")["standard"]
    assert box["box_gems"].sum() == 100
    assert box["box_tiles"].sum() == 16 + 20 + 20
    assert box["box_landscape"].sum() == 84
    assert box["box_animals"].sum() == 21


Change = Callable[[Any], object]
MISTAKES: list[tuple[str, Change, str]] = [
    ("strips", lambda c: c.pop("provenance"), "lacks the entry 'provenance'"),
    ("strips", lambda c: c["dark"].pop(), ".dark: must be a list of 6"),
    ("strips", lambda c: c["dark"][2].update(a="H H H"), ".dark[2].a: has 3 symbols"),
    ("strips", lambda c: c["light"][0].update(b="H H H H H X"), ".light[0].b: is 'X'; use one of"),
    ("strips", lambda c: c["hats"].update(H=6), ".hats.H: is 6; use a whole number from 0 to 5"),
    ("prices", lambda c: c.pop("joker"), "lacks the entry 'joker'"),
    ("prices", lambda c: c["forest"].update(any=9), ".forest.any: is 9"),
    ("prices", lambda c: c.update(forest={}), ".forest: asks for 0 gems"),
    ("prices", lambda c: c["forest"].update(pink=1), ".forest: has an unknown entry 'pink'"),
    ("tracks", lambda c: c["forest"].update(points_per_forest=[1, 2]), "must be a list of 5"),
    (
        "tracks",
        lambda c: c["money"].update(coins_per_round=[10, 9, 9, 9, 9]),
        ".money.coins_per_round: must not fall",
    ),
    ("tracks", lambda c: c["money"].update(end_bonus=[0, 0, 1, 2, True]), ".money.end_bonus[4]"),
    ("printed", lambda c: c["boards"].pop("blue"), ".boards: lacks the entry 'blue'"),
    ("printed", lambda c: c["boards"].update(red=["fountain", "forest", "pavilion"]), ".red[1]"),
    ("printed", lambda c: c.update(light_spaces=2), ".light_spaces: is 2"),
    ("supply", lambda c: c["gems"].update(diamonds=32), ".gems.diamonds: is 32"),
    ("supply", lambda c: c["mines"].pop("red"), ".mines: lacks the entry 'red'"),
    ("supply", lambda c: c.update(animals=[]), ".animals: must be an object"),
]


@pytest.mark.parametrize(("table", "mistake", "message"), MISTAKES)
def test_a_mistake_in_a_file_is_named(
    table: str, mistake: Change, message: str, tmp_path: Path
) -> None:
    changed = content(table)
    mistake(changed)
    with pytest.raises(DataError) as caught:
        read(table, changed, tmp_path)
    assert message in str(caught.value)
    assert f"{table}.json" in str(caught.value)


def test_a_file_that_is_no_json_is_named(tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_text("{", encoding="utf-8")
    with pytest.raises(DataError, match=r"broken\.json: can't be read"):
        tables.read_file("prices", path)


def test_a_server_folder_adds_data_sets_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "diamonds_club" / "prices"
    folder.mkdir(parents=True)
    (folder / "cheap.json").write_text(json.dumps(content("prices")), encoding="utf-8")
    monkeypatch.setenv("ADAMAS_DATA_DIR", str(tmp_path))
    assert list(tables.find_files("prices", tables.data_folders())) == ["standard", "cheap"]
    assert list(tables.find_files("strips", tables.data_folders())) == ["standard"]


def test_a_name_may_be_given_once_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "diamonds_club" / "prices"
    folder.mkdir(parents=True)
    (folder / "standard.json").write_text("{}", encoding="utf-8")
    monkeypatch.setenv("ADAMAS_DATA_DIR", str(tmp_path))
    with pytest.raises(DataError, match="has the same name already"):
        tables.find_files("prices", tables.data_folders())
