"""The iterations of the search, compiled once for all games.

Single-observer information-set MCTS (Cowling, Powley, Whitehouse 2012, "Information Set Monte
Carlo Tree Search") with utilities for each seat: every iteration samples a determinization of the
observer's view, descends by UCB with availability counts, adds one edge, plays out and backs up.
The game comes as function pointers, see engines.contract and search.pointers.

What belongs together is passed together: a ``Plan`` says what to do, ``Rules`` are the game's,
``Knowledge`` is what samples are drawn from, the ``Arena`` is the tree, and the ``Desk`` holds what
an iteration works with.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import types

from engines.contract import MAX_SEATS, RESULT_ROWS, SCORE, UTILITY, WIN_SHARE, Game
from engines.events import NO_LOG
from engines.jit import FLOATS, INTS, LOG, RNG, ROW, Int, entry, inlined_rule
from engines.rng import below
from search.arena import (
    ARENA,
    EMPTY,
    add_child,
    add_edge,
    add_node,
    find_child,
    find_edge,
    has_room,
)
from search.borrowing import borrowed
from search.pointers import POINTERS, rules_at

MAX_DEPTH = 512
"""Longest path that is backed up; no game's horizon is farther."""

LEAST_SPREAD = 0.01
"""Results that differ by less are told apart by exploring evenly."""

SPREAD_VISITS = 16.0
"""After so many visits a node's own results count as much as the whole tree's."""

WIDE_FROM = 32
WIDENING = 4.0
"""Progressive widening (Coulom 2007, "Computing Elo ratings of move patterns in the game of Go"): a
node tries WIDE_FROM + WIDENING * sqrt(visits) different moves, so that nodes with hundreds or
thousands of moves are searched deeply too. New moves come in the playout policy's order."""

LEADERS = 5
LEADERS_TURN = 4
"""One iteration in LEADERS_TURN goes to the LEADERS most visited root moves, each in turn. So a
good move is found out about though it had bad luck in the beginning, and what is said of the moves
that are shown rests on more than a few samples."""


class Plan(NamedTuple):
    """What to do."""

    observer: int
    """The searching seat."""
    exploration: float
    reach: int
    """How many moves ahead the tree looks, 1 to MAX_DEPTH."""
    policy: int
    """The playout policy."""
    first: int
    """The root edge to try first; EMPTY for none."""


class Knowledge(NamedTuple):
    """What determinizations are drawn from."""

    view_row: Any
    table: Any
    rng: Any
    """The desk's, except where determinizations are to be known."""
    worlds: Any
    """A row for each determinization to know; the first iterations fill it."""


class Desk(NamedTuple):
    """What an iteration works with."""

    rng: Any
    state: Any
    moves: Any
    keys: Any
    tried: Any
    tried_moves: Any
    """The edges of a node that have been visited and may be chosen, and their moves."""
    path: Any
    """The edges from the root on, and who chose each."""
    movers: Any
    results: Any
    log: Any

    @classmethod
    def for_game(cls, game: Game, rng: Any) -> Desk:
        """Room for any position of the game."""
        return cls(
            rng=rng,
            state=game.new_row(),
            moves=np.zeros(game.max_moves, dtype=np.int64),
            keys=np.zeros(game.max_moves, dtype=np.int64),
            tried=np.zeros(game.max_moves, dtype=np.int64),
            tried_moves=np.zeros(game.max_moves, dtype=np.int64),
            path=np.zeros(MAX_DEPTH, dtype=np.int64),
            movers=np.zeros(MAX_DEPTH, dtype=np.int64),
            results=np.zeros((RESULT_ROWS, MAX_SEATS)),
            log=NO_LOG.copy(),
        )


_PLAN = types.NamedTuple((types.int64, types.float64, types.int64, types.int64, types.int64), Plan)
KNOWLEDGE = types.NamedTuple((ROW, ROW, RNG, types.Array(types.uint8, 2, "C")), Knowledge)
DESK = types.NamedTuple((RNG, ROW, INTS, INTS, INTS, INTS, INTS, INTS, FLOATS, LOG), Desk)
RUN = types.int64(types.int64, _PLAN, KNOWLEDGE, ARENA, DESK, POINTERS)


