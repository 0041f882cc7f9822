"""The line that a tree expects, compiled once for all games."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from engines.contract import Game
from engines.jit import Int, entry, inlined_rule
from search.arena import ARENA, EMPTY, find_edge
from search.kernel import DESK, KNOWLEDGE, follow
from search.pointers import POINTERS, rules_at

LINE_LENGTH = 12


class Lines(NamedTuple):
    """Room for two lines: the one that is kept, and the one that is being followed."""

    moves: Any
    seats: Any
    rows: Any
    """The states in which the moves are played."""

    @classmethod
    def for_game(cls, game: Game) -> Lines:
        """Empty lines."""
        return cls(
            moves=np.zeros((2, LINE_LENGTH), dtype=np.int64),
            seats=np.zeros((2, LINE_LENGTH), dtype=np.int64),
            rows=np.zeros((2, LINE_LENGTH, game.state.itemsize), dtype=np.uint8),
        )


_LINES = types.NamedTuple(
    (
        types.Array(types.int64, 2, "C"),
        types.Array(types.int64, 2, "C"),
        types.Array(types.uint8, 3, "C"),
    ),
    Lines,
)
LINE = types.int64(types.int64, types.int64, types.int64, KNOWLEDGE, ARENA, DESK, _LINES, POINTERS)


@inlined_rule
def most_visited(
    rules: Any, arena: Any, desk: Any, node: Int, mover: Int, observer: Int
) -> tuple[Int, Int]:
    """The legal move whose edge has most visits, and the edge; EMPTY if none has any."""
    n = rules.legal_moves(desk.state, desk.moves)
    best = np.int64(EMPTY)
    best_move = desk.moves[0]
    best_visits = 0
    for i in range(n):
        move = desk.moves[i]
        key = move if mover == observer else rules.move_key(desk.state, move, observer)
        edge = find_edge(arena, node, key)
        if edge != EMPTY and arena.edges[edge].visits > best_visits:
            best = edge
            best_move = move
            best_visits = arena.edges[edge].visits
    return best_move, best


@inlined_rule
def follow_most_visited(
    first: Int, observer: Int, rules: Any, arena: Any, desk: Any, lines: Any
) -> tuple[Int, Int]:
    """Follows the most visited moves from the desk's state on, starting with root edge ``first``.

    Writes the second line. Returns its length and the visits along it after its first move. Grows
    nothing.
    """
    node = np.int64(0)
    length = 0
    visits = np.int64(0)
    while length < LINE_LENGTH and node != EMPTY:
        mover = rules.seat_to_move(desk.state)
        if mover < 0:
            break
        edge = first
        move = arena.edges[first].key
        if length > 0:
            move, edge = most_visited(rules, arena, desk, node, mover, observer)
            if edge == EMPTY:
                break
            visits += arena.edges[edge].visits
        lines.moves[1, length] = move
        lines.seats[1, length] = mover
        lines.rows[1, length, :] = desk.state
        length += 1
        rules.apply_move(desk.state, move, desk.log)
        node = follow(arena, edge, rules.outcome_key(desk.state, observer), False)
    return length, visits


@inlined_rule
def keep(lines: Any, length: Int) -> None:
    """Makes the line that was followed the one that is kept."""
    lines.moves[0, :length] = lines.moves[1, :length]
    lines.seats[0, :length] = lines.seats[1, :length]
    lines.rows[0, :length, :] = lines.rows[1, :length, :]


@entry(LINE)
def line(
    samples: Int, first: Int, observer: Int, knowledge: Any, arena: Any, desk: Any, lines: Any,
    pointers: Any,
) -> Int:  # fmt: skip
    """The line that the tree expects after root edge ``first``. Returns its length.

    Follows the most visited moves in some determinizations and keeps the line along the most
    visited edges.
    """
    rules = rules_at(pointers)
    best_length = 0
    most_visits = np.int64(-1)
    for _ in range(samples):
        rules.determinize(knowledge.view_row, knowledge.table, desk.rng, desk.state)
        length, visits = follow_most_visited(first, observer, rules, arena, desk, lines)
        if visits > most_visits or (visits == most_visits and length > best_length):
            best_length = length
            most_visits = visits
            keep(lines, length)
    return best_length
