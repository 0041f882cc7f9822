"""A part of the compiled code depends on the sources that it is made from, and on no others."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from engines.kernel_sources import (
    COMMON,
    ROOT,
    count_functions,
    fingerprint,
    functions_in,
    imports,
    part_of,
    sources,
)
from engines.registry import game_ids

COMPILERS = {"rule", "inlined_rule", "entry"}
PARTS = (COMMON, "search", *game_ids())
MODULES = [path for package in ("engines", "search") for path in (ROOT / package).rglob("*.py")]


def compiled_functions(module: ast.Module) -> int:
    """How many functions a module decorates to be compiled, wherever they stand in it."""
    return sum(
        ast.unparse(decorator).partition("(")[0] in COMPILERS
        for node in ast.walk(module)
        if isinstance(node, ast.FunctionDef)
        for decorator in node.decorator_list
    )


def imported_modules(module: ast.Module) -> set[str]:
    """What a module imports as it is loaded, as names of modules or of what is in them."""
    found = set()
    for node in module.body:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def file_of(name: str) -> Path | None:
    """The project's file of a module, or of the module that a name is in."""
    for candidate in (name, name.rpartition(".")[0]):
        path = ROOT.joinpath(*candidate.split("."))
        for file in (path.with_suffix(".py"), path / "__init__.py"):
            if candidate and file.is_file():
                return file
    return None


def test_all_imports_and_functions_are_found() -> None:
    assert len(MODULES) > 80
    for path in MODULES:
        module = ast.parse(path.read_text(encoding="utf-8"))
        assert functions_in(path) == compiled_functions(module), path
        # It may find more, such as a module of the name that another is given by "as".
        assert imports(path) >= {file_of(name) for name in imported_modules(module)} - {None}, path


def test_a_module_is_of_its_games_part() -> None:
    assert part_of("engines.dao.rules") == "dao"
    assert part_of("engines.rng") == COMMON
    assert part_of("search.kernel") == "search"
    assert part_of("numba.core.caching") is None


@pytest.mark.parametrize("part", PARTS)
def test_a_part_depends_on_no_game_but_its_own(part: str) -> None:
    assert count_functions(part) > 0
    games = {path.relative_to(ROOT).parts[1] for path in sources(part)} & set(game_ids())
    assert games == {part} & set(game_ids())
    assert ROOT / "engines" / "jit.py" in sources(part)


@pytest.mark.parametrize("game_id", game_ids())
def test_words_casual_players_and_levels_cost_no_compilation(game_id: str) -> None:
    names = {path.name for path in sources(game_id)}
    assert not names & {"casual.py", "words.py", "levels.json"}


def test_a_part_depends_on_its_data() -> None:
    assert ROOT / "engines" / "diamonds" / "data" / "round_gain.json" in sources("diamonds")
    values = ROOT / "engines" / "diams" / "data" / "standard" / "collection_values.json"
    assert values in sources("diams")


def test_a_fingerprint_is_of_contents_and_places_within_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def tree(name: str, rules: str, words: str) -> str:
        root = tmp_path / name
        game = root / "engines" / "tick"
        game.mkdir(parents=True)
        (game / "rules.py").write_text(f"@rule\ndef tick() -> int:\n    return {rules}\n")
        (game / "words.py").write_text(f"WORDS = {words!r}\n")
        monkeypatch.setattr("engines.kernel_sources.ROOT", root)
        sources.cache_clear()
        return fingerprint("tick")

    first = tree("first", "1", "one")
    assert tree("second", "1", "uno") == first
    assert tree("third", "2", "one") != first
