"""Sets of small numbers as the bits of an integer: what a processor does with them at once."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from llvmlite import binding, ir
from numba import types
from numba.extending import intrinsic

from engines.jit import JIT_ENABLED, Int, rule


def _has_fast_pdep() -> bool:
    """Whether compiled code may use x86's bit deposit instruction, and it is not microcode."""
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
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

        return types.int64(types.int64), codegen

    @intrinsic  # type: ignore[untyped-decorator]
    def _ctlz(typing_context: Any, mask: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))

        return types.int64(types.int64), codegen

    @intrinsic  # type: ignore[untyped-decorator]
    def _pdep(typing_context: Any, source: Any, mask: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word = ir.IntType(64)
            deposit = builder.module.declare_intrinsic(
                "llvm.x86.bmi.pdep.64", (), ir.FunctionType(word, [word, word])
            )
            return builder.call(deposit, args)

        return types.int64(types.int64, types.int64), codegen

    _HAS_FAST_PDEP = _has_fast_pdep()

else:
    _HAS_FAST_PDEP = False

    def _ctpop(mask: Int) -> Int:
        return int(mask).bit_count()

    def _cttz(mask: Int) -> Int:
        return (int(mask) & -int(mask)).bit_length() - 1

    def _ctlz(mask: Int) -> Int:
        return 64 - int(mask).bit_length()


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
