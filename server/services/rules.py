"""RulesService: a stateless referee over the games of the registry."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

import numpy as np

from adamas.v1 import game_pb2
from adamas.v1 import rules_service_pb2 as pb
from adamas.v1.rules_service_pb2_grpc import RulesServiceServicer
from engines import contract
from engines.contract import MAX_SEATS, RESULT_ROWS, Game
from engines.events import new_log
from engines.violations import InvalidMessage, Report, invalid
from server.calls.call import Call, current_call
from server.languages import read_language
from server.requests.messages import NO_STATE_AGREES, Reader, State, join
from server.services import catalogue
from server.services.offload import Offload
from server.settings import VERSION


class Rules(RulesServiceServicer):
    """The service. Each call is short; its work is done by the offload threads."""

    def __init__(self, reader: Reader, games: Mapping[str, Game], offload: Offload) -> None:
        self._reader = reader
        self._games = games
        self._offload = offload

    async def ListGames(self, request: pb.ListGamesRequest, context: Any) -> pb.ListGamesResponse:
        """Lists the games."""
        language = _language(request.language)
        return pb.ListGamesResponse(
            games=[catalogue.summary(game, language) for game in self._games.values()],
            server_version=VERSION,
        )

    async def GetGame(self, request: pb.GetGameRequest, context: Any) -> pb.GetGameResponse:
        """Describes a game."""
        language = _language(request.language)
        game = self._reader.game(request.game_id, "game_id")
        current_call().note(game=game.game_id)
        if request.seats and not game.min_seats <= request.seats <= game.max_seats:
            raise invalid(
                "seats",
                f"is {request.seats}; use {game.min_seats} to {game.max_seats}, "
                f"or 0 for {game.min_seats}",
            )
        return catalogue.description(game, request.seats or game.min_seats, language)

    async def StartGame(self, request: pb.StartGameRequest, context: Any) -> pb.StartGameResponse:
        """Deals a new game."""
        return await self._offload(self._start_game, request, current_call())

    async def GetPlayerView(
        self, request: pb.GetPlayerViewRequest, context: Any
    ) -> pb.GetPlayerViewResponse:
        """Reduces a state to a seat's view."""
        return await self._offload(self._get_player_view, request, current_call())

    async def ListLegalMoves(
        self, request: pb.ListLegalMovesRequest, context: Any
    ) -> pb.ListLegalMovesResponse:
        """Lists legal moves in words."""
        return await self._offload(self._list_legal_moves, request, current_call())

    async def ApplyMove(self, request: pb.ApplyMoveRequest, context: Any) -> pb.ApplyMoveResponse:
        """Plays a move."""
        return await self._offload(self._apply_move, request, current_call())

    async def GetTableStatus(
        self, request: pb.GetTableStatusRequest, context: Any
    ) -> pb.GetTableStatusResponse:
        """Says how a table stands."""
        return await self._offload(self._get_table_status, request, current_call())

    async def ValidateView(
        self, request: pb.ValidateViewRequest, context: Any
    ) -> pb.ValidateViewResponse:
        """Says what is wrong with a view."""
        return await self._offload(self._validate_view, request, current_call())

    def _start_game(self, request: pb.StartGameRequest, call: Call) -> pb.StartGameResponse:
        game, options = self._reader.options(request.options, request.seats, "options", "seats")
        call.note(game=game.game_id)
        seed = request.seed if request.HasField("seed") else secrets.randbits(64)
        log = new_log()
        row = game.codec.new_game(options, request.seats, seed, log)
        state = State(game, row)
        return pb.StartGameResponse(
            state=state.message(),
            events=[
                join(game_pb2.Event, game, event)
                for event in game.codec.write_events(row, row, log)
            ],
            status=table_status(state),
        )

    def _get_player_view(
        self, request: pb.GetPlayerViewRequest, call: Call
    ) -> pb.GetPlayerViewResponse:
        state = self._reader.state(request.state, "state")
        call.note(game=state.game.game_id, seat=request.seat)
        if not 0 <= request.seat < state.seats:
            raise invalid("seat", f"is {request.seat}; use 0 to {state.seats - 1}")
        return pb.GetPlayerViewResponse(view=state.view_of(request.seat).message())

    def _list_legal_moves(
        self, request: pb.ListLegalMovesRequest, call: Call
    ) -> pb.ListLegalMovesResponse:
        language = _language(request.language)
        state, to_move = self._position(request)
        call.note(game=state.game.game_id)
        moves = state.legal_moves() if to_move else []
        words = state.game.words
        return pb.ListLegalMovesResponse(
            moves=[
                pb.LegalMove(
                    move=state.move_message(move), words=words.move(state.row, move, language)
                )
                for move in moves
            ]
        )

    def _position(self, request: pb.ListLegalMovesRequest) -> tuple[State, bool]:
        """The state asked about, and whether the seat asked about is to move in it."""
        if request.HasField("view"):
            view = self._reader.view(request.view, "view")
            state = view.sample()
            if state is None:
                raise invalid(f"view.{view.game.game_id}", NO_STATE_AGREES)
            return state, state.first_to_move() == view.seat
        if not request.HasField("state"):
            raise invalid("position", "is empty; set state or view")
        state = self._reader.state(request.state, "state")
        if request.HasField("seat"):
            if not 0 <= request.seat < state.seats:
                raise invalid("seat", f"is {request.seat}; use 0 to {state.seats - 1}")
            return state, bool(state.game.kernels.claim_turn(state.row, request.seat))
        return state, bool(state.seats_to_move())

    def _apply_move(self, request: pb.ApplyMoveRequest, call: Call) -> pb.ApplyMoveResponse:
        language = _language(request.language)
        before = self._reader.state(request.state, "state")
        game = before.game
        seat = before.claim(request.seat if request.HasField("seat") else None, "seat")
        call.note(game=game.game_id, seat=seat)
        move = self._reader.move(request.move, before, "move")
        if move not in before.legal_moves():
            raise invalid(f"move.{game.game_id}", before.refusal(language))
        after = before.copy()
        log = new_log()
        game.kernels.apply_move(after.row, move, log)
        events = game.codec.write_events(before.row, after.row, log)
        return pb.ApplyMoveResponse(
            state=after.message(),
            events=[join(game_pb2.Event, game, event) for event in events],
            event_words=[game.words.event(event, language) for event in events],
            status=table_status(after),
        )

    def _get_table_status(
        self, request: pb.GetTableStatusRequest, call: Call
    ) -> pb.GetTableStatusResponse:
        state = self._reader.state(request.state, "state")
        call.note(game=state.game.game_id)
        return pb.GetTableStatusResponse(status=table_status(state))

    def _validate_view(
        self, request: pb.ValidateViewRequest, call: Call
    ) -> pb.ValidateViewResponse:
        try:
            view = self._reader.view(request.view, "view")
            call.note(game=view.game.game_id, seat=view.seat)
            sample = view.sample()
            if sample is None:
                raise invalid(f"view.{view.game.game_id}", NO_STATE_AGREES)
        except InvalidMessage as error:
            return pb.ValidateViewResponse(
                violations=[
                    pb.Violation(field=violation.field, description=violation.description)
                    for violation in error.violations
                ]
            )
        return pb.ValidateViewResponse(to_move=sample.first_to_move() == view.seat)


def table_status(state: State) -> game_pb2.TableStatus:
    """Who is to move, the scores, and once the game is over who has won."""
    to_move = state.seats_to_move()
    results = np.zeros((RESULT_ROWS, MAX_SEATS))
    state.game.kernels.evaluate(state.row, results)
    return game_pb2.TableStatus(
        seats_to_move=to_move,
        over=not to_move,
        results=[
            game_pb2.SeatResult(
                seat=seat,
                score=results[contract.SCORE, seat],
                win_share=0.0 if to_move else results[contract.WIN_SHARE, seat],
            )
            for seat in range(state.seats)
        ],
    )


def _language(tag: str) -> str:
    report = Report()
    language = read_language(tag, "language", report)
    report.raise_if_any()
    return language
