"""The ways to combine plans for all kinds, with the share of each.

The keys that plans for the first kinds can add up to are states; a way leads from a state to one of
the next kind by a plan. From the last kind back each state is worth what its ways are worth, which
is exact: what a complete key is worth is known. So plans drawn kind by kind, each with its share,
come up as often as they should.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engines.diams.hidden.keys import added_to, is_deposit, missing_from, weigh, within_reach
from engines.diams.hidden.prepared import (
    IMPOSSIBLE,
    KEY_WORDS,
    MAX_CHOICES,
    MAX_STATES,
    MAX_WAYS,
    PLANNED,
    POSSIBLE,
    UNDECIDED,
)
from engines.jit import Int, Record, Rng, rule
from engines.records import record_dtype
from engines.rng import mix, uniform

MAX_FOUND = 1 << 17
"""Ways that are looked at. Most lead nowhere, and are dropped."""
MAX_KEYS = 1 << 15
BUCKETS = 2 * MAX_KEYS

GRAPH = record_dtype(
    [
        ("keys", np.int64, (MAX_KEYS, KEY_WORDS)),
        ("worth", np.float64, (MAX_KEYS,)),
        ("kept", np.int32, (MAX_KEYS,)),
        ("first_key", np.int32, (PLANNED + 2,)),
        ("first_way", np.int32, (MAX_KEYS + 1,)),
        ("plan", np.int16, (MAX_FOUND,)),
        ("next", np.int32, (MAX_FOUND,)),
        ("buckets", np.int32, (BUCKETS,)),
        ("reach", np.int16, (PLANNED + 1, MAX_CHOICES)),
        ("reach_all", np.int16, (PLANNED + 1,)),
    ]
)
"""All states and ways, before those are dropped that lead nowhere. The keys of kind k start at
first_key[k]; what each is worth, and its number among those that are kept. The ways from key i
start at first_way[i]: a plan and the next key. ``buckets`` are a hash table of the keys: an index
plus one. ``reach`` and ``reach_all``: the most that plans from a kind on can add to each deposit
and to all together."""


@rule
def add_plan(t: Record, g: Record, key: Int, plan: Int, size: Int) -> bool:
    """Writes the key with a plan added to it to keys[size]; False if a deposit gets too large."""
    for word in range(KEY_WORDS):
        added = g.keys[key, word] + t.plans[plan].uses[word]
        if added & t.guards[word]:
            return False
        g.keys[size, word] = added
    return True


@rule
def same_key(g: Record, a: Int, b: Int) -> bool:
    """Whether two keys are equal."""
    for word in range(KEY_WORDS):
        if g.keys[a, word] != g.keys[b, word]:
            return False
    return True


@rule
def find_key(g: Record, first: Int, size: Int) -> Int:
    """The index of a key equal to keys[size] in keys[first:size], or ``size``, where it is new."""
    code = np.int64(first)
    for word in range(KEY_WORDS):
        code = mix(code, g.keys[size, word])
    bucket = code & (BUCKETS - 1)
    while True:
        found = np.int64(g.buckets[bucket]) - 1
        if found < 0:
            g.buckets[bucket] = size + 1
            return np.int64(size)
        if found >= first and same_key(g, found, size):
            return found
        bucket = (bucket + 1) & (BUCKETS - 1)


@rule
def reach_sizes(t: Record, g: Record) -> None:
    """The most that plans from each kind on can add to each deposit and to all together."""
    g.reach[PLANNED] = 0
    g.reach_all[PLANNED] = 0
    for kind in range(PLANNED - 1, -1, -1):
        g.reach[kind] = 0
        most = np.int64(0)
        for i in range(t.first_plan[kind], t.first_plan[kind + 1]):
            size = np.int64(0)
            for choice in range(t.choices):
                step = t.steps[t.choice_steps[choice]]
                cards = added_to(t.plans[i], step)
                g.reach[kind, choice] = max(g.reach[kind, choice], cards)
                size += cards
            most = max(most, size)
        g.reach[kind] += g.reach[kind + 1]
        g.reach_all[kind] = g.reach_all[kind + 1] + most


@rule
def may_complete(t: Record, g: Record, key: Int, kind: Int) -> bool:
    """Whether the sizes of the deposits don't tell that plans from a kind on can't complete a
    key."""
    missing = np.int64(0)
    for choice in range(t.choices):
        step = t.steps[t.choice_steps[choice]]
        if is_deposit(step):
            if not within_reach(g.keys[key], step, g.reach[kind, choice]):
                return False
            missing += missing_from(g.keys[key], step)
    return missing <= g.reach_all[kind]


@rule
def find_ways(t: Record, g: Record) -> bool:
    """All states and ways, kind by kind; False if there is not enough room."""
    g.buckets[:] = 0
    g.keys[0] = t.start
    g.first_key[0] = 0
    size = np.int64(1)
    ways = np.int64(0)
    for kind in range(PLANNED):
        first = size
        g.first_key[kind + 1] = first
        for key in range(g.first_key[kind], first):
            g.first_way[key] = ways
            for plan in range(t.first_plan[kind], t.first_plan[kind + 1]):
                if add_plan(t, g, key, plan, size) and may_complete(t, g, size, kind + 1):
                    following = find_key(g, first, size)
                    size = max(size, following + 1)
                    if ways == MAX_FOUND or size == MAX_KEYS:
                        return False
                    g.plan[ways] = plan
                    g.next[ways] = following
                    ways += 1
        g.first_way[first] = ways
    g.first_key[PLANNED + 1] = size
    return True


@rule
def weigh_keys(t: Record, g: Record) -> None:
    """What each key is worth, from the complete ones back to the start."""
    complete = np.int64(g.first_key[PLANNED])
    for key in range(complete, g.first_key[PLANNED + 1]):
        g.worth[key] = weigh(t, g.keys[key])
    for key in range(complete - 1, -1, -1):
        total = 0.0
        for way in range(g.first_way[key], g.first_way[key + 1]):
            total += t.plans[g.plan[way]].weight * g.worth[g.next[way]]
        g.worth[key] = total


@rule
def keep_ways(t: Record, g: Record) -> bool:
    """Writes the states and ways that lead to the end to the table; False if there is not enough
    room."""
    complete = np.int64(g.first_key[PLANNED])
    states = np.int64(0)
    for key in range(complete):
        g.kept[key] = states
        states += g.worth[key] > 0.0
    g.kept[complete : g.first_key[PLANNED + 1]] = 0
    if states > MAX_STATES:
        return False
    ways = np.int64(0)
    for key in range(complete):
        if g.worth[key] > 0.0:
            t.first_way[g.kept[key]] = ways
            for way in range(g.first_way[key], g.first_way[key + 1]):
                worth = t.plans[g.plan[way]].weight * g.worth[g.next[way]]
                if worth > 0.0:
                    if ways == MAX_WAYS:
                        return False
                    t.ways[ways].share = worth / g.worth[key]
                    t.ways[ways].next = g.kept[g.next[way]]
                    t.ways[ways].plan = g.plan[way]
                    ways += 1
    t.first_way[states] = ways
    return True


@rule
def combine_in(t: Record, room: Any) -> Int:
    """Finds the ways to combine plans, in a graph of one record that the caller keeps alive."""
    g = room[0]
    reach_sizes(t, g)
    if not find_ways(t, g):
        return np.int64(UNDECIDED)
    weigh_keys(t, g)
    if g.worth[0] == 0.0:
        return np.int64(IMPOSSIBLE)
    return np.int64(POSSIBLE if keep_ways(t, g) else UNDECIDED)


@rule
def combine_plans(t: Record) -> Int:
    """Finds the ways to combine plans; whether there are any."""
    return combine_in(t, np.empty(1, dtype=GRAPH))


@rule
def draw_plans(t: Record, rng: Rng) -> None:
    """Draws a plan for each kind, each with its share."""
    state = np.int64(0)
    for kind in range(PLANNED):
        way = np.int64(t.first_way[state])
        last = np.int64(t.first_way[state + 1]) - 1
        if way < last:
            rest = uniform(rng) - t.ways[way].share
            while rest >= 0.0 and way < last:
                way += 1
                rest -= t.ways[way].share
        t.chosen[kind] = t.ways[way].plan
        state = np.int64(t.ways[way].next)
