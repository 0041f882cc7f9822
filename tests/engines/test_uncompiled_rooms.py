"""The rooms that the kernel cache's key leaves out have nothing to do with compiled code."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

import engines
from engines.jit import UNCOMPILED_ROOMS, source_fingerprint
from engines.registry import game_ids

ROOT = Path(engines.__file__).parent.parent
COMPILERS = {"rule", "inlined_rule", "entry"}
ROOMS = [ROOT / "engines" / game_id / room for game_id in game_ids() for room in UNCOMPILED_ROOMS]


def sources() -> list[Path]:
    return [path for package in ("engines", "search") for path in (ROOT / package).rglob("*.py")]


def file_of(module: str) -> Path | None:
    """The project's file of a module or package."""
    path = ROOT.joinpath(*module.split("."))
    for file in (path.with_suffix(".py"), path / "__init__.py"):
        if file.is_file():
            return file
    return None


@cache
def imports(path: Path) -> frozenset[Path]:
    """The project's files that a file takes something from."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {file_of(alias.name) for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:  # a module of a package, or a name of a module
                found.add(file_of(f"{node.module}.{alias.name}") or file_of(node.module))
    return frozenset(file for file in found if file)


def compiles(path: Path) -> bool:
    """Whether a file decorates functions to be compiled."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "engines.jit":
            if COMPILERS & {alias.name for alias in node.names}:
                return True
        if isinstance(node, (ast.Import, ast.ImportFrom)) and "njit" in ast.unparse(node):
            return True
    return False


def reachable(path: Path) -> set[Path]:
    """All files that a file imports, by itself or through others."""
    found: set[Path] = set()
    todo = [path]
    while todo:
        for imported in imports(todo.pop()) - found:
            found.add(imported)
            todo.append(imported)
    return found


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: f"{room.parent.name}/{room.name}")
def test_an_uncompiled_room_exists_and_compiles_nothing(room: Path) -> None:
    assert room.is_file()
    assert not compiles(room)


def test_no_compiled_module_uses_an_uncompiled_room() -> None:
    compiled = [path for path in sources() if compiles(path)]
    assert len(compiled) > 20
    for path in compiled:
        used = [file.name for file in reachable(path) if file.name in UNCOMPILED_ROOMS]
        assert not used, f"{path} reaches {used}"


def test_only_uncompiled_rooms_leave_the_kernel_cache_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engines.jit._ROOT", tmp_path)
    game = tmp_path / "engines" / "game"
    game.mkdir(parents=True)
    (game / "casual.py").write_text("FIRST = 1\n", encoding="utf-8")
    (game / "rules.py").write_text("FIRST = 1\n", encoding="utf-8")
    before = source_fingerprint()
    (game / "casual.py").write_text("FIRST = 2\n", encoding="utf-8")
    assert source_fingerprint() == before
    (game / "rules.py").write_text("FIRST = 2\n", encoding="utf-8")
    assert source_fingerprint() != before
