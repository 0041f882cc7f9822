"""Where the time of an iteration goes: its sample, the tree, the playout, the evaluation."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from benchmarks.iterations import Position
from engines.jit import Int, rule
from search import Search
from search.borrowing import borrowed
from search.kernel import back_up, descend, run, sample
from search.pointers import rules_at
from search.tree import Tree

ITERATIONS = 5_000
ROUNDS = 5


class Parts(NamedTuple):
    """Microseconds of processor time an iteration."""

    sample: float
    tree: float
    playout: float
    evaluation: float


@rule
def grow(plan: Any, knowledge: Any, arena: Any, desk: Any, pointers: Any, leaves: Any) -> None:
    """Runs an iteration for each leaf, and keeps the state in which its playout begins."""
    rules = rules_at(pointers)
    knowledge, arena, desk = borrowed(knowledge), borrowed(arena), borrowed(desk)
    for i in range(len(leaves)):
        sample(rules, knowledge, arena.tree[0].iterations, desk.state)
        depth = descend(plan, rules, arena, desk)
        leaves[i] = desk.state
        if rules.seat_to_move(desk.state) >= 0:
            rules.playout(desk.state, desk.rng, plan.policy)
        rules.evaluate(desk.state, desk.results)
        back_up(plan, arena, desk, depth)


@rule
def draw_samples(knowledge: Any, desk: Any, pointers: Any, samples: Int) -> None:
    """Samples so many determinizations."""
    rules = rules_at(pointers)
    knowledge, desk = borrowed(knowledge), borrowed(desk)
    for i in range(samples):
        sample(rules, knowledge, i, desk.state)


@rule
def play_out(plan: Any, desk: Any, pointers: Any, leaves: Any) -> None:
    """Plays from each leaf to the end, in place."""
    rules = rules_at(pointers)
    desk = borrowed(desk)
    for i in range(len(leaves)):
        if rules.seat_to_move(leaves[i]) >= 0:
            rules.playout(leaves[i], desk.rng, plan.policy)


@rule
def evaluate_all(desk: Any, pointers: Any, ends: Any) -> None:
    """Evaluates the end of each playout."""
    rules = rules_at(pointers)
    desk = borrowed(desk)
    for i in range(len(ends)):
        rules.evaluate(ends[i], desk.results)


def parts(position: Position) -> Parts:
    """The parts of an iteration of a new search, the median of some measurements each.

    The tree's is what the others leave of the whole.
    """
    measured = [_measure(position) for _ in range(1 + ROUNDS)][1:]
    return Parts(*(statistics.median(part) for part in zip(*measured, strict=True)))


def _measure(position: Position) -> Parts:
    tree = _roomy_tree(position)
    leaves = np.zeros((ITERATIONS, position.game.state.itemsize), dtype=np.uint8)
    plan, knowledge, desk, rules = tree.plan, tree.knowledge, tree._desk, tree.pointers
    grow(plan, knowledge, tree.arena, desk, rules, leaves)
    sampling = _time(draw_samples, knowledge, desk, rules, ITERATIONS)
    playout = _time(play_out, plan, desk, rules, leaves)
    evaluation = _time(evaluate_all, desk, rules, leaves)
    other = _roomy_tree(position)
    whole = _time(run, ITERATIONS, plan, other.knowledge, other.arena, other._desk, rules)
    return Parts(sampling, whole - sampling - playout - evaluation, playout, evaluation)


def _roomy_tree(position: Position) -> Tree:
    """A new tree that has not to grow its arrays meanwhile."""
    tree = Search(position.game, position.view, seed=1, trees=1).trees[0]
    while len(tree.arena.edges) < 2 * ITERATIONS:
        tree.arena = tree.arena.grown()
    return tree


def _time(work: Callable[..., Any], *arguments: Any) -> float:
    """Microseconds of this thread's processor time an iteration."""
    start = time.thread_time()
    work(*arguments)
    return (time.thread_time() - start) / ITERATIONS * 1e6
