"""Exact values of endings, compiled once for all games.

Expectimax over what can still be turned, with a transposition table (Knuth and Moore 1975 for the
recursion; Greenblatt, Eastlake, Crocker 1967 for the table). Every seat chooses what is best for
itself (max^n; Luckhardt and Irani 1986): the larger share of the victory, then the larger margin
over the best other seat. The recursion is a stack of frames in arrays, so that it can be left and
entered again at any step. See engines.contract.Endings for what an ending is.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
from numba import types

from engines.contract import (
    CARDS_OF_A_KIND,
    MAX_SEATS,
    MAX_UNSEEN,
    RESULT_ROWS,
    SCORE,
    UTILITY,
    WIN_SHARE,
    Game,
)
from engines.events import NO_LOG
from engines.jit import FLOATS, INTS, LOG, Floats, Int, entry, inlined_rule
from engines.records import record_dtype
from engines.utility import best_other
from search.borrowing import borrowed
from search.pointers import POINTERS, ending_rules_at, rules_at

DEPTH = 96
"""Longest line from an ending to the end of the game; an ending with a longer one is not solved."""
MARGIN = UTILITY
"""Values are results with the margin, in points, in place of the utility."""
_ALIKE = 1e-9
"""Values that differ by less are equal."""
_FULL = 0.75
"""Share of a table in use beyond which it has to grow."""

RUNNING, SOLVED, TOO_DEEP = range(3)
MARK = record_dtype(
    [
        ("steps", np.int64),
        ("stored", np.int64),
        ("depth", np.int32),
        ("fresh", np.int8),
        ("status", np.int8),
    ]
)
"""Where the recursion is. ``steps``: positions reached so far. ``stored``: entries of the table.
``fresh``: whether the frame at ``depth`` has not been entered yet."""

FRAME = record_dtype(
    [
        ("weight", np.float64),
        ("mover", np.int32),
        ("moves", np.int32),
        ("move", np.int32),
        ("unseen", np.int32),
        ("fixed", np.int32),
        ("key", np.int64),
    ]
)
"""One position on the way from the root. ``move``: which of its ``moves`` is being looked at.
``unseen``: cards to be turned. ``fixed``: how many of the next ones have been chosen for this
outcome of the move, -1 before its first outcome. ``weight``: the chance of the outcome."""


class Stack(NamedTuple):
    """The frames of the recursion, and what belongs to each."""

    mark: Any
    frames: Any
    rows: Any
    moves: Any
    cards: Any
    """Unseen cards: the chosen ones, then the others in ascending order."""
    picks: Any
    """For each chosen card, where among the others it was taken from."""
    chances: Any
    """The chance of so many chosen cards."""
    scores: Any
    """Of the seats if the game ended at the position."""
    sums: Any
    """Values of the move looked at: over its outcomes so far."""
    best: Any
    """Values of the best move so far; of the position, once all have been looked at."""
    roots: Any
    """Values of each move of the root."""
    results: Any
    log: Any

    @classmethod
    def for_ending(cls, game: Game, row: Any, moves: int) -> Stack:
        """A stack with an ending, in which so many moves are legal, at its root."""
        seats = game.codec.seats(row)
        values = (DEPTH, RESULT_ROWS, seats)
        found = cls(
            mark=np.zeros(1, dtype=MARK),
            frames=np.zeros(DEPTH, dtype=FRAME),
            rows=np.zeros((DEPTH, game.state.itemsize), dtype=np.uint8),
            moves=np.zeros((DEPTH, game.max_moves), dtype=np.int64),
            cards=np.zeros((DEPTH, MAX_UNSEEN), dtype=np.int64),
            picks=np.zeros((DEPTH, MAX_UNSEEN), dtype=np.int64),
            chances=np.ones((DEPTH, MAX_UNSEEN + 1)),
            scores=np.zeros((DEPTH, seats)),
            sums=np.zeros(values),
            best=np.zeros(values),
            roots=np.zeros((moves, RESULT_ROWS, seats)),
            results=np.zeros((RESULT_ROWS, MAX_SEATS)),
            log=NO_LOG.copy(),
        )
        found.rows[0] = row
        found.mark[0].fresh = 1
        return found


class Table(NamedTuple):
    """Values of positions, found by hashing (open addressing, linear probing)."""

    keys: Any
    """0 where empty."""
    values: Any
    """Scores as what is added to those at the position."""

    @classmethod
    def with_capacity(cls, capacity: int, seats: int) -> Table:
        """An empty table; the capacity is a power of 2."""
        return cls(
            keys=np.zeros(capacity, dtype=np.int64),
            values=np.zeros((capacity, RESULT_ROWS, seats)),
        )

    @property
    def bytes(self) -> int:
        """Memory in use."""
        return int(self.keys.nbytes + self.values.nbytes)

    def grown(self) -> Table:
        """The same entries with twice the capacity."""
        table = Table.with_capacity(2 * len(self.keys), self.values.shape[2])
        copy_entries(self, table)
        return table


_VALUES = types.Array(types.float64, 3, "C")
_INTS_OF_FRAMES = types.Array(types.int64, 2, "C")
STACK = types.NamedTuple(
    (
        types.Array(numba.from_dtype(MARK), 1, "C"),
        types.Array(numba.from_dtype(FRAME), 1, "C"),
        types.Array(types.uint8, 2, "C"),
        _INTS_OF_FRAMES,
        _INTS_OF_FRAMES,
        _INTS_OF_FRAMES,
        FLOATS,
        FLOATS,
        _VALUES,
        _VALUES,
        _VALUES,
        FLOATS,
        LOG,
    ),
    Stack,
)
TABLE = types.NamedTuple((INTS, _VALUES), Table)
SOLVE = types.int64(types.int64, STACK, TABLE, POINTERS, POINTERS)


# ------------------------------------------------------------------------------------- the table


@inlined_rule
def find_slot(table: Any, key: Int) -> Int:
    """The slot with a key, or the empty one where it belongs."""
    mask = len(table.keys) - 1
    slot = key & mask
    while table.keys[slot] != 0 and table.keys[slot] != key:
        slot = (slot + 1) & mask
    return slot


@entry(types.void(TABLE, TABLE))
def copy_entries(source: Any, target: Any) -> None:
    """Enters everything of one table into a larger, empty one."""
    for i in range(len(source.keys)):
        if source.keys[i] != 0:
            slot = find_slot(target, source.keys[i])
            target.keys[slot] = source.keys[i]
            target.values[slot] = source.values[i]


# ---------------------------------------------------------------------- what the next cards may be


@inlined_rule
def sort_cards(cards: Any, n: Int) -> None:
    """Sorts cards[0:n] in ascending order, in place."""
    for i in range(1, n):
        card = cards[i]
        j = i
        while j > 0 and cards[j - 1] > card:
            cards[j] = cards[j - 1]
            j -= 1
        cards[j] = card


@inlined_rule
def is_alike(card: Int, other: Int) -> bool:
    """Whether two cards are of one kind."""
    return card // CARDS_OF_A_KIND == other // CARDS_OF_A_KIND


@inlined_rule
def pick(stack: Any, depth: Int, place: Int, taken: Int) -> None:
    """Chooses the first of a kind of the others, cards[taken], as the next card, cards[place]."""
    frame = stack.frames[depth]
    cards = stack.cards[depth]
    card = cards[taken]
    copies = 0
    while taken + copies < frame.unseen and is_alike(cards[taken + copies], card):
        copies += 1
    for i in range(taken, place, -1):
        cards[i] = cards[i - 1]
    cards[place] = card
    stack.picks[depth, place] = taken
    stack.chances[depth, place + 1] = stack.chances[depth, place] * copies / (frame.unseen - place)
    frame.fixed = place + 1


@inlined_rule
def put_back(stack: Any, depth: Int, place: Int) -> None:
    """Puts the card chosen last, cards[place], back among the others."""
    cards = stack.cards[depth]
    taken = stack.picks[depth, place]
    card = cards[place]
    for i in range(place, taken):
        cards[i] = cards[i + 1]
    cards[taken] = card


@inlined_rule
def next_cards(stack: Any, depth: Int) -> bool:
    """Chooses the next cards anew; False after all choices, with the cards in order again."""
    frame = stack.frames[depth]
    cards = stack.cards[depth]
    place = frame.fixed - 1
    while place >= 0:
        card = cards[place]
        put_back(stack, depth, place)
        other = stack.picks[depth, place] + 1
        while other < frame.unseen and is_alike(cards[other], card):
            other += 1
        if other < frame.unseen:
            pick(stack, depth, place, other)
            return True
        place -= 1
    return False


# ------------------------------------------------------------------------------------ the recursion


@inlined_rule
def copy_values(source: Floats, target: Floats, seats: Int) -> None:
    """Copies the values of so many seats; a loop, as slices cost more than they hold here."""
    for figure in range(RESULT_ROWS):
        for seat in range(seats):
            target[figure, seat] = source[figure, seat]


@inlined_rule
def clear_values(values: Floats, seats: Int) -> None:
    """Sets the values of so many seats to 0."""
    for figure in range(RESULT_ROWS):
        for seat in range(seats):
            values[figure, seat] = 0.0


@inlined_rule
def is_better(values: Floats, best: Floats, seat: Int) -> bool:
    """Whether a seat prefers one value: more of the victory, then the larger margin."""
    wins = values[WIN_SHARE, seat] - best[WIN_SHARE, seat]
    margin = values[MARGIN, seat] - best[MARGIN, seat]
    return wins > _ALIKE or (wins > -_ALIKE and margin > _ALIKE)


@inlined_rule
def enter(rules: Any, ending: Any, stack: Any, table: Any, depth: Int) -> bool:
    """Looks at a position for the first time; True if its value is known by that."""
    seats = stack.roots.shape[2]
    row, frame, best = stack.rows[depth], stack.frames[depth], stack.best[depth]
    frame.mover = rules.seat_to_move(row)
    if frame.mover < 0:
        results = stack.results
        rules.evaluate(row, results)
        for seat in range(seats):
            best[WIN_SHARE, seat] = results[WIN_SHARE, seat]
            best[SCORE, seat] = results[SCORE, seat]
            best[MARGIN, seat] = results[SCORE, seat] - best_other(results, SCORE, seat, seats, 0)
        return True
    frame.key = ending.position_key(row) | 1
    rules.evaluate(row, stack.results)
    for seat in range(seats):
        stack.scores[depth, seat] = stack.results[SCORE, seat]
    slot = find_slot(table, frame.key)
    if depth > 0 and table.keys[slot] != 0:
        for seat in range(seats):
            best[WIN_SHARE, seat] = table.values[slot, WIN_SHARE, seat]
            best[SCORE, seat] = table.values[slot, SCORE, seat] + stack.scores[depth, seat]
            best[MARGIN, seat] = table.values[slot, MARGIN, seat]
        return True
    if depth == 0:
        frame.unseen = ending.unseen(row, stack.cards[depth])
    sort_cards(stack.cards[depth], frame.unseen)
    frame.moves = rules.legal_moves(row, stack.moves[depth])
    frame.move = 0
    frame.fixed = -1
    return False


@inlined_rule
def store(stack: Any, table: Any, depth: Int) -> None:
    """Enters the value of a position into the table."""
    best, scores = stack.best[depth], stack.scores[depth]
    slot = find_slot(table, stack.frames[depth].key)
    table.keys[slot] = stack.frames[depth].key
    for seat in range(stack.roots.shape[2]):
        table.values[slot, WIN_SHARE, seat] = best[WIN_SHARE, seat]
        table.values[slot, SCORE, seat] = best[SCORE, seat] - scores[seat]
        table.values[slot, MARGIN, seat] = best[MARGIN, seat]
    stack.mark[0].stored += 1


@inlined_rule
def finish_move(stack: Any, depth: Int) -> None:
    """All outcomes of a move have been looked at: it is the best so far, or not."""
    frame, sums, best = stack.frames[depth], stack.sums[depth], stack.best[depth]
    seats = stack.roots.shape[2]
    if depth == 0:
        copy_values(sums, stack.roots[frame.move], seats)
    if frame.move == 0 or is_better(sums, best, frame.mover):
        copy_values(sums, best, seats)
    frame.move += 1
    frame.fixed = -1


@inlined_rule
def play_out(rules: Any, ending: Any, stack: Any, depth: Int) -> bool:
    """Plays the move with the cards that have been chosen; False if it turns more than those."""
    frame, child = stack.frames[depth], stack.rows[depth + 1]
    child[:] = stack.rows[depth]
    if frame.unseen > 0:
        ending.reorder(child, stack.cards[depth], frame.unseen)
    rules.apply_move(child, stack.moves[depth, frame.move], stack.log)
    left = ending.unseen(child, stack.cards[depth + 1])
    stack.frames[depth + 1].unseen = left
    return frame.unseen - left <= frame.fixed


@inlined_rule
def advance(rules: Any, ending: Any, stack: Any, depth: Int) -> bool:
    """Goes on to the next outcome of a move, or to the next move; False after the last one."""
    frame = stack.frames[depth]
    while True:
        if frame.fixed < 0:
            if frame.move == frame.moves:
                return False
            frame.fixed = 0
            clear_values(stack.sums[depth], stack.roots.shape[2])
        elif not next_cards(stack, depth):
            finish_move(stack, depth)
            continue
        while not play_out(rules, ending, stack, depth):
            pick(stack, depth, np.int64(frame.fixed), np.int64(frame.fixed))
        frame.weight = stack.chances[depth, frame.fixed]
        return True


@inlined_rule
def leave(stack: Any, depth: Int) -> None:
    """The value of a position is known: adds it to the move that led there."""
    mark = stack.mark[0]
    if depth == 0:
        mark.status = SOLVED
        return
    weight = stack.frames[depth - 1].weight
    sums, values = stack.sums[depth - 1], stack.best[depth]
    for figure in range(RESULT_ROWS):
        for seat in range(stack.roots.shape[2]):
            sums[figure, seat] += weight * values[figure, seat]
    mark.depth = depth - 1


@entry(SOLVE)
def solve(steps: Int, stack: Any, table: Any, pointers: Any, ending_pointers: Any) -> Int:
    """Goes on until so many steps have been made in all, the ending is solved or given up, or the
    table has to grow. Returns the status."""
    rules, ending = rules_at(pointers), ending_rules_at(ending_pointers)
    stack, table = borrowed(stack), borrowed(table)
    mark = stack.mark[0]
    while mark.status == RUNNING and mark.steps < steps:
        if mark.stored >= _FULL * len(table.keys):
            break
        depth = np.int64(mark.depth)
        if mark.fresh == 1:
            mark.fresh = 0
            if enter(rules, ending, stack, table, depth):
                leave(stack, depth)
                continue
        if advance(rules, ending, stack, depth):
            mark.steps += 1
            mark.depth = depth + 1
            mark.fresh = 1
            if depth + 2 == DEPTH:
                mark.status = TOO_DEEP
            continue
        store(stack, table, depth)
        leave(stack, depth)
    return np.int64(mark.status)
