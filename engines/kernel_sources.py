"""Which sources compiled code depends on.

Code is compiled in parts: each game is one, what games share is one (``common``), the search is
one. A part depends on its modules that compile something and on all that these import, at any
remove, with their packages' data. So a changed rule of one game is another part for that game only,
and a changed word, codec or level for none.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
COMMON: Final = "common"
_COMPILES: Final = re.compile(r"^@(?:entry\(|rule$|inlined_rule$)", re.MULTILINE)
_IMPORT: Final = re.compile(r"^from ([\w.]+) import (\([^)]*\)|.*)|^import ([\w.]+)", re.MULTILINE)
_NAME: Final = re.compile(r"\w+")
_DATA: Final = "data"
"""A folder of a package, for its modules: compiled code may hold what is in it as constants."""


def part_of(module: str) -> str | None:
    """The part that a module's code belongs to; None for modules of other projects."""
    if _file_of(module) is None:
        return None
    package, *below = module.split(".")
    if package != "engines":
        return package
    return below[0] if len(below) > 1 else COMMON


def fingerprint(part: str) -> str:
    """A hash of all sources and data that the code of a part depends on, 64 hexadecimal digits.

    Of the files as they are now.
    """
    digest = hashlib.sha256()
    for path in sources(part):
        digest.update(f"{path.relative_to(ROOT).as_posix()}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


@cache
def sources(part: str) -> tuple[Path, ...]:
    """The files that the code of a part depends on, in a fixed order."""
    found: set[Path] = set()
    todo = [path for path in _modules(part) if functions_in(path)]
    while todo:
        path = todo.pop()
        if path not in found:
            found.add(path)
            todo += imports(path)
    packages = {package for path in found for package in path.relative_to(ROOT).parents[:-1]}
    data = {file for package in packages for file in _files_below(ROOT / package / _DATA)}
    return tuple(sorted(found | data))


def count_functions(part: str) -> int:
    """How many functions of a part are compiled."""
    return sum(functions_in(path) for path in _modules(part))


def functions_in(path: Path) -> int:
    """How many functions of a file are compiled, by their decorators."""
    return len(_COMPILES.findall(_text(path)))


def imports(path: Path) -> set[Path]:
    """The project's files that a module imports when it is loaded.

    What functions import later is no part of compiled code: that can't import.
    """
    found = set()
    for package, names, module in _IMPORT.findall(_text(path)):
        found.add(_file_of(module))
        for name in _NAME.findall(names):  # a module of the package, or a name of a module
            found.add(_file_of(f"{package}.{name}") or _file_of(package))
    return {file for file in found if file is not None}


def _modules(part: str) -> Iterator[Path]:
    if part == COMMON:
        return (ROOT / "engines").glob("*.py")
    game = ROOT / "engines" / part
    return (game if game.is_dir() else ROOT / part).rglob("*.py")


def _files_below(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file())


@cache
def _file_of(module: str) -> Path | None:
    """The project's file of a module or package."""
    if not module:
        return None
    path = ROOT.joinpath(*module.split("."))
    for file in (path.with_suffix(".py"), path / "__init__.py"):
        if file.is_file():
            return file
    return None


@cache
def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")
