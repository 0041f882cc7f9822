"""The memory of one tree: arrays that compiled code grows a tree in.

A node is an information set of the observer, the searching seat. An edge is a move as the observer
sees it, so that hidden moves of others fall together. A child is the node behind an edge after one
outcome of chance as the observer saw it. Edges and children are found by hashing: a slot array
holds positions in the edge or child array, -1 where empty (open addressing, linear probing).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from engines.jit import Int, entry, inlined_rule, rule
from engines.records import record_dtype

EDGE = record_dtype(
    [
        ("key", np.int64),
        ("utility", np.float64),
        ("squares", np.float64),
        ("node", np.int32),
        ("visits", np.int32),
        ("available", np.int32),
        ("child", np.int32),
    ]
)
"""``utility`` and ``squares``: sums of the mover's utilities and of their squares.
``available``: how often the move was legal when its node was visited. ``child``: the
node behind the edge where no chance follows, -1 if not grown."""

CHILD = record_dtype([("outcome", np.int64), ("edge", np.int32), ("node", np.int32)])

ROOT = record_dtype(
    [
        ("win", np.float64),
        ("win_squares", np.float64),
        ("score", np.float64),
        ("score_squares", np.float64),
    ]
)
"""Sums over the visits of one root edge, for the observer."""

TREE = record_dtype(
    [
        ("edges", np.int32),
        ("children", np.int32),
        ("nodes", np.int32),
        ("full", np.int8),
        ("widened", np.int8),
        ("iterations", np.int64),
        ("utility", np.float64),
        ("squares", np.float64),
    ]
)
"""What is in use, and sums of the observer's utilities and of their squares over all iterations.
The root's edges are the first ones, in the order of the moves to consider.
``full``: the arrays may not grow any more. ``widened``: a node held moves back, see
search.kernel."""

EMPTY = -1
_BYTES_PER_EDGE = EDGE.itemsize + CHILD.itemsize + 2 * 2 * np.dtype(np.int32).itemsize
"""An edge, a child, and two slots for each."""
_FIRST_CAPACITY = 1 << 10


class Arena(NamedTuple):
    """The arrays of one tree. Edges and children have the same capacity, slots twice that."""

    tree: NDArray[Any]
    root: NDArray[Any]
    edges: NDArray[Any]
    edge_slots: NDArray[np.int32]
    children: NDArray[Any]
    child_slots: NDArray[np.int32]

    @classmethod
    def for_root(cls, moves: tuple[int, ...]) -> Arena:
        """A tree of a root with one edge for each move to consider there."""
        capacity = _FIRST_CAPACITY
        while capacity < 4 * len(moves):
            capacity *= 2
        root = np.zeros(len(moves), dtype=ROOT)
        arena = cls._with_capacity(np.zeros(1, dtype=TREE), root, capacity)
        arena.tree[0].nodes = 1
        for key in moves:
            add_edge(arena, 0, key)
        return arena

    @classmethod
    def _with_capacity(cls, tree: NDArray[Any], root: NDArray[Any], capacity: int) -> Arena:
        return cls(
            tree=tree,
            root=root,
            edges=np.zeros(capacity, dtype=EDGE),
            edge_slots=np.full(2 * capacity, EMPTY, dtype=np.int32),
            children=np.zeros(capacity, dtype=CHILD),
            child_slots=np.full(2 * capacity, EMPTY, dtype=np.int32),
        )

    @property
    def bytes(self) -> int:
        """Memory in use by the arrays that grow."""
        return len(self.edges) * _BYTES_PER_EDGE

    def grown(self) -> Arena:
        """The same tree with twice the capacity; everything found before is found again."""
        arena = self._with_capacity(self.tree, self.root, 2 * len(self.edges))
        arena.edges[: len(self.edges)] = self.edges
        arena.children[: len(self.children)] = self.children
        index_all(arena)
        return arena


ARENA = types.NamedTuple(
    (
        *(types.Array(numba.from_dtype(dtype), 1, "C") for dtype in (TREE, ROOT, EDGE)),
        types.Array(types.int32, 1, "C"),
        types.Array(numba.from_dtype(CHILD), 1, "C"),
        types.Array(types.int32, 1, "C"),
    ),
    Arena,
)
"""The type as Numba writes it, for signatures."""

_SPREAD_1 = np.uint64(0x9E3779B97F4A7C15)
_SPREAD_2 = np.uint64(0xD6E8FEB86659FD93)
_HALF = np.uint64(32)


@rule
def slot_of(owner: Int, key: Int, slots: Any) -> Int:
    """Where to begin looking for a key of a node or edge; the number of slots is a power of 2."""
    spread = (np.uint64(key) ^ (np.uint64(owner) * _SPREAD_1)) * _SPREAD_2
    spread ^= spread >> _HALF
    return np.int64(spread & np.uint64(len(slots) - 1))


@inlined_rule
def find_edge(arena: Any, node: Int, key: Int) -> Int:
    """The edge of a node with a key, or EMPTY."""
    edges, slots = arena.edges, arena.edge_slots
    slot = slot_of(node, key, slots)
    while True:
        edge = slots[slot]
        if edge == EMPTY or (edges[edge].key == key and edges[edge].node == node):
            return np.int64(edge)
        slot = (slot + 1) & (len(slots) - 1)


@inlined_rule
def find_child(arena: Any, edge: Int, outcome: Int) -> Int:
    """The child of an edge after an outcome, or EMPTY."""
    children, slots = arena.children, arena.child_slots
    slot = slot_of(edge, outcome, slots)
    while True:
        child = slots[slot]
        if child == EMPTY or (children[child].outcome == outcome and children[child].edge == edge):
            return np.int64(child)
        slot = (slot + 1) & (len(slots) - 1)


@rule
def index(slots: Any, owner: Int, key: Int, position: Int) -> None:
    """Enters a position into the first free slot for a key."""
    slot = slot_of(owner, key, slots)
    while slots[slot] != EMPTY:
        slot = (slot + 1) & (len(slots) - 1)
    slots[slot] = position


@entry(types.void(ARENA))
def index_all(arena: Any) -> None:
    """Enters all edges and children into empty slots."""
    edges, children = arena.edges, arena.children
    for edge in range(arena.tree[0].edges):
        index(arena.edge_slots, edges[edge].node, edges[edge].key, edge)
    for child in range(arena.tree[0].children):
        index(arena.child_slots, children[child].edge, children[child].outcome, child)


@inlined_rule
def has_room(arena: Any) -> bool:
    """Whether an edge and a child can be added."""
    tree = arena.tree[0]
    return tree.edges < len(arena.edges) and tree.children < len(arena.children)


@inlined_rule
def add_edge(arena: Any, node: Int, key: Int) -> Int:
    """Adds an edge without visits; there must be room."""
    edge = np.int64(arena.tree[0].edges)
    arena.tree[0].edges = edge + 1
    added = arena.edges[edge]
    added.node = node
    added.key = key
    added.child = EMPTY
    index(arena.edge_slots, node, key, edge)
    return edge


@inlined_rule
def add_node(arena: Any) -> Int:
    """Adds a node; returns its number."""
    node = np.int64(arena.tree[0].nodes)
    arena.tree[0].nodes = node + 1
    return node


@inlined_rule
def add_child(arena: Any, edge: Int, outcome: Int, node: Int) -> None:
    """Adds the node behind an edge after an outcome; there must be room."""
    child = np.int64(arena.tree[0].children)
    arena.tree[0].children = child + 1
    added = arena.children[child]
    added.outcome = outcome
    added.edge = edge
    added.node = node
    index(arena.child_slots, edge, outcome, child)
