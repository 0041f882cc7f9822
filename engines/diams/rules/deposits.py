"""Deposits into the safe of Diam's (sections 3.2 and 3.3, C)."""

from __future__ import annotations

from engines.diams.rules.moves import (
    DEPOSIT,
    SPECIAL_DEPOSIT,
    count_of,
    ordinary_in,
    pure_in,
    set_of,
    sort_moves,
)
from engines.diams.rules.notes import STORED, tell
from engines.diams.rules.options import ONE_KIND
from engines.diams.rules.state import DIAMONDS, SET_SIZE, in_kind, kind_of
from engines.diams.rules.tables import KINDS
from engines.diams.rules.turns import end_play
from engines.jit import Int, Ints, Log, Record, Row, rule


@rule
def holds_set(cards: Row) -> bool:
    """Whether there are three or more diamonds of some kind."""
    for kind in range(KINDS):
        if in_kind(cards, kind) >= SET_SIZE:
            return True
    return False


@rule
def has_set(cards: Int) -> bool:
    """Whether some kind is three or more times in a set."""
    for kind in range(KINDS):
        if pure_in(cards, kind) + ordinary_in(cards, kind) >= SET_SIZE:
            return True
    return False


@rule
def grow_sets(hand: Row, kind: Int, least: Int, out: Ints, start: Int, stop: Int, end: Int) -> Int:
    """Adds every choice of at least so many of a kind to each set of out[start:stop].

    Writes the new sets from out[end] on; returns the new end.
    """
    for i in range(start, stop):
        for pure in range(hand[2 * kind] + 1):
            for ordinary in range(hand[2 * kind + 1] + 1):
                if pure + ordinary >= least:
                    out[end] = out[i] + set_of(kind, pure, ordinary)
                    end += 1
    return end


@rule
def list_deposits(s: Record, out: Ints, n: Int) -> Int:
    """Sets with three or more of a kind; single cards only of kinds in the safe (section 3.2)."""
    hand = s.hands[s.turn]
    if not holds_set(hand):
        return n
    out[n] = DEPOSIT
    end = n + 1
    for kind in range(KINDS):
        least = 1 if in_kind(s.safes[s.turn], kind) > 0 else SET_SIZE
        if in_kind(hand, kind) >= least:
            end = grow_sets(hand, kind, least, out, n, end, end)
    kept = n
    for i in range(n, end):
        if has_set(out[i]):
            out[kept] = out[i]
            kept += 1
    sort_moves(out, n, kept)
    return kept


@rule
def list_special_deposits(s: Record, out: Ints, n: Int) -> Int:
    """Any diamonds of kinds that are in the safe, with X2 (section 3.3, C)."""
    hand = s.hands[s.turn]
    out[n] = SPECIAL_DEPOSIT
    end = n + 1
    for kind in range(KINDS):
        if in_kind(s.safes[s.turn], kind) > 0:
            stop = n + 1 if s.special_deposit_scope == ONE_KIND else end
            end = grow_sets(hand, kind, 1, out, n, stop, end)
    end -= 1
    out[n] = out[end]
    sort_moves(out, n, end)
    return end


@rule
def deposit(s: Record, move: Int, code: Int, log: Log | None) -> None:
    """Puts the set of a move into the safe; the others see its cards only if the safe lies open."""
    tell(s, log, code + count_of(move))
    for card in range(DIAMONDS):
        kind = kind_of(card)
        cards = ordinary_in(move, kind) if card & 1 else pure_in(move, kind)
        s.hands[s.turn, card] -= cards
        s.safes[s.turn, card] += cards
        if s.open_safes:
            for _ in range(cards):
                tell(s, log, STORED + card)
    end_play(s, log)
