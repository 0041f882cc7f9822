"""Compiled code is found again by what it was made from, and by nothing else."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numba
import pytest
from numba import types
from numba.core.registry import cpu_target

from engines import kernel_cache
from engines.jit import JIT_ENABLED
from engines.kernel_cache import CacheUnusable, KernelCache, folder_of, mark_complete
from engines.kernel_sources import ROOT
from engines.registry import game, game_ids
from search.warmup import warm_up

PARTS = ("common", "search", *game_ids())
COUNT_COMPILED = """
import sys
from numba.core import event
from engines.registry import game

class Compiled(event.Listener):
    def on_start(self, event):
        print(event.data["dispatcher"].__module__, flush=True)
        sys.exit()  # one is enough to know

    def on_end(self, event):
        pass

event.register("numba:compile", Compiled())
if sys.argv[1] == "search":
    import search.lines
else:
    game(sys.argv[1])
"""
pytestmark = pytest.mark.skipif(not JIT_ENABLED, reason="nothing is compiled")


def run(root: Path, code: str, *arguments: str, **environment: str) -> str:
    """What a program prints that imports the engines of a checkout."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=root,
        env=os.environ | {"PYTHONPATH": str(root)} | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the sources, elsewhere and with other times, that has no cache of its own."""
    for package in ("engines", "search"):
        shutil.copytree(ROOT / package, tmp_path / package, copy_function=shutil.copy)
    return tmp_path


@pytest.fixture
def shared() -> dict[str, str]:
    """Where this checkout's code is kept, which has been compiled, as environment of a copy."""
    warm_up()
    return {"ADAMAS_CACHE_DIR": str(folder_of("search").parent.resolve())}


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_a_copy_finds_all_compiled_code(checkout: Path, shared: dict[str, str]) -> None:
    for part in ("search", *game_ids()):
        assert run(checkout, COUNT_COMPILED, part, **shared) == ""


def test_an_edited_rule_compiles_its_own_game_only(checkout: Path, shared: dict[str, str]) -> None:
    rules = game("dao").kernels.apply_move.__module__.replace(".", "/")
    edit(checkout / f"{rules}.py", "def apply_move(", "def apply_move(  # edited\n")
    for part in ("search", *game_ids()):
        compiled = run(checkout, COUNT_COMPILED, part, **shared)
        assert compiled.startswith("engines.dao") if part == "dao" else compiled == ""


def test_a_changed_constant_is_seen_whatever_numbas_own_cache_folder_is(
    checkout: Path, tmp_path: Path
) -> None:
    """``engines.utility`` is compiled into every game."""
    code = f"""if True:
        import engines.jit
        from engines.kernel_cache import folder_of
        print(*(folder_of(part).name for part in {PARTS}))
    """
    environment = {"NUMBA_CACHE_DIR": str(tmp_path / "numba")}
    before = run(checkout, code, **environment).split()
    assert before == [folder_of(part).name for part in PARTS]
    edit(checkout / "engines" / "utility.py", "WIN_WEIGHT = 0.9", "WIN_WEIGHT = 0.8")
    after = run(checkout, code, **environment).split()
    unchanged = {part for part, *two in zip(PARTS, before, after, strict=True) if len({*two}) == 1}
    assert unchanged <= {"search"}


def cube(x: Any) -> Any:
    return x * x * x


@pytest.fixture
def part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A part whose folder is empty."""
    monkeypatch.setenv("ADAMAS_CACHE_DIR", str(tmp_path / "kernels"))
    folder_of.cache_clear()
    yield "part"
    folder_of.cache_clear()


def test_two_processes_that_compile_one_function_do_not_disturb_each_other(part: str) -> None:
    """Each has compiled another signature and knows nothing of the other when it keeps it."""
    compiled = numba.njit([(types.int64,), (types.float64,)])(cube)
    caches = [KernelCache(cube, part) for _ in compiled.signatures]
    for cache, signature in zip(caches, compiled.signatures, strict=True):
        cache.save_overload(signature, compiled.overloads[signature])
    for signature in compiled.signatures:
        loaded = KernelCache(cube, part).load_overload(signature, cpu_target.target_context)
        assert loaded.signature.args == signature
    assert KernelCache(cube, part).load_overload((types.int32,), cpu_target.target_context) is None


def test_a_file_that_was_cut_short_is_compiled_anew(part: str) -> None:
    compiled = numba.njit([(types.int64,)])(cube)
    (signature,) = compiled.signatures
    cache = KernelCache(cube, part)
    cache.save_overload(signature, compiled.overloads[signature])
    (file,) = folder_of(part).iterdir()
    for size in (0, 1, file.stat().st_size // 2):
        os.truncate(file, size)
        assert cache.load_overload(signature, cpu_target.target_context) is None


def test_code_that_cannot_be_kept_is_told_unless_all_is_there(
    part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled = numba.njit([(types.int64,)])(cube)
    (signature,) = compiled.signatures
    writing = kernel_cache._write

    def read_only(path: Path, content: bytes) -> None:
        raise OSError(30, "Read-only file system", str(path))

    monkeypatch.setattr(kernel_cache, "_write", read_only)
    with pytest.raises(CacheUnusable, match=r"Read-only file system.*ADAMAS_CACHE_DIR"):
        KernelCache(cube, part).save_overload(signature, compiled.overloads[signature])
    monkeypatch.setattr(kernel_cache, "_write", writing)
    mark_complete(part)
    monkeypatch.setattr(kernel_cache, "_write", read_only)
    KernelCache(cube, part).save_overload(signature, compiled.overloads[signature])


def test_what_was_compiled_while_sources_were_edited_is_not_kept(
    part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "rules.py"
    source.write_text("before")
    monkeypatch.setattr("engines.kernel_cache.fingerprint", lambda _: source.read_text())
    compiled = numba.njit([(types.int64,)])(cube)
    (signature,) = compiled.signatures
    cache = KernelCache(cube, "edited")
    cache.save_overload(signature, compiled.overloads[signature])
    (kept,) = folder_of("edited").iterdir()
    kept.unlink()
    source.write_text("after")
    cache.save_overload(signature, compiled.overloads[signature])
    mark_complete("edited")
    assert not list(folder_of("edited").iterdir())
