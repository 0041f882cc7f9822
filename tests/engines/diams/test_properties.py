"""What holds in every game of Diam's, whatever is played."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from adamas.v1 import diams_pb2 as pb
from engines.diams.codec import DiamsCodec
from engines.diams.rules.moves import NO_PLAY
from engines.diams.rules.state import (
    CARDS,
    CLOSING_CARD,
    DIAMONDS,
    DRAW,
    LIMIT,
    MAX_NOTES,
    OVER,
    PLAY,
    STATE,
    copies_of,
)
from engines.events import NO_LOG, new_log
from engines.jit import Record, Row
from engines.registry import game
from engines.rng import below, generator

DIAMS = game("diams")
CODEC = DiamsCodec()
OPTIONS = st.builds(
    pb.DiamsOptions,
    rounds=st.sampled_from([1, 2]),
    closing_window=st.integers(0, 15),
    special_in_market=st.sampled_from([1, 2]),
    hand_limit=st.integers(3, 8),
    overflow_to=st.sampled_from([1, 2]),
    refill_empty_market=st.integers(0, 3),
    open_safes=st.booleans(),
    special_deposit_scope=st.sampled_from([1, 2]),
    drill_to=st.sampled_from([1, 2]),
    chip_ties=st.sampled_from([1, 2]),
)


def game_of(options: pb.DiamsOptions, seats: int, seed: int) -> Iterator[tuple[Row, list[int]]]:
    """Positions with their legal moves; moves are random ones and those of the policy."""
    row = CODEC.new_game(options, seats, seed, new_log())
    rng = generator(seed, 1)
    while True:
        moves = DIAMS.legal_moves(row)
        yield row, moves
        if not moves:
            return
        own = below(rng, 2) == 0
        move = DIAMS.kernels.policy_move(row, rng) if own else moves[below(rng, len(moves))]
        assert move in moves
        DIAMS.kernels.apply_move(row, move, NO_LOG)


def where_cards_are(s: Record) -> np.ndarray:
    """How often each card is somewhere, the closing card last."""
    held = np.zeros(CARDS + 1, dtype=np.int64)
    for cards in (s.removed, *s.hands):
        held[:CARDS] += cards
    for cards in (s.market, *s.safes):
        held[:DIAMONDS] += cards
    for card in s.deck[: s.deck_size]:
        held[card] += 1
    return held


@settings(max_examples=40, deadline=None)
@given(OPTIONS, st.integers(2, 5), st.integers(0, 10_000))
def test_invariants_of_a_game(options: pb.DiamsOptions, seats: int, seed: int) -> None:
    last_phase = 0
    for row, moves in game_of(options, seats, seed):
        s = row.view(STATE)[0]
        held = where_cards_are(s)
        assert list(held[:CARDS]) == [copies_of(s, card) for card in range(CARDS)]
        assert held[CLOSING_CARD] == (0 if s.closed else 1)
        for seat in range(seats):
            size = int(s.hands[seat].sum())
            if s.turn != seat or s.phase in {DRAW, OVER}:
                assert size <= s.hand_limit
        assert (s.phase == LIMIT) <= (s.hands[s.turn].sum() > s.hand_limit)
        assert not (s.closed and s.phase == DRAW)
        assert NO_PLAY not in moves or moves == [NO_PLAY]
        assert s.phase == PLAY or NO_PLAY not in moves
        assert s.notes_size < MAX_NOTES // 2
        last_phase = int(s.phase)
    assert last_phase == OVER
    assert (s.points >= 0).all()


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 5), st.integers(0, 10_000), st.sampled_from([1, 2]))
def test_chips_go_by_rank(seats: int, seed: int, ties: int) -> None:
    """Whoever has more points gets at least as many chips; without ties 4, 3, 2, 1, 0."""
    options = pb.DiamsOptions(chip_ties=ties)  # type: ignore[arg-type]
    row = CODEC.new_game(options, seats, seed, new_log())
    rng = generator(seed)
    while DIAMS.kernels.seat_to_move(row) >= 0:
        before, log = row.copy(), new_log()
        DIAMS.kernels.apply_move(row, DIAMS.kernels.policy_move(row, rng), log)
        for event in CODEC.write_events(before, row, log):
            if event.HasField("round_scored"):
                results = sorted(event.round_scored.results, key=lambda r: -r.points)
                chips = [r.chips for r in results]
                assert chips == sorted(chips, reverse=True)
                if len({r.points for r in results}) == seats:
                    assert chips == [4, 3, 2, 1, 0][:seats]
                assert all(4 >= c >= 5 - seats for c in chips)


def test_the_informed_policy_beats_random_play() -> None:
    """In every seat, against random moves by the others."""
    rng = generator(4)
    out = np.zeros(DIAMS.max_moves, dtype=np.int64)
    for seats, least in ((2, 0.9), (4, 0.7)):
        wins = 0.0
        for seed in range(80):
            options = pb.DiamsOptions(rounds=pb.DIAMS_ROUNDS_QUICK)
            row = CODEC.new_game(options, seats, seed, new_log())
            own = seed % seats
            while (seat := int(DIAMS.kernels.seat_to_move(row))) >= 0:
                move = DIAMS.kernels.policy_move(row, rng)
                if seat != own:
                    n = DIAMS.kernels.legal_moves(row, out)
                    move = out[below(rng, n)]
                DIAMS.kernels.apply_move(row, move, NO_LOG)
            results = np.zeros((3, 6))
            DIAMS.kernels.evaluate(row, results)
            wins += results[1, own]
        assert wins / 80 > least
