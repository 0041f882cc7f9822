"""States that agree with what a seat knows, for OpenSpiel's search."""

from __future__ import annotations

from functools import cache
from typing import Any

import pyspiel

from engines.contract import Game
from engines.jit import Row
from engines.rng import generator
from environments.openspiel.games import SHORT_NAME, AdamasState


class Resampler:
    """A callback for ``ISMCTSBot.set_resampler``: samples as our own search gets them.

    Everything hidden is drawn anew, later chance events included. Of the given state only the
    player's view is read, so nothing that is hidden from the player can get into a sample.
    """

    def __init__(self, game: Game, seed: int) -> None:
        self._game = game
        self._rng = generator(seed)
        self._view = b""
        self._table = game.new_table()

    def __call__(self, state: AdamasState, player: int) -> AdamasState:
        """A state in the player's information state, uniformly."""
        return self.sample(state.view(player))

    def sample(self, view: Row) -> AdamasState:
        """A state that agrees with the view, uniformly; ValueError if there is none."""
        kernels = self._game.kernels
        if view.tobytes() != self._view:
            if not kernels.prepare(view, self._table):
                raise ValueError("no state agrees with this view")
            self._view = view.tobytes()
        row = self._game.new_row()
        kernels.determinize(view, self._table, self._rng, row)
        return AdamasState(_openspiel_game(self._game.game_id, self._game.codec.seats(row)), row)


@cache
def _openspiel_game(game_id: str, seats: int) -> Any:
    return pyspiel.load_game(SHORT_NAME, {"game": game_id, "players": seats})
