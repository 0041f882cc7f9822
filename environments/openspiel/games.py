"""Any game as an OpenSpiel game: ``pyspiel.load_game("adamas(game=dao,players=3)")``.

* **Players** are seats. A simultaneous decision is taken seat by seat, as at our own table.
* **Actions** are positions in the ascending list of legal moves, see ``environments.table``.
* **Information states** are the bytes of the seat's view, in hexadecimal.
* **Returns** are our utility, stretched from [0, 1] to [-1, 1], OpenSpiel's usual range.
  That is what our own search maximises, so both look for the same. While a game runs they are 0.
* **Chance** has no nodes. A state of ours holds the order of its decks and the generator of its
  later chance events, so to OpenSpiel chance is hidden information: dealt with the first state (the
  parameter ``seed``), and drawn anew in every state that is sampled from an information state. Such
  a sample may carry a horizon at which it ends with estimated returns, as for our own search.
* **Rules** are the parameter ``variant``, one of the game's variants; "standard" if left out.
"""

from __future__ import annotations

from typing import Any

import pyspiel

from engines.contract import MAX_SEATS, Game
from engines.jit import Row
from engines.registry import game, game_ids
from environments.table import Setting, Table

SHORT_NAME = "adamas"
DEFAULTS = {"game": game_ids()[0], "players": 2, "seed": 0, "variant": "standard"}
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
    """One of our games with a number of seats, a variant and a deal."""

    def __init__(self, parameters: dict[str, Any]) -> None:
        setting = Setting(parameters["game"], parameters["players"], parameters["variant"])
        self.game_id = setting.game_id
        found = setting.game
        information = pyspiel.GameInfo(
            num_distinct_actions=found.max_moves,
            max_chance_outcomes=0,
            num_players=setting.seats,
            min_utility=-1.0,
            max_utility=1.0,
            max_game_length=found.max_game_moves,
        )
        super().__init__(_type_of(found.min_seats, found.max_seats), information, parameters)
        self._deal = setting.deal(parameters["seed"])

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

    OpenSpiel copies a state by making a first state and copying all attributes deeply.
    """

    def __init__(self, of: AdamasGame, row: Row) -> None:
        super().__init__(of)
        self._table = Table(game(of.game_id), row)

    @property
    def rules(self) -> Game:
        """The game as our engine has it."""
        return self._table.game

    @property
    def row(self) -> Row:
        """A copy of our state."""
        return self._table.row

    def view(self, seat: int) -> Row:
        """What a seat knows."""
        return self._table.view(seat)

    def move(self, action: int) -> int:
        """Our move of a legal action."""
        return self._table.moves[action]

    def current_player(self) -> int:
        """The seat to move, or TERMINAL."""
        return _TERMINAL if self._table.over else self._table.seat

    def is_terminal(self) -> bool:
        """Whether nobody is to move."""
        return self._table.over

    def returns(self) -> list[float]:
        """The utilities of the seats."""
        return self._table.returns(self.num_players())

    def _legal_actions(self, player: int) -> list[int]:
        return list(range(len(self._table.moves)))

    def _apply_action(self, action: int) -> None:
        self._table.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self._table.words(action)

    def __str__(self) -> str:
        """The state message as text."""
        return str(self.rules.codec.write_state(self._table.row))


class InformationStates:
    """Information states as strings; OpenSpiel calls this an observer."""

    tensor = None

    def set_from(self, state: AdamasState, player: int) -> None:
        """Would fill the tensor; there is none."""

    def string_from(self, state: AdamasState, player: int) -> str:
        """The seat's view."""
        return state.view(player).tobytes().hex()


pyspiel.register_game(_type_of(2, MAX_SEATS), AdamasGame)
