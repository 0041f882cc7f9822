"""The iterations of the search, compiled once for all games.

Single-observer information-set MCTS (Cowling, Powley, Whitehouse 2012, "Information Set Monte
Carlo Tree Search") with utilities for each seat: every iteration samples a determinization of the
observer's view, descends by UCB with availability counts, adds one edge, plays out and backs up.
The game comes as function pointers, see engines.contract and search.pointers.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import types

from engines.contract import SCORE, UTILITY, WIN_SHARE
from engines.jit import FLOATS, INTS, RNG, ROW, Floats, Int, Ints, Rng, Row, entry, rule
from engines.rng import below
from search.arena import (
    CHILDREN,
    EDGES,
    EMPTY,
    ROOTS,
    SLOTS,
    TREES,
    add_child,
    add_edge,
    find_child,
    find_edge,
)
from search.pointers import (
    POINTERS,
    apply_move_at,
    determinize_at,
    evaluate_at,
    legal_moves_at,
    move_key_at,
    outcome_key_at,
    playout_at,
    policy_move_at,
    seat_to_move_at,
)

MAX_DEPTH = 512
"""Longest path that is backed up; no game's horizon is farther."""

_ARENA = (TREES, ROOTS, EDGES, SLOTS, CHILDREN, SLOTS)
_SCRATCH = (ROW, INTS, INTS, types.Array(types.int32, 1, "C"), FLOATS)
_LOG = types.Array(types.int32, 2, "C")
_ROWS = types.Array(types.uint8, 2, "C")
RUN = types.int64(
    types.int64, types.float64, types.int64, types.int64, types.int64,
    ROW, ROW, RNG, RNG, _ROWS, _LOG, *_ARENA, *_SCRATCH, POINTERS,
)  # fmt: skip

WIDE_FROM = 32
WIDENING = 4.0
"""Progressive widening (Coulom 2007, "Computing Elo ratings of move patterns in the game of Go"): a
node tries WIDE_FROM + WIDENING * sqrt(visits) different moves, so that nodes with hundreds or
thousands of moves are searched deeply too. New moves come in the playout policy's order."""


@rule
def ucb(edge: Any, log_available: float, exploration: float) -> float:
    """Upper confidence bound of a visited edge, with availability in place of parent visits."""
    return edge.utility / edge.visits + exploration * math.sqrt(log_available / edge.visits)


@rule
def may_widen(tried: Int, available: Int) -> bool:
    """Whether a node where this many moves have been tried may try another one."""
    return tried < WIDE_FROM or tried < WIDE_FROM + WIDENING * math.sqrt(available)


@rule
def choose_expansion(
    state: Row, node: Int, mover: Int, observer: Int, moves: Ints, n: Int, untried: Int, rng: Rng,
    edges: Any, edge_slots: Any, move_key: Any, policy_move: Any,
) -> Int:  # fmt: skip
    """An untried move: the playout policy's if that is untried, else a random one."""
    preferred = policy_move(state, rng)
    key = preferred if mover == observer else move_key(state, preferred, observer)
    edge = find_edge(edges, edge_slots, node, key)
    if edge == EMPTY or edges[edge].visits == 0:
        return preferred
    skip = below(rng, untried)
    for i in range(n):
        key = moves[i] if mover == observer else move_key(state, moves[i], observer)
        edge = find_edge(edges, edge_slots, node, key)
        if edge == EMPTY or edges[edge].visits == 0:
            if skip == 0:
                return moves[i]
            skip -= 1
    return preferred


@rule
def choose_hidden(
    state: Row, key: Int, observer: Int, moves: Ints, n: Int, rng: Rng, move_key: Any,
    policy_move: Any,
) -> Int:  # fmt: skip
    """One of several moves that the observer can't tell apart: the policy's, or a random one."""
    preferred = policy_move(state, rng)
    if move_key(state, preferred, observer) == key:
        return preferred
    chosen = preferred
    alike = 0
    for i in range(n):
        if move_key(state, moves[i], observer) == key:
            alike += 1
            if below(rng, alike) == 0:
                chosen = moves[i]
    return chosen


