"""How rule functions are compiled, and where the compiled code is kept.

Two decorators are all that a game needs:

* ``@rule`` for a function that is called by other rule functions. It is compiled for the types it
  is called with, as part of its caller.
* ``@entry(SIGNATURE)`` for a function of the engine contract. It is compiled at import, kept on
  disk, and can be handed to the search as a function pointer.

With ``NUMBA_DISABLE_JIT=1`` in the environment both return the function unchanged, so that rules
can be stepped through with a debugger.

Numba's disk cache notices changes of a function's own file only, not of the functions that it
calls. So the cache folder's name is a hash of every engine and search source and of everything
else that the machine code depends on. Rooms of a game that never hold compiled code are left out,
so that a change of words costs no compilation.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

import llvmlite
import numpy as np
from numpy.typing import NDArray

F = TypeVar("F", bound=Callable[..., Any])

_ROOT: Final = Path(__file__).resolve().parent.parent
_STALE_AFTER_DAYS: Final = 14
_COMPILED_IN: Final = (".py", ".json")
"""Sources, and data that compiled code holds as constants."""
UNCOMPILED_ROOMS: Final = ("casual.py", "words.py", "levels.json")
"""Files of a game that hold neither compiled code nor constants of it, and that no module with
compiled code imports."""


def source_fingerprint() -> str:
    """Hash of all sources and data of compiled code, and of what else it depends on."""
    digest = hashlib.sha256()
    for package in ("engines", "search"):
        for path in sorted(_ROOT.joinpath(package).rglob("*")):
            if path.suffix not in _COMPILED_IN or path.name in UNCOMPILED_ROOMS:
                continue
            digest.update(str(path.relative_to(_ROOT)).encode())
            digest.update(path.read_bytes())
    optimization = os.environ["NUMBA_OPT"]
    for part in (sys.version, np.__version__, llvmlite.__version__, _processor(), optimization):
        digest.update(part.encode())
    return digest.hexdigest()[:16]


def _processor() -> str:
    """What code is compiled for: this machine's processor, unless Numba is told another kind.

    An image for containers is compiled on one machine and runs on others.
    """
    from llvmlite import binding

    name = os.environ.get("NUMBA_CPU_NAME") or binding.get_host_cpu_name()
    return f"{platform.machine()} {name} {os.environ.get('NUMBA_CPU_FEATURES', '')}"


def _cache_folder() -> Path:
    """ADAMAS_CACHE_DIR, else build/ of a checkout, else the user's cache."""
    if base := os.environ.get("ADAMAS_CACHE_DIR"):
        folder = Path(base)
    elif (_ROOT / "pyproject.toml").exists():
        folder = _ROOT / "build" / "numba-cache"
    else:
        user = os.environ.get("XDG_CACHE_HOME")
        folder = (Path(user) if user else Path.home() / ".cache") / "adamas" / "numba-cache"
    return folder / source_fingerprint()


def _prune(parent: Path, keep: Path) -> None:
    """Removes caches of older sources that nobody has used for two weeks."""
    oldest = time.time() - _STALE_AFTER_DAYS * 86_400
    for folder in parent.iterdir():
        if folder != keep and folder.is_dir() and folder.stat().st_mtime < oldest:
            shutil.rmtree(folder, ignore_errors=True)


# Compiles a third faster than the default of 3, to code as fast.
os.environ.setdefault("NUMBA_OPT", "2")
CACHE_FOLDER: Final = _cache_folder()
if "NUMBA_CACHE_DIR" not in os.environ:
    CACHE_FOLDER.mkdir(parents=True, exist_ok=True)
    os.utime(CACHE_FOLDER)
    os.environ["NUMBA_CACHE_DIR"] = str(CACHE_FOLDER)
    _prune(CACHE_FOLDER.parent, CACHE_FOLDER)

import numba  # noqa: E402
from numba import types  # noqa: E402
from numba.extending import intrinsic  # noqa: E402

# Numba reads the environment when it is imported, and somebody may have done that before.
numba.config.reload_config()

JIT_ENABLED: Final = not numba.config.DISABLE_JIT
if not JIT_ENABLED:
    # Generators and hashes wrap around at 64 bits by design; NumPy scalars warn of it.
    np.seterr(over="ignore")

Row: TypeAlias = NDArray[np.uint8]
"""A state, view or table as bytes; ``row.view(STATE)[0]`` is the record."""
Record: TypeAlias = Any
"""One record of a structured dtype, its fields as attributes."""
Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Rng: TypeAlias = NDArray[np.uint64]
"""A random generator's state, see engines.rng."""
Log: TypeAlias = NDArray[np.int32]
"""An event log, see engines.events."""
Int: TypeAlias = Any
"""An integer of compiled code: an int64 there, a Python or NumPy integer with the JIT off."""