@inlined_rule
def ucb(edge: Any, log_available: float, exploration: float) -> float:
    """Upper confidence bound of a visited edge, with availability in place of parent visits."""
    return edge.utility / edge.visits + exploration * math.sqrt(log_available / edge.visits)


@inlined_rule
def may_widen(tried: Int, available: Int) -> bool:
    """Whether a node where this many moves have been tried may try another one."""
    return tried < WIDE_FROM or tried < WIDE_FROM + WIDENING * math.sqrt(available)


@inlined_rule
def seen_move(plan: Any, rules: Any, state: Any, mover: Int, move: Int) -> Int:
    """What the observer sees of a move, before it is applied."""
    return move if mover == plan.observer else rules.move_key(state, move, plan.observer)


@inlined_rule
def is_untried(arena: Any, node: Int, key: Int) -> bool:
    """Whether the move with a key has not been visited at a node, and may be.

    The root has all its edges from the start: a move without one is not to be considered there.
    """
    edge = find_edge(arena, node, key)
    if edge == EMPTY:
        return node != 0
    return arena.edges[edge].visits == 0


@inlined_rule
def choose_expansion(
    plan: Any, rules: Any, arena: Any, desk: Any, node: Int, mover: Int, n: Int, untried: Int
) -> Int:
    """An untried move: the plan's first one at the root, else the playout policy's if that is
    untried, else a random one."""
    if node == 0 and plan.first != EMPTY and arena.edges[plan.first].visits == 0:
        return arena.edges[plan.first].key
    state = desk.state
    preferred = rules.policy_move(state, desk.rng)
    if is_untried(arena, node, seen_move(plan, rules, state, mover, preferred)):
        return preferred
    skip = below(desk.rng, untried)
    for i in range(n):
        move = desk.moves[i]
        if is_untried(arena, node, seen_move(plan, rules, state, mover, move)):
            if skip == 0:
                return move
            skip -= 1
    return preferred


@inlined_rule
def choose_hidden(plan: Any, rules: Any, desk: Any, key: Int, n: Int) -> Int:
    """One of several moves that the observer can't tell apart: the policy's, or a random one."""
    preferred = rules.policy_move(desk.state, desk.rng)
    if rules.move_key(desk.state, preferred, plan.observer) == key:
        return preferred
    chosen = preferred
    alike = 0
    for i in range(n):
        if rules.move_key(desk.state, desk.moves[i], plan.observer) == key:
            alike += 1
            if below(desk.rng, alike) == 0:
                chosen = desk.moves[i]
    return chosen


@inlined_rule
def is_twin(keys: Any, distinct: Int, key: Int) -> bool:
    """Whether a key of a hidden move has come up before at this node."""
    for i in range(distinct):
        if keys[i] == key:
            return True
    return False


@inlined_rule
def follow(arena: Any, edge: Int, outcome: Int, room: bool) -> Int:
    """The node behind an edge after an outcome; grown if there is room, else EMPTY."""
    if outcome == 0:
        node = np.int64(arena.edges[edge].child)
        if node == EMPTY and room:
            node = add_node(arena)
            arena.edges[edge].child = node
        return node
    child = find_child(arena, edge, outcome)
    if child != EMPTY:
        return np.int64(arena.children[child].node)
    if not room:
        return EMPTY
    node = add_node(arena)
    add_child(arena, edge, outcome, node)
    return node


@inlined_rule
def list_tried(
    plan: Any, rules: Any, arena: Any, desk: Any, node: Int, mover: Int, n: Int
) -> tuple[Int, Int, Int, bool]:
    """Writes the edges of a node that have been visited, of those that ``n`` legal moves allow, and
    their moves; counts all of these as available.

    Returns how many edges were written, how many moves have not been tried, how often the edge that
    was there most often was available, and whether the observer can't tell some moves apart.
    """
    edges, moves, keys = arena.edges, desk.moves, desk.keys
    tried = 0
    untried = 0
    most_available = 0
    twins = False
    distinct = 0
    for i in range(n):
        key = moves[i]
        if mover != plan.observer:
            key = rules.move_key(desk.state, moves[i], plan.observer)
            if key != moves[i]:
                if is_twin(keys, distinct, key):
                    twins = True
                    continue
                keys[distinct] = key
                distinct += 1
        edge = np.int64(i) if node == 0 else find_edge(arena, node, key)
        if edge == EMPTY:
            untried += 1
            continue
        edges[edge].available += 1
        if edges[edge].visits == 0:
            untried += 1
            continue
        desk.tried[tried] = edge
        desk.tried_moves[tried] = moves[i]
        tried += 1
        most_available = max(most_available, edges[edge].available)
    return tried, untried, most_available, twins


