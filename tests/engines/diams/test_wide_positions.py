"""Positions with very many combinations are still answered at once, since they go in steps."""

from __future__ import annotations

from itertools import combinations
from math import prod

import pytest

from adamas.v1 import diams_pb2 as pb
from engines.diams.codec import DiamsCodec
from engines.registry import game
from engines.violations import Report
from search import Search
from tests.engines.diams.positions import (
    LIMIT,
    diamond,
    diamonds,
    for_sum,
    position,
    widest,
)
from tests.examples.referee import EngineReferee, play

DIAMS = game("diams")
CODEC = DiamsCodec()
REFEREE = EngineReferee()


def search(state: pb.DiamsState, iterations: int = 200) -> Search:
    report = Report()
    row = CODEC.read_state(state, "state", report)
    report.raise_if_any()
    view = DIAMS.new_view()
    DIAMS.kernels.project(row, state.turn, view)
    found = Search(DIAMS, view, seed=1)
    found.run(iterations)
    return found


def test_a_market_with_all_small_diamonds() -> None:
    """Thousands of ways to make up a 10: one move to place it, then a few for each card."""
    wide = widest()
    state = wide.state
    assert wide.combinations > 10_000
    visits = [m for m in REFEREE.legal(state) if m.HasField("visit")]
    assert len(visits) == 4
    while state.turn == 0 and state.phase != pb.DIAMS_PHASE_OVER:
        found = search(state).result(100)
        assert found.legal_moves <= 18
        row = CODEC.read_state(state, "state", Report())
        best = CODEC.write_move(row, found.candidates[0].figures.move)
        if state.phase == pb.DIAMS_PHASE_PLAY:
            best = next(m for m in REFEREE.legal(state) if m.visit.mode == 2)
        state = REFEREE.apply(state, best)


def test_seven_cards_over_the_largest_hand_limit() -> None:
    """Seven of fifteen cards are given up in seven moves, each not below the one before."""
    state = position(
        ["4p 5p 5 6p 6 7p 7 8p 10", "9 9p 10"],
        on_market="1p 1p 1 1 1 2p 3",
        hand_limit=8,
        pile="C",
    )
    takes = [pb.DiamsMove(take=diamond(name)) for name in ["3", "2p", "1", "1", "1", "1p", "1p"]]
    state = play(REFEREE, state, (for_sum("10"), *takes))
    assert state.phase == LIMIT
    assert len(state.hands[0].cards) == 15
    assert [move.give_up.diamond for move in REFEREE.legal(state)] == diamonds("1p 1 2p 3 4p 5p")
    assert search(state).result(100).legal_moves == 6


@pytest.mark.parametrize("scope", [1, 2])
def test_the_largest_hand_with_everything_to_deposit(scope: int) -> None:
    """Nine cards: the list of moves stays well below its bound."""
    hand = "1p 1 1 2p 2 3p 3 4p X2"
    kinds = "1p 2p 2 2 3p 3 3 4p 4 4"
    state = position(
        [hand, "9 9p 10"],
        safes=[kinds.replace("1p ", "")],
        hand_limit=8,
        pile="C",
        on_market="5 6 7",
        special_deposit_scope=scope,
    )
    moves = REFEREE.legal(state)
    assert len(moves) < DIAMS.max_moves // 2
    sets = [m for m in moves if m.HasField("deposit")]
    assert len(sets) == prod((2, 2, 2, 2, 2))
    assert all(a != b for a, b in combinations(moves, 2))