# The same types as Numba writes them, for the signatures of contract functions.
ROW: Final = types.Array(types.uint8, 1, "C")
INTS: Final = types.Array(types.int64, 1, "C")
FLOATS: Final = types.Array(types.float64, 2, "C")
RNG: Final = types.Array(types.uint64, 1, "C")
LOG: Final = types.Array(types.int32, 2, "C")


def rule(function: F) -> F:
    """Compiles a function together with its callers. Integers are passed to it as int64."""
    return _compiled_with_callers(function)


def inlined_rule(function: F) -> F:
    """Like ``rule``, always inlined with what it calls: for the innermost step of a playout."""
    return _compiled_with_callers(function, forceinline=True)


def _compiled_with_callers(function: F, **options: bool) -> F:
    # Options that are left out are taken over from the caller.
    compile_ = numba.njit(nogil=True, cache=True, error_model="numpy", **options)
    compiled: F = compile_(function)
    if JIT_ENABLED:
        _widen_integer_arguments(compiled)
    return compiled


def _widen_integer_arguments(compiled: Any) -> None:
    """Has a function compiled once for int64, not for every kind of integer and every literal."""
    find_template = compiled.get_call_template

    def find_widened(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        return find_template(tuple(map(_widened, args)), {k: _widened(t) for k, t in kws.items()})

    compiled.get_call_template = find_widened


def _widened(argument: Any) -> Any:
    plain = types.unliteral(argument)
    fits = isinstance(plain, types.Integer) and (plain.signed or plain.bitwidth < 64)
    return types.int64 if fits else argument


def entry(signature: Any) -> Callable[[F], F]:
    """Compiles a function of the engine contract at import and keeps the result on disk."""

    def decorate(function: F) -> F:
        compile_ = numba.njit(signature, nogil=True, cache=True, error_model="numpy")
        compiled: F = compile_(function)
        return compiled

    return decorate


def _has_fast_pdep() -> bool:
    """Whether compiled code may use x86's bit deposit instruction, and it is not microcode."""
    from llvmlite import binding

    compiles_for_host = numba.config.CPU_NAME is None and numba.config.CPU_FEATURES is None
    features = binding.get_host_cpu_features()
    slow = binding.get_host_cpu_name() in ("bdver4", "znver1", "znver2")
    return compiles_for_host and features.get("bmi2", False) and not slow


if JIT_ENABLED:

    @intrinsic  # type: ignore[untyped-decorator]
    def _ctpop(typing_context: Any, mask: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.int64(types.int64), codegen

    @intrinsic  # type: ignore[untyped-decorator]
    def _cttz(typing_context: Any, mask: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            from llvmlite import ir

            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

        return types.int64(types.int64), codegen

    @intrinsic  # type: ignore[untyped-decorator]
    def _ctlz(typing_context: Any, mask: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            from llvmlite import ir

            return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))

        return types.int64(types.int64), codegen

    @intrinsic  # type: ignore[untyped-decorator]
    def _pdep(typing_context: Any, source: Any, mask: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            from llvmlite import ir

            word = ir.IntType(64)
            deposit = builder.module.declare_intrinsic(
                "llvm.x86.bmi.pdep.64", (), ir.FunctionType(word, [word, word])
            )
            return builder.call(deposit, args)

        return types.int64(types.int64, types.int64), codegen

    _HAS_FAST_PDEP = _has_fast_pdep()

    @rule
    def count(mask: Int) -> Int:
        """Number of set bits of a non-negative mask."""
        return _ctpop(np.int64(mask))

    @rule
    def lowest(mask: Int) -> Int:
        """Index of the lowest set bit of a mask that is not empty."""
        return _cttz(np.int64(mask))

    @rule
    def highest(mask: Int) -> Int:
        """Index of the highest set bit of a mask that is not empty."""
        return 63 - _ctlz(np.int64(mask))

    @rule
    def member(mask: Int, n: Int) -> Int:
        """Index of the n-th set bit, from 0, of a mask that has more than n."""
        if _HAS_FAST_PDEP:  # the compiler keeps one branch only
            return _cttz(_pdep(np.int64(1) << n, mask))
        for _ in range(n):
            mask &= mask - 1
        return _cttz(mask)

else:

    def count(mask: Int) -> Int:
        """Number of set bits of a non-negative mask."""
        return int(mask).bit_count()

    def lowest(mask: Int) -> Int:
        """Index of the lowest set bit of a mask that is not empty."""
        return (int(mask) & -int(mask)).bit_length() - 1

    def highest(mask: Int) -> Int:
        """Index of the highest set bit of a mask that is not empty."""
        return int(mask).bit_length() - 1

    def member(mask: Int, n: Int) -> Int:
        """Index of the n-th set bit, from 0, of a mask that has more than n."""
        for _ in range(n):
            mask &= mask - 1
        return lowest(mask)
