"""Where compiled code is kept, and when it may be used again.

Numba's own disk cache goes by a function's path and file, and so would run old code after a change
in a module that the file imports, and compile anew in every copy of a checkout. Here each part of
the code (see ``engines.kernel_sources``) has a folder of its own, named by everything that its code
depends on and by nothing else: what is found there is right, whoever has compiled it, and wherever
the sources lie.

A file holds one function for one signature and appears there complete, so any number of processes
may compile into one folder. Numba's index of a function's signatures could be overwritten by one of
them with the numbers of another.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import platform
import shutil
import sys
import tempfile
import time
import uuid
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

import llvmlite
import numba
import numpy as np
from llvmlite import binding
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from engines.kernel_sources import ROOT, fingerprint

_STALE_AFTER_DAYS: Final = 14
_COMPLETE: Final = "complete"
_DECIDES_CODE: Final = (
    "OPT",
    "LOOP_VECTORIZE",
    "SLP_VECTORIZE",
    "ENABLE_AVX",
    "BOUNDSCHECK",
    "DEBUGINFO_DEFAULT",
)
"""Settings of Numba that change what code a function is compiled to."""


class CacheUnusable(OSError):
    """Compiled code can't be kept anywhere. The message says where, why, and what would do."""


class KernelCache(_Cache):  # type: ignore[misc]  # Numba is not typed
    """The compiled code of one function, for Numba's dispatcher of it."""

    def __init__(self, function: Any, part: str) -> None:
        self._part = part
        line = function.__code__.co_firstlineno
        self._name = f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}-{line}"

    @property
    def cache_path(self) -> str:
        """The folder, for Numba's statistics."""
        return str(folder_of(self._part))

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What was compiled for a signature; None if nothing was."""
        target_context.refresh()
        try:
            content = pickle.loads(self._file(sig).read_bytes())  # noqa: S301  (docs/security.md)
        except (FileNotFoundError, EOFError, pickle.UnpicklingError):
            return None
        return CompileResult._rebuild(target_context, *content)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keeps what was compiled for a signature, if other processes can use it.

        Raises CacheUnusable, but not where everything that calls need has been compiled already.
        """
        if data.lifted or data.library.has_dynamic_globals or _was_edited(self._part):
            return
        try:
            _write(self._file(sig), dumps(data._reduce()))
        except OSError as problem:
            if not is_complete(self._part):
                raise _unusable(problem) from problem

    def enable(self) -> None:
        """Always enabled."""

    def disable(self) -> None:
        """Always enabled."""

    def flush(self) -> None:
        """Files are never out of date."""

    def _file(self, sig: Any) -> Path:
        signature = hashlib.sha256(str(sig).encode()).hexdigest()[:32]
        return folder_of(self._part) / f"{self._name}-{signature}.kernel"


@cache
def folder_of(part: str) -> Path:
    """Where the code of a part is, if there is any. Raises CacheUnusable."""
    return _base() / f"{part}-{identity(part)}"


@cache
def identity(part: str) -> str:
    """A hash of everything that the code of a part depends on, 16 hexadecimal digits."""
    made_by = (sys.version, numba.__version__, llvmlite.__version__, np.__version__)
    settings = [f"{name}={getattr(numba.config, name, None)}" for name in _DECIDES_CODE]
    text = "\n".join((_fingerprint_at_start(part), *made_by, _processor(), *settings))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@cache
def _fingerprint_at_start(part: str) -> str:
    return fingerprint(part)


def _was_edited(part: str) -> bool:
    """Whether somebody has edited sources meanwhile, so that which ones were read is uncertain."""
    return fingerprint(part) != _fingerprint_at_start(part)


def is_complete(part: str) -> bool:
    """Whether everything of a part has been compiled that calls need."""
    return (folder_of(part) / _COMPLETE).exists()


def prepare_folder(part: str) -> None:
    """Makes sure that code of a part can be kept. Raises CacheUnusable."""
    try:
        folder_of(part).mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder_of(part)).close()
    except OSError as problem:
        raise _unusable(problem) from problem


def mark_complete(part: str) -> None:
    """Notes that everything of a part has been compiled. Raises CacheUnusable."""
    if _was_edited(part):
        return
    try:
        _write(folder_of(part) / _COMPLETE, b"")
    except OSError as problem:
        raise _unusable(problem) from problem


def note_use(part: str) -> None:
    """Keeps the code of a part from being taken for stale, if this process may do that."""
    with suppress(OSError):
        os.utime(folder_of(part))


def remove_stale() -> None:
    """Removes the code of parts that nobody has used for two weeks, as far as it can."""
    oldest = time.time() - _STALE_AFTER_DAYS * 86_400
    with suppress(OSError):
        for folder in _base().iterdir():
            if folder.is_dir() and folder.stat().st_mtime < oldest:
                shutil.rmtree(folder, ignore_errors=True)


def count_compiled(part: str) -> int:
    """How many functions of a part are there."""
    return len({path.stem.rpartition("-")[0] for path in folder_of(part).glob("*.kernel")})


def _base() -> Path:
    """ADAMAS_CACHE_DIR, else build/ of a checkout, else the user's cache."""
    if base := os.environ.get("ADAMAS_CACHE_DIR"):
        return Path(base)
    if (ROOT / "pyproject.toml").exists():
        return ROOT / "build" / "kernels"
    if user := os.environ.get("XDG_CACHE_HOME"):
        return Path(user) / "adamas" / "kernels"
    try:
        return Path.home() / ".cache" / "adamas" / "kernels"
    except RuntimeError as problem:
        raise _unusable(problem) from problem


def _processor() -> str:
    """What code is compiled for: this machine's processor, unless Numba is told another kind.

    An image for containers is compiled on one machine and runs on others.
    """
    name = numba.config.CPU_NAME or binding.get_host_cpu_name()
    features = numba.config.CPU_FEATURES
    if features is None:
        features = binding.get_host_cpu_features().flatten()
    return f"{platform.machine()} {name} {features}"


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{uuid.uuid4().hex}.unfinished")
    try:
        unfinished.write_bytes(content)
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def _unusable(problem: Exception) -> CacheUnusable:
    return CacheUnusable(
        f"compiled code can't be kept: {problem}; set ADAMAS_CACHE_DIR to a folder that can be "
        "written, or to one that holds all of it"
    )
