"""Forming sets one at a time reaches every combination once, and nothing else (section 3.2)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.diamonds_club.rules import exchange
from engines.diamonds_club.rules.state import MINE, RIGHT, SHIP, STATE
from engines.jit import Record

Set = tuple[int, int, int]


def record_with(mines: list[int], rights: list[int], ships: list[int]) -> Record:
    """A record in which seat 0 is to exchange these tiles; the supply has all gems."""
    s = np.zeros(STATE.itemsize, dtype=np.uint8).view(STATE)[0]
    s.seats = 2
    for first, tiles in ((MINE, mines), (RIGHT, rights), (SHIP, ships)):
        for tile in tiles:
            s.tiles[0, first + tile] += 1
    s.gem_supply[:] = 20
    return s


def all_combinations(mines: list[int], rights: list[int], ships: list[int]) -> set[tuple[Set, ...]]:
    """Every multiset of as many sets as possible, by brute force."""
    k = min(len(mines), len(rights), len(ships))
    return {
        tuple(sorted(zip(m, r, s, strict=True)))
        for m in combinations(mines, k)
        for r in permutations(rights, k)
        for s in permutations(ships, k)
    }


def reached(s: Record, formed: tuple[Set, ...] = ()) -> list[tuple[Set, ...]]:
    """What the seat can reach by forming one legal set after the other."""
    if exchange.sets_to_form(s, 0) == 0:
        return [formed]
    out = np.zeros(exchange.SETS, dtype=np.int64)
    results = []
    for move in out[: exchange.list_sets(s, 0, out)]:
        after = s.copy()
        exchange.form_set(after, int(move), None)
        parts = (
            int(exchange.color_of(move)),
            int(exchange.right_of(move)),
            int(exchange.ship_of(move)),
        )
        results += reached(after, (*formed, parts))
    return results


PLACES = st.lists(st.integers(0, 3), max_size=4)


@settings(max_examples=60, deadline=None)
@given(PLACES, PLACES, PLACES)
def test_each_combination_is_reached_exactly_once(
    mines: list[int], rights: list[int], ships: list[int]
) -> None:
    found = Counter(reached(record_with(mines, rights, ships)))
    assert set(found) == all_combinations(mines, rights, ships)
    assert set(found.values()) == {1}


@settings(deadline=None)
@given(PLACES, PLACES, PLACES)
def test_what_may_be_kept_is_one_leftover_tile_of_each_sort_at_most(
    mines: list[int], rights: list[int], ships: list[int]
) -> None:
    s = record_with(mines, rights, ships)
    out = np.zeros(exchange.KEEP_MOVES, dtype=np.int64)
    n = exchange.list_kept(s, 0, out)
    expected = 1
    for tiles in (mines, rights, ships):
        expected *= 1 + len(set(tiles))
    assert n == expected
    assert (np.diff(out[:n]) > 0).all()


def test_an_empty_gem_supply_gives_what_is_left() -> None:
    s = record_with([3], [3], [3])
    s.gem_supply[3] = 2
    exchange.form_set(s, int(exchange.set_of(3, 3, 3)), None)
    assert (s.gems[0, 3], s.gem_supply[3]) == (2, 0)
