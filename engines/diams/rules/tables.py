"""The sets of tables (rules section 1): values of collections, and how many copies are pure.

A set is a folder with the files ``collection_values.json`` and ``pure_copies.json``. Sets are
looked for in the game's ``data`` folder and in ``$ADAMAS_DATA_DIR/diams``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

KINDS = 10
COPIES = 5
STANDARD = "standard"
DATA_FOLDER = Path(__file__).parents[1] / "data"
MAX_VALUE = 100
"""Highest value of a collection."""


@dataclass(frozen=True)
class DataSet:
    """One set of tables."""

    name: str
    collection_values: tuple[tuple[int, int, int], ...]
    """For each kind the points of 3, 4 and 5 diamonds."""
    pure_copies: tuple[int, ...]
    """For each kind how many of its copies are pure."""


class InvalidDataSet(Exception):
    """A set of tables that can't be used; says which file and what is wrong."""


def load_data_set(folder: Path) -> DataSet:
    """Reads and checks one set; raises InvalidDataSet."""
    values = _kinds(folder / "collection_values.json", "values")
    pure = _kinds(folder / "pure_copies.json", "pure")
    for kind, row in enumerate(values, start=1):
        _check_values(row, f"{folder / 'collection_values.json'}: values.{kind}")
    for kind, copies in enumerate(pure, start=1):
        if not _is_number(copies, 0, COPIES):
            raise InvalidDataSet(
                f"{folder / 'pure_copies.json'}: pure.{kind} is {copies}; use 0 to {COPIES}"
            )
    return DataSet(folder.name, tuple((a, b, c) for a, b, c in values), tuple(pure))


def _is_number(value: Any, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _check_values(row: Any, where: str) -> None:
    if not isinstance(row, list) or len(row) != 3:
        raise InvalidDataSet(f"{where} is {row}; give the points of 3, 4 and 5 diamonds")
    if not all(_is_number(points, 0, MAX_VALUE) for points in row):
        raise InvalidDataSet(f"{where} is {row}; use points from 0 to {MAX_VALUE}")
    if sorted(row) != row:
        raise InvalidDataSet(f"{where} is {row}; more diamonds can't be worth less")


def _kinds(path: Path, key: str) -> list[Any]:
    """The entries for kinds 1 to 10 of a table file."""
    try:
        table = json.loads(path.read_text(encoding="utf-8"))[key]
        if sorted(table, key=int) != [str(kind) for kind in range(1, KINDS + 1)]:
            raise InvalidDataSet(f"{path}: {key} needs the kinds 1 to {KINDS}, each once")
        return [table[str(kind)] for kind in range(1, KINDS + 1)]
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise InvalidDataSet(f"{path}: can't be read as a table named {key} ({error})") from error


def load_data_sets(folders: tuple[Path, ...]) -> Mapping[str, DataSet]:
    """All sets in these folders by name, the standard one first; a later folder wins."""
    found = {
        path.name: path
        for folder in folders
        if folder.is_dir()
        for path in sorted(folder.iterdir())
        if path.is_dir()
    }
    names = sorted(found, key=lambda name: (name != STANDARD, name))
    return {name: load_data_set(found[name]) for name in names}


def data_folders() -> tuple[Path, ...]:
    """The game's data and, if ADAMAS_DATA_DIR is set, the server's."""
    base = os.environ.get("ADAMAS_DATA_DIR")
    return (DATA_FOLDER, Path(base) / "diams") if base else (DATA_FOLDER,)


DATA_SETS = load_data_sets(data_folders())
"""All sets of this server by name, the standard one first."""
