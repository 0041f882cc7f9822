"""What reads messages into records: one decoder a game and kind of message."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from google.protobuf.message import DecodeError

from adamas.v1 import game_pb2
from engines.contract import Game
from engines.registry import game, game_ids
from engines.violations import Report
from server.requests.messages import State, View
from tests.fuzz.kernels import exercise_state, exercise_view
from tests.fuzz.oracle import problems_of_violations
from tests.fuzz.positions import pool
from tests.fuzz.requests import RULES

_METHODS = {
    "options": "StartGame",
    "state": "GetPlayerView",
    "view": "ValidateView",
    "move": "ApplyMove",
}
"""Kind of message -> a call whose request has it in a field of that name."""
_JOINS = {
    "options": game_pb2.GameOptions,
    "state": game_pb2.GameState,
    "view": game_pb2.PlayerView,
    "move": game_pb2.Move,
}


@dataclass(frozen=True)
class Decoder:
    """Reads one kind of message of one game."""

    game: Game
    kind: str
    seed: int

    def new_message(self) -> Any:
        """An empty message of the type that this decoder reads."""
        return getattr(_JOINS[self.kind](), self.game.game_id)

    def sample(self, pick: Random) -> Any:
        """A message that can be read."""
        position = pick.choice(pool(self.game.game_id, self.seed))
        if self.kind == "view":
            return getattr(pick.choice(position.views), self.game.game_id)
        if self.kind == "move":
            state = self._state()
            return self.game.codec.write_move(state.row, pick.choice(state.legal_moves()))
        message = getattr(position.message, self.game.game_id)
        return message.options if self.kind == "options" else message

    def problems(self, data: bytes) -> Iterator[str]:
        """What is wrong with how the bytes are read; nothing if they are no message."""
        message = self.new_message()
        try:
            message.ParseFromString(data)
        except DecodeError:
            return
        report = Report()
        read = {
            "options": self._read_options,
            "state": self._read_state,
            "view": self._read_view,
            "move": self._read_move,
        }[self.kind]
        yield from read(message, f"{self.kind}.{self.game.game_id}", report)
        found = ((v.field, v.description) for v in report.violations)
        yield from problems_of_violations(found, RULES + _METHODS[self.kind], None)

    def _state(self) -> State:
        """A position in which moves are read."""
        positions = pool(self.game.game_id, self.seed)
        later = (position.state for position in positions[len(positions) // 2 :])
        return next(state for state in later if state.seats_to_move())

    def _read_options(self, message: Any, path: str, report: Report) -> Iterator[str]:
        for seats in range(self.game.min_seats, self.game.max_seats + 1):
            self.game.codec.read_options(message, seats, path, report)
        yield from ()

    def _read_state(self, message: Any, path: str, report: Report) -> Iterator[str]:
        row = self.game.codec.read_state(message, path, report)
        if not report.violations:
            yield from exercise_state(State(self.game, row))

    def _read_view(self, message: Any, path: str, report: Report) -> Iterator[str]:
        row = self.game.codec.read_view(message, path, report)
        if not report.violations:
            yield from exercise_view(View(self.game, row))

    def _read_move(self, message: Any, path: str, report: Report) -> Iterator[str]:
        state = self._state()
        move = self.game.codec.read_move(state.row, message, path, report)
        if not report.violations and move in state.legal_moves():
            self.game.codec.write_move(state.row, move)
        yield from ()


def decoders(seed: int) -> list[Decoder]:
    """The decoders of all games."""
    return [Decoder(game(game_id), kind, seed) for game_id in game_ids() for kind in _METHODS]
