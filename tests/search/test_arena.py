"""The arrays that a tree grows in."""

from __future__ import annotations

import numpy as np

from search.arena import EMPTY, Arena, add_child, add_edge, find_child, find_edge


def filled(edges: int) -> Arena:
    """An arena with a root of three moves and further edges, each with one child."""
    arena = Arena.for_root((4, 7, 9))
    assert 3 + edges <= len(arena.edges)
    for i in range(edges):
        edge = add_edge(arena, i % 50, 1000 + i)
        add_child(arena, edge, 5 + i, 100 + i)
    return arena


def test_root_edges_come_first_in_the_order_of_the_moves() -> None:
    arena = Arena.for_root((4, 7, 9))
    assert [find_edge(arena, 0, key) for key in (4, 7, 9)] == [0, 1, 2]
    assert find_edge(arena, 0, 5) == EMPTY
    assert find_edge(arena, 1, 4) == EMPTY


def test_a_wide_root_gets_room_to_grow() -> None:
    moves = tuple(range(20_000))
    arena = Arena.for_root(moves)
    assert len(arena.edges) >= 4 * len(moves)


def test_everything_is_found_again_after_growing() -> None:
    arena = filled(1000)
    before = len(arena.edges)
    arena = arena.grown()
    assert len(arena.edges) == 2 * before
    for i in range(1000):
        edge = find_edge(arena, i % 50, 1000 + i)
        assert edge == 3 + i
        child = find_child(arena, edge, 5 + i)
        assert arena.children["node"][child] == 100 + i
        assert find_child(arena, edge, 4 + i) == EMPTY


def test_growing_keeps_figures() -> None:
    arena = filled(10)
    arena.edges["visits"][:13] = np.arange(13)
    arena.edges["utility"][:13] = np.arange(13) / 2
    arena = arena.grown()
    assert list(arena.edges["visits"][:14]) == [*range(13), 0]
    assert arena.edges["utility"][12] == 6


def test_bytes_tell_what_the_arrays_take() -> None:
    arena = Arena.for_root((1, 2))
    arrays = (arena.edges, arena.children, arena.edge_slots, arena.child_slots)
    assert arena.bytes == sum(array.nbytes for array in arrays)
