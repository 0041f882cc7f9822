"""The tables of Diam's (section 1) and the sets that can replace them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from adamas.v1 import diams_pb2 as pb
from engines.diams.rules.tables import (
    DATA_FOLDER,
    DATA_SETS,
    STANDARD,
    InvalidDataSet,
    load_data_set,
    load_data_sets,
)
from engines.registry import game
from engines.violations import Report


@pytest.fixture
def own_set(tmp_path: Path) -> Path:
    """A copy of the standard set under another name."""
    folder = tmp_path / "own"
    shutil.copytree(DATA_FOLDER / STANDARD, folder)
    return folder


def change(path: Path, key: str, kind: str, value: object) -> None:
    table = json.loads(path.read_text(encoding="utf-8"))
    table[key][kind] = value
    path.write_text(json.dumps(table), encoding="utf-8")


def test_seven_is_the_most_valuable_kind() -> None:
    values = DATA_SETS[STANDARD].collection_values
    assert max(range(10), key=lambda kind: values[kind]) == 6
    assert values[6] == (9, 12, 16)


def test_more_diamonds_are_worth_more() -> None:
    for three, four, five in DATA_SETS[STANDARD].collection_values:
        assert 0 < three < four < five


def test_two_copies_of_every_kind_are_pure() -> None:
    assert DATA_SETS[STANDARD].pure_copies == (2,) * 10


def test_every_table_says_where_its_numbers_come_from() -> None:
    for path in (DATA_FOLDER / STANDARD).glob("*.json"):
        assert json.loads(path.read_text(encoding="utf-8"))["about"]


def test_a_set_is_named_by_its_folder(own_set: Path) -> None:
    change(own_set / "pure_copies.json", "pure", "7", 5)
    found = load_data_set(own_set)
    assert found.name == "own"
    assert found.pure_copies[6] == 5


def test_sets_are_found_in_all_folders_with_the_standard_one_first(own_set: Path) -> None:
    assert list(load_data_sets((DATA_FOLDER, own_set.parent))) == [STANDARD, "own"]
    assert list(load_data_sets((own_set.parent, DATA_FOLDER))) == [STANDARD, "own"]


@pytest.mark.parametrize(
    ("file", "key", "kind", "value", "what"),
    [
        ("collection_values", "values", "3", [1, 2], "points of 3, 4 and 5"),
        ("collection_values", "values", "3", [1, 2, 101], "from 0 to 100"),
        ("collection_values", "values", "3", [1, 2, "x"], "from 0 to 100"),
        ("collection_values", "values", "3", [3, 2, 4], "can't be worth less"),
        ("collection_values", "values", "11", [1, 2, 3], "kinds 1 to 10"),
        ("pure_copies", "pure", "3", 6, "use 0 to 5"),
        ("pure_copies", "pure", "3", True, "use 0 to 5"),
        ("pure_copies", "pure", "x", 1, "can't be read"),
    ],
)
def test_what_is_wrong_with_a_table_is_said(
    own_set: Path, file: str, key: str, kind: str, value: object, what: str
) -> None:
    change(own_set / f"{file}.json", key, kind, value)
    with pytest.raises(InvalidDataSet, match=what):
        load_data_set(own_set)


def test_a_missing_table_is_named(own_set: Path) -> None:
    (own_set / "pure_copies.json").unlink()
    with pytest.raises(InvalidDataSet, match="pure_copies"):
        load_data_set(own_set)


def test_an_unknown_set_is_refused_with_the_names_of_those_there_are() -> None:
    report = Report()
    game("diams").codec.read_options(pb.DiamsOptions(data_set="printed"), 3, "options", report)
    (violation,) = report.violations
    assert violation.field == "options.data_set"
    assert STANDARD in violation.description


def test_a_server_plays_with_its_own_set(own_set: Path, tmp_path: Path) -> None:
    """$ADAMAS_DATA_DIR/diams/own: all copies pure and 100 points for three of a kind."""
    for kind in range(1, 11):
        change(own_set / "pure_copies.json", "pure", str(kind), 5)
        change(own_set / "collection_values.json", "values", str(kind), [100, 100, 100])
    (tmp_path / "diams").mkdir()
    own_set.rename(tmp_path / "diams" / "own")
    program = """
from adamas.v1 import diams_pb2 as pb
from engines.diams.rules.state import STATE
from engines.events import new_log
from engines.registry import game
g = game("diams")
row = g.codec.new_game(pb.DiamsOptions(data_set="own"), 2, 1, new_log())
s = row.view(STATE)[0]
print(s.collection_values[2].tolist())
print(g.codec.write_state(row).options.data_set)
"""
    shown = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "ADAMAS_DATA_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    assert shown == ["[100, 100, 100]", "own"]