@rule
def is_twin(keys: Ints, distinct: Int, key: Int) -> bool:
    """Whether a key of a hidden move has come up before at this node."""
    for i in range(distinct):
        if keys[i] == key:
            return True
    return False


@rule
def follow(
    edge: Int, outcome: Int, tree: Any, edges: Any, children: Any, child_slots: Any, room: bool
) -> Int:
    """The node behind an edge after an outcome; grown if there is room, else EMPTY."""
    if outcome == 0:
        node = np.int64(edges[edge].child)
        if node == EMPTY and room:
            node = np.int64(tree.nodes)
            tree.nodes += 1
            edges[edge].child = node
        return node
    child = find_child(children, child_slots, edge, outcome)
    if child != EMPTY:
        return np.int64(children[child].node)
    if not room:
        return EMPTY
    node = np.int64(tree.nodes)
    tree.nodes += 1
    add_child(tree, children, child_slots, edge, outcome, node)
    return node


@rule
def choose(
    exploration: float, node: Int, mover: Int, observer: Int, state: Row, rng: Rng, room: bool,
    tree: Any, edges: Any, edge_slots: Any, moves: Ints, keys: Ints,
    legal_moves: Any, move_key: Any, policy_move: Any,
) -> Any:  # fmt: skip
    """The mover's choice at a node: (edge, move, whether the edge is tried for the first time).

    The edge is EMPTY where nothing has been tried and nothing can be added.
    """
    n = legal_moves(state, moves)
    best = np.int64(EMPTY)
    best_move = moves[0]
    best_bound = -1.0
    tried = 0
    untried = 0
    most_available = 0
    available = -1
    log_available = 0.0
    twins = False
    distinct = 0
    for i in range(n):
        key = moves[i]
        if mover != observer:
            key = move_key(state, moves[i], observer)
            if key != moves[i]:
                if is_twin(keys, distinct, key):
                    twins = True
                    continue
                keys[distinct] = key
                distinct += 1
        edge = np.int64(i) if node == 0 else find_edge(edges, edge_slots, node, key)
        if edge == EMPTY:
            untried += 1
            continue
        edges[edge].available += 1
        if edges[edge].visits == 0:
            untried += 1
            continue
        tried += 1
        if edges[edge].available != available:
            available = edges[edge].available
            log_available = math.log(available)
            most_available = max(most_available, available)
        bound = ucb(edges[edge], log_available, exploration)
        if bound > best_bound:
            best_bound = bound
            best = edge
            best_move = moves[i]
    expands = untried > 0 and (room or node == 0)
    if expands and not may_widen(tried, most_available):
        tree.widened = 1
        expands = False
    if expands:
        best_move = choose_expansion(
            state, node, mover, observer, moves, n, untried, rng,
            edges, edge_slots, move_key, policy_move,
        )  # fmt: skip
        key = best_move if mover == observer else move_key(state, best_move, observer)
        best = find_edge(edges, edge_slots, node, key)
        if best == EMPTY:
            best = add_edge(tree, edges, edge_slots, node, key)
            edges[best].available = 1
    if twins and best != EMPTY:
        best_move = choose_hidden(
            state, edges[best].key, observer, moves, n, rng, move_key, policy_move
        )
    return best, best_move, expands


@rule
def sample(
    view: Row, table: Row, rng: Rng, worlds: Any, iteration: Int, state: Row, determinize: Any
) -> None:
    """Any determinization that agrees with the view, or the known ones in turn if there are some.

    ``worlds`` has a row for each determinization to know; the first iterations fill it. What chance
    brings later is part of a determinization, so a known one fixes that too.
    """
    if len(worlds) == 0:
        determinize(view, table, rng, state)
        return
    known = worlds[iteration % len(worlds)]
    if iteration < len(worlds):
        determinize(view, table, rng, known)
    state[:] = known


