"""A game's functions as addresses, which cost nothing to hand to compiled code.

Numba looks a function up anew each time it is passed as an argument, with the interpreter lock
held: about 0.4 ms for the nine functions of a game, as long as a hundred iterations take. So a tree
looks their addresses up once and passes them as an array.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from engines import contract
from engines.contract import Endings, Game, Kernels
from engines.jit import INTS, JIT_ENABLED, inlined_rule

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
_ENDING_SIGNATURES: Final = (contract.UNSEEN, contract.REORDER, contract.POSITION_KEY)


class Rules(NamedTuple):
    """What the search calls of a game; see engines.contract.Kernels."""

    seat_to_move: Any
    legal_moves: Any
    apply_move: Any
    move_key: Any
    outcome_key: Any
    policy_move: Any
    playout: Any
    evaluate: Any
    determinize: Any


def pointers(game: Game) -> Any:
    """The functions that the search calls, as an array of addresses; as they are with JIT off."""
    return _pointers(game.kernels)


@cache
def _pointers(kernels: Kernels) -> Any:
    rules = Rules(*(getattr(kernels, name) for name in Rules._fields))
    return _addresses(rules, _SIGNATURES)


class EndingRules(NamedTuple):
    """What the solver calls of a game beside Rules; see engines.contract.Endings."""

    unseen: Any
    reorder: Any
    position_key: Any


@cache
def ending_pointers(endings: Endings) -> Any:
    """The functions that the solver calls of a game beside ``pointers``, likewise."""
    rules = EndingRules(*(getattr(endings, name) for name in EndingRules._fields))
    return _addresses(rules, _ENDING_SIGNATURES)


def _addresses(functions: tuple[Any, ...], signatures: tuple[Any, ...]) -> Any:
    if not JIT_ENABLED:
        return functions
    found = [_address(f, s) for f, s in zip(functions, signatures, strict=True)]
    return np.array(found, dtype=np.int64)


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


_seat_to_move_at: Final = _function_at(contract.SEAT_TO_MOVE)
_legal_moves_at: Final = _function_at(contract.LEGAL_MOVES)
_apply_move_at: Final = _function_at(contract.APPLY_MOVE)
_move_key_at: Final = _function_at(contract.MOVE_KEY)
_outcome_key_at: Final = _function_at(contract.OUTCOME_KEY)
_policy_move_at: Final = _function_at(contract.POLICY_MOVE)
_playout_at: Final = _function_at(contract.PLAYOUT)
_evaluate_at: Final = _function_at(contract.EVALUATE)
_determinize_at: Final = _function_at(contract.DETERMINIZE)
_unseen_at: Final = _function_at(contract.UNSEEN)
_reorder_at: Final = _function_at(contract.REORDER)
_position_key_at: Final = _function_at(contract.POSITION_KEY)


@inlined_rule
def rules_at(addresses: Any) -> Rules:
    """The functions at addresses, in the order of ``pointers``."""
    return Rules(
        _seat_to_move_at(addresses[0]),
        _legal_moves_at(addresses[1]),
        _apply_move_at(addresses[2]),
        _move_key_at(addresses[3]),
        _outcome_key_at(addresses[4]),
        _policy_move_at(addresses[5]),
        _playout_at(addresses[6]),
        _evaluate_at(addresses[7]),
        _determinize_at(addresses[8]),
    )


@inlined_rule
def ending_rules_at(addresses: Any) -> EndingRules:
    """The functions at addresses, in the order of ``ending_pointers``."""
    return EndingRules(
        _unseen_at(addresses[0]), _reorder_at(addresses[1]), _position_key_at(addresses[2])
    )
