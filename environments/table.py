"""A game in progress, as the frameworks want it: seats, positions in the list of moves, returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from engines.contract import GAME_OVER, MAX_SEATS, RESULT_ROWS, UTILITY, Game
from engines.events import NO_LOG, new_log
from engines.jit import Row
from engines.registry import game, game_ids, options_message


@dataclass(frozen=True)
class Setting:
    """Which game is played, by how many, by which rules.

    Raises ValueError for what there isn't.
    """

    game_id: str
    seats: int
    variant: str = "standard"

    def __post_init__(self) -> None:
        if self.game_id not in game_ids():
            raise ValueError(f"no game {self.game_id!r}; there are {', '.join(game_ids())}")
        found = self.game
        if not found.min_seats <= self.seats <= found.max_seats:
            raise ValueError(
                f"{self.game_id} has {found.min_seats} to {found.max_seats} players, "
                f"not {self.seats}"
            )
        fitting = [v.variant_id for v in found.variants if self.seats in v.seats]
        if self.variant not in fitting:
            raise ValueError(
                f"{self.game_id} has no variant {self.variant!r} for {self.seats} players; "
                f"there are {', '.join(fitting)}"
            )

    @property
    def game(self) -> Game:
        """The game as the engine has it."""
        return game(self.game_id)

    def deal(self, seed: int) -> Row:
        """The first state; a seed from 0 to 2**64 - 1 fixes it and all later chance."""
        options = options_message(self.game_id)
        (variant,) = (v for v in self.game.variants if v.variant_id == self.variant)
        for spec in self.game.options:
            if spec.name in variant.values:
                spec.write(variant.values[spec.name], options)
        return self.game.codec.new_game(options, self.seats, seed, new_log())


class Table:
    """One game, from a state on. An action is a position in the ascending list of legal moves.

    Our move codes are wider than a dense range of actions. What a seat may do follows from what it
    knows, so an action means the same move in all states of one information set; between
    information sets it does not.
    """

    def __init__(self, game: Game, row: Row) -> None:
        self.game = game
        self._row = row.copy()
        self._look()

    def __deepcopy__(self, memo: dict[int, Any]) -> Table:
        """A table that goes its own way, without working out again what is known."""
        copy = object.__new__(Table)
        copy.game, copy.seat, copy.moves = self.game, self.seat, self.moves
        copy._row = self._row.copy()
        return copy

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as its game's id and its state; games are no data."""
        return _table_of, (self.game.game_id, self._row)

    @property
    def row(self) -> Row:
        """A copy of the state."""
        return self._row.copy()

    @property
    def over(self) -> bool:
        """Whether nobody is to move."""
        return self.seat == GAME_OVER

    def view(self, seat: int) -> Row:
        """What a seat knows."""
        view = self.game.new_view()
        self.game.kernels.project(self._row, seat, view)
        return view

    def words(self, action: int, language: str = "en") -> str:
        """A legal action in words."""
        return self.game.words.move(self._row, self.moves[action], language)

    def play(self, action: int) -> None:
        """Plays a legal action; IndexError for one that there isn't."""
        if not 0 <= action < len(self.moves):
            raise IndexError(
                f"action {action} is not legal here; use 0 to {len(self.moves) - 1}"
                if self.moves
                else "the game is over"
            )
        self.game.kernels.apply_move(self._row, self.moves[action], NO_LOG)
        self._look()

    def results(self) -> np.ndarray:
        """What ``evaluate`` says of the state, shape (RESULT_ROWS, MAX_SEATS)."""
        results = np.zeros((RESULT_ROWS, MAX_SEATS))
        self.game.kernels.evaluate(self._row, results)
        return results

    def returns(self, seats: int) -> list[float]:
        """The utilities of a finished game, stretched from [0, 1] to [-1, 1]; 0 while it runs."""
        if not self.over:
            return [0.0] * seats
        utilities: list[float] = (2.0 * self.results()[UTILITY, :seats] - 1.0).tolist()
        return utilities

    def _look(self) -> None:
        self.seat = int(self.game.kernels.seat_to_move(self._row))
        """The seat to move, or GAME_OVER."""
        self.moves = tuple(self.game.legal_moves(self._row))
        """The legal moves, ascending."""


def _table_of(game_id: str, row: Row) -> Table:
    return Table(game(game_id), row)
