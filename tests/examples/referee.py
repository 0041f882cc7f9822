"""Two ways to play by the rules: the engine directly, or the service over gRPC.

Worked examples are written once, against a referee, and run both ways.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from google.protobuf.message import Message

from engines.contract import MAX_SEATS, RESULT_ROWS, SCORE, WIN_SHARE, Game
from engines.events import new_log
from engines.jit import Row
from engines.registry import games
from engines.violations import Report


@dataclass(frozen=True)
class Outcome:
    """How a seat has done."""

    score: float
    win_share: float


class Referee(Protocol):
    """Plays by the rules. Messages are those of one game, such as DaoState and DaoMove."""

    def start(self, options: Message, seats: int, seed: int) -> Any:
        """A new game's state."""

    def legal(self, state: Any, seat: int | None = None) -> list[Any]:
        """The legal moves of a seat; of the first seat to move unless told otherwise."""

    def apply(self, state: Any, move: Any, seat: int | None = None) -> Any:
        """The state after a move."""

    def events(self, state: Any, move: Any, seat: int | None = None) -> list[Any]:
        """What everybody sees of a move."""

    def view(self, state: Any, seat: int) -> Any:
        """What a seat knows."""

    def results(self, state: Any) -> list[Outcome]:
        """How each seat has done; for a game that is over."""


def play(referee: Referee, state: Any, moves: Sequence[Any]) -> Any:
    """The state after several moves, each of the first seat to move."""
    for move in moves:
        state = referee.apply(state, move)
    return state


def _prefix(message: Message) -> str:
    """The game's name in a message's name: Dao in DaoState."""
    name = message.DESCRIPTOR.name
    for suffix in ("State", "View", "Options"):
        name = name.removesuffix(suffix)
    return name


class EngineReferee:
    """The engine, through its codec."""

    def _game(self, message: Message) -> Game:
        prefix = _prefix(message).lower()
        return next(g for i, g in games().items() if i.replace("_", "") == prefix)

    def _read(self, state: Message) -> tuple[Game, Row]:
        game = self._game(state)
        report = Report()
        row = game.codec.read_state(state, "state", report)
        report.raise_if_any()
        return game, row

    def _seated(self, state: Message, seat: int | None) -> tuple[Game, Row]:
        game, row = self._read(state)
        if seat is not None:
            assert game.kernels.claim_turn(row, seat)
        return game, row

    def start(self, options: Message, seats: int, seed: int) -> Any:
        """A new game's state."""
        game = self._game(options)
        report = Report()
        game.codec.read_options(options, seats, "options", report)
        report.raise_if_any()
        return game.codec.write_state(game.codec.new_game(options, seats, seed, new_log()))

    def legal(self, state: Any, seat: int | None = None) -> list[Any]:
        """The legal moves of a seat."""
        game, row = self._seated(state, seat)
        return [game.codec.write_move(row, move) for move in game.legal_moves(row)]

    def _applied(self, state: Any, move: Any, seat: int | None) -> tuple[Game, Row, list[Any]]:
        game, row = self._seated(state, seat)
        report = Report()
        number = game.codec.read_move(row, move, "move", report)
        report.raise_if_any()
        assert move in self.legal(state, seat), f"illegal: {move}"
        after, log = row.copy(), new_log()
        game.kernels.apply_move(after, number, log)
        return game, after, list(game.codec.write_events(row, after, log))

    def apply(self, state: Any, move: Any, seat: int | None = None) -> Any:
        """The state after a move."""
        game, after, _ = self._applied(state, move, seat)
        return game.codec.write_state(after)

    def events(self, state: Any, move: Any, seat: int | None = None) -> list[Any]:
        """What everybody sees of a move."""
        return self._applied(state, move, seat)[2]

    def view(self, state: Any, seat: int) -> Any:
        """What a seat knows."""
        game, row = self._read(state)
        view = game.new_view()
        game.kernels.project(row, seat, view)
        return game.codec.write_view(view)

    def results(self, state: Any) -> list[Outcome]:
        """How each seat has done."""
        game, row = self._read(state)
        found = np.zeros((RESULT_ROWS, MAX_SEATS))
        game.kernels.evaluate(row, found)
        return [
            Outcome(float(found[SCORE, seat]), float(found[WIN_SHARE, seat]))
            for seat in range(game.codec.seats(row))
        ]


class GrpcReferee:
    """The service, through its RulesService stub."""

    def __init__(self, stub: Any) -> None:
        self._stub = stub

    def _wrap(self, envelope: Any, message: Message) -> Any:
        """A game's message in its envelope."""
        for field in envelope.DESCRIPTOR.fields:
            if field.message_type is message.DESCRIPTOR:
                getattr(envelope, field.name).CopyFrom(message)
                return envelope
        raise TypeError(message.DESCRIPTOR.name)

    def _unwrap(self, envelope: Any) -> Any:
        return getattr(envelope, envelope.WhichOneof("game"))

    def start(self, options: Message, seats: int, seed: int) -> Any:
        """A new game's state."""
        from adamas.v1 import game_pb2, rules_service_pb2

        request = rules_service_pb2.StartGameRequest(
            options=self._wrap(game_pb2.GameOptions(), options), seats=seats, seed=seed
        )
        return self._unwrap(self._stub.StartGame(request).state)

    def legal(self, state: Any, seat: int | None = None) -> list[Any]:
        """The legal moves of a seat."""
        from adamas.v1 import game_pb2, rules_service_pb2

        request = rules_service_pb2.ListLegalMovesRequest(
            state=self._wrap(game_pb2.GameState(), state), seat=seat
        )
        return [self._unwrap(m.move) for m in self._stub.ListLegalMoves(request).moves]

    def _applied(self, state: Any, move: Any, seat: int | None) -> Any:
        from adamas.v1 import game_pb2, rules_service_pb2

        request = rules_service_pb2.ApplyMoveRequest(
            state=self._wrap(game_pb2.GameState(), state),
            move=self._wrap(game_pb2.Move(), move),
            seat=seat,
        )
        return self._stub.ApplyMove(request)

    def apply(self, state: Any, move: Any, seat: int | None = None) -> Any:
        """The state after a move."""
        return self._unwrap(self._applied(state, move, seat).state)

    def events(self, state: Any, move: Any, seat: int | None = None) -> list[Any]:
        """What everybody sees of a move."""
        return [self._unwrap(event) for event in self._applied(state, move, seat).events]

    def view(self, state: Any, seat: int) -> Any:
        """What a seat knows."""
        from adamas.v1 import game_pb2, rules_service_pb2

        request = rules_service_pb2.GetPlayerViewRequest(
            state=self._wrap(game_pb2.GameState(), state), seat=seat
        )
        return self._unwrap(self._stub.GetPlayerView(request).view)

    def results(self, state: Any) -> list[Outcome]:
        """How each seat has done."""
        from adamas.v1 import game_pb2, rules_service_pb2

        request = rules_service_pb2.GetTableStatusRequest(
            state=self._wrap(game_pb2.GameState(), state)
        )
        status = self._stub.GetTableStatus(request).status
        return [Outcome(r.score, r.win_share) for r in status.results]