@inlined_rule
def variance_of(visits: float, total: float, squares: float) -> float:
    """The variance of so many results with a sum and a sum of squares."""
    mean = total / visits
    return max(squares / visits - mean * mean, 0.0)


@inlined_rule
def spread(arena: Any, desk: Any, tried: Int) -> float:
    """What is at stake at a node: the standard deviation of the results of all visits to the edges
    tried. The whole tree's counts like SPREAD_VISITS visits more."""
    tree = arena.tree[0]
    visits = 0.0
    total = 0.0
    squares = 0.0
    for i in range(tried):
        edge = arena.edges[desk.tried[i]]
        visits += edge.visits
        total += edge.utility
        squares += edge.squares
    own = visits * variance_of(visits, total, squares)
    whole = SPREAD_VISITS * variance_of(max(tree.iterations, 1), tree.utility, tree.squares)
    return max(math.sqrt((own + whole) / (visits + SPREAD_VISITS)), LEAST_SPREAD)


@inlined_rule
def choose_tried(plan: Any, arena: Any, desk: Any, tried: Int) -> tuple[Int, Int]:
    """The edge with the highest bound of those tried, and its move; EMPTY if there is none."""
    if tried == 0:
        return np.int64(EMPTY), desk.moves[0]
    exploration = plan.exploration * spread(arena, desk, tried)
    best = 0
    best_bound = -1.0
    available = -1
    log_available = 0.0
    for i in range(tried):
        edge = arena.edges[desk.tried[i]]
        if edge.available != available:
            available = edge.available
            log_available = math.log(available)
        bound = ucb(edge, log_available, exploration)
        if bound > best_bound:
            best_bound = bound
            best = i
    return np.int64(desk.tried[best]), desk.tried_moves[best]


@inlined_rule
def choose_leader(arena: Any, desk: Any, tried: Int, rank: Int) -> tuple[Int, Int]:
    """The edge that comes at a rank by visits, and its move; rank 0 comes first. Equal ones come in
    the order of the moves."""
    best = 0
    most = np.int64(arena.tree[0].iterations) + 1
    for _ in range(rank + 1):
        last, bound = best, most
        most = np.int64(0)
        for i in range(tried):
            visits = np.int64(arena.edges[desk.tried[i]].visits)
            if most < visits and (visits < bound or (visits == bound and i > last)):
                most = visits
                best = i
    return np.int64(desk.tried[best]), desk.tried_moves[best]


@inlined_rule
def choose_known(plan: Any, arena: Any, desk: Any, node: Int, tried: Int) -> tuple[Int, Int]:
    """The edge whose turn it is of those tried, and its move; EMPTY if there is none."""
    turn, rest = divmod(arena.tree[0].iterations, LEADERS_TURN)
    if node == 0 and rest == LEADERS_TURN - 1 and tried > 0:
        return choose_leader(arena, desk, tried, turn % min(tried, LEADERS))
    return choose_tried(plan, arena, desk, tried)


@inlined_rule
def list_moves(rules: Any, arena: Any, desk: Any, node: Int) -> Int:
    """Writes the moves to choose from at a node, and returns how many there are: the legal ones;
    of those at the root, which are the same in every determinization, the ones to consider."""
    if node != 0:
        return rules.legal_moves(desk.state, desk.moves)
    n = len(arena.root)
    for i in range(n):
        desk.moves[i] = arena.edges[i].key
    return n


