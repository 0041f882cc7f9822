"""Runs every compiled function of a game on a row that a codec has accepted.

Compiled code does not check the bounds of arrays. So whatever is accepted has to be a row on which
no index can be out of range; run with NUMBA_BOUNDSCHECK=1, this shows it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engines.contract import (
    GAME_OVER,
    INFORMED,
    MAX_SEATS,
    RANDOM,
    RESULT_ROWS,
    UTILITY,
    WIN_SHARE,
    Game,
)
from engines.events import new_log
from engines.jit import Row
from engines.rng import generator
from server.requests.messages import State, View

_MOVES = 12
"""Moves of a position that are tried."""
_SAMPLES = 2


def exercise_state(state: State) -> Iterator[str]:
    """Projects a state for every seat, and plays on from it for every seat that is to move."""
    for seat in range(state.seats):
        yield from _exercise_projection(state, seat)
    yield from _exercise_position(state.game, state.row)
    for seat in state.seats_to_move():
        claimed = state.copy()
        if not claimed.game.kernels.claim_turn(claimed.row, seat):
            yield f"seat {seat} is to move, but can't claim its turn"
        yield from _exercise_position(claimed.game, claimed.row)


def exercise_view(view: View) -> Iterator[str]:
    """Samples states that agree with a view, and plays on from them."""
    kernels, table = view.game.kernels, view.game.new_table()
    if not kernels.prepare(view.row, table):
        return
    rng = generator(5)
    for _ in range(_SAMPLES):
        row = view.game.new_row()
        kernels.determinize(view.row, table, rng, row)
        yield from _exercise_position(view.game, row)
        again = view.game.new_view()
        kernels.project(row, view.seat, again)
        if again.tobytes() != view.row.tobytes():
            fields = _differences(view.game, view.row, again)
            yield f"a sample does not agree with the view: {fields}"


def _exercise_projection(state: State, seat: int) -> Iterator[str]:
    view = state.view_of(seat)
    if view.sample() is None:
        yield f"no state agrees with what seat {seat} knows of an accepted state"
    else:
        yield from exercise_view(view)


def _exercise_position(game: Game, row: Row) -> Iterator[str]:
    kernels, rng = game.kernels, generator(6)
    yield from _exercise_result(game, row)
    seat = int(kernels.seat_to_move(row))
    if seat == GAME_OVER:
        return
    out = np.zeros(game.max_moves + 1, dtype=np.int64)
    count = int(kernels.legal_moves(row, out[: game.max_moves]))
    moves = [int(move) for move in out[: max(count, 0)]]
    if not 1 <= count <= game.max_moves or moves != sorted(set(moves)):
        yield f"seat {seat} has {count} legal moves: {moves[:20]}"
        return
    policy = int(kernels.policy_move(row.copy(), rng))
    if policy not in moves:
        yield f"the policy's move {policy} is not legal"
    for move in {*moves[:: max(1, count // _MOVES)], moves[-1]}:
        after = row.copy()
        for observer in range(game.codec.seats(row)):
            kernels.move_key(after, move, observer)
        kernels.apply_move(after, move, new_log())
        for observer in range(game.codec.seats(row)):
            kernels.outcome_key(after, observer)
        yield from _exercise_result(game, after)
    for policy in (RANDOM, INFORMED):
        played = row.copy()
        count = int(kernels.playout(played, rng, policy))
        if not 0 < count <= game.max_game_moves:
            yield f"a playout has {count} moves"
        if int(kernels.seat_to_move(played)) != GAME_OVER:
            yield "a playout does not come to an end"
        yield from _exercise_result(game, played)


def _exercise_result(game: Game, row: Row) -> Iterator[str]:
    results = np.zeros((RESULT_ROWS, MAX_SEATS))
    game.kernels.evaluate(row, results)
    if not np.isfinite(results).all():
        yield f"the result is not finite: {results.tolist()}"
    for name, line in (("utility", results[UTILITY]), ("win share", results[WIN_SHARE])):
        if line.min() < 0 or line.max() > 1:
            yield f"the {name} is not in [0, 1]: {line.tolist()}"


def _differences(game: Game, expected: Row, found: Row) -> str:
    one, other = expected.view(game.view)[0], found.view(game.view)[0]
    names = [n for n in game.view.names or () if not np.array_equal(one[n], other[n])]
    return ", ".join(names)
