"""How rule functions are compiled.

Two decorators are all that a game needs:

* ``@rule`` for a function that is called by other rule functions. It is compiled for the types it
  is called with, as part of its caller.
* ``@entry(SIGNATURE)`` for a function of the engine contract. It is compiled at import, kept on
  disk, and can be handed to the search as a function pointer.

With ``NUMBA_DISABLE_JIT=1`` in the environment both return the function unchanged, so that rules
can be stepped through with a debugger.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Final, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

# Compiles a third faster than the default of 3, to code as fast.
os.environ.setdefault("NUMBA_OPT", "2")

import numba
from numba import types
from numba.extending import overload
from numba.np import arrayobj

# Numba reads the environment when it is imported, and somebody may have done that before.
numba.config.reload_config()

from engines.kernel_cache import KernelCache  # noqa: E402
from engines.kernel_sources import part_of  # noqa: E402

F = TypeVar("F", bound=Callable[..., Any])

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
    compiled = _dispatcher(function, **options)
    if JIT_ENABLED:
        _widen_integer_arguments(compiled)
    return compiled


def _dispatcher(function: F, **options: bool) -> F:
    """What Numba makes of a function: a callable that compiles it when it must, or loads it."""
    # Pointers to functions are taken past the wrappers for C (search/pointers.py).
    compile_ = numba.njit(nogil=True, error_model="numpy", no_cfunc_wrapper=True, **options)
    dispatcher: Any = compile_(function)
    part = part_of(function.__module__)
    # What a function closes over is no source, so the cache could not tell when it changes.
    if JIT_ENABLED and part and not function.__closure__:
        dispatcher._cache = KernelCache(function, part)
    return dispatcher


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
        compiled: Any = _dispatcher(function)
        if JIT_ENABLED:
            compiled.compile(signature)
            compiled.disable_compile()
        return compiled

    return decorate


def _tell_of_shapes(source: Any, target: Any) -> None:
    """What compiled code calls when an array is assigned to one of another shape."""
    raise ValueError("an array is assigned to one of another shape")


@overload(_tell_of_shapes)  # type: ignore[untyped-decorator]
def _compiled_tell_of_shapes(source: Any, target: Any) -> Callable[..., None]:
    return _tell_of_shapes


# Numba's own message spells both shapes out. Formatting text is more to compile than the rules of a
# small game are, in every process and every function that assigns an array.
arrayobj.raise_with_shape_context = _tell_of_shapes
