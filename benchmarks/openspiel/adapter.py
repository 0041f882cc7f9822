"""Any game of ours as an OpenSpiel game: ``pyspiel.load_game("adamas(game=dao,players=3)")``.

* **Players** are seats. A simultaneous decision is taken seat by seat, as at our own table.
* **Actions** are positions in the ascending list of legal moves. Our move codes are wider than
  OpenSpiel's dense range of actions. What a seat may do follows from what it knows, so an action
  means the same move in all states of one information set; between information sets it does not.
* **Information states** are the bytes of the seat's view, in hexadecimal.
* **Returns** are our utility, stretched from [0, 1] to [-1, 1], OpenSpiel's usual range.
  That is what our own search maximises, so both look for the same. While a game runs they are 0.
* **Chance** has no nodes. A state of ours holds the order of its decks and the generator of its
  later chance events, so to OpenSpiel chance is hidden information: dealt with the first state (the
  parameter ``seed``), and drawn anew in every state that is sampled from an information state. Such
  a sample may carry a horizon at which it ends with estimated returns, as for our own search.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pyspiel

from engines.contract import GAME_OVER, MAX_SEATS, RESULT_ROWS, UTILITY, Game
from engines.events import NO_LOG, new_log
from engines.jit import Ints, Row
from engines.registry import game, game_ids, options_message

SHORT_NAME = "adamas"
DEFAULTS = {"game": game_ids()[0], "players": 2, "seed": 0}
"""The parameters of a game: its id, number of seats, seed of the deal. All options are default."""
_TERMINAL = int(pyspiel.PlayerId.TERMINAL)


def _type_of(min_seats: int, max_seats: int) -> Any:
    return pyspiel.GameType(
        short_name=SHORT_NAME,
        long_name="Adamas",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max_seats,
        min_num_players=min_seats,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=False,
        provides_observation_tensor=False,
        parameter_specification=DEFAULTS,
    )


class AdamasGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """One of our games with a number of seats and a deal."""

    def __init__(self, parameters: dict[str, Any]) -> None:
        self.game_id: str = parameters["game"]
        if self.game_id not in game_ids():
            raise ValueError(f"no game {self.game_id!r}; there are {', '.join(game_ids())}")
        found, seats = game(self.game_id), parameters["players"]
        if not found.min_seats <= seats <= found.max_seats:
            raise ValueError(
                f"{self.game_id} has {found.min_seats} to {found.max_seats} players, not {seats}"
            )
        information = pyspiel.GameInfo(
            num_distinct_actions=found.max_moves,
            max_chance_outcomes=0,
            num_players=seats,
            min_utility=-1.0,
            max_utility=1.0,
            max_game_length=found.max_game_moves,
        )
        super().__init__(_type_of(found.min_seats, found.max_seats), information, parameters)
        options = options_message(self.game_id)
        self._deal = found.codec.new_game(options, seats, parameters["seed"], new_log())

    def new_initial_state(self) -> AdamasState:
        """The deal."""
        return AdamasState(self, self._deal)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> InformationStates:
        """What OpenSpiel asks for information states."""
        return InformationStates()


class AdamasState(pyspiel.State):  # type: ignore[misc]
    """A state of one of our games.

    OpenSpiel copies a state by making a first state and copying all attributes deeply, so
    these are few and plain.
    """

    def __init__(self, of: AdamasGame, row: Row) -> None:
        super().__init__(of)
        self._game_id = of.game_id
        self._row = row.copy()
        self._player = _TERMINAL
        self._moves = np.zeros(0, dtype=np.int64)
        self._look()

    @property
    def rules(self) -> Game:
        """The game as our engine has it."""
        return game(self._game_id)

    @property
    def row(self) -> Row:
        """A copy of our state."""
        return self._row.copy()

    def view(self, seat: int) -> Row:
        """What a seat knows."""
        view = self.rules.new_view()
        self.rules.kernels.project(self._row, seat, view)
        return view

    def move(self, action: int) -> int:
        """Our move of a legal action."""
        return int(self._moves[action])

    def _look(self) -> None:
        kernels = self.rules.kernels
        seat = int(kernels.seat_to_move(self._row))
        if seat == GAME_OVER:
            self._player, self._moves = _TERMINAL, self._moves[:0]
        else:
            out = _move_buffer(self._game_id)
            self._player = seat
            self._moves = out[: kernels.legal_moves(self._row, out)].copy()

    def current_player(self) -> int:
        """The seat to move, or TERMINAL."""
        return self._player

    def is_terminal(self) -> bool:
        """Whether nobody is to move."""
        return self._player == _TERMINAL

    def returns(self) -> list[float]:
        """The utilities of the seats."""
        if not self.is_terminal():
            return [0.0] * self.num_players()
        results = np.zeros((RESULT_ROWS, MAX_SEATS))
        self.rules.kernels.evaluate(self._row, results)
        utilities: list[float] = (2.0 * results[UTILITY, : self.num_players()] - 1.0).tolist()
        return utilities

    def _legal_actions(self, player: int) -> list[int]:
        return list(range(len(self._moves)))

    def _apply_action(self, action: int) -> None:
        self.rules.kernels.apply_move(self._row, self.move(action), NO_LOG)
        self._look()

    def _action_to_string(self, player: int, action: int) -> str:
        return self.rules.words.move(self._row, self.move(action), "en")

    def __str__(self) -> str:
        """The state message as text."""
        return str(self.rules.codec.write_state(self._row))


class InformationStates:
    """Information states as strings; OpenSpiel calls this an observer."""

    tensor = None

    def set_from(self, state: AdamasState, player: int) -> None:
        """Would fill the tensor; there is none."""

    def string_from(self, state: AdamasState, player: int) -> str:
        """The seat's view."""
        return state.view(player).tobytes().hex()


@cache
def _move_buffer(game_id: str) -> Ints:
    return np.zeros(game(game_id).max_moves, dtype=np.int64)


pyspiel.register_game(_type_of(2, MAX_SEATS), AdamasGame)
