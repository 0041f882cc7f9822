"""Games with another horizon or another utility scale than the engine's, for comparisons."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache

from engines import contract
from engines.contract import MAX_SEATS, UTILITY, WIN_SHARE, Game
from engines.jit import Floats, Rng, Row, entry
from engines.registry import game
from engines.utility import WIN_WEIGHT

Determinize = Callable[[Row, Row, Rng, Row], None]
TO_THE_END = "game"
SHIPPED = "shipped"
_ALMOST_ONE = 1.0 - 1e-12


@cache
def with_horizon(game_id: str, horizon: str) -> Game:
    """The game with samples that end after so many rounds beyond the running one ("0", "1", ...) or
    at the end of the "game"; raises ValueError if it has no such horizon."""
    found = game(game_id)
    if "horizon" in (found.state.names or ()):
        more = -1 if horizon == TO_THE_END else int(horizon)
        kernel = _ending_after(found, more)
    elif horizon == TO_THE_END:
        return found
    elif horizon == "0" and "two_round_split" in (found.state.names or ()):
        kernel = _without_second_half(found)
    else:
        raise ValueError(f"{game_id} has no such horizon: {horizon}")
    return replace(found, kernels=replace(found.kernels, determinize=kernel))


def _ending_after(game: Game, more: int) -> Determinize:
    """A game that ends samples after its field ``horizon``; negative: at the end of the game."""
    state, determinize = game.state, game.kernels.determinize

    @entry(contract.DETERMINIZE)
    def with_other_horizon(view: Row, table: Row, rng: Rng, out: Row) -> None:
        determinize(view, table, rng, out)
        s = out.view(state)[0]
        s.horizon = 0 if more < 0 else s.round_number + more

    return with_other_horizon


def _without_second_half(game: Game) -> Determinize:
    """DAO in two rounds: a sample of the first one ends with it."""
    state, determinize = game.state, game.kernels.determinize

    @entry(contract.DETERMINIZE)
    def without_second_half(view: Row, table: Row, rng: Rng, out: Row) -> None:
        determinize(view, table, rng, out)
        s = out.view(state)[0]
        if s.round_number == 1:
            s.two_round_split = 0

    return without_second_half


@cache
def with_margin_scale(game_id: str, factor: float) -> Game:
    """The game with so many times its margin scale; with infinity, victory is all that counts."""
    found = game(game_id)
    evaluate = found.kernels.evaluate

    @entry(contract.EVALUATE)
    def rescaled(row: Row, out: Floats) -> None:
        evaluate(row, out)
        for seat in range(MAX_SEATS):
            wins = WIN_WEIGHT * out[WIN_SHARE, seat]
            squashed = 2.0 * (out[UTILITY, seat] - wins) / (1.0 - WIN_WEIGHT) - 1.0
            margin = math.atanh(max(-_ALMOST_ONE, min(_ALMOST_ONE, squashed)))
            part = 0.5 * (1.0 + math.tanh(margin / factor))
            out[UTILITY, seat] = wins + (1.0 - WIN_WEIGHT) * part

    return replace(found, kernels=replace(found.kernels, evaluate=rescaled))
