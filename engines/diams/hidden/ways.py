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

MAX_KEYS = 1 << 15
BUCKETS = 2 * MAX_KEYS

GRAPH = record_dtype(
    [
        ("keys", np.int64, (MAX_KEYS, KEY_WORDS)),
        ("worth", np.float64, (MAX_KEYS,)),
        ("kept", np.int32, (MAX_KEYS,)),
        ("first_key", np.int32, (PLANNED + 2,)),
        ("buckets", np.int32, (BUCKETS,)),
        ("reach", np.int16, (PLANNED + 1, MAX_CHOICES)),
        ("reach_all", np.int16, (PLANNED + 1,)),
    ]
)
"""All keys, before those are dropped that lead nowhere: those before kind k start at first_key[k].
What each is worth, and its number among those that are kept. ``buckets`` are a hash table of the
keys: an index plus one. ``reach`` and ``reach_all``: the most that plans from a kind on can add to
each deposit and to all together."""


@rule
def add_plan(t: Record, g: Record, key: Int, plan: Int) -> bool:
    """Writes the key with a plan added to it to the last of the keys; False if a deposit gets too
    large."""
    for word in range(KEY_WORDS):
        added = g.keys[key, word] + t.plans[plan].uses[word]
        if added & t.guards[word]:
            return False
        g.keys[MAX_KEYS - 1, word] = added
    return True


@rule
def same_key(g: Record, a: Int, b: Int) -> bool:
    """Whether two keys are equal."""
    for word in range(KEY_WORDS):
        if g.keys[a, word] != g.keys[b, word]:
            return False
    return True


@rule
def bucket_of(g: Record, first: Int, end: Int) -> Int:
    """The bucket of the key in keys[first:end] that equals the last of all, or an empty one."""
    code = np.int64(first)
    for word in range(KEY_WORDS):
        code = mix(code, g.keys[MAX_KEYS - 1, word])
    bucket = code & (BUCKETS - 1)
    while True:
        key = np.int64(g.buckets[bucket]) - 1
        if key < 0 or (first <= key < end and same_key(g, key, MAX_KEYS - 1)):
            return bucket
        bucket = (bucket + 1) & (BUCKETS - 1)


@rule
def after(t: Record, g: Record, kind: Int, key: Int, plan: Int) -> Int:
    """The key that a plan for a kind leads to, or -1."""
    if not add_plan(t, g, key, plan):
        return np.int64(-1)
    bucket = bucket_of(g, g.first_key[kind + 1], g.first_key[kind + 2])
    return np.int64(g.buckets[bucket]) - 1


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
def may_complete(t: Record, g: Record, kind: Int) -> bool:
    """Whether the sizes of the deposits don't tell that plans from a kind on can't complete the
    last of the keys."""
    missing = np.int64(0)
    for choice in range(t.choices):
        step = t.steps[t.choice_steps[choice]]
        if is_deposit(step):
            if not within_reach(g.keys[MAX_KEYS - 1], step, g.reach[kind, choice]):
                return False
            missing += missing_from(g.keys[MAX_KEYS - 1], step)
    return missing <= g.reach_all[kind]


@rule
def find_keys(t: Record, g: Record) -> bool:
    """All keys, kind by kind; False if there is not enough room."""
    g.buckets[:] = 0
    g.keys[0] = t.start
    g.first_key[0] = 0
    size = np.int64(1)
    for kind in range(PLANNED):
        first = size
        g.first_key[kind + 1] = first
        for key in range(g.first_key[kind], first):
            for plan in range(t.first_plan[kind], t.first_plan[kind + 1]):
                if not (add_plan(t, g, key, plan) and may_complete(t, g, kind + 1)):
                    continue
                bucket = bucket_of(g, first, size)
                if g.buckets[bucket] == 0:
                    if size == MAX_KEYS - 1:
                        return False
                    g.keys[size] = g.keys[MAX_KEYS - 1]
                    size += 1
                    g.buckets[bucket] = size
    g.first_key[PLANNED + 1] = size
    return True


@rule
def weigh_keys(t: Record, g: Record) -> None:
    """What each key is worth, from the complete ones back to the start."""
    for key in range(g.first_key[PLANNED], g.first_key[PLANNED + 1]):
        g.worth[key] = weigh(t, g.keys[key])
    for kind in range(PLANNED - 1, -1, -1):
        for key in range(g.first_key[kind], g.first_key[kind + 1]):
            total = 0.0
            for plan in range(t.first_plan[kind], t.first_plan[kind + 1]):
                following = after(t, g, kind, key, plan)
                if following >= 0:
                    total += t.plans[plan].weight * g.worth[following]
            g.worth[key] = total


@rule
def number_states(g: Record) -> Int:
    """Numbers the keys that lead to the end, but for complete ones; returns how many there are."""
    states = np.int64(0)
    g.kept[:] = 0
    for key in range(g.first_key[PLANNED]):
        g.kept[key] = states
        states += g.worth[key] > 0.0
    return states


@rule
def keep_ways(t: Record, g: Record) -> bool:
    """Writes the states and ways that lead to the end to the table; False if there is not enough
    room."""
    states = number_states(g)
    if states > MAX_STATES:
        return False
    ways = np.int64(0)
    for kind in range(PLANNED):
        for key in range(g.first_key[kind], g.first_key[kind + 1]):
            if g.worth[key] == 0.0:
                continue
            t.first_way[g.kept[key]] = ways
            for plan in range(t.first_plan[kind], t.first_plan[kind + 1]):
                following = after(t, g, kind, key, plan)
                if following >= 0 and g.worth[following] > 0.0:
                    if ways == MAX_WAYS:
                        return False
                    t.ways[ways].share = t.plans[plan].weight * g.worth[following] / g.worth[key]
                    t.ways[ways].next = g.kept[following]
                    t.ways[ways].plan = plan
                    ways += 1
    t.first_way[states] = ways
    return True


@rule
def combine_in(t: Record, room: Any) -> Int:
    """Finds the ways to combine plans, in a graph of one record that the caller keeps alive."""
    g = room[0]
    reach_sizes(t, g)
    if not find_keys(t, g):
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
