"""A game's functions as addresses, which cost nothing to hand to compiled code.

Numba looks a function up anew each time it is passed as an argument, with the interpreter lock
held: about 0.4 ms for the nine functions of a game, as long as a hundred iterations take. So a tree
looks their addresses up once and passes them as an array.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from engines import contract
from engines.contract import Game, Kernels
from engines.jit import INTS, JIT_ENABLED

POINTERS: Final = INTS
_SIGNATURES: Final = (
    contract.SEAT_TO_MOVE,
    contract.LEGAL_MOVES,
    contract.APPLY_MOVE,
    contract.MOVE_KEY,
    contract.OUTCOME_KEY,
    contract.POLICY_MOVE,
    contract.PLAYOUT,
    contract.EVALUATE,
    contract.DETERMINIZE,
)


def pointers(game: Game) -> Any:
    """The functions that the search calls, as an array of addresses; as they are with JIT off."""
    return _pointers(game.kernels)


@cache
def _pointers(kernels: Kernels) -> Any:
    functions = (
        kernels.seat_to_move,
        kernels.legal_moves,
        kernels.apply_move,
        kernels.move_key,
        kernels.outcome_key,
        kernels.policy_move,
        kernels.playout,
        kernels.evaluate,
        kernels.determinize,
    )
    if not JIT_ENABLED:
        return functions
    return np.array(
        [_address(f, s) for f, s in zip(functions, _SIGNATURES, strict=True)], dtype=np.int64
    )


def _address(function: Any, signature: Any) -> int:
    """Where the machine code of a compiled function is."""
    compiled = function.get_compile_result(signature)
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))


def _function_at(signature: Any) -> Callable[[Any], Any]:
    """Compiled code's way from an address to a function that it can call."""
    if not JIT_ENABLED:
        return lambda function: function
    function_type = types.FunctionType(signature)

    @intrinsic  # type: ignore[untyped-decorator]
    def function_at(typing_context: Any, address: Any) -> Any:
        def codegen(context: Any, builder: Any, _: Any, args: Any) -> Any:
            function = cgutils.create_struct_proxy(function_type)(context, builder)
            function.jit_addr = builder.inttoptr(args[0], cgutils.voidptr_t)
            return function._getvalue()

        return function_type(types.int64), codegen

    found: Callable[[Any], Any] = function_at
    return found


# (pointers[i]) -> the function, in the order of ``pointers``.
seat_to_move_at: Final = _function_at(contract.SEAT_TO_MOVE)
legal_moves_at: Final = _function_at(contract.LEGAL_MOVES)
apply_move_at: Final = _function_at(contract.APPLY_MOVE)
move_key_at: Final = _function_at(contract.MOVE_KEY)
outcome_key_at: Final = _function_at(contract.OUTCOME_KEY)
policy_move_at: Final = _function_at(contract.POLICY_MOVE)
playout_at: Final = _function_at(contract.PLAYOUT)
evaluate_at: Final = _function_at(contract.EVALUATE)
determinize_at: Final = _function_at(contract.DETERMINIZE)