@rule
def descend(
    exploration: float, reach: Int, observer: Int, state: Row, rng: Rng, log: Any,
    tree: Any, edges: Any, edge_slots: Any, children: Any, child_slots: Any,
    moves: Ints, keys: Ints, path: Any, movers: Any,
    seat_to_move: Any, legal_moves: Any, apply_move: Any, move_key: Any, outcome_key: Any,
    policy_move: Any,
) -> Int:  # fmt: skip
    """From the root to a new edge, or as far as the tree or its reach goes. Returns the length of
    the path."""
    node = np.int64(0)
    depth = 0
    while depth < reach:
        mover = seat_to_move(state)
        if mover < 0:
            break
        room = tree.edges < len(edges) and tree.children < len(children)
        edge, move, expands = choose(
            exploration, node, mover, observer, state, rng, room, tree, edges, edge_slots,
            moves, keys, legal_moves, move_key, policy_move,
        )  # fmt: skip
        if edge == EMPTY:
            break
        path[depth] = edge
        movers[depth] = mover
        depth += 1
        apply_move(state, move, log)
        if expands:
            break
        node = follow(edge, outcome_key(state, observer), tree, edges, children, child_slots, room)
        if node == EMPTY:
            break
    return depth


@rule
def back_up(
    depth: Int, observer: Int, tree: Any, root: Any, edges: Any, path: Any, movers: Any,
    results: Floats,
) -> None:  # fmt: skip
    """Adds a playout's results to every edge of the path, and to the root's figures."""
    for i in range(depth):
        edge = path[i]
        edges[edge].visits += 1
        edges[edge].utility += results[UTILITY, movers[i]]
    first = path[0]
    score = results[SCORE, observer]
    root[first].win += results[WIN_SHARE, observer]
    root[first].score += score
    root[first].score_squares += score * score
    tree.iterations += 1


@entry(RUN)
def run(
    iterations: Int, exploration: float, reach: Int, policy: Int, observer: Int,
    view: Row, table: Row, rng: Rng, world_rng: Rng, worlds: Any, log: Any,
    tree: Any, root: Any, edges: Any, edge_slots: Any, children: Any, child_slots: Any,
    state: Row, moves: Ints, keys: Ints, path: Any, results: Floats,
    pointers: Any,
) -> Int:  # fmt: skip
    """Runs up to ``iterations`` iterations; fewer if the arrays must grow first. Returns how many.

    The tree looks ``reach`` moves ahead, 1 to MAX_DEPTH. ``world_rng`` is what determinizations are
    sampled with: the same as ``rng``, except where some are to be known; ``sample`` tells which.
    ``path`` has room for 2 * MAX_DEPTH entries, ``moves`` and ``keys`` for the game's max_moves.
    """
    seat_to_move = seat_to_move_at(pointers[0])
    legal_moves = legal_moves_at(pointers[1])
    apply_move = apply_move_at(pointers[2])
    move_key = move_key_at(pointers[3])
    outcome_key = outcome_key_at(pointers[4])
    policy_move = policy_move_at(pointers[5])
    playout = playout_at(pointers[6])
    evaluate = evaluate_at(pointers[7])
    determinize = determinize_at(pointers[8])
    movers = path[MAX_DEPTH:]
    for done in range(iterations):
        if not tree[0].full and (tree[0].edges == len(edges) or tree[0].children == len(children)):
            return done
        sample(view, table, world_rng, worlds, tree[0].iterations, state, determinize)
        depth = descend(
            exploration, reach, observer, state, rng, log,
            tree[0], edges, edge_slots, children, child_slots, moves, keys, path, movers,
            seat_to_move, legal_moves, apply_move, move_key, outcome_key, policy_move,
        )  # fmt: skip
        if seat_to_move(state) >= 0:
            playout(state, rng, policy)
        evaluate(state, results)
        back_up(depth, observer, tree[0], root, edges, path, movers, results)
    return iterations
