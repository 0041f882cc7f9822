"""The tables of Diamonds Club: data files, found by name, checked when they are read.

There are five tables, each with one folder. A data set is a JSON file in the table's folder, below
this package or below ``$ADAMAS_DATA_DIR/diamonds_club``; its name is the file's name without
".json". Every file is read and checked once, when the game is loaded.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

STRIPS, PRICES, TRACKS, PRINTED, SUPPLY = "strips", "prices", "tracks", "printed", "supply"
STANDARD: Final = "standard"
"""The data set that every table has; the default."""

COLORS: Final = ("blue", "yellow", "green", "red")
GEMS: Final = (*COLORS, "diamonds")
KINDS: Final = ("fountain", "orangery", "pavilion", "rose_garden", "forest")
BUILDINGS: Final = KINDS[:4]
CHARTS: Final = (*KINDS, "joker")
ANIMALS: Final = ("pond", "deer_park", "aviary")
BOARDS: Final = ("red", "white", "bronze", "blue")
"""The boards of seats 0 to 3."""
VALUES: Final = ("2", "3", "4", "5")
SYMBOLS: Final = (
    *("Mb", "My", "Mg", "Mr"),
    *("R2", "R3", "R4", "R5"),
    *("S2", "S3", "S4", "S5"),
    *("F", "T", "M", "?"),
    *("H", "A"),
)
"""Symbol number -> its letters in the data files."""
SHADES: Final = ("dark", "light")
STRIPS_OF_SHADE: Final = 6
ROWS: Final = 6
LEVELS: Final = 5
PRINTED_SPACES: Final = 3

MAX_PRICE: Final = 8
"""Most gems that a base price may ask for."""
MAX_HATS: Final = 5
MAX_COINS: Final = 30
MAX_LEVEL_POINTS: Final = 20
MAX_LIGHT_SPACES: Final = 30
MAX_DARK_SPACES: Final = 20
MAX_GEMS: Final = 31
MAX_MINES: Final = 6
MAX_TILES: Final = 20
MAX_LANDSCAPE: Final = 60

Table: TypeAlias = Mapping[str, NDArray[np.uint8]]
"""The fields of the state record that a table fills."""


class DataError(ValueError):
    """A data file that can't be used; says which file, where in it, and what would be right."""


class _Reader:
    """One place in a data file: its content, and how to say where it is."""

    def __init__(self, content: Any, where: str) -> None:
        self.content = content
        self.where = where

    def fail(self, problem: str) -> DataError:
        """An error that says where it is."""
        return DataError(f"{self.where}: {problem}")

    def entries(self, allowed: Sequence[str], required: Sequence[str]) -> Mapping[str, _Reader]:
        """The entries of an object with known keys."""
        if not isinstance(self.content, dict):
            raise self.fail("must be an object")
        for key in self.content:
            if key not in allowed:
                raise self.fail(f"has an unknown entry {key!r}; use {', '.join(allowed)}")
        for key in required:
            if key not in self.content:
                raise self.fail(f"lacks the entry {key!r}")
        return {key: _Reader(value, f"{self.where}.{key}") for key, value in self.content.items()}

    def items(self, length: int) -> list[_Reader]:
        """The items of a list of known length."""
        if not isinstance(self.content, list) or len(self.content) != length:
            raise self.fail(f"must be a list of {length}")
        return [_Reader(value, f"{self.where}[{i}]") for i, value in enumerate(self.content)]

    def number(self, low: int, high: int) -> int:
        """A whole number in a range."""
        if type(self.content) is not int or not low <= self.content <= high:
            raise self.fail(f"is {self.content!r}; use a whole number from {low} to {high}")
        return self.content

    def text(self) -> str:
        """A text."""
        if not isinstance(self.content, str):
            raise self.fail("must be a text")
        return self.content

    def one_of(self, names: Sequence[str]) -> int:
        """The number of a name."""
        if self.content not in names:
            raise self.fail(f"is {self.content!r}; use one of {', '.join(names)}")
        return names.index(self.content)

    def numbers(self, names: Sequence[str], low: int, high: int) -> NDArray[np.uint8]:
        """An object with one number for each name."""
        entries = self.entries(names, names)
        return _bytes([entries[name].number(low, high) for name in names])

    def levels(self, low: int, high: int) -> NDArray[np.uint8]:
        """A list with one number for each level of a track."""
        return _bytes([item.number(low, high) for item in self.items(LEVELS)])


def _bytes(values: Any) -> NDArray[np.uint8]:
    return np.array(values, dtype=np.uint8)


def _root(content: _Reader, keys: Sequence[str], optional: Sequence[str] = ()) -> Any:
    """The entries of a whole file; each states its provenance."""
    return content.entries(("provenance", *keys, *optional), ("provenance", *keys))


def read_strips(content: _Reader) -> Table:
    """Strips (section 1.4): twelve times two sides of six symbols, and the hats of a symbol."""
    entries = _root(content, ("hats", *SHADES), optional=("symbols",))
    hats = np.zeros(len(SYMBOLS), dtype=np.uint8)
    for name, reader in entries["hats"].entries(SYMBOLS, ()).items():
        hats[SYMBOLS.index(name)] = reader.number(0, MAX_HATS)
    strips = [
        [_read_side(strip.entries("ab", "ab")[side]) for side in "ab"]
        for shade in SHADES
        for strip in entries[shade].items(STRIPS_OF_SHADE)
    ]
    return {"strips": _bytes(strips), "hats": hats}


