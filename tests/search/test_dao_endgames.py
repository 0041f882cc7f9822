"""The search against exact play: two-seat DAO with up to five cards left in the deck."""

from __future__ import annotations

import numpy as np
import pytest

from adamas.v1 import dao_pb2 as pb
from engines.contract import GAME_OVER
from engines.dao import rules
from engines.dao.rules import STATE, VALUES
from engines.events import NO_LOG, new_log
from engines.registry import game
from engines.rng import generator
from search import Search
from tests.search.dao_expectimax import REVEAL, TAKE, Card, Endgame

DAO = game("dao")
ITERATIONS = 10_000
POSITIONS = 15
MATTERS = 0.02
"""Only positions whose two choices differ by more than this are played."""
LARGEST_MEAN_LOSS = 0.02


def endgame_position(seed: int, split: bool, most: int = 5) -> np.ndarray | None:
    """A position reached by sensible play with one to so many cards left in the last deck."""
    row = DAO.codec.new_game(pb.DaoOptions(two_round_split=split), 2, seed, new_log())
    rng = generator(seed, 5)
    wanted = 1 + seed % most
    while DAO.kernels.seat_to_move(row) != GAME_OVER:
        s = row.view(STATE)[0]
        last_deck = not rules.is_split_first_round(s)
        if last_deck and s.deck_size <= wanted:
            return row
        DAO.kernels.apply_move(row, DAO.kernels.policy_move(row, rng), NO_LOG)
    return None


def as_card(number: int) -> Card:
    return int(number) // VALUES, int(number) % VALUES


def solve(row: np.ndarray) -> dict[int, float]:
    """Exact win probability of the mover for TAKE and REVEAL."""
    s = row.view(STATE)[0]
    piles = tuple(
        tuple(as_card(c) for c in range(25) for _ in range(int(s.piles[p, c]))) for p in (0, 1)
    )
    endgame = Endgame(
        (piles[0], piles[1]),
        (int(s.first_score[0]), int(s.first_score[1])),
        (int(s.first_cards[0]), int(s.first_cards[1])),
    )
    open_row = tuple(as_card(c) for c in s.row[: s.row_size])
    deck = tuple(sorted(as_card(c) for c in s.deck[: s.deck_size]))
    mover = int(s.turn)
    exact = {}
    for move, choice in ((rules.TAKE, TAKE), (rules.REVEAL, REVEAL)):
        first_seat = endgame.after(choice, open_row, deck, ((), ()), mover)
        exact[move] = first_seat if mover == 0 else 1 - first_seat
    return exact


def choose(row: np.ndarray) -> int:
    """The search's choice."""
    seat = int(DAO.kernels.seat_to_move(row))
    view = DAO.new_view()
    DAO.kernels.project(row, seat, view)
    search = Search(DAO, view, seed=1, trees=1)
    search.run(ITERATIONS)
    return search.result(1).candidates[0].figures.move


@pytest.mark.parametrize("split", [False, True])
def test_the_choice_loses_little_against_exact_play(split: bool) -> None:
    losses: list[float] = []
    seed = 0
    while len(losses) < POSITIONS:
        seed += 1
        row = endgame_position(seed, split)
        if row is None:
            continue
        exact = solve(row)
        if max(exact.values()) - min(exact.values()) > MATTERS:
            losses.append(max(exact.values()) - exact[choose(row)])
    assert np.mean(losses) < LARGEST_MEAN_LOSS
