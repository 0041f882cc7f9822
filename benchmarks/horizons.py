"""Games whose samples end at another horizon than the engine chooses."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from engines import contract
from engines.contract import Game
from engines.jit import Rng, Row, entry

TO_THE_END = "game"
SHIPPED = "shipped"


def with_horizon(game: Game, horizon: str) -> Game:
    """The game with samples that end after so many rounds beyond the running one ("0", "1", ...),
    at the end of the "game", or where the engine ends them ("shipped")."""
    return game if horizon == SHIPPED else _adapted(game.game_id, horizon)


@cache
def _adapted(game_id: str, horizon: str) -> Game:
    from engines.registry import game

    found = game(game_id)
    if "horizon" in (found.state.names or ()):
        more = -1 if horizon == TO_THE_END else int(horizon)
        kernel = _ending_after(found, more)
    elif horizon == "0" and "two_round_split" in (found.state.names or ()):
        kernel = _without_second_half(found)
    else:
        raise SystemExit(f"{game_id} has no such horizon: {horizon}")
    return replace(found, kernels=replace(found.kernels, determinize=kernel))


def _ending_after(game: Game, more: int):  # noqa: ANN202
    """A game that ends samples after its field ``horizon``; negative: at the end of the game."""
    state, determinize = game.state, game.kernels.determinize

    @entry(contract.DETERMINIZE)
    def with_other_horizon(view: Row, table: Row, rng: Rng, out: Row) -> None:
        determinize(view, table, rng, out)
        s = out.view(state)[0]
        s.horizon = 0 if more < 0 else s.round_number + more

    return with_other_horizon


def _without_second_half(game: Game):  # noqa: ANN202
    """DAO in two rounds: a sample of the first one ends with it."""
    state, determinize = game.state, game.kernels.determinize

    @entry(contract.DETERMINIZE)
    def without_second_half(view: Row, table: Row, rng: Rng, out: Row) -> None:
        determinize(view, table, rng, out)
        s = out.view(state)[0]
        if s.round_number == 1:
            s.two_round_split = 0

    return without_second_half