@inlined_rule
def choose(
    plan: Any, rules: Any, arena: Any, desk: Any, node: Int, mover: Int, room: bool
) -> tuple[Int, Int, bool]:
    """The mover's choice at a node: (edge, move, whether the edge is tried for the first time).

    The edge is EMPTY where nothing has been tried and nothing can be added.
    """
    n = list_moves(rules, arena, desk, node)
    tried, untried, available, twins = list_tried(plan, rules, arena, desk, node, mover, n)
    expands = untried > 0 and (room or node == 0)
    if expands and not may_widen(tried, available):
        arena.tree[0].widened = 1
        expands = False
    if expands:
        move = choose_expansion(plan, rules, arena, desk, node, mover, n, untried)
        key = seen_move(plan, rules, desk.state, mover, move)
        edge = find_edge(arena, node, key)
        if edge == EMPTY:
            edge = add_edge(arena, node, key)
            arena.edges[edge].available = 1
    else:
        edge, move = choose_known(plan, arena, desk, node, tried)
    if twins and edge != EMPTY:
        move = choose_hidden(plan, rules, desk, arena.edges[edge].key, n)
    return edge, move, expands


@inlined_rule
def sample(rules: Any, knowledge: Any, iteration: Int, state: Any) -> None:
    """Any determinization that agrees with the view, or the known ones in turn if there are some.

    What chance brings later is part of a determinization, so a known one fixes that too.
    """
    worlds = knowledge.worlds
    if len(worlds) == 0:
        rules.determinize(knowledge.view_row, knowledge.table, knowledge.rng, state)
        return
    known = worlds[iteration % len(worlds)]
    if iteration < len(worlds):
        rules.determinize(knowledge.view_row, knowledge.table, knowledge.rng, known)
    state[:] = known


@inlined_rule
def descend(plan: Any, rules: Any, arena: Any, desk: Any) -> Int:
    """From the root to a new edge, or as far as the tree or its reach goes. Returns the length of
    the path."""
    node = np.int64(0)
    depth = 0
    while depth < plan.reach:
        mover = rules.seat_to_move(desk.state)
        if mover < 0:
            break
        room = has_room(arena)
        edge, move, expands = choose(plan, rules, arena, desk, node, mover, room)
        if edge == EMPTY:
            break
        desk.path[depth] = edge
        desk.movers[depth] = mover
        depth += 1
        rules.apply_move(desk.state, move, desk.log)
        if expands:
            break
        node = follow(arena, edge, rules.outcome_key(desk.state, plan.observer), room)
        if node == EMPTY:
            break
    return depth


@inlined_rule
def back_up(plan: Any, arena: Any, desk: Any, depth: Int) -> None:
    """Adds a playout's results to every edge of the path, and to the root's figures."""
    results = desk.results
    for i in range(depth):
        edge = arena.edges[desk.path[i]]
        edge.visits += 1
        utility = results[UTILITY, desk.movers[i]]
        edge.utility += utility
        edge.squares += utility * utility
    first = arena.root[desk.path[0]]
    win = results[WIN_SHARE, plan.observer]
    score = results[SCORE, plan.observer]
    first.win += win
    first.win_squares += win * win
    first.score += score
    first.score_squares += score * score
    tree = arena.tree[0]
    utility = results[UTILITY, plan.observer]
    tree.utility += utility
    tree.squares += utility * utility
    tree.iterations += 1


@entry(RUN)
def run(iterations: Int, plan: Any, knowledge: Any, arena: Any, desk: Any, pointers: Any) -> Int:
    """Runs up to so many iterations, fewer if the arrays must grow first; returns how many."""
    rules = rules_at(pointers)
    knowledge, arena, desk = borrowed(knowledge), borrowed(arena), borrowed(desk)
    for done in range(iterations):
        if not arena.tree[0].full and not has_room(arena):
            return done
        sample(rules, knowledge, arena.tree[0].iterations, desk.state)
        depth = descend(plan, rules, arena, desk)
        if rules.seat_to_move(desk.state) >= 0:
            rules.playout(desk.state, desk.rng, plan.policy)
        rules.evaluate(desk.state, desk.results)
        back_up(plan, arena, desk, depth)
    return iterations
