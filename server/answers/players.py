"""The players that answer at once, without a search: SearchQuery.player."""

from __future__ import annotations

import random
import time

from adamas.v1 import advisor_service_pb2 as pb
from server.answers import pace
from server.requests.durations import duration
from server.requests.messages import State, View
from server.requests.queries import Query


def answer(view: View, path: str, query: Query) -> pb.Advice:
    """The player's move as the only candidate; raises InvalidMessage if there is none to make."""
    state = view.to_decide(path)
    moves = state.legal_moves()
    move = choose(query.player, view, moves, query.seed)
    return pb.Advice(
        best_move=state.move_message(move),
        candidates=[_candidate(state, view.seat, move, query.language)],
        legal_moves=len(moves),
        suggested_delay=pace.suggested_delay(
            pace.Decision(
                len(moves), pace.of_unknown_difficulty(len(moves)), query.seed, state.row
            ),
            query.limits.started,
        ),
        search=pb.SearchFigures(
            elapsed=duration(time.monotonic() - query.limits.started),
            stop_reason=pb.STOP_REASON_NO_SEARCH,
            seed=query.seed,
        ),
    )


def choose(player: pb.Player.ValueType, view: View, moves: list[int], seed: int) -> int:
    """What a player that does not search chooses from the legal moves."""
    if player == pb.PLAYER_RANDOM:
        return random.Random(seed).choice(moves)
    return view.game.casual(view.row, moves)


def _candidate(state: State, seat: int, move: int, language: str) -> pb.Candidate:
    message = state.move_message(move)
    words = state.game.words.move(state.row, move, language)
    return pb.Candidate(
        move=message,
        words=words,
        principal_variation=[pb.LineMove(seat=seat, move=message, words=words)],
    )