def _read_side(side: _Reader) -> list[int]:
    names = side.text().split()
    if len(names) != ROWS:
        raise side.fail(f"has {len(names)} symbols; a strip has {ROWS}")
    return [_Reader(name, side.where).one_of(SYMBOLS) for name in names]


def read_prices(content: _Reader) -> Table:
    """Prices (section 1.3): gems of each colour, then gems of any colour."""
    entries = _root(content, CHARTS)
    parts = (*COLORS, "any")
    prices = np.zeros((len(CHARTS), len(parts)), dtype=np.uint8)
    for chart, name in enumerate(CHARTS):
        for part, reader in entries[name].entries(parts, ()).items():
            prices[chart, parts.index(part)] = reader.number(0, MAX_PRICE)
        total = int(prices[chart].sum())
        if not 1 <= total <= MAX_PRICE:
            raise entries[name].fail(f"asks for {total} gems; use 1 to {MAX_PRICE} in all")
    return {"prices": prices}


def read_tracks(content: _Reader) -> Table:
    """Development tracks (section 1.1): what each of five levels gives."""
    entries = _root(content, ("forest", "technology", "money"))
    forest = entries["forest"].entries(*(("points_per_forest",),) * 2)
    technology = entries["technology"].entries(
        *(("extra_gems_per_set", "extra_diamonds_per_set", "end_bonus"),) * 2
    )
    money = entries["money"].entries(*(("coins_per_round", "end_bonus"),) * 2)
    income = money["coins_per_round"].levels(1, MAX_COINS)
    if (np.diff(income.astype(int)) < 0).any():
        raise money["coins_per_round"].fail("must not fall from one level to the next")
    return {
        "forest_points": forest["points_per_forest"].levels(0, MAX_LEVEL_POINTS),
        "extra_gems": technology["extra_gems_per_set"].levels(0, 5),
        "extra_diamonds": technology["extra_diamonds_per_set"].levels(0, 5),
        "technology_bonus": technology["end_bonus"].levels(0, MAX_LEVEL_POINTS),
        "income": income,
        "money_bonus": money["end_bonus"].levels(0, MAX_LEVEL_POINTS),
    }


def read_printed(content: _Reader) -> Table:
    """Parks (section 1.2): numbers of spaces, and the three printed buildings of each board."""
    entries = _root(content, ("light_spaces", "dark_spaces", "boards"))
    boards = entries["boards"].entries(BOARDS, BOARDS)
    printed = [
        [space.one_of(BUILDINGS) for space in boards[board].items(PRINTED_SPACES)]
        for board in BOARDS
    ]
    return {
        "printed": _bytes(printed),
        "light_size": _bytes(entries["light_spaces"].number(PRINTED_SPACES, MAX_LIGHT_SPACES)),
        "dark_size": _bytes(entries["dark_spaces"].number(0, MAX_DARK_SPACES)),
    }


def read_supply(content: _Reader) -> Table:
    """What is in the box (section 1): gems, mines, rights, ships, landscape and animal tiles."""
    entries = _root(content, ("gems", "mines", "rights", "ships", "buildings", "animals"))
    tiles = [
        entries["mines"].numbers(COLORS, 0, MAX_MINES),
        entries["rights"].numbers(VALUES, 0, MAX_TILES),
        entries["ships"].numbers(VALUES, 0, MAX_TILES),
    ]
    return {
        "box_gems": entries["gems"].numbers(GEMS, 0, MAX_GEMS),
        "box_tiles": np.concatenate(tiles),
        "box_landscape": entries["buildings"].numbers(BUILDINGS, 0, MAX_LANDSCAPE),
        "box_animals": entries["animals"].numbers(ANIMALS, 0, MAX_TILES),
    }


READERS: Final[Mapping[str, Callable[[_Reader], Table]]] = {
    STRIPS: read_strips,
    PRICES: read_prices,
    TRACKS: read_tracks,
    PRINTED: read_printed,
    SUPPLY: read_supply,
}
"""Table -> the reader of its data sets."""


def read_file(table: str, path: Path) -> Table:
    """One data set; raises DataError if it can't be used."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise DataError(f"{path}: can't be read: {problem}") from problem
    return READERS[table](_Reader(content, str(path)))


def find_files(table: str, folders: Sequence[Path]) -> dict[str, Path]:
    """The data sets of a table by name: the standard one first, then in order of their names."""
    files: dict[str, Path] = {}
    for folder in folders:
        for path in (folder / table).glob("*.json"):
            if path.stem in files:
                raise DataError(f"{path}: {files[path.stem]} has the same name already")
            files[path.stem] = path
    order = sorted(files, key=lambda name: (name != STANDARD, name))
    return {name: files[name] for name in order}


def data_folders() -> list[Path]:
    """Where data sets are looked for: this package, then the server's own folder."""
    folders = [Path(__file__).parents[1] / "data"]
    if own := os.environ.get("ADAMAS_DATA_DIR"):
        folders.append(Path(own) / "diamonds_club")
    return folders


@cache
def data_sets(table: str) -> Mapping[str, Table]:
    """All data sets of a table by name, read and checked."""
    files = find_files(table, data_folders())
    return {name: read_file(table, path) for name, path in files.items()}


def names(table: str) -> tuple[str, ...]:
    """The names of a table's data sets; an option's value is a name's place in it."""
    return tuple(data_sets(table))


def fill_tables(record: Any) -> None:
    """Writes the data sets that the record's options name into its table fields."""
    for table in READERS:
        chosen = names(table)[int(getattr(record, f"data_{table}"))]
        for field, values in data_sets(table)[chosen].items():
            record[field] = values
