"""Between the joins of game.proto and rows: which game a message is of, and its codec."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from google.protobuf.message import Message

from adamas.v1 import advisor_service_pb2 as pb
from adamas.v1 import game_pb2
from engines.contract import GAME_OVER, Game
from engines.jit import Row
from engines.rng import generator
from engines.violations import InvalidMessage, Report, invalid

Join = (
    game_pb2.GameOptions
    | game_pb2.GameState
    | game_pb2.PlayerView
    | game_pb2.Move
    | game_pb2.Event
    | game_pb2.Card
)
J = TypeVar("J", bound=Join)
_MOVES_TOLD = 10
"""How many legal moves the refusal of an illegal one lists."""


def game_of(query: pb.SearchQuery) -> str:
    """The game that a query's position seems to be of; empty if it has none."""
    if query.HasField("view"):
        return query.view.WhichOneof("game") or ""
    return query.state.state.WhichOneof("game") or ""


def join(kind: type[J], game: Game, message: Message) -> J:
    """Wraps a game's own message."""
    wrapped = kind()
    getattr(wrapped, game.game_id).CopyFrom(message)
    return wrapped


@dataclass(frozen=True)
class State:
    """A full state of a game."""

    game: Game
    row: Row

    @property
    def seats(self) -> int:
        """Number of seats."""
        return self.game.codec.seats(self.row)

    def copy(self) -> State:
        """A state of its own."""
        return State(self.game, self.row.copy())

    def first_to_move(self) -> int:
        """The seat that decides next, or GAME_OVER."""
        return int(self.game.kernels.seat_to_move(self.row))

    def seats_to_move(self) -> list[int]:
        """The seats that may decide now, ascending."""
        mask = int(self.game.kernels.seats_to_move(self.row))
        return [seat for seat in range(self.seats) if mask >> seat & 1]

    def legal_moves(self) -> list[int]:
        """The legal moves of the seat that decides next, in canonical order."""
        return self.game.legal_moves(self.row)

    def view_of(self, seat: int) -> View:
        """What a seat knows."""
        view = self.game.new_view()
        self.game.kernels.project(self.row, seat, view)
        return View(self.game, view)

    def claim(self, seat: int | None, path: str) -> int:
        """Makes the seat (None: the first one) the next to decide; raises if it may not."""
        to_move = self.seats_to_move()
        if not to_move:
            raise invalid(path, "nobody is to move: the game is over")
        if seat is None:
            return self.first_to_move()
        if not 0 <= seat < self.seats:
            raise invalid(path, f"is {seat}; this table has seats 0 to {self.seats - 1}")
        if not self.game.kernels.claim_turn(self.row, seat):
            listed = ", ".join(str(other) for other in to_move)
            raise invalid(path, f"is {seat}, which is not to move; to move: {listed}")
        return seat

    def message(self) -> game_pb2.GameState:
        """The state as a message."""
        return join(game_pb2.GameState, self.game, self.game.codec.write_state(self.row))

    def move_message(self, move: int) -> game_pb2.Move:
        """A move played in this state as a message."""
        return join(game_pb2.Move, self.game, self.game.codec.write_move(self.row, move))

    def refusal(self, language: str) -> str:
        """What is wrong with a move that is not legal, and the first legal ones in words."""
        moves = self.legal_moves()
        words = [self.game.words.move(self.row, move, language) for move in moves[:_MOVES_TOLD]]
        if more := len(moves) - len(words):
            words.append(f"and {more} more")
        return f"is not legal for seat {self.first_to_move()}; legal: {'; '.join(words)}"


@dataclass(frozen=True)
class View:
    """What one seat knows."""

    game: Game
    row: Row

    @property
    def seat(self) -> int:
        """The viewing seat."""
        return self.game.codec.viewing_seat(self.row)

    def sample(self) -> State | None:
        """A state that agrees with the view, always the same one; None if there is none."""
        kernels = self.game.kernels
        table = self.game.new_table()
        if not kernels.prepare(self.row, table):
            return None
        row = self.game.new_row()
        kernels.determinize(self.row, table, generator(0), row)
        return State(self.game, row)

    def to_decide(self, path: str) -> State:
        """The sample, in which it is the seat's turn; raises if there is nothing to decide."""
        sample = self.sample()
        if sample is None:
            raise invalid(path, NO_STATE_AGREES)
        if sample.first_to_move() != self.seat:
            raise nothing_to_decide(sample.first_to_move(), self.seat, path)
        return sample

    def message(self) -> game_pb2.PlayerView:
        """The view as a message."""
        return join(game_pb2.PlayerView, self.game, self.game.codec.write_view(self.row))


NO_STATE_AGREES = "contradicts itself: no deal of the hidden cards agrees with everything it shows"


def nothing_to_decide(first: int, seat: int, path: str) -> InvalidMessage:
    """What is wrong with asking for the move of a seat when ``first``, another one or none, is to
    move."""
    if first == GAME_OVER:
        return invalid(path, "the game is over, so there is no move to recommend")
    return invalid(path, f"seat {seat} is not to move; seat {first} is")


class Reader:
    """Reads messages of the games of one server. Raises InvalidMessage with all violations."""

    def __init__(self, games: Mapping[str, Game]) -> None:
        self._games = games

    def game(self, game_id: str, path: str) -> Game:
        """The game of an id."""
        if not game_id:
            raise invalid(path, f"is missing; this server has {self._listed()}")
        if game_id not in self._games:
            raise invalid(path, f"is no game of this server; it has {self._listed()}")
        return self._games[game_id]

    def state(self, message: game_pb2.GameState, path: str) -> State:
        """A full state."""
        game, inner, path = self._open(message, path)
        report = Report()
        row = game.codec.read_state(inner, path, report)
        report.raise_if_any()
        return State(game, row)

    def view(self, message: game_pb2.PlayerView, path: str) -> View:
        """A view. Whether any state agrees with it is left to find out (View.sample)."""
        game, inner, path = self._open(message, path)
        report = Report()
        row = game.codec.read_view(inner, path, report)
        report.raise_if_any()
        return View(game, row)

    def options(
        self, message: game_pb2.GameOptions, seats: int, path: str, seats_path: str
    ) -> tuple[Game, Message]:
        """The options of a game to be dealt for a number of seats."""
        game, inner, path = self._open(message, path)
        report = Report()
        if report.check(
            game.min_seats <= seats <= game.max_seats,
            seats_path,
            f"is {seats}; {game.game_id} has {game.min_seats} to {game.max_seats} seats",
        ):
            game.codec.read_options(inner, seats, path, report)
        report.raise_if_any()
        return game, inner

    def move(self, message: game_pb2.Move, state: State, path: str) -> int:
        """A move of the seat that decides next, legal or not."""
        game, inner, path = self._open(message, path)
        report = Report()
        if game is not state.game:
            played = state.game.game_id
            raise invalid(path, f"is a move of {game.game_id}, but the state is one of {played}")
        move = game.codec.read_move(state.row, inner, path, report)
        report.raise_if_any()
        return move

    def _open(self, message: Join, path: str) -> tuple[Game, Message, str]:
        """The game that a join holds, its message, and the path of that."""
        game_id = message.WhichOneof("game")
        if game_id is None:
            raise invalid(path, f"is empty; set one of its games: {self._listed()}")
        path = f"{path}.{game_id}"
        return self.game(game_id, path), getattr(message, game_id), path

    def _listed(self) -> str:
        return ", ".join(self._games)
