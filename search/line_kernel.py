"""The line that a tree expects, compiled once for all games."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from engines.jit import INTS, LOG, RNG, ROW, Int, Ints, Rng, Row, entry, rule
from search.arena import CHILDREN, EDGES, EMPTY, SLOTS, TREES, find_edge
from search.kernel import follow
from search.pointers import (
    POINTERS,
    apply_move_at,
    determinize_at,
    legal_moves_at,
    move_key_at,
    outcome_key_at,
    seat_to_move_at,
)

_LINES = types.Array(types.int64, 2, "C")
_LINE_ROWS = types.Array(types.uint8, 3, "C")
LINE = types.int64(
    types.int64, types.int64, types.int64, ROW, ROW, RNG, LOG,
    TREES, EDGES, SLOTS, CHILDREN, SLOTS, ROW, INTS, _LINES, _LINES, _LINE_ROWS, POINTERS,
)  # fmt: skip


@rule
def most_visited(
    state: Row, node: Int, mover: Int, observer: Int, moves: Ints, n: Int,
    edges: Any, edge_slots: Any, move_key: Any,
) -> Int:  # fmt: skip
    """Position in ``moves`` of the legal move whose edge has most visits, or -1."""
    best = -1
    best_visits = 0
    for i in range(n):
        key = moves[i] if mover == observer else move_key(state, moves[i], observer)
        edge = find_edge(edges, edge_slots, node, key)
        if edge != EMPTY and edges[edge].visits > best_visits:
            best = i
            best_visits = edges[edge].visits
    return best


@rule
def follow_most_visited(
    first: Int, observer: Int, state: Row, log: Any,
    tree: Any, edges: Any, edge_slots: Any, children: Any, child_slots: Any,
    moves: Ints, line_moves: Ints, line_seats: Ints, line_rows: Any,
    seat_to_move: Any, legal_moves: Any, apply_move: Any, move_key: Any, outcome_key: Any,
) -> tuple[Int, Int]:  # fmt: skip
    """Follows the most visited moves from a state on, starting with root edge ``first``.

    Writes moves, seats and the rows in which they are played. Returns the line's length and the
    visits along it after its first move. Grows nothing.
    """
    node = np.int64(0)
    length = 0
    visits = np.int64(0)
    while length < len(line_moves) and node != EMPTY:
        mover = seat_to_move(state)
        if mover < 0:
            break
        edge = first
        move = edges[first].key
        if length > 0:
            n = legal_moves(state, moves)
            i = most_visited(state, node, mover, observer, moves, n, edges, edge_slots, move_key)
            if i < 0:
                break
            move = moves[i]
            key = move if mover == observer else move_key(state, move, observer)
            edge = find_edge(edges, edge_slots, node, key)
            visits += edges[edge].visits
        line_moves[length] = move
        line_seats[length] = mover
        line_rows[length, :] = state
        length += 1
        apply_move(state, move, log)
        node = follow(edge, outcome_key(state, observer), tree, edges, children, child_slots, False)
    return length, visits


@entry(LINE)
def line(
    samples: Int, first: Int, observer: Int, view: Row, table: Row, rng: Rng, log: Any,
    tree: Any, edges: Any, edge_slots: Any, children: Any, child_slots: Any,
    state: Row, moves: Ints,
    line_moves: Any, line_seats: Any, line_rows: Any,
    pointers: Any,
) -> Int:  # fmt: skip
    """The line that the tree expects after root edge ``first``. Returns its length.

    Follows the most visited moves in some determinizations and keeps the line along the most
    visited edges. Moves, seats and rows have two lines of room each; the first gets what is kept.
    """
    seat_to_move = seat_to_move_at(pointers[0])
    legal_moves = legal_moves_at(pointers[1])
    apply_move = apply_move_at(pointers[2])
    move_key = move_key_at(pointers[3])
    outcome_key = outcome_key_at(pointers[4])
    determinize = determinize_at(pointers[8])
    best_length = 0
    most_visits = np.int64(-1)
    for _ in range(samples):
        determinize(view, table, rng, state)
        length, visits = follow_most_visited(
            first, observer, state, log, tree[0], edges, edge_slots, children, child_slots, moves,
            line_moves[1], line_seats[1], line_rows[1],
            seat_to_move, legal_moves, apply_move, move_key, outcome_key,
        )  # fmt: skip
        if visits > most_visits or (visits == most_visits and length > best_length):
            best_length = length
            most_visits = visits
            line_moves[0, :length] = line_moves[1, :length]
            line_seats[0, :length] = line_seats[1, :length]
            line_rows[0, :length, :] = line_rows[1, :length, :]
    return best_length
